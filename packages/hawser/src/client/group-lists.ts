import type { Prompt } from '../model/prompts.ts';
import type { Resource, ResourceTemplate } from '../model/resources.ts';
import type { SubscriptionFilter, Tool } from '../model/types.ts';
import type { Client } from './client.ts';
import type { CallOptions } from './options.ts';

/** What servers list, and what of each entry is its name. */
export interface Listed {
  tools: Tool;
  prompts: Prompt;
  resources: Resource;
  templates: ResourceTemplate;
}

export type ListName = keyof Listed;

interface List<Entry> {
  readonly method: string;
  /** The notice that the list has changed, and how a modern server is asked for it. */
  readonly changed: string;
  readonly capability: 'tools' | 'prompts' | 'resources';
  readonly filter: Exclude<keyof SubscriptionFilter, 'resourceSubscriptions'>;
  list(client: Client, options: CallOptions): Promise<Entry[]>;
  nameOf(entry: Entry): string;
}

export const listNames: readonly ListName[] = ['tools', 'prompts', 'resources', 'templates'];

export const lists: { readonly [Name in ListName]: List<Listed[Name]> } = {
  tools: {
    method: 'tools/list',
    changed: 'notifications/tools/list_changed',
    capability: 'tools',
    filter: 'toolsListChanged',
    list: (client, options) => client.listTools(options),
    nameOf: (tool) => tool.name,
  },
  prompts: {
    method: 'prompts/list',
    changed: 'notifications/prompts/list_changed',
    capability: 'prompts',
    filter: 'promptsListChanged',
    list: (client, options) => client.listPrompts(options),
    nameOf: (prompt) => prompt.name,
  },
  resources: {
    method: 'resources/list',
    changed: 'notifications/resources/list_changed',
    capability: 'resources',
    filter: 'resourcesListChanged',
    list: (client, options) => client.listResources(options),
    nameOf: (resource) => resource.uri,
  },
  templates: {
    method: 'resources/templates/list',
    changed: 'notifications/resources/list_changed',
    capability: 'resources',
    filter: 'resourcesListChanged',
    list: (client, options) => client.listResourceTemplates(options),
    nameOf: (template) => template.uriTemplate,
  },
};
