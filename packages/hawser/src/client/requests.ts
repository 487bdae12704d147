import {
  HeaderMismatchError,
  McpError,
  ResponseStreamClosedError,
  rpcError,
  UnsupportedProtocolVersionError,
  withOutcome,
  type RpcError,
} from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import { Deadlines } from '../base/deadlines.ts';
import type { Connections } from './connections.ts';
import type { Inputs } from './inputs.ts';
import { Lowered, type Request } from './lowered.ts';
import type { Connection } from './negotiate.ts';
import type { Note } from '../ports/index.ts';
import type { CallOptions, Settings } from './options.ts';
import { Pending } from './pending.ts';
import { Rounds, type Delivered, type Make } from './rounds.ts';

/** A final result, the connection it came on, and whether a request went out twice. */
export interface Answer {
  readonly result: JsonObject;
  readonly connection: Connection;
  readonly reissued: boolean;
  /** How often the server asked for input, or for patience, before. */
  readonly rounds: number;
}

/** What is special about a request. */
export interface Manner {
  /** A result that asks for input is the result: nobody is asked. */
  readonly raw?: boolean;
  /** After -32020, before the request is made once more: has a fresh look at what its headers mirror. */
  readonly mend?: (signal: AbortSignal) => Promise<void>;
  /** What an error of the server means for this request. */
  readonly errorOf?: (error: RpcError, connection: Connection) => McpError;
}

/** The one way of every request: lower, send, wait, and once more where that is safe. */
export class Requests {
  readonly #connections: Connections;
  readonly #settings: Settings;
  readonly #deadlines: Deadlines;
  readonly #heed: (note: Note) => void;
  readonly #inputs: Inputs;
  readonly #underWay = new Set<Pending>();
  #closed: McpError | undefined;
  #lastToken = 0;

  /** @param heed takes notices other than progress that belong to a request: log messages */
  constructor(connections: Connections, settings: Settings, heed: (note: Note) => void, inputs: Inputs) {
    this.#connections = connections;
    this.#settings = settings;
    this.#heed = heed;
    this.#inputs = inputs;
    this.#deadlines = new Deadlines(settings.clock);
  }

  /** The calls that wait for their results. */
  get underWay(): ReadonlySet<Pending> {
    return this.#underWay;
  }

  /**
   * Sends a request and gives its result. A function makes the request for the connection it will be sent on.
   *
   * A call that provably was not run (its session or process had ended, or the server no longer speaks the revision)
   * is sent again once on a new connection, and after -32020 once with other headers. A response stream that broke is
   * followed by the one re-issue that 2026-07-28 prescribes, with a new id (changelog, major change 9). Nothing else is
   * ever sent again, and all of it shares the limits of the one call. So do the rounds in which a modern server asks for
   * input: each is a request of its own.
   *
   * @throws RpcError for the server's errors, InputRequiredError when it does not get the input it needs,
   *   TransportError and InvalidResponseError for what came instead of a result; each with the outcome of the whole call
   */
  async send(
    request: Request | ((connection: Connection) => Request),
    options: CallOptions = {},
    manner: Manner = {},
  ): Promise<Answer> {
    if (this.#closed !== undefined) throw this.#closed;
    const pending = new Pending(options, this.#settings, this.#deadlines, this.#heed);
    const make = typeof request === 'function' ? request : () => request;
    this.#underWay.add(pending);
    try {
      const deliver = this.#deliverer(pending, manner);
      const first = await deliver(make);
      if (first.required === undefined)
        return { result: first.result, connection: first.connection, reissued: first.reissued, rounds: 0 };
      return await new Rounds(make, pending, deliver, this.#inputs, this.#settings).run(first);
    } catch (error) {
      throw pending.whole(error);
    } finally {
      this.#underWay.delete(pending);
      pending.release();
    }
  }

  /** Nothing is sent any more, and nobody waits any longer for what this side would have to do. */
  close(reason: McpError): void {
    this.#closed ??= reason;
    for (const pending of this.#underWay) pending.close(reason);
  }

  /** Gets requests of one call through, and gives what the server answered to each: a result or a question. */
  #deliverer(pending: Pending, manner: Manner): (make: Make) => Promise<Delivered> {
    const { mend: freshLook } = manner;
    let mended = false;
    const mend = async (error: unknown): Promise<boolean> => {
      if (mended || freshLook === undefined || !(error instanceof HeaderMismatchError)) return false;
      mended = true;
      await pending.whileHeld(() => freshLook(pending.cancel.signal));
      return true;
    };
    return (make) => this.#deliver(make, pending, manner, mend);
  }

  async #deliver(
    make: Make,
    pending: Pending,
    manner: Manner,
    mend: (error: unknown) => Promise<boolean>,
  ): Promise<Delivered> {
    let resent = false;
    let reissued = false;
    for (;;) {
      const connection = this.#connections.live ?? (await this.#connect(pending));
      try {
        const request = make(connection);
        const result = await this.#once(connection, request, pending, manner);
        const { lift } = connection.wire;
        const required = lift.inputRequired(request.method, result);
        if (required === undefined) return { result: lift.complete(result), connection, reissued, required };
        return { result, connection, reissued, required: manner.raw === true ? undefined : required };
      } catch (error) {
        if (!McpError.is(error) || pending.cancel.cancelled) throw error;
        if (await mend(error)) {
          // The server did not run it; made anew, it has other headers.
        } else if (!resent && this.#notRun(error, connection)) {
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
  }

  /** However it fails, this request has not been sent. */
  async #connect(pending: Pending): Promise<Connection> {
    try {
      return await this.#connections.get(pending.cancel.signal);
    } catch (error) {
      throw McpError.is(error) ? withOutcome(error, 'not-sent') : error;
    }
  }

  async #once(
    connection: Connection,
    request: Request,
    pending: Pending,
    { errorOf = (error) => error }: Manner,
  ): Promise<JsonObject> {
    const { link, wire, meta } = connection;
    // Only progress shows that a long call is alive, and only a token brings progress.
    const token = pending.wantsProgress || request.method === 'tools/call' ? ++this.#lastToken : undefined;
    pending.assertWanted();
    pending.begin(request.method);
    try {
      const reply = await link.request(new Lowered(request, meta, meta && wire.revision, token), pending);
      if (reply.error !== undefined)
        throw errorOf(rpcError(reply.error, reply.status === undefined ? {} : { status: reply.status }), connection);
      pending.answered();
      return reply.result;
    } catch (error) {
      pending.failed(error);
      throw error;
    }
  }

  /** Whether the failed call provably never ran, for a reason that a new connection mends. */
  #notRun(error: McpError, connection: Connection): boolean {
    if (error.code === 'session_lost') return true;
    // A link that has ended is live no longer. One that lives may get through the next time: it is not given up.
    if (error.code === 'connection')
      return error.outcome === 'not-sent' && error.origin === 'transport' && this.#connections.live !== connection;
    // A program speaks what it speaks; a server behind a URL may have been replaced by another build.
    return error instanceof UnsupportedProtocolVersionError && this.#connections.kind === 'http';
  }
}
