import { systemClock } from '../base/clock.ts';
import type { JsonObject } from '../base/json.ts';
import type { Logger } from '../base/logger.ts';
import { unheard } from '../base/unheard.ts';
import type { Implementation } from '../model/types.ts';
import type { Call, Caller, Exchange, Note, Reply, Service } from '../ports/index.ts';
import type { AnySchema } from '../schema/standard.ts';
import { defaultValidator } from '../schema/validator.ts';
import { methodNotFound } from '../transport/reply.ts';
import { webDoor } from '../transport/web.ts';
import { wireOf, type Wire } from '../wire/index.ts';
import { declaredOf, describe, type Description } from './capabilities.ts';
import { Changes, type Changed } from './changes.ts';
import { complete, type Completing } from './completion.ts';
import { checkedHints, internalError } from './definitions.ts';
import { Feed, type Kind } from './feed.ts';
import { LogLevels, setLogLevel } from './log-levels.ts';
import { Messages, type MessageCaller } from './messages.ts';
import { infoOf, type ServerOptions } from './options.ts';
import { checkedPageSize } from './pages.ts';
import { Prompts, type PromptDefinition, type PromptHandler } from './prompts.ts';
import { Resources, type ResourceDefinition, type ResourceHandler } from './resources.ts';
import { Runner } from './run.ts';
import { Sessions } from './session.ts';
import { Subscriptions, type Offered } from './subscriptions.ts';
import type { TemplateDefinition, TemplateHandler } from './templates.ts';
import { Tools, type ToolDefinition, type ToolHandler } from './tools.ts';
import { Watches } from './watches.ts';

export type { ServerOptions } from './options.ts';

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
  /** Tells those who listen of changes that the server does not make itself. */
  readonly changed: Changed;
  readonly #info: Implementation;
  readonly #about: Description;
  readonly #logger: Logger;
  readonly #sessions = new Sessions();
  readonly #logLevels: LogLevels;
  readonly #tools: Tools;
  readonly #resources: Resources;
  readonly #prompts: Prompts;
  readonly #subscriptions: Subscriptions;
  readonly #changes: Changes;
  readonly #messages: Messages;
  readonly #web: (request: Request) => Promise<Response>;

  /** @throws ArgumentError when name or version is missing, an option is unusable, or there is no such option */
  constructor(options: ServerOptions) {
    const info = infoOf(options);
    const { instructions, pageSize, cache, bus, onWatch } = options;
    const { maxSubscriptions = 10_000, maxSubscriptionsPerPrincipal = 100 } = options;
    const { logger = unheard, validator = defaultValidator, clock = systemClock } = options;
    const { stateKeys, stateTtlMs, askTimeoutMs, store } = options;
    const declared = declaredOf(options.capabilities);
    const hints = checkedHints('the server', cache);
    const sessions = this.#sessions;
    const levels = new LogLevels(sessions, declared.logging !== false);
    this.#info = info;
    this.#about = { info, instructions, declared, hints };
    this.#logger = logger;
    this.#logLevels = levels;
    this.#messages = new Messages(this, logger);
    const asking = { stateKeys, stateTtlMs, askTimeoutMs, store };
    const runner = new Runner({ info, logger, clock, validator, levels, sessions, ...asking });
    const running = { runner, logger, validator, info, pageSize: checkedPageSize(pageSize), hints };
    this.#tools = new Tools(running);
    this.#resources = new Resources(running);
    this.#prompts = new Prompts(running);
    const watches = onWatch && new Watches(onWatch, clock, logger);
    const bounds = { maxPerPrincipal: maxSubscriptionsPerPrincipal, sessions, watches, clock, logger };
    this.#subscriptions = new Subscriptions(maxSubscriptions, bounds);
    this.changed = this.#changes = new Changes(
      this.#subscriptions,
      (told) => bus && new Feed(bus, `hawser:${info.name}:changes`, told, clock, logger),
    );
    this.#web = webDoor(this, { ...options.web, logger });
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
    return this.#changesList('tools');
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
    return this.#changesList('resources');
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
    return this.#changesList('resources');
  }

  /** Takes a template away; false if there was none. */
  removeTemplate(uriTemplate: string): boolean {
    return this.#removes('resources', this.#resources.templates.remove(uriTemplate));
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
    return this.#changesList('prompts');
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
        this.#sessions.begin(exchange.caller);
        return describe(exchange, this.#about, this.#offered(), this.#completes);
      case 'server/discover':
        return describe(exchange, this.#about, this.#offered(), this.#completes);
      case 'ping':
        return { result: wire.lower.emptyResult(this.#info) };
      case 'subscriptions/listen':
        return this.#changes.heard((hold) =>
          this.#subscriptions.listen(call, exchange, this.#offered(), this.#info, hold),
        );
      default:
        return this.#dispatchOptional(call, exchange, wire) ?? methodNotFound(call.method);
    }
  }

  /**
   * What a server has only if something of the kind was ever registered, or for callers in a session; undefined when it
   * has not.
   */
  #dispatchOptional(call: Call, exchange: Exchange, wire: Wire): Reply | Promise<Reply> | undefined {
    const { caller } = exchange;
    const uri = call.params?.['uri'];
    const resources = this.#resources.used ? this.#resources : undefined;
    const prompts = this.#prompts.used ? this.#prompts : undefined;
    // What is asked to be remembered, in the legacy era alone.
    const remembers = caller.session !== undefined;
    const logs = remembers && this.#about.declared.logging !== false;
    switch (call.method) {
      case 'logging/setLevel':
        return logs ? this.#empty(setLogLevel(call, caller, this.#logLevels), wire) : undefined;
      case 'resources/list':
        return resources?.list(call, exchange);
      case 'resources/templates/list':
        return resources?.listTemplates(call, exchange);
      case 'resources/read':
        return resources?.read(call, exchange);
      case 'resources/subscribe':
        return remembers && resources ? this.#empty(this.#subscriptions.subscribe(uri, caller), wire) : undefined;
      case 'resources/unsubscribe':
        return remembers && resources ? this.#empty(this.#subscriptions.unsubscribe(uri, caller), wire) : undefined;
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

  #removes(kind: Kind, known: boolean): boolean {
    if (known) this.#changes.list(kind);
    return known;
  }

  #changesList(kind: Kind): this {
    this.#changes.list(kind);
    return this;
  }

  /**
   * Answers one JSON-RPC message, for transports of your own. Both generations are served, see {@link MessageCaller}.
   *
   * ```ts
   * const answer = await server.handle(message, { principal })
   * ```
   *
   * @returns the answer; undefined for what has none: notifications, answers to what the server asked, requests that
   *   were cancelled
   * @throws ArgumentError for a caller that is none
   */
  handle(message: JsonObject, caller?: MessageCaller): Promise<JsonObject | undefined> {
    return this.#messages.message(message, caller);
  }

  /**
   * The same with JSON text, which may also be a batch where the revision of the session has them. What is no JSON is
   * answered with an error. How long a text may be is for the transport to say.
   */
  handleJson(text: string, caller?: MessageCaller): Promise<string | undefined> {
    return this.#messages.text(text, caller);
  }

  /**
   * Serves a web request, on any path: for Workers, Deno, Bun and frameworks with `Request` and `Response`. Who may call
   * is said by the option `web`. Legacy callers are served without sessions.
   */
  fetch = (request: Request): Promise<Response> => this.#web(request);

  /** Ends all subscriptions with their final result. Calls that run are not touched. */
  async close(): Promise<void> {
    this.#subscriptions.end();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
