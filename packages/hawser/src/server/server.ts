import type { Clock } from '../base/clock.ts';
import { ArgumentError } from '../base/errors.ts';
import { silent, type Logger } from '../base/logger.ts';
import type { CacheHints, Icon, Implementation, ServerCapabilities } from '../model/types.ts';
import type { Call, Caller, Exchange, Kv, Note, Reply, Service, Validator } from '../ports/index.ts';
import type { AnySchema } from '../schema/standard.ts';
import { defaultValidator } from '../schema/validator.ts';
import { brokenHandler, methodNotFound } from '../transport/reply.ts';
import { webDoor } from '../transport/web.ts';
import { revisions, wireOf } from '../wire/index.ts';
import { LogLevels } from './log-levels.ts';
import { Runner } from './run.ts';
import { Subscriptions } from './subscriptions.ts';
import { Tools, type ToolDefinition, type ToolHandler } from './tools.ts';

/** What a server says of itself, and how it works. */
export interface ServerOptions {
  name: string;
  version: string;
  title?: string;
  description?: string;
  websiteUrl?: string;
  icons?: Icon[];
  /** Guidance for models on how to use the server; not a repetition of the tools' descriptions. */
  instructions?: string;
  /** Reports faults of handlers and odd callers. Default: silent. */
  logger?: Logger;
  /** Checks plain JSON Schemas. */
  validator?: Validator;
  /** Most subscriptions open at a time, over all callers. Default 10,000. */
  maxSubscriptions?: number;
  /**
   * Secrets that seal what travels with a round trip, of at least 16 bytes each: the first one seals, all of them open,
   * so that keys can be changed. Processes that serve the same callers need the same. Default: one random key of this
   * process, made on first use.
   */
  stateKeys?: readonly (string | Uint8Array)[];
  /** How long a caller may take for a round, in milliseconds. Default 600,000. */
  stateTtlMs?: number;
  /** How long a legacy caller may take to answer a question, in milliseconds. Default 600,000. */
  askTimeoutMs?: number;
  /** Remembers the rounds of tools that say `once`. Default: a bounded one in memory. */
  store?: Kv;
  /** Default: the platform's. */
  clock?: Clock;
}

/**
 * An MCP server: one object for all callers, all revisions and all transports. Give it to `serveHttp`, `serveStdio`
 * or `connect`, or export it as the default of a module that a Workers-like runtime runs (`fetch`).
 *
 * ```ts
 * const server = new Server({ name: 'weather', version: '1.0.0' })
 * server.tool('forecast', { description: '…', input: z.object({ city: z.string() }) }, async ({ city }) => forecast(city))
 * ```
 */
export class Server implements Service {
  readonly #info: Implementation;
  readonly #instructions: string | undefined;
  readonly #logger: Logger;
  readonly #logLevels = new LogLevels();
  readonly #tools: Tools;
  readonly #subscriptions: Subscriptions;
  readonly #hints: CacheHints = { ttlMs: 0, cacheScope: 'private' };
  #web: ((request: Request) => Promise<Response>) | undefined;
  #changed = false;

  /** @throws ArgumentError when name or version is missing */
  constructor(options: ServerOptions) {
    const {
      instructions,
      logger,
      validator,
      maxSubscriptions,
      stateKeys,
      stateTtlMs,
      askTimeoutMs,
      store,
      clock,
      ...info
    } = options;
    if (typeof info.name !== 'string' || info.name === '') throw new ArgumentError('a server needs a name');
    if (typeof info.version !== 'string') throw new ArgumentError('a server needs a version');
    this.#info = info;
    this.#instructions = instructions;
    this.#logger = logger ?? silent;
    const runner = new Runner({
      info,
      logger: this.#logger,
      clock,
      validator: validator ?? defaultValidator,
      levels: this.#logLevels,
      stateKeys,
      stateTtlMs,
      askTimeoutMs,
      store,
    });
    this.#tools = new Tools(validator ?? defaultValidator, this.#logger, runner);
    this.#subscriptions = new Subscriptions(maxSubscriptions ?? 10_000);
  }

  /**
   * Adds a tool. Callers who listen are told that the list has changed.
   *
   * @throws ArgumentError when the name is taken or empty, or a schema is unusable
   */
  tool<const Input extends AnySchema = Record<string, unknown>, const Output extends AnySchema = AnySchema>(
    name: string,
    definition: ToolDefinition<Input, Output>,
    handler: ToolHandler<Input>,
  ): this {
    this.#tools.add(name, definition, handler);
    this.#toolsChanged();
    return this;
  }

  /** Takes a tool away; false if there was none of that name. Calls that run keep running. */
  removeTool(name: string): boolean {
    const known = this.#tools.remove(name);
    if (known) this.#toolsChanged();
    return known;
  }

  /** Answers a call; doors and links call this. */
  async handle(call: Call, exchange: Exchange): Promise<Reply> {
    try {
      return await this.#dispatch(call, exchange);
    } catch (error) {
      this.#logger.error(`${call.method} broke`, error);
      return brokenHandler;
    }
  }

  #dispatch(call: Call, exchange: Exchange): Reply | Promise<Reply> {
    const wire = wireOf(exchange.caller.revision);
    if (!wire.has(call.method) && exchange.standing !== true) return methodNotFound(call.method);
    switch (call.method) {
      case 'tools/call':
        return this.#tools.call(call, exchange, this.#info);
      case 'tools/list':
        return this.#tools.list(call, exchange, this.#hints, this.#info);
      case 'initialize':
      case 'server/discover':
        return this.#describe(exchange.caller);
      case 'ping':
        return { result: wire.lower.emptyResult(this.#info) };
      case 'subscriptions/listen':
        return this.#subscriptions.listen(call, exchange, { toolsListChanged: true }, this.#info);
      default:
        return methodNotFound(call.method);
    }
  }

  /** Takes a notification; those of the protocol that reach a server need nothing done here. */
  notice(note: Note, _from: Caller): void {
    this.#logger.debug(`notification ${note.method}`);
  }

  #describe({ revision }: Caller): Reply {
    const { lower, facts } = wireOf(revision);
    const capabilities: ServerCapabilities = { tools: { listChanged: true } };
    const description = {
      serverInfo: this.#info,
      capabilities,
      ...(this.#instructions !== undefined && { instructions: this.#instructions }),
    };
    // A handshake settles on one revision; a discovery names all that a caller may speak.
    const versions = facts.era === 'modern' ? revisions : [revision];
    return { result: lower.description(description, versions, this.#hints) };
  }

  #toolsChanged(): void {
    if (this.#changed) return;
    this.#changed = true;
    // Many changes in a row, as at start, are one change to those who listen.
    queueMicrotask(() => {
      this.#changed = false;
      this.#subscriptions.publish('toolsListChanged', { method: 'notifications/tools/list_changed' });
    });
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
}
