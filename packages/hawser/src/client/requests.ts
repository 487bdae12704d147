import { Cancel, follow } from '../base/cancel.ts';
import { AbortError, McpError, RequestTimeoutError, ResponseStreamClosedError, rpcError } from '../base/errors.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import { Deadlines, type Deadline, type Expiring } from '../base/deadlines.ts';
import { metaKeys } from '../model/meta.ts';
import type { Progress } from '../model/types.ts';
import type { Call, Note, RequestOptions } from '../ports/index.ts';
import type { Connections } from './connections.ts';
import type { Connection } from './negotiate.ts';
import type { CallOptions, Settings } from './options.ts';

/** A call before it is lowered: what is said, not yet in which revision. */
export interface Request {
  readonly method: string;
  readonly params?: JsonObject | undefined;
  readonly name?: string | undefined;
  readonly mirror?: Readonly<Record<string, string>> | undefined;
}

/** A result, the connection it came on, and whether the request went out twice. */
export interface Answer {
  readonly result: JsonObject;
  readonly connection: Connection;
  readonly reissued: boolean;
}

/** The one way of every request: lower, send, wait, and once more where that is safe. */
export class Requests {
  readonly #connections: Connections;
  readonly #settings: Settings;
  readonly #deadlines: Deadlines;
  #lastToken = 0;

  constructor(connections: Connections, settings: Settings) {
    this.#connections = connections;
    this.#settings = settings;
    this.#deadlines = new Deadlines(settings.clock);
  }

  /**
   * Sends a request and gives its result.
   *
   * A call that provably was not run (`not-sent`, or `refused` since the session was gone) is sent again once on a
   * new connection. A response stream that broke is followed by the one re-issue that 2026-07-28 prescribes, with a
   * new id (changelog, major change 9). Nothing else is ever sent again.
   *
   * @throws RpcError for the server's errors, TransportError and InvalidResponseError for what came instead of one
   */
  async send(request: Request, options: CallOptions = {}): Promise<Answer> {
    let resent = false;
    let reissued = false;
    for (;;) {
      const connection = this.#connections.live ?? (await this.#connections.get(options.signal));
      try {
        const result = await this.#once(connection, request, options);
        return { result, connection, reissued };
      } catch (error) {
        if (!McpError.is(error)) throw error;
        if (!resent && sessionGone(error)) {
          resent = true;
          this.#connections.discard(connection);
        } else if (
          !reissued &&
          error instanceof ResponseStreamClosedError &&
          connection.wire.facts.httpCancel === 'close'
        ) {
          reissued = true;
        } else throw error;
      }
    }
  }

  async #once(connection: Connection, request: Request, options: CallOptions): Promise<JsonObject> {
    const { link, wire } = connection;
    if (options.signal?.aborted === true) throw new AbortError(options.signal.reason, { outcome: 'not-sent' });
    const token = options.onProgress === undefined ? undefined : ++this.#lastToken;
    const call: Call = {
      method: request.method,
      params: withMeta(request.params, connection.meta, token),
      name: request.name,
      mirror: request.mirror,
    };
    const pending = new Pending(request.method, options, this.#settings, this.#deadlines);
    try {
      const reply = await link.request(call, pending);
      if (reply.error !== undefined)
        throw rpcError(reply.error, reply.status === undefined ? {} : { status: reply.status });
      return wire.lift.complete(reply.result);
    } finally {
      pending.release();
    }
  }
}

/** Whether the failed call never ran because its session or process had ended. */
function sessionGone(error: McpError): boolean {
  return (
    error.code === 'session_lost' ||
    (error.code === 'connection' && error.origin === 'transport' && error.outcome === 'not-sent')
  );
}

/** Params with what the revision and the call want in `_meta`; a caller's own entries stay, reserved ones do not. */
function withMeta(
  params: JsonObject | undefined,
  meta: JsonObject | undefined,
  token: number | undefined,
): JsonObject | undefined {
  const own = params?.['_meta'];
  if (meta === undefined && token === undefined) return params;
  if (own === undefined && token === undefined) return { ...params, _meta: meta };
  return {
    ...params,
    _meta: {
      ...(isObject(own) ? own : undefined),
      ...meta,
      ...(token !== undefined && { [metaKeys.progressToken]: token }),
    },
  };
}

/** One request on its way: its cancellation, its deadline and its progress. */
class Pending implements RequestOptions, Expiring {
  readonly cancel = new Cancel();
  readonly #method: string;
  readonly #settings: Settings;
  readonly #onProgress: ((progress: Progress) => void) | undefined;
  readonly #timeoutMs: number;
  readonly #end: number;
  readonly #deadline: Deadline;
  readonly #unfollow: () => void;
  #over = false;

  constructor(method: string, options: CallOptions, settings: Settings, deadlines: Deadlines) {
    this.#method = method;
    this.#settings = settings;
    this.#onProgress = options.onProgress;
    this.#timeoutMs = options.timeoutMs ?? settings.timeoutMs;
    this.#end = settings.clock.now() + (options.maxTimeoutMs ?? settings.maxTimeoutMs);
    this.#deadline = deadlines.set(Math.min(this.#timeoutMs, options.maxTimeoutMs ?? settings.maxTimeoutMs), this);
    this.#unfollow = follow(options.signal, this.cancel);
  }

  expire(): void {
    this.cancel.cancel(new RequestTimeoutError(this.#timeoutMs, this.#method));
  }

  get emit(): ((note: Note) => void) | undefined {
    return this.#onProgress === undefined ? undefined : (note) => this.#take(note);
  }

  #take(note: Note): void {
    if (this.#over || note.method !== 'notifications/progress') return;
    const progress = readProgress(note.params);
    if (progress === undefined) return;
    this.#deadline.extend(Math.max(0, Math.min(this.#timeoutMs, this.#end - this.#settings.clock.now())));
    try {
      this.#onProgress?.(progress);
    } catch (error) {
      this.#settings.logger.error('onProgress threw', error);
    }
  }

  release(): void {
    this.#over = true;
    this.#deadline.release();
    this.#unfollow();
    this.cancel.done();
  }
}

/** Malformed progress of a peer is dropped: it is no reason to end anything. */
function readProgress(params: JsonObject | undefined): Progress | undefined {
  const { progress, total, message } = params ?? {};
  if (typeof progress !== 'number') return undefined;
  return {
    progress,
    ...(typeof total === 'number' && { total }),
    ...(typeof message === 'string' && { message }),
  };
}
