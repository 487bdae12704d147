import { ArgumentError, McpError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import { isUri } from '../core/uri.ts';
import type { Resource } from '../model/resources.ts';
import type { Annotations, CacheHints, Icon } from '../model/types.ts';
import type { Call, Exchange, Reply } from '../ports/index.ts';
import { wireOf } from '../wire/index.ts';
import type { Completers } from './completion.ts';
import type { Context } from './context.ts';
import { checkedHints, checkParts, copied, failure, fault, invalidParams, named, type Running } from './definitions.ts';
import { Registry } from './registry.ts';
import { resourcesPage } from './resource-list.ts';
import { toRead, type ResourceReturn } from './resource-result.ts';
import type { InputRequired } from './rounds/input-required.ts';
import { Templates } from './templates.ts';

/** How a resource is described to callers. */
export interface ResourceDefinition {
  /** Name for programs. */
  name: string;
  /** Name for display. */
  title?: string;
  /** What it is, for the model. */
  description?: string;
  icons?: Icon[];
  /** For a content that says nothing else. */
  mimeType?: string;
  annotations?: Annotations;
  /** Bytes of the raw content. */
  size?: number;
  /** How long what was read may be reused. Default: not at all. */
  cache?: CacheHints;
  _meta?: JsonObject;
}

/** Reads a resource. A thrown error is not told to the caller, but for `ResourceNotFoundError`. */
export type ResourceHandler = (
  uri: string,
  ctx: Context,
) => ResourceReturn | InputRequired | Promise<ResourceReturn | InputRequired>;

/** A resource made ready. */
export interface ResourceEntry {
  readonly resource: Resource;
  readonly cache: CacheHints;
  readonly handler: ResourceHandler;
}

/** Whatever reads a URI. */
interface Reader {
  readonly mimeType: string | undefined;
  readonly cache: CacheHints;
  run(context: Context): unknown;
}

const members = ['name', 'title', 'description', 'icons', 'mimeType', 'annotations', 'size', 'cache', '_meta'];

const noCompleters: Completers = new Map();

/** The resources and templates of a server. */
export class Resources {
  readonly #server: Running;
  readonly registry: Registry<ResourceEntry>;
  readonly templates: Templates;

  constructor(server: Running) {
    this.#server = server;
    this.registry = new Registry('resources', server.pageSize);
    this.templates = new Templates(server.pageSize);
  }

  /** Whether there has ever been one, of either kind. */
  get used(): boolean {
    return this.registry.used || this.templates.registry.used;
  }

  /** @throws ArgumentError when the URI is none, is taken, or the definition is unusable */
  add(uri: string, definition: ResourceDefinition, handler: ResourceHandler): void {
    const what = named('resource', uri);
    if (!isUri(uri)) throw new ArgumentError(`${what}: this is no URI; it needs a scheme, as in "notes://today"`);
    checkParts(what, definition, handler, members, { uri });
    const { name, title, description, icons, mimeType, annotations, size, _meta, cache } = definition;
    if (typeof name !== 'string' || name === '') throw new ArgumentError(`${what} needs a name`);
    const resource = copied<Resource>(what, {
      uri,
      name,
      title,
      description,
      icons,
      mimeType,
      annotations,
      size,
      _meta,
    });
    this.registry.add('resource', uri, { resource, cache: checkedHints(what, cache), handler });
  }

  list(call: Call, exchange: Exchange): Reply | Promise<Reply> {
    const { hints, info } = this.#server;
    if (this.templates.listing > 0)
      return resourcesPage(call, exchange, this.registry, this.templates.registry, this.#server);
    const { revision } = exchange.caller;
    return this.registry.list(call, revision, ({ entries, nextCursor }) =>
      wireOf(revision).lower.resourcesPage(
        { entries: entries.map(({ resource }) => resource), nextCursor },
        hints,
        info,
      ),
    );
  }

  listTemplates(call: Call, exchange: Exchange): Reply {
    const { hints, info } = this.#server;
    const { revision } = exchange.caller;
    return this.templates.registry.list(call, revision, ({ entries, nextCursor }) =>
      wireOf(revision).lower.templatesPage(
        { entries: entries.map(({ template }) => template), nextCursor },
        hints,
        info,
      ),
    );
  }

  /** Answers `resources/read` (server/resources "Reading Resources" and "Error Handling"). */
  async read(call: Call, exchange: Exchange): Promise<Reply> {
    const { runner, logger, info } = this.#server;
    const { facts, lower } = wireOf(exchange.caller.revision);
    const uri = call.params?.['uri'];
    if (!isUri(uri)) return invalidParams('params.uri must be a URI');
    const missing: Reply = {
      error: { code: facts.resourceNotFound, message: 'resource not found', data: { uri } },
    };
    const reader = this.#readerOf(uri);
    if (reader === undefined) return missing;
    const ran = await runner.run(call, exchange, { name: uri, args: {} }, (context) => reader.run(context));
    if ('reply' in ran) return ran.reply;
    const what = named('resource', uri);
    if ('thrown' in ran) return isNotFound(ran.thrown) ? missing : failure(logger, what, ran.thrown);
    const read = toRead(ran.value, uri, reader.mimeType);
    if (read === undefined) return missing;
    if (typeof read === 'string') return fault(logger, what, read);
    const result = lower.readResult(read, read.cache ?? reader.cache, info);
    return { result };
  }

  /** Completers of a template by its text; a plain resource has none. Undefined when there is neither. */
  completers(uri: string): Completers | undefined {
    const template = this.templates.registry.get(uri);
    return template?.completers ?? (this.registry.get(uri) && noCompleters);
  }

  #readerOf(uri: string): Reader | undefined {
    const exact = this.registry.get(uri);
    if (exact !== undefined) {
      const { resource, cache, handler } = exact;
      return { mimeType: resource.mimeType, cache, run: (context) => handler(uri, context) };
    }
    const found = this.templates.find(uri);
    if (found === undefined) return undefined;
    const { entry, variables } = found;
    return {
      mimeType: entry.template.mimeType,
      cache: entry.cache,
      // A context is made for one run, which may add to it.
      run: (context) => entry.handler({ ...variables }, Object.assign(context, { uri })),
    };
  }
}

function isNotFound(thrown: unknown): boolean {
  return McpError.is(thrown) && thrown.code === 'resource_not_found';
}
