import type { JsonObject } from '../base/json.ts';
import { errorCodes } from '../model/meta.ts';
import type {
  ClientCapabilities,
  Era,
  Implementation,
  Revision,
  ServerCapabilities,
  SubscriptionFilter,
  Tool,
} from '../model/types.ts';
import type { Call, Note, Reply, Service } from '../ports/index.ts';
import type { Described, Wire } from '../wire/index.ts';
import { Connections, type Endpoint } from './connections.ts';
import type { Connection } from './negotiate.ts';
import type { CallOptions, Settings } from './options.ts';
import { Requests } from './requests.ts';
import type { ToolResult } from './result.ts';
import { listen, type ListenOptions, type Subscription } from './subscription.ts';
import { ClientTools } from './tools.ts';

/**
 * A client of one server. Calls run side by side; when the session or the process behind it ends, the next call
 * begins a new one.
 */
export class Client implements AsyncDisposable {
  readonly #connections: Connections;
  readonly #requests: Requests;
  readonly #tools: ClientTools;
  readonly #settings: Settings;
  readonly #capabilities: ClientCapabilities = {};
  readonly #onNotification: ((note: Note) => void) | undefined;
  #last!: Connection;

  /** @internal Use `connect`. */
  static async open(
    endpoint: Endpoint,
    settings: Settings,
    onNotification: ((note: Note) => void) | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Client> {
    const client = new Client(endpoint, settings, onNotification);
    try {
      client.#last = await client.#connections.get(signal);
    } catch (error) {
      await client.close();
      throw error;
    }
    return client;
  }

  private constructor(endpoint: Endpoint, settings: Settings, onNotification: ((note: Note) => void) | undefined) {
    this.#settings = settings;
    this.#onNotification = onNotification;
    this.#connections = new Connections(endpoint, this.#inbound(), settings, this.#capabilities);
    this.#requests = new Requests(this.#connections, settings);
    this.#tools = new ClientTools(this.#requests, this.#connections, settings);
  }

  get #connection(): Connection {
    return (this.#last = this.#connections.live ?? this.#last);
  }

  get #described(): Described {
    return this.#connection.described;
  }

  /** Who the server says it is; for display, not for decisions. */
  get serverInfo(): Implementation | undefined {
    return this.#described.serverInfo;
  }

  /** What the server offers. */
  get capabilities(): ServerCapabilities {
    return this.#described.capabilities;
  }

  /** The server's guidance for models. */
  get instructions(): string | undefined {
    return this.#described.instructions;
  }

  /** All versions the server says it speaks; a legacy server names only the one agreed on. */
  get supportedVersions(): readonly string[] {
    return this.#described.versions;
  }

  /** The revision spoken on this connection. */
  get protocolVersion(): Revision {
    return this.#connection.wire.revision;
  }

  get protocolEra(): Era {
    return this.#connection.wire.facts.era;
  }

  get isModern(): boolean {
    return this.protocolEra === 'modern';
  }

  /** All tools, of all pages. */
  async listTools(options: CallOptions = {}): Promise<Tool[]> {
    const tools: Tool[] = [];
    for await (const tool of this.#tools.list(options)) tools.push(tool);
    return tools;
  }

  /** All tools, page by page as they are read. */
  tools(options: CallOptions = {}): AsyncIterable<Tool> {
    return { [Symbol.asyncIterator]: () => this.#tools.list(options) };
  }

  /**
   * Calls a tool. A tool that fails gives a result with `isError`.
   *
   * @throws RpcError when the server refuses the call, RequestTimeoutError, AbortError, TransportError
   */
  callTool(name: string, args: JsonObject = {}, options: CallOptions = {}): Promise<ToolResult> {
    return this.#tools.call(name, args, options);
  }

  /** Asks the server for a sign of life: `ping`, or `server/discover` where there is no `ping`. */
  async ping(options: CallOptions = {}): Promise<void> {
    await this.#requests.send(
      (wire) => ({ method: wire.has('ping') ? 'ping' : 'server/discover', params: {} }),
      options,
    );
  }

  /**
   * Listens for changes on a modern server; resolves once the server has acknowledged.
   *
   * @throws CapabilityError on a legacy connection, where changes come unasked: see `onNotification` of `connect`
   */
  async listen(filter: SubscriptionFilter, options: ListenOptions): Promise<Subscription> {
    const connection = this.#connections.live ?? (await this.#connections.get(options.signal));
    const onNotification = (note: Note): void => {
      this.#heed(note);
      options.onNotification(note);
    };
    return listen(connection, filter, { ...options, onNotification }, this.#settings.logger);
  }

  /**
   * Sends any request and gives the result as it came: for methods this client has no function for.
   *
   * @throws RpcError when the server refuses it, RequestTimeoutError, AbortError, TransportError
   */
  async request(method: string, params: JsonObject = {}, options: CallOptions = {}): Promise<JsonObject> {
    const { result } =
      method === 'tools/call'
        ? await this.#tools.send(params, options)
        : await this.#requests.send((wire) => ({ method, params, name: nameIn(params, method, wire) }), options);
    return result;
  }

  /** Ends the session or the process. What is under way fails. */
  close(): Promise<void> {
    return this.#connections.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** What a legacy server asks, and what belongs to no request. */
  #inbound(): Service {
    return {
      handle: ({ method }: Call): Promise<Reply> =>
        Promise.resolve(
          method === 'ping'
            ? { result: {} }
            : { error: { code: errorCodes.methodNotFound, message: 'method not found' } },
        ),
      notice: (note) => {
        this.#heed(note);
        try {
          this.#onNotification?.(note);
        } catch (error) {
          this.#settings.logger.error('onNotification threw', error);
        }
      },
    };
  }

  #heed(note: Note): void {
    if (note.method === 'notifications/tools/list_changed') this.#tools.forget();
  }
}

/** What `Mcp-Name` repeats, if the method has such a parameter. */
function nameIn(params: JsonObject, method: string, wire: Wire): string | undefined {
  const name = params[wire.nameParam(method) ?? ''];
  return typeof name === 'string' ? name : undefined;
}
