import { aborted } from '../base/aborted.ts';
import { Cancel, follow } from '../base/cancel.ts';
import {
  ConnectionError,
  HttpStatusError,
  InvalidResponseError,
  McpError,
  RequestTimeoutError,
  RpcError,
} from '../base/errors.ts';
import { KeyedLock } from '../base/lock.ts';
import { unlessAborted } from '../base/unless-aborted.ts';
import { judgeProbe } from '../core/era.ts';
import type { ClientCapabilities, Era } from '../model/types.ts';
import type { Call, Exchange, Link, Note, Open, Reply, Service, Why } from '../ports/index.ts';
import type { Wire } from '../wire/index.ts';
import { LeavingLink } from './leaving-link.ts';
import { negotiate, type Connection } from './negotiate.ts';
import type { Settings } from './options.ts';
import type { Asking } from './questions.ts';

/** Where a client connects to. */
export interface Endpoint {
  /** What messages call it: a URL without secrets, or a command. */
  readonly name: string;
  readonly kind: 'http' | 'pipe';
  readonly open: Open;
  close?(): Promise<void>;
}

/** Takes what a server asks, and tells of its own accord. */
export interface Inbound {
  answer(call: Call, exchange: Exchange, asking: Asking): Promise<Reply>;
  notice(note: Note): void;
}

/** Says what is to be said on a new connection before anybody uses it; never rejects. */
type Begin = (connection: Connection, cancel: Cancel) => Promise<void>;

/**
 * The one connection of a client, and the next one when it ends. A link is never revived: the caller that finds it
 * ended opens another under the lock, unless somebody else has done so already.
 */
export class Connections {
  readonly #endpoint: Endpoint;
  readonly #inbound: Inbound;
  readonly #settings: Settings;
  readonly #capabilities: () => ClientCapabilities;
  readonly #begin: Begin;
  readonly #lock = new KeyedLock();
  #current: Connection | undefined;
  #connecting: Cancel | undefined;
  #closed = false;
  /** Links that were let go and are not closed yet. */
  readonly #leaving = new Set<LeavingLink>();
  /** What this endpoint turned out to speak. A process that is started anew may be another program. */
  #found: Era | undefined;

  constructor(
    endpoint: Endpoint,
    inbound: Inbound,
    settings: Settings,
    capabilities: () => ClientCapabilities,
    begin: Begin,
  ) {
    this.#endpoint = endpoint;
    this.#inbound = inbound;
    this.#settings = settings;
    this.#capabilities = capabilities;
    this.#begin = begin;
  }

  get kind(): Endpoint['kind'] {
    return this.#endpoint.kind;
  }

  /** The live connection, if there is one. */
  get live(): Connection | undefined {
    return this.#current;
  }

  /** The live connection, or a new one. */
  get(signal?: AbortSignal): Promise<Connection> {
    if (signal?.aborted === true) return Promise.reject(aborted(signal.reason, 'not-sent'));
    const opening = this.#lock.run('connect', async () => this.#current ?? (await this.#connect(signal)));
    return unlessAborted(opening, signal);
  }

  async #connect(signal: AbortSignal | undefined): Promise<Connection> {
    if (this.#closed) throw closedError();
    const { clock, connectTimeoutMs } = this.#settings;
    const cancel = (this.#connecting = new Cancel());
    const timeout = new RequestTimeoutError(connectTimeoutMs, `connecting to ${this.#endpoint.name}`, {
      outcome: 'not-sent',
    });
    const timer = clock.after(connectTimeoutMs, () => cancel.cancel(timeout));
    timer.hold?.(true);
    const unfollow = follow(signal, cancel);
    try {
      const connection = await this.#openAsFound(cancel);
      await this.#begin(connection, cancel);
      if (cancel.cancelled) await connection.link.close();
      throwIfCancelled(cancel);
      this.#take(connection);
      return connection;
    } finally {
      this.#connecting = undefined;
      timer.cancel();
      unfollow();
      cancel.done();
    }
  }

  /** Opens by the era that is chosen or was found; a finding that does not hold any more is found anew. */
  async #openAsFound(cancel: Cancel): Promise<Connection> {
    const { protocol } = this.#settings;
    if (protocol !== 'auto')
      return this.#open(cancel, protocol === 'modern' || protocol === 'legacy' ? protocol : undefined);
    const found = this.#found;
    try {
      return await this.#open(cancel, found);
    } catch (error) {
      if (found === undefined || cancel.cancelled || !isAnswer(error)) throw error;
      this.#found = undefined;
      return this.#open(cancel, undefined);
    }
  }

