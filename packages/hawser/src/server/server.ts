import { ArgumentError } from '../base/errors.ts';
import { sample, type Logger } from '../base/logger.ts';
import { unheard } from '../base/unheard.ts';
import { isUri } from '../core/uri.ts';
import type { CacheHints, Implementation, ServerCapabilities } from '../model/types.ts';
import type { Call, Caller, Exchange, Note, Reply, Service } from '../ports/index.ts';
import type { AnySchema } from '../schema/standard.ts';
import { defaultValidator } from '../schema/validator.ts';
import { methodNotFound } from '../transport/reply.ts';
import { webDoor } from '../transport/web.ts';
import { revisions, wireOf, type Wire } from '../wire/index.ts';
import { complete, type Completing } from './completion.ts';
import { checkedHints, internalError } from './definitions.ts';
import { LogLevels, setLogLevel } from './log-levels.ts';
import { infoOf, type ServerOptions } from './options.ts';
import { checkedPageSize } from './pages.ts';
import { Prompts, type PromptDefinition, type PromptHandler } from './prompts.ts';
import { Resources, type ResourceDefinition, type ResourceHandler } from './resources.ts';
import { Runner } from './run.ts';
import { Subscriptions, type Offered } from './subscriptions.ts';
import type { TemplateDefinition, TemplateHandler } from './templates.ts';
import { Tools, type ToolDefinition, type ToolHandler } from './tools.ts';

export type { ServerOptions } from './options.ts';

/** What has a list that changes. */
type Kind = 'tools' | 'resources' | 'prompts';

/**
 * An MCP server: one object for all callers, all revisions and all transports. Give it to `serveHttp`, `serveStdio`
 * or `connect`, or export it as the default of a module that a Workers-like runtime runs (`fetch`).
 *
 * ```ts
 * const server = new Server({ name: 'weather', version: '1.0.0' })
 * server.tool('forecast', { description: '…', input: z.object({ city: z.string() }) }, async ({ city }) => forecast(city))
 * ```
 */
export class Server implements Service, AsyncDisposable {
  readonly #info: Implementation;
  readonly #instructions: string | undefined;
  readonly #logger: Logger;
  readonly #logLevels = new LogLevels();
  readonly #tools: Tools;
  readonly #resources: Resources;
  readonly #prompts: Prompts;
  readonly #subscriptions: Subscriptions;
  readonly #hints: CacheHints;
  #web: ((request: Request) => Promise<Response>) | undefined;
  #changed = new Set<Kind>();

