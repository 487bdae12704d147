import { ArgumentError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import { UriTemplate } from '../core/uri-template.ts';
import type { Resource, ResourceTemplate } from '../model/resources.ts';
import type { Annotations, CacheHints, Icon } from '../model/types.ts';
import { checkedCompleters, type Completer, type Completers } from './completion.ts';
import type { Context } from './context.ts';
import { checkedHints, checkParts, copied, named } from './definitions.ts';
import { Registry } from './registry.ts';
import type { ResourceReturn } from './resource-result.ts';
import type { InputRequired } from './rounds/input-required.ts';

/** How resources of one kind are described to callers. */
export interface TemplateDefinition {
  /** Name for programs. */
  name: string;
  /** Name for display. */
  title?: string;
  /** What the resources are, for the model. */
  description?: string;
  icons?: Icon[];
  /** Of all of them; for a content, and an entry of `list`, that says nothing else. */
  mimeType?: string;
  /** Of all of them; for an entry of `list` that has none. */
  annotations?: Annotations;
  /** How long what was read may be reused. Default: not at all. */
  cache?: CacheHints;
  /** Suggests values for variables, by their names. */
  complete?: Readonly<Record<string, Completer>>;
  /**
   * The resources of the kind, for `resources/list`; it may differ by caller, so that the list is private. It cannot
   * ask the caller, nor remember anything by `step`. When it fails, the list is given without them; what two templates
   * list is listed once.
   */
  list?: (ctx: Context) => readonly Resource[] | Promise<readonly Resource[]>;
  _meta?: JsonObject;
}

/**
 * Reads a resource. The variables come out of the URI, percent-decoded, and are a stranger's word: check paths.
 * `ctx.uri` is the URI itself. A thrown error is not told to the caller, but for `ResourceNotFoundError`.
 */
export type TemplateHandler = (
  variables: Record<string, string>,
  ctx: Context & { readonly uri: string },
) => ResourceReturn | InputRequired | Promise<ResourceReturn | InputRequired>;

/** A template made ready. */
export interface TemplateEntry {
  readonly template: ResourceTemplate;
  readonly uris: UriTemplate;
  readonly cache: CacheHints;
  readonly completers: Completers;
  readonly list: TemplateDefinition['list'];
  readonly handler: TemplateHandler;
}

const shown = ['name', 'title', 'description', 'icons', 'mimeType', 'annotations', '_meta'];
const members = [...shown, 'cache', 'complete', 'list'];

/** The templates of a server. */
export class Templates {
  readonly registry: Registry<TemplateEntry>;
  /** How many complete a variable, and how many list resources. */
  completing = 0;
  listing = 0;

  constructor(pageSize: number) {
    this.registry = new Registry('templates', pageSize);
  }

  /** @throws ArgumentError when the template cannot be read or matched, is there already, or is described badly */
  add(uriTemplate: string, definition: TemplateDefinition, handler: TemplateHandler): void {
    const what = named('template', uriTemplate);
    checkParts(what, definition, handler, members, { uriTemplate });
    const uris = new UriTemplate(uriTemplate);
    // A template that cannot be matched is found out now, not when somebody reads.
    uris.match('');
    const { name, title, description, icons, mimeType, annotations, _meta, cache, complete, list } = definition;
    if (typeof name !== 'string' || name === '') throw new ArgumentError(`${what} needs a name`);
    if (list !== undefined && typeof list !== 'function') throw new ArgumentError(`${what}: list is a function`);
    const template = copied<ResourceTemplate>(what, {
      uriTemplate,
      name,
      title,
      description,
      icons,
      mimeType,
      annotations,
      _meta,
    });
    const completers = checkedCompleters(what, complete, uris.variables);
    this.registry.add('template', uriTemplate, {
      template,
      uris,
      cache: checkedHints(what, cache),
      completers,
      list,
      handler,
    });
    this.#count(completers, list, 1);
  }

  remove(uriTemplate: string): boolean {
    const entry = this.registry.remove(uriTemplate);
    if (entry === undefined) return false;
    this.#count(entry.completers, entry.list, -1);
    return true;
  }

  #count(completers: Completers, list: unknown, by: 1 | -1): void {
    if (completers.size > 0) this.completing += by;
    if (list !== undefined) this.listing += by;
  }

  /** The first template, in order of registration, that has this URI. */
  find(uri: string): { entry: TemplateEntry; variables: Record<string, string> } | undefined {
    for (const { entry } of this.registry.all) {
      const variables = entry.uris.match(uri);
      if (variables !== undefined) return { entry, variables };
    }
    return undefined;
  }
}
