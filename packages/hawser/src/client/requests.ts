import { McpError, ResponseStreamClosedError, rpcError, UnsupportedProtocolVersionError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import { Deadlines } from '../base/deadlines.ts';
import type { Wire } from '../wire/index.ts';
import type { Connections } from './connections.ts';
import { Lowered, type Request } from './lowered.ts';
import type { Connection } from './negotiate.ts';
import type { CallOptions, Settings } from './options.ts';
import { Pending } from './pending.ts';

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
   * Sends a request and gives its result. A function makes the request for the revision it will be sent in.
   *
   * A call that provably was not run (its session or process had ended, or the server no longer speaks the revision)
   * is sent again once on a new connection. A response stream that broke is followed by the one re-issue that
   * 2026-07-28 prescribes, with a new id (changelog, major change 9). Nothing else is ever sent again, and all of it
   * shares the limits of the one call.
   *
   * @throws RpcError for the server's errors, TransportError and InvalidResponseError for what came instead of one
   */
  async send(request: Request | ((wire: Wire) => Request), options: CallOptions = {}): Promise<Answer> {
    const pending = new Pending(options, this.#settings, this.#deadlines);
    let resent = false;
    let reissued = false;
    try {
      for (;;) {
        const connection = this.#connections.live ?? (await this.#connections.get(pending.cancel.signal));
        try {
          const result = await this.#once(
            connection,
            typeof request === 'function' ? request(connection.wire) : request,
            pending,
          );
          return { result, connection, reissued };
        } catch (error) {
          if (!McpError.is(error) || pending.cancel.cancelled) throw error;
          if (!resent && this.#notRun(error)) {
            resent = true;
            if (error instanceof UnsupportedProtocolVersionError) this.#connections.doubt(connection);
            else this.#connections.discard(connection);
          } else if (
            !reissued &&
            error instanceof ResponseStreamClosedError &&
            connection.wire.facts.httpCancel === 'close'
          ) {
            reissued = true;
          } else throw error;
          pending.renew();
        }
      }
    } finally {
      pending.release();
    }
  }

  async #once({ link, wire, meta }: Connection, request: Request, pending: Pending): Promise<JsonObject> {
    // Only progress shows that a long call is alive, and only a token brings progress.
    const token = pending.wantsProgress || request.method === 'tools/call' ? ++this.#lastToken : undefined;
    pending.begin(request.method, token);
    const reply = await link.request(new Lowered(request, meta, meta && wire.revision, token), pending);
    if (reply.error !== undefined)
      throw rpcError(reply.error, reply.status === undefined ? {} : { status: reply.status });
    return wire.lift.complete(reply.result);
  }

  /** Whether the failed call provably never ran, for a reason that a new connection mends. */
  #notRun(error: McpError): boolean {
    if (error.code === 'session_lost') return true;
    if (error.code === 'connection') return error.origin === 'transport' && error.outcome === 'not-sent';
    // A program speaks what it speaks; a server behind a URL may have been replaced by another build.
    return error instanceof UnsupportedProtocolVersionError && this.#connections.kind === 'http';
  }
}