  /** @throws ArgumentError when name or version is missing, an option is unusable, or there is no such option */
  constructor(options: ServerOptions) {
    const info = infoOf(options);
    const { instructions, maxSubscriptions, pageSize, cache } = options;
    const logger = options.logger ?? unheard;
    const validator = options.validator ?? defaultValidator;
    const { stateKeys, stateTtlMs, askTimeoutMs, store, clock } = options;
    this.#info = info;
    this.#instructions = instructions;
    this.#logger = logger;
    const runner = new Runner({
      info,
      logger,
      clock,
      validator,
      levels: this.#logLevels,
      stateKeys,
      stateTtlMs,
      askTimeoutMs,
      store,
    });
    this.#hints = checkedHints('the server', cache);
    const running = { runner, logger, validator, info, pageSize: checkedPageSize(pageSize), hints: this.#hints };
    this.#tools = new Tools(running);
    this.#resources = new Resources(running);
    this.#prompts = new Prompts(running);
    this.#subscriptions = new Subscriptions(maxSubscriptions ?? 10_000, clock);
  }

  /**
   * Adds a tool. Callers who listen are told that the list has changed.
   *
   * @throws ArgumentError when the name is taken or empty, or a schema is unusable
   */
  tool<const Input extends AnySchema = Record<string, unknown>, const Output extends AnySchema = AnySchema>(
    name: string,
    definition: ToolDefinition<Input, Output>,
    handler: ToolHandler<Input, Output>,
  ): this {
    this.#tools.add(name, definition, handler);
    return this.#changes('tools');
  }

  /** Takes a tool away; false if there was none of that name. Calls that run keep running. */
  removeTool(name: string): boolean {
    return this.#removes('tools', this.#tools.remove(name));
  }

  /**
   * Adds a resource under its URI. Callers who listen are told that the list has changed.
   *
   * ```ts
   * server.resource('notes://today', { name: 'today', mimeType: 'text/markdown' }, () => readFile('today.md', 'utf8'))
   * ```
   *
   * @throws ArgumentError when the URI is none or is taken, or the definition is unusable
   * @see MCP 2026-07-28 server/resources
   */
  resource(uri: string, definition: ResourceDefinition, handler: ResourceHandler): this {
    this.#resources.add(uri, definition, handler);
    return this.#changes('resources');
  }

  /** Takes a resource away; false if there was none under that URI. Reads that run keep running. */
  removeResource(uri: string): boolean {
    return this.#removes('resources', this.#resources.registry.remove(uri) !== undefined);
  }

  /**
   * Adds resources of one kind by a URI template (RFC 6570), see `UriTemplate.match`. A registered resource goes
   * before templates, and of several templates the first one registered reads a URI.
   *
   * ```ts
   * server.template('notes://{day}', { name: 'notes' }, ({ day }, ctx) => notes.get(day))   // undefined: not found
   * ```
   *
   * @throws ArgumentError when the template cannot be read or matched or is there already, or the definition is unusable
   * @see MCP 2026-07-28 server/resources
   */
  template(uriTemplate: string, definition: TemplateDefinition, handler: TemplateHandler): this {
    this.#resources.templates.add(uriTemplate, definition, handler);
    return this.#changes('resources');
  }

  /** Takes a template away; false if there was none. */
  removeTemplate(uriTemplate: string): boolean {
    return this.#removes('resources', this.#resources.templates.remove(uriTemplate));
  }

  /** Tells those who subscribed to the resource, or to one that it is below of, that it has changed. */
  resourceUpdated(uri: string): void {
    if (!isUri(uri)) throw new ArgumentError(`resourceUpdated: "${sample(String(uri))}" is no URI`);
    this.#subscriptions.updated(uri);
  }

  /**
   * Adds a prompt. Callers who listen are told that the list has changed.
   *
   * ```ts
   * server.prompt('review', { input: z.object({ code: z.string() }) }, ({ code }) => `Review this code:\n${code}`)
   * ```
   *
   * @throws ArgumentError when the name is taken or empty, or the definition is unusable
   * @see MCP 2026-07-28 server/prompts
   */
  prompt<const Input extends AnySchema = Record<string, unknown>>(
    name: string,
    definition: PromptDefinition<Input>,
    handler: PromptHandler<Input>,
  ): this {
    this.#prompts.add(name, definition, handler);
    return this.#changes('prompts');
  }

  /** Takes a prompt away; false if there was none of that name. */
  removePrompt(name: string): boolean {
    return this.#removes('prompts', this.#prompts.remove(name));
  }

  /** Answers a call; doors and links call this. */
  answer(call: Call, exchange: Exchange): Promise<Reply> {
    const { method } = call;
    try {
      const reply = this.#dispatch(call, exchange);
      // An `async` function would keep the call for as long as somebody listens.
      return reply instanceof Promise
        ? reply.catch((error: unknown) => this.#broke(method, error))
        : Promise.resolve(reply);
    } catch (error) {
      return Promise.resolve(this.#broke(method, error));
    }
  }

  #broke(method: string, error: unknown): Reply {
    this.#logger.error(`${method} broke`, error);
    return internalError;
  }

  #dispatch(call: Call, exchange: Exchange): Reply | Promise<Reply> {
    const wire = wireOf(exchange.caller.revision);
    if (!wire.has(call.method) && exchange.standing !== true) return methodNotFound(call.method);
    switch (call.method) {
      case 'tools/call':
        return this.#tools.call(call, exchange);
      case 'tools/list':
        return this.#tools.list(call, exchange);
      case 'initialize':
      case 'server/discover':
        return this.#describe(exchange.caller);
      case 'ping':
        return { result: wire.lower.emptyResult(this.#info) };
      case 'logging/setLevel':
        return this.#empty(setLogLevel(call, exchange.caller, this.#logLevels), wire);
      case 'subscriptions/listen':
        return this.#subscriptions.listen(call, exchange, this.#offered(), this.#info);
      default:
        return this.#dispatchOptional(call, exchange, wire) ?? methodNotFound(call.method);
    }
  }

  /** What a server has only if something of the kind was ever registered; undefined when it has not. */
  #dispatchOptional(call: Call, exchange: Exchange, wire: Wire): Reply | Promise<Reply> | undefined {
    const { caller } = exchange;
    const uri = call.params?.['uri'];
    const resources = this.#resources.used ? this.#resources : undefined;
    const prompts = this.#prompts.used ? this.#prompts : undefined;
    switch (call.method) {
      case 'resources/list':
        return resources?.list(call, exchange);
      case 'resources/templates/list':
        return resources?.listTemplates(call, exchange);
      case 'resources/read':
        return resources?.read(call, exchange);
      case 'resources/subscribe':
        return resources && this.#empty(this.#subscriptions.subscribe(uri, caller), wire);
      case 'resources/unsubscribe':
        return resources && this.#empty(this.#subscriptions.unsubscribe(uri, caller), wire);
      case 'prompts/list':
        return prompts?.list(call, exchange);
      case 'prompts/get':
        return prompts?.get(call, exchange);
      case 'completion/complete':
        return this.#completes ? complete(call, exchange, this.#completing, this.#logger, this.#info) : undefined;
      default:
        return undefined;
    }
  }

  #empty(refusal: Reply | undefined, { lower }: Wire): Reply {
    return refusal ?? { result: lower.emptyResult(this.#info) };
  }

  get #completes(): boolean {
    return this.#prompts.completing + this.#resources.templates.completing > 0;
  }

  readonly #completing: Completing = {
    prompt: (name) => this.#prompts.completers(name),
    template: (uri) => this.#resources.completers(uri),
  };

  #offered(): Offered {
    const resources = this.#resources.used;
    return {
      toolsListChanged: true,
      promptsListChanged: this.#prompts.used,
      resourcesListChanged: resources,
      resourceSubscriptions: resources,
    };
  }