  async #open(cancel: Cancel, era: Era | undefined): Promise<Connection> {
    throwIfCancelled(cancel);
    const inbound = new LinkInbound(this.#inbound);
    const opening = this.#endpoint.open(inbound, { signal: cancel.signal });
    const link = new LeavingLink(await unlessCancelled(opening, cancel));
    let why: Why | undefined;
    void link.closed.then((reason) => {
      why = reason;
      inbound.end();
    });
    try {
      const silenceMeansLegacy = this.#endpoint.kind === 'pipe';
      const negotiating = negotiate(link, {
        settings: this.#settings,
        capabilities: this.#capabilities(),
        settled: (wire) => {
          inbound.wire = wire;
        },
        silenceMeansLegacy,
        era,
        cancel,
      });
      return await Promise.race([negotiating, cancelled(cancel)]);
    } catch (error) {
      await link.close().catch(() => undefined);
      // Some legacy servers end at the first request that is not `initialize`: they get one more start without it.
      const endedItself = why !== undefined && why.by !== 'us';
      if (endedItself && era === undefined && !cancel.cancelled && silenceTells(this.#endpoint, this.#settings))
        return this.#legacyStart(cancel, error);
      throw error;
    }
  }

  async #legacyStart(cancel: Cancel, first: unknown): Promise<Connection> {
    try {
      return await this.#open(cancel, 'legacy');
    } catch (error) {
      const reason = McpError.from(error);
      const probe = McpError.from(first);
      const before = probe.message === reason.message ? '' : ` (before that, on server/discover: ${probe.message})`;
      throw new ConnectionError(reason.message + before, {
        cause: error,
        outcome: 'not-sent',
      });
    }
  }

  #take(connection: Connection): void {
    this.#current = connection;
    if (this.#endpoint.kind === 'http') this.#found = connection.wire.facts.era;
    void connection.link.closed.then(() => {
      if (this.#current === connection) this.#current = undefined;
    });
  }

  /** Lets go of a connection found dead, unless it has been replaced already. It is closed in the background. */
  discard(connection: Connection): void {
    if (this.#current === connection) this.#current = undefined;
    const { link } = connection;
    if (!(link instanceof LeavingLink)) return;
    this.#leaving.add(link);
    link.leave(() => this.#leaving.delete(link));
  }

  /** The same, when the server has shown that it is not what it was found to be. */
  doubt(connection: Connection): void {
    if (this.#current === connection) this.#found = undefined;
    this.discard(connection);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#connecting?.cancel(closedError());
    // An attempt under way cleans up behind itself.
    await this.#lock.run('connect', () => Promise.resolve());
    const current = this.#current;
    this.#current = undefined;
    await current?.link.close();
    await Promise.all([...this.#leaving].map((link) => link.close().catch(() => undefined)));
    await this.#endpoint.close?.();
  }
}

/** What comes in on one link, which may be another one than the client uses now. */
class LinkInbound implements Service, Asking {
  readonly #inbound: Inbound;
  readonly #end = new AbortController();
  wire: Wire | undefined;

  constructor(inbound: Inbound) {
    this.#inbound = inbound;
  }

  get ended(): AbortSignal {
    return this.#end.signal;
  }

  end(): void {
    this.#end.abort(new ConnectionError('the connection has ended'));
  }

  answer(call: Call, exchange: Exchange): Promise<Reply> {
    return this.#inbound.answer(call, exchange, this);
  }

  notice(note: Note): void {
    this.#inbound.notice(note);
  }
}

/** What calls fail with once the client is closed. */
export function closedError(): ConnectionError {
  return new ConnectionError('the client is closed', { origin: 'local', outcome: 'not-sent' });
}

function silenceTells(endpoint: Endpoint, settings: Settings): boolean {
  return endpoint.kind === 'pipe' && settings.protocol === 'auto';
}

/** Whether the failure is what a server of another era could have said. */
function isAnswer(error: unknown): boolean {
  if (error instanceof InvalidResponseError) return true;
  if (!(error instanceof RpcError) && !(error instanceof HttpStatusError)) return false;
  return error.status === undefined || judgeProbe({ on: 'status', status: error.status }, false).do !== 'surface';
}

function throwIfCancelled(cancel: Cancel): void {
  if (cancel.cancelled) throw aborted(cancel.reason, 'not-sent');
}

/** Rejects on cancellation, and never settles without. */
function cancelled(cancel: Cancel): Promise<never> {
  return new Promise((_resolve, reject) => cancel.onCancel((reason) => reject(aborted(reason, 'not-sent'))));
}

/** Waits for a link unless cancelled first; one that comes too late is closed. */
function unlessCancelled(opening: Promise<Link>, cancel: Cancel): Promise<Link> {
  return new Promise((resolve, reject) => {
    cancel.onCancel((reason) => reject(aborted(reason, 'not-sent')));
    opening.then((link) => {
      if (cancel.cancelled) void link.close().catch(() => undefined);
      else resolve(link);
    }, reject);
  });
}
