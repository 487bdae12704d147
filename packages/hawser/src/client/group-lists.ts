import type { Prompt } from '../model/prompts.ts';
import type { Resource, ResourceTemplate } from '../model/resources.ts';
import type { Tool } from '../model/types.ts';
import type { Client } from './client.ts';
import type { ListKind } from './lists.ts';
import type { CallOptions } from './options.ts';
import { promptList } from './prompts.ts';
import { resourceList, templateList } from './resources.ts';
import { toolList } from './tools.ts';

/** What servers list. */
export interface Listed {
  tools: Tool;
  prompts: Prompt;
  resources: Resource;
  templates: ResourceTemplate;
}

export type ListName = keyof Listed;

interface List<Entry> extends ListKind<Entry> {
  list(client: Client, options: CallOptions): Promise<Entry[]>;
  /** What of an entry is its name. */
  nameOf(entry: Entry): string;
}

export const listNames: readonly ListName[] = ['tools', 'prompts', 'resources', 'templates'];

export const lists: { readonly [Name in ListName]: List<Listed[Name]> } = {
  tools: {
    ...toolList,
    list: (client, options) => client.listTools(options),
    nameOf: (tool) => tool.name,
  },
  prompts: {
    ...promptList,
    list: (client, options) => client.listPrompts(options),
    nameOf: (prompt) => prompt.name,
  },
  resources: {
    ...resourceList,
    list: (client, options) => client.listResources(options),
    nameOf: (resource) => resource.uri,
  },
  templates: {
    ...templateList,
    list: (client, options) => client.listResourceTemplates(options),
    nameOf: (template) => template.uriTemplate,
  },
};

/** The notice that a list has changed: one for all that belong to a feature. */
export function changeOf(name: ListName): string {
  return `notifications/${lists[name].feature}/list_changed`;
}
