import { Cancel } from '../base/cancel.ts';
import type { Clock } from '../base/clock.ts';
import { ConnectionError, RequestTimeoutError } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import type { Note } from '../ports/index.ts';
import type { Client } from './client.ts';
import type { Target } from './connect.ts';
import { Catalog } from './group-catalog.ts';
import { Changes } from './group-changes.ts';
import { ServerFailedError } from './group-errors.ts';
import { changeOf, listNames, lists, type Listed, type ListName } from './group-lists.ts';
import { Templates } from './group-templates.ts';
import type { Resolve } from './group-servers.ts';
import type { CallOptions, ConnectOptions } from './options.ts';

/** The `connect` of a platform. */
export type Connect = (target: Target, options: ConnectOptions) => Promise<Client>;

/** What all members of a group have in common. */
interface Membership {
  readonly connect: Connect;
  /** Options for every server, without anything that is meant for one. */
  readonly options: ConnectOptions;
  readonly listTimeoutMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly onFailure: (failure: ServerFailedError) => void;
  readonly onNote: (server: string, note: Note) => void;
}

/** One server of a group: its connection, what is known of its lists, and how it failed last. */
export class Member {
  readonly name: string;
  readonly #resolve: Resolve;
  readonly #shared: Membership;
  readonly #catalogs: Readonly<Record<ListName, Catalog>>;
  readonly #failures = new Map<string, ServerFailedError>();
  #client: Client | undefined;
  #connecting: Promise<Client> | undefined;
  #changes: Changes | undefined;
  readonly #closing = new Cancel();
  /** Made anew with each list. */
  #templates: { readonly of: ReadonlySet<string>; readonly made: Templates } | undefined;

  constructor(name: string, resolve: Resolve, shared: Membership) {
    this.name = name;
    this.#resolve = resolve;
    this.#shared = shared;
    this.#catalogs = {
      tools: new Catalog(),
      prompts: new Catalog(),
      resources: new Catalog(),
      templates: new Catalog(),
    };
  }

  /** The client, once it is connected. */
  get client(): Client | undefined {
    return this.#client;
  }

  /** What failed last and has not succeeded since; that there is no connection comes first. */
  get failure(): ServerFailedError | undefined {
    return this.#failures.get('connect') ?? this.#failures.values().next().value;
  }

  /**
   * The connection, or another attempt at it; all who wait for one share it.
   *
   * @throws ServerFailedError
   */
  connect(): Promise<Client> {
    if (this.#client !== undefined) return Promise.resolve(this.#client);
    return (this.#connecting ??= this.#connect().finally(() => {
      this.#connecting = undefined;
    }));
  }

  /** The connection, or the attempt at it that is under way. @throws ServerFailedError without either */
  reach(): Promise<Client> {
    if (this.#client !== undefined || this.#connecting !== undefined) return this.connect();
    return Promise.reject(this.notConnected());
  }

  /** Why there is no client. */
  notConnected(): ServerFailedError {
    const failure = this.#failures.get('connect');
    if (failure !== undefined) return failure;
    const cause = this.#connecting === undefined ? groupClosed() : notYet();
    return new ServerFailedError(this.name, 'connect', cause);
  }

  async #connect(): Promise<Client> {
    const { connect, options } = this.#shared;
    try {
      const { target, options: own } = this.#resolve();
      const client = await connect(target, {
        ...options,
        ...own,
        signal: this.#closing.signal,
        onNotification: (note) => {
          this.#take(note);
          own.onNotification?.(note);
        },
      });
      if (this.#closing.cancelled) {
        await client.close();
        throw groupClosed();
      }
      this.#failures.clear();
      for (const list of listNames) this.#catalogs[list].forget();
      return (this.#client = client);
    } catch (error) {
      throw this.#failed('connect', error);
    }
  }

  /** What a list brings is also remembered, to find things by their names. @throws ServerFailedError, AbortError */
  async list<Name extends ListName>(name: Name, options: CallOptions): Promise<Listed[Name][]> {
    const { method, list, nameOf } = lists[name];
    const remember = this.#catalogs[name].begin();
    try {
      const entries = await list(await this.reach(), options);
      remember(entries.map(nameOf));
      this.#failures.delete(method);
      return entries;
    } catch (error) {
      // That the caller gave up tells nothing of the server.
      if (options.signal?.aborted === true || error instanceof ServerFailedError) throw error;
      throw this.#failed(method, error);
    }
  }

  namesOf(name: ListName): ReadonlySet<string> {
    return this.#catalogs[name].names;
  }

  /** The templates it is known to have, to look through. */
  get templates(): Templates {
    const { names } = this.#catalogs.templates;
    if (this.#templates?.of !== names)
      this.#templates = { of: names, made: new Templates(this.name, names, this.#shared.logger) };
    return this.#templates.made;
  }

  /** Whether its list may have more than is known. */
  isInTheDark(name: ListName): boolean {
    return this.#client === undefined || this.#failures.has(lists[name].method);
  }

  /** Whether there is no reason to ask for the list. */
  isSettled(name: ListName): boolean {
    return this.#catalogs[name].settled;
  }

  /** Asks for a list, with a limit for all of it. Never rejects: a failure is told. */
  async refresh(name: ListName): Promise<void> {
    if (this.#client !== undefined) await this.#catalogs[name].refresh(() => this.#listWithin(name));
  }

  async #listWithin(name: ListName): Promise<void> {
    const { clock, listTimeoutMs } = this.#shared;
    const cancel = new Cancel();
    const limit = new RequestTimeoutError(listTimeoutMs, lists[name].method);
    const timer = clock.after(listTimeoutMs, () => cancel.cancel(limit));
    try {
      await this.list(name, { timeoutMs: listTimeoutMs, signal: cancel.signal });
    } catch (error) {
      if (cancel.cancelled) throw this.#failed(lists[name].method, limit);
      throw error;
    } finally {
      timer.cancel();
      cancel.done();
    }
  }

  /** Names begin to matter: from now on changes have to be heard of. */
  watch(): void {
    const { clock, logger } = this.#shared;
    this.#changes ??= new Changes({
      clock,
      logger,
      take: (note) => this.#take(note),
      missed: () => {
        for (const list of listNames) this.#catalogs[list].forget();
      },
    });
    if (this.#client !== undefined) this.#changes.start(this.#client);
  }

  #take(note: Note): void {
    for (const list of listNames) if (changeOf(list) === note.method) this.#catalogs[list].forget();
    this.#shared.onNote(this.name, note);
  }

  #failed(during: string, error: unknown): ServerFailedError {
    const failure = new ServerFailedError(this.name, during, error);
    this.#failures.set(during, failure);
    if (!this.#closing.cancelled) this.#shared.onFailure(failure);
    return failure;
  }

  /** Ends the connection, or the attempt at one. Never rejects. */
  async close(): Promise<void> {
    this.#closing.cancel(groupClosed());
    this.#changes?.stop();
    await this.#connecting?.catch(() => undefined);
    const client = this.#client;
    this.#client = undefined;
    await client?.close().catch((error: unknown) => {
      this.#shared.logger.warn(`closing "${this.name}" failed`, error);
    });
  }
}

function groupClosed(): ConnectionError {
  return new ConnectionError('the group is closed', { origin: 'local', outcome: 'not-sent' });
}

function notYet(): ConnectionError {
  return new ConnectionError('it is still connecting', { origin: 'local', outcome: 'not-sent' });
}