  /** Takes a notification; those of the protocol that reach a server need nothing done here. */
  notice(note: Note, _from: Caller): void {
    this.#logger.debug(`notification ${note.method}`);
  }

  #describe({ revision }: Caller): Reply {
    const { lower, facts } = wireOf(revision);
    const capabilities: ServerCapabilities = {
      tools: { listChanged: true },
      logging: {},
      ...(this.#prompts.used && { prompts: { listChanged: true } }),
      ...(this.#resources.used && { resources: { subscribe: true, listChanged: true } }),
      ...(this.#completes && { completions: {} }),
    };
    const description = {
      serverInfo: this.#info,
      capabilities,
      ...(this.#instructions !== undefined && { instructions: this.#instructions }),
    };
    // A handshake settles on one revision; a discovery names all that a caller may speak.
    const versions = facts.era === 'modern' ? revisions : [revision];
    return { result: lower.description(description, versions, this.#hints) };
  }

  #removes(kind: Kind, known: boolean): boolean {
    if (known) this.#changes(kind);
    return known;
  }

  #changes(kind: Kind): this {
    // Many changes in a row, as at start, are one change to those who listen.
    if (this.#changed.size === 0) queueMicrotask(() => this.#publish());
    this.#changed.add(kind);
    return this;
  }

  #publish(): void {
    const kinds = this.#changed;
    this.#changed = new Set();
    for (const kind of kinds)
      this.#subscriptions.publish(`${kind}ListChanged`, { method: `notifications/${kind}/list_changed` });
  }

  /**
   * Serves a web request, on any path: for Workers, Deno, Bun and frameworks with `Request` and `Response`. Legacy
   * callers are served without sessions.
   */
  fetch = (request: Request): Promise<Response> => {
    this.#web ??= webDoor(this, { logger: this.#logger });
    return this.#web(request);
  };

  /** Ends all subscriptions with their final result. Calls that run are not touched. */
  async close(): Promise<void> {
    this.#subscriptions.end();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
