import { Cancel } from '../base/cancel.ts';
import type { JsonObject } from '../base/json.ts';
import { sample } from '../base/logger.ts';
import type { Root } from '../model/inputs.ts';
import type { Completion, CompletionReference, Prompt } from '../model/prompts.ts';
import type { Resource, ResourceTemplate } from '../model/resources.ts';
import type {
  ClientCapabilities,
  Era,
  Implementation,
  LogLevel,
  Revision,
  ServerCapabilities,
  SubscriptionFilter,
  Tool,
} from '../model/types.ts';
import type { Note } from '../ports/index.ts';
import type { Described, Wire } from '../wire/index.ts';
import { complete, type CompleteOptions } from './completion.ts';
import { closedError, Connections, type Endpoint, type Inbound } from './connections.ts';
import { Inputs } from './inputs.ts';
import { Listeners } from './listeners.ts';
import { entriesOf, gather, pagesOf, type ListedPage, type ListKind, type ListOptions } from './lists.ts';
import { ClientLog } from './logging.ts';
import { Lowered } from './lowered.ts';
import type { Connection } from './negotiate.ts';
import type { CallOptions, ConnectOptions, Settings } from './options.ts';
import { getPrompt, promptList, type PromptResult } from './prompts.ts';
import { Questions } from './questions.ts';
import { Requests } from './requests.ts';
import { readResource, resourceList, templateList, watchResource, type ReadResult } from './resources.ts';
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
  readonly #inputs: Inputs;
  readonly #questions: Questions;
  readonly #listeners: Listeners<[note: Note]>;
  readonly #log: ClientLog;
  readonly #closing = new Cancel();
  #last!: Connection;

  /** @internal Use `connect`. */
  static async open(endpoint: Endpoint, settings: Settings, options: ConnectOptions): Promise<Client> {
    const client = new Client(endpoint, settings, options);
    try {
      client.#last = await client.#connections.get(options.signal);
    } catch (error) {
      await client.close();
      throw error;
    }
    return client;
  }

  private constructor(endpoint: Endpoint, settings: Settings, options: ConnectOptions) {
    this.#settings = settings;
    this.#listeners = new Listeners(settings.logger);
    if (options.onNotification !== undefined) this.#listeners.add(options.onNotification);
    const log = (this.#log = new ClientLog(settings, options.logLevel, options.onLog));
    const inputs = (this.#inputs = new Inputs(options, settings, () => this.#shown(endpoint)));
    const declared = (): ClientCapabilities => inputs.capabilities;
    this.#connections = new Connections(endpoint, this.#inbound(), settings, declared, (connection, cancel) =>
      log.begin(connection, cancel),
    );
    this.#requests = new Requests(this.#connections, settings, (note) => this.#take(note), inputs);
    this.#questions = new Questions(inputs, this.#requests);
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
  listTools(options: ListOptions = {}): Promise<Tool[]> {
    return gather(this.#tools.pages(options));
  }

  /** All tools, page by page as they are read. */
  tools(options: ListOptions = {}): AsyncIterable<Tool> {
    return { [Symbol.asyncIterator]: () => entriesOf(this.#tools.pages(options)) };
  }

  /**
   * Calls a tool. A tool that fails gives a result with `isError`.
   *
   * @throws RpcError when the server refuses the call, RequestTimeoutError, AbortError, TransportError
   */
  callTool(name: string, args: JsonObject = {}, options: CallOptions = {}): Promise<ToolResult> {
    return this.#tools.call(name, args, options);
  }

  /** Calls several tools side by side; what came of each, in the order of the calls. Never rejects. */
  callTools(
    calls: readonly { readonly name: string; readonly arguments?: JsonObject | undefined }[],
    options: CallOptions = {},
  ): Promise<PromiseSettledResult<ToolResult>[]> {
    return Promise.allSettled(calls.map(({ name, arguments: args }) => this.callTool(name, args, options)));
  }

  /** All resources, of all pages. */
  listResources(options: ListOptions = {}): Promise<Resource[]> {
    return gather(this.#list(resourceList, options));
  }

  /** All resources, page by page as they are read. */
  resources(options: ListOptions = {}): AsyncIterable<Resource> {
    return { [Symbol.asyncIterator]: () => entriesOf(this.#list(resourceList, options)) };
  }

  /** All templates of resources, of all pages. */
  listResourceTemplates(options: ListOptions = {}): Promise<ResourceTemplate[]> {
    return gather(this.#list(templateList, options));
  }

  /** All templates of resources, page by page as they are read. */
  resourceTemplates(options: ListOptions = {}): AsyncIterable<ResourceTemplate> {
    return { [Symbol.asyncIterator]: () => entriesOf(this.#list(templateList, options)) };
  }

  /** All prompts, of all pages. */
  listPrompts(options: ListOptions = {}): Promise<Prompt[]> {
    return gather(this.#list(promptList, options));
  }

  /** All prompts, page by page as they are read. */
  prompts(options: ListOptions = {}): AsyncIterable<Prompt> {
    return { [Symbol.asyncIterator]: () => entriesOf(this.#list(promptList, options)) };
  }

  #list<Entry>(kind: ListKind<Entry>, options: ListOptions): AsyncGenerator<ListedPage<Entry>> {
    return pagesOf(kind, this.#requests, options, this.#settings);
  }

  /**
   * Reads a resource (server/resources "Reading Resources").
   *
   * @throws ResourceNotFoundError, CapabilityError when the server does not declare resources, RpcError,
   *   RequestTimeoutError, AbortError, TransportError
   */
  readResource(uri: string, options: CallOptions = {}): Promise<ReadResult> {
    return readResource(this.#requests, uri, options);
  }

  /**
   * Asks a legacy server to tell of changes of a resource: `notifications/resources/updated` comes to the listeners.
   * Another session does not know of it.
   *
   * @throws CapabilityError on a modern connection, see {@link listen}, and when the server does not declare it
   */
  subscribeResource(uri: string, options: CallOptions = {}): Promise<void> {
    return watchResource(this.#requests, 'resources/subscribe', uri, options);
  }

  /**
   * Takes {@link subscribeResource} back.
   *
   * @throws CapabilityError on a modern connection, and when the server does not declare it
   */
  unsubscribeResource(uri: string, options: CallOptions = {}): Promise<void> {
    return watchResource(this.#requests, 'resources/unsubscribe', uri, options);
  }

  /**
   * Has the server fill in a prompt (server/prompts "Getting a Prompt").
   *
   * @throws CapabilityError when the server does not declare prompts, ArgumentError for arguments that are not text,
   *   RpcError, RequestTimeoutError, AbortError, TransportError
   */
  getPrompt(name: string, args?: Readonly<Record<string, string>>, options: CallOptions = {}): Promise<PromptResult> {
    return getPrompt(this.#requests, name, args, options);
  }

  /**
   * Asks for suggestions for an argument of a prompt or a variable of a template (server/utilities/completion).
   *
   * @throws CapabilityError when the server does not declare completions (2024-11-05 has no word for it), RpcError,
   *   RequestTimeoutError, AbortError, TransportError
   */
  complete(
    ref: CompletionReference,
    argument: { name: string; value: string },
    options: CompleteOptions = {},
  ): Promise<Completion> {
    return complete(this.#requests, ref, argument, options);
  }

  /** From which level on the server is asked for log messages; undefined: it is not asked. */
  get logLevel(): LogLevel | undefined {
    return this.#log.level;
  }

  /**
   * Asks for log messages from a level on: a legacy server at once, a modern one with each request from now on
   * (server/utilities/logging). Later connections begin with it.
   *
   * @throws ArgumentError for a level that is none, CapabilityError when a legacy server does not declare logging,
   *   RpcError, RequestTimeoutError, AbortError, TransportError
   */
  setLogLevel(level: LogLevel, options: CallOptions = {}): Promise<void> {
    return this.#log.set(level, this.#requests, this.#connections.live, options);
  }

  /**
   * Adds a listener for notices that belong to no request, and for log messages.
   *
   * @returns takes it away again
   */
  onNotification(listener: (note: Note) => void): () => void {
    return this.#listeners.add(listener);
  }

  /**
   * The roots that servers are told of (client/roots), a copy; of a function, what it gave last. Setting them replaces
   * all, and tells a legacy server to which they were declared. Servers learn of roots only if `roots` is among the
   * options of the client, an empty list at least.
   *
   * @throws ArgumentError for a root without a `file://` URI
   */
  get roots(): Root[] {
    return this.#inputs.roots.current;
  }

  set roots(roots: readonly Root[]) {
    this.#inputs.roots.set(roots);
    const { link, declared } = this.#connections.live ?? {};
    if (declared?.roots?.listChanged !== true) return;
    link?.notify({ method: 'notifications/roots/list_changed' }).catch((error: unknown) => {
      this.#settings.logger.warn('notifications/roots/list_changed did not get through', error);
    });
  }

  /** Asks the server for a sign of life: `ping`, or `server/discover` where there is no `ping`. */
  async ping(options: CallOptions = {}): Promise<void> {
    await this.#requests.send(
      ({ wire }) => ({ method: wire.has('ping') ? 'ping' : 'server/discover', params: {} }),
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
      options.onNotification(plain(note));
    };
    return listen(connection, filter, { ...options, onNotification }, this.#settings.logger, this.#closing);
  }

  /**
   * Sends any request and gives the result as it came: for methods this client has no function for. A result that asks
   * for input (`resultType: 'input_required'`) is given like any other: no handler is asked, no second request is sent.
   *
   * @throws RpcError when the server refuses it, RequestTimeoutError, AbortError, TransportError
   */
  async sendRequest(method: string, params: JsonObject = {}, options: CallOptions = {}): Promise<JsonObject> {
    const { result } =
      method === 'tools/call'
        ? await this.#tools.send(params, options)
        : await this.#requests.send(({ wire }) => ({ method, params, name: nameIn(params, method, wire) }), options, {
            raw: true,
          });
    return result;
  }

  /**
   * Sends any notification; resolves when it is on its way. A modern one says of itself what requests do: without a
   * session nothing else tells the server who speaks.
   *
   * @throws TransportError, AbortError
   */
  async sendNotification(
    method: string,
    params?: JsonObject,
    { signal }: Pick<CallOptions, 'signal'> = {},
  ): Promise<void> {
    const { link, meta } = this.#connections.live ?? (await this.#connections.get(signal));
    await link.notify(plain({ method, params: new Lowered({ method, params }, meta, undefined, undefined).params }));
  }

  /** Ends the session or the process. What is under way fails, subscriptions are `closed`, questions are given up. */
  close(): Promise<void> {
    const reason = closedError();
    this.#closing.cancel(reason);
    this.#requests.close(reason);
    return this.#connections.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** What a legacy server asks, and what belongs to no request. */
  #inbound(): Inbound {
    return {
      answer: (call, exchange, asking) => this.#questions.handle(call, exchange, asking),
      notice: (note) => this.#take(note),
    };
  }

  /** The server as a person is to see it: what it calls itself proves nothing, so where it is stands beside it. */
  #shown({ name }: Endpoint): string {
    const { title, name: said } = (this.#connections.live ?? this.#last)?.described.serverInfo ?? {};
    const called = title ?? said;
    return called === undefined ? name : `${sample(called, 100)} (${name})`;
  }

  #take(note: Note): void {
    this.#heed(note);
    this.#listeners.tell(plain(note));
  }

  #heed(note: Note): void {
    if (note.method === 'notifications/tools/list_changed') this.#tools.forget();
    if (note.method === 'notifications/message') this.#log.take(note);
  }
}

/** A notice as listeners get it: links may hand on more than that. */
function plain({ method, params }: Note): Note {
  return params === undefined ? { method } : { method, params };
}

/** What `Mcp-Name` repeats, if the method has such a parameter. */
function nameIn(params: JsonObject, method: string, wire: Wire): string | undefined {
  const name = params[wire.nameParam(method) ?? ''];
  return typeof name === 'string' ? name : undefined;
}
