import { systemClock } from '../base/clock.ts';
import { ArgumentError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import { guarded } from '../base/logger.ts';
import { safely } from '../base/safely.ts';
import { unlessAborted } from '../base/unless-aborted.ts';
import { within } from '../base/within.ts';
import type { ResolveOptions } from '../config/index.ts';
import type { Prompt } from '../model/prompts.ts';
import type { Resource, ResourceTemplate } from '../model/resources.ts';
import type { Tool } from '../model/types.ts';
import type { Note } from '../ports/index.ts';
import type { Client } from './client.ts';
import { ServerNotFoundError, type ServerFailedError } from './group-errors.ts';
import type { Listed, ListName } from './group-lists.ts';
import { Member, type Connect } from './group-member.ts';
import { locate, type Routed } from './group-routes.ts';
import { readServers, type GroupServers, type Resolve } from './group-servers.ts';
import { Listeners } from './listeners.ts';
import type { CallOptions, ConnectOptions } from './options.ts';
import { positive } from '../base/positive.ts';
import type { PromptResult } from './prompts.ts';
import type { ReadResult } from './resources.ts';
import type { ToolResult } from './result.ts';

/** Options of a group, and of the connection to each of its servers. Credentials are none of them: each server has its own. */
export interface GroupOptions extends Omit<ConnectOptions, 'headers' | 'authorizer' | 'onNotification'> {
  /** What the placeholders in entries of configuration files stand for. Default: nothing; on Node see `localSources`. */
  sources?: ResolveOptions | undefined;
  /** Resolves the group after that time, while some servers still connect. Default: when each has, or has failed. */
  waitMs?: number | undefined;
  /** How long a server may take to list its things, when they are looked for by name. Default 10,000. */
  listTimeoutMs?: number | undefined;
  /** Hears of each failure to connect or to list; see also `failures`. */
  onFailure?: ((failure: ServerFailedError) => void) | undefined;
}

/** Options of a call in a group. */
export interface GroupCallOptions extends CallOptions {
  /** The server that is meant. Default: the one that has what is named. */
  server?: string | undefined;
}

/** One of several calls. */
export interface GroupCall {
  readonly server?: string | undefined;
  readonly name: string;
  readonly arguments?: JsonObject | undefined;
}

/**
 * Clients of several servers. What one of them lacks or breaks does not touch the others. Tools, prompts and
 * resources are found by name; a name that several servers have needs the server said.
 */
export class ClientGroup implements AsyncDisposable {
  readonly #members: ReadonlyMap<string, Member>;
  readonly #listeners: Listeners<[server: string, note: Note]>;

  /** @internal Use `clientGroup`. */
  constructor(servers: ReadonlyMap<string, Resolve>, connect: Connect, options: GroupOptions) {
    const { sources: _sources, waitMs, signal: _signal, listTimeoutMs, onFailure, ...rest } = options;
    positive('waitMs', waitMs, undefined);
    const logger = guarded(options.logger);
    this.#listeners = new Listeners(logger);
    const shared = {
      connect,
      // Untyped callers may give them all the same: they must not reach servers they are not for.
      options: { ...rest, headers: undefined, authorizer: undefined },
      listTimeoutMs: positive('listTimeoutMs', listTimeoutMs, 10_000),
      clock: options.clock ?? systemClock,
      logger,
      onFailure: (failure: ServerFailedError) => safely(logger, () => onFailure?.(failure), 'onFailure threw'),
      onNote: (server: string, note: Note) => this.#listeners.tell(server, note),
    };
    this.#members = new Map([...servers].map(([name, resolve]) => [name, new Member(name, resolve, shared)]));
  }

  /** @internal */
  async begin({ signal, waitMs, clock = systemClock }: GroupOptions): Promise<this> {
    const all = Promise.allSettled([...this.#members.values()].map((member) => member.connect()));
    try {
      await unlessAborted(waitMs === undefined ? all : within(waitMs, all, undefined, clock), signal);
      return this;
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  /** The names of all servers, connected or not. */
  get servers(): readonly string[] {
    return [...this.#members.keys()];
  }

  /** The clients of the servers that are connected, by name. */
  get clients(): ReadonlyMap<string, Client> {
    return new Map([...this.#members].flatMap(([name, { client }]) => (client === undefined ? [] : [[name, client]])));
  }

  /** What failed last at each server, and has not succeeded since: connecting first, then lists. */
  get failures(): ReadonlyMap<string, ServerFailedError> {
    return new Map(
      [...this.#members].flatMap(([name, { failure }]) => (failure === undefined ? [] : [[name, failure]])),
    );
  }

  /**
   * The client of a server.
   *
   * @throws ServerNotFoundError, ServerFailedError when it is not connected
   */
  client(server: string): Client {
    const member = this.#member(server);
    if (member.client === undefined) throw member.notConnected();
    return member.client;
  }

  /**
   * The client of a server; one that failed is tried again. An aborted signal ends the waiting, not the attempt.
   *
   * @throws ServerNotFoundError, ServerFailedError, AbortError
   */
  async connect(server: string, { signal }: Pick<CallOptions, 'signal'> = {}): Promise<Client> {
    return unlessAborted(this.#member(server).connect(), signal);
  }

  /** The tools of all servers, or of one. A server that fails is left out, and is in `failures`; one that is named rejects. */
  async listTools(options: GroupCallOptions = {}): Promise<{ server: string; tool: Tool }[]> {
    const listed = await this.#list('tools', options);
    return listed.map(({ server, entry }) => ({ server, tool: entry }));
  }

  /** The prompts of all servers, or of one; see {@link listTools}. */
  async listPrompts(options: GroupCallOptions = {}): Promise<{ server: string; prompt: Prompt }[]> {
    const listed = await this.#list('prompts', options);
    return listed.map(({ server, entry }) => ({ server, prompt: entry }));
  }

  /** The resources of all servers, or of one; see {@link listTools}. */
  async listResources(options: GroupCallOptions = {}): Promise<{ server: string; resource: Resource }[]> {
    const listed = await this.#list('resources', options);
    return listed.map(({ server, entry }) => ({ server, resource: entry }));
  }

  /** The templates of resources of all servers, or of one; see {@link listTools}. */
  async listResourceTemplates(
    options: GroupCallOptions = {},
  ): Promise<{ server: string; template: ResourceTemplate }[]> {
    const listed = await this.#list('templates', options);
    return listed.map(({ server, entry }) => ({ server, template: entry }));
  }

  /** The tools whose names have a text in them, or match a pattern. */
  async findTools(pattern: string | RegExp, options: GroupCallOptions = {}): Promise<{ server: string; tool: Tool }[]> {
    const fits = (name: string): boolean =>
      typeof pattern === 'string' ? name.includes(pattern) : name.search(pattern) >= 0;
    return (await this.listTools(options)).filter(({ tool }) => fits(tool.name));
  }

  async #list<Name extends ListName>(
    name: Name,
    { server, ...options }: GroupCallOptions,
  ): Promise<{ server: string; entry: Listed[Name] }[]> {
    const entriesOf = async (member: Member) =>
      (await member.list(name, options)).map((entry) => ({ server: member.name, entry }));
    if (server !== undefined) return entriesOf(this.#member(server));
    const members = [...this.#members.values()].filter(({ client }) => client !== undefined);
    const listed = await Promise.allSettled(members.map(entriesOf));
    const aborted = listed.find((one) => one.status === 'rejected');
    if (options.signal?.aborted === true && aborted !== undefined) throw aborted.reason;
    return listed.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  }

  /**
   * Calls a tool of the one server that has it, or of the one named.
   *
   * @throws ToolNotFoundError, AmbiguousNameError, ServerNotFoundError, ServerFailedError, and what
   *   `Client.callTool` throws
   */
  async callTool(name: string, args: JsonObject = {}, options: GroupCallOptions = {}): Promise<ToolResult> {
    const { client, rest } = await this.#route('tools', name, options);
    return client.callTool(name, args, rest);
  }

  /** Calls several tools side by side; what came of each, in the order of the calls. Never rejects. */
  callTools(calls: readonly GroupCall[], options: GroupCallOptions = {}): Promise<PromiseSettledResult<ToolResult>[]> {
    return Promise.allSettled(
      calls.map(({ server = options.server, name, arguments: args }) =>
        this.callTool(name, args, { ...options, server }),
      ),
    );
  }

  /**
   * Has the one server that has the prompt, or the one named, fill it in.
   *
   * @throws PromptNotFoundError, AmbiguousNameError, ServerNotFoundError, ServerFailedError, and what
   *   `Client.getPrompt` throws
   */
  async getPrompt(
    name: string,
    args?: Readonly<Record<string, string>>,
    options: GroupCallOptions = {},
  ): Promise<PromptResult> {
    const { client, rest } = await this.#route('prompts', name, options);
    return client.getPrompt(name, args, rest);
  }

  /**
   * Reads a resource of the one server that lists it or has a template for it, or of the one named.
   *
   * @throws ResourceNotFoundError, AmbiguousNameError, ServerNotFoundError, ServerFailedError, and what
   *   `Client.readResource` throws
   */
  async readResource(uri: string, options: GroupCallOptions = {}): Promise<ReadResult> {
    const { client, rest } = await this.#route('resources', uri, options);
    return client.readResource(uri, rest);
  }

  /** Subscribes to a resource at one server only, found as for {@link readResource}; see `Client.subscribeResource`. */
  async subscribeResource(uri: string, options: GroupCallOptions = {}): Promise<void> {
    const { client, rest } = await this.#route('resources', uri, options);
    await client.subscribeResource(uri, rest);
  }

  /** Takes {@link subscribeResource} back. */
  async unsubscribeResource(uri: string, options: GroupCallOptions = {}): Promise<void> {
    const { client, rest } = await this.#route('resources', uri, options);
    await client.unsubscribeResource(uri, rest);
  }

  async #route(
    routed: Routed,
    name: string,
    { server, ...rest }: GroupCallOptions,
  ): Promise<{ client: Client; rest: CallOptions }> {
    if (typeof name !== 'string') throw new ArgumentError('the name must be a string');
    const finding = server === undefined ? locate([...this.#members.values()], routed, name) : this.#member(server);
    const found = Promise.resolve(finding).then((member) => member.reach());
    return { client: await unlessAborted(found, rest.signal), rest };
  }

  /**
   * Adds a listener for notices of all servers that belong to no request: changed lists, updated resources, log
   * messages. What is kept of a changed list is forgotten before.
   *
   * @returns takes it away again
   */
  onNotification(listener: (server: string, note: Note) => void): () => void {
    return this.#listeners.add(listener);
  }

  /** Ends all connections, and the attempts at them. What is under way fails. */
  async close(): Promise<void> {
    await Promise.all([...this.#members.values()].map((member) => member.close()));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #member(server: string): Member {
    const member = this.#members.get(server);
    if (member === undefined) throw new ServerNotFoundError(server, this.servers);
    return member;
  }
}

/** Makes the `clientGroup` of a platform. */
export function clientGroupOn(
  connect: Connect,
): (servers: GroupServers, options?: GroupOptions) => Promise<ClientGroup> {
  return async (servers, options = {}) =>
    new ClientGroup(readServers(servers, options.sources ?? {}), connect, options).begin(options);
}
