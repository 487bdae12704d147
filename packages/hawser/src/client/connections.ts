import { Cancel, follow } from '../base/cancel.ts';
import { AbortError, ConnectionError, McpError, RequestTimeoutError } from '../base/errors.ts';
import { KeyedLock } from '../base/lock.ts';
import type { ClientCapabilities, Era } from '../model/types.ts';
import type { Link, Open, Service } from '../ports/index.ts';
import { negotiate, type Connection } from './negotiate.ts';
import type { Settings } from './options.ts';

/** Where a client connects to. */
export interface Endpoint {
  /** What messages call it: a URL without secrets, or a command. */
  readonly name: string;
  readonly kind: 'http' | 'pipe';
  readonly open: Open;
  close?(): Promise<void>;
}

/**
 * The one connection of a client, and the next one when it ends. A link is never revived: the caller that finds it
 * ended opens another under the lock, unless somebody else has done so already.
 */
export class Connections {
  readonly #endpoint: Endpoint;
  readonly #inbound: Service;
  readonly #settings: Settings;
  readonly #capabilities: ClientCapabilities;
  readonly #lock = new KeyedLock();
  readonly #closing = new Cancel();
  #current: Connection | undefined;
  /** What this endpoint turned out to speak. A process that is started anew may be another program. */
  #era: Era | undefined;

  constructor(endpoint: Endpoint, inbound: Service, settings: Settings, capabilities: ClientCapabilities) {
    this.#endpoint = endpoint;
    this.#inbound = inbound;
    this.#settings = settings;
    this.#capabilities = capabilities;
    const { protocol } = settings;
    this.#era = protocol === 'modern' || protocol === 'legacy' ? protocol : undefined;
  }

  get kind(): Endpoint['kind'] {
    return this.#endpoint.kind;
  }

  /** The live connection, if there is one. */
  get live(): Connection | undefined {
    return this.#current;
  }

  /** The live connection, or a new one. */
  async get(signal?: AbortSignal): Promise<Connection> {
    if (this.#current !== undefined) return this.#current;
    return this.#lock.run('connect', async () => (this.#current ??= await this.#connect(signal)));
  }

  async #connect(signal: AbortSignal | undefined): Promise<Connection> {
    if (this.#closing.cancelled)
      throw new ConnectionError('the client is closed', { origin: 'local', outcome: 'not-sent' });
    const { clock, connectTimeoutMs } = this.#settings;
    const cancel = new Cancel();
    const timeout = new RequestTimeoutError(connectTimeoutMs, `connecting to ${this.#endpoint.name}`, {
      outcome: 'not-sent',
    });
    const timer = clock.after(connectTimeoutMs, () => cancel.cancel(timeout));
    const unfollow = follow(signal, cancel);
    this.#closing.onCancel((reason) => cancel.cancel(reason));
    try {
      const connection = await this.#open(cancel, this.#era);
      this.#watch(connection);
      return connection;
    } finally {
      timer.cancel();
      unfollow();
      cancel.done();
    }
  }

  async #open(cancel: Cancel, era: Era | undefined): Promise<Connection> {
    const link = await unlessCancelled(this.#endpoint.open(this.#inbound, { signal: cancel.signal }), cancel);
    let ended = false;
    void link.closed.then(() => {
      ended = true;
    });
    try {
      const silenceMeansLegacy = this.#endpoint.kind === 'pipe';
      return await negotiate(link, {
        settings: this.#settings,
        capabilities: this.#capabilities,
        silenceMeansLegacy,
        era,
        cancel,
      });
    } catch (error) {
      await link.close().catch(() => undefined);
      // Some legacy servers end at the first request that is not `initialize`: they get one more start without it.
      if (ended && era === undefined && !cancel.cancelled && silenceTells(this.#endpoint, this.#settings))
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
      throw new ConnectionError(`${reason.message} (before that, on server/discover: ${probe.message})`, {
        cause: error,
        outcome: 'not-sent',
      });
    }
  }

  #watch(connection: Connection): void {
    if (this.#endpoint.kind === 'http') this.#era = connection.wire.facts.era;
    void connection.link.closed.then(() => {
      if (this.#current === connection) this.#current = undefined;
    });
  }

  /** Lets go of a connection found dead, unless it has been replaced already. */
  discard(connection: Connection): void {
    if (this.#current === connection) this.#current = undefined;
  }

  async close(): Promise<void> {
    this.#closing.cancel(new ConnectionError('the client is closed', { origin: 'local', outcome: 'not-sent' }));
    const current = this.#current;
    this.#current = undefined;
    await current?.link.close();
    await this.#endpoint.close?.();
  }
}

function silenceTells(endpoint: Endpoint, settings: Settings): boolean {
  return endpoint.kind === 'pipe' && settings.protocol === 'auto';
}

/** Waits for a link unless cancelled first; one that comes too late is closed. */
function unlessCancelled(opening: Promise<Link>, cancel: Cancel): Promise<Link> {
  return new Promise((resolve, reject) => {
    cancel.onCancel((reason) => reject(McpError.is(reason) ? reason : new AbortError(reason, { outcome: 'not-sent' })));
    opening.then((link) => {
      if (cancel.cancelled) void link.close().catch(() => undefined);
      else resolve(link);
    }, reject);
  });
}
