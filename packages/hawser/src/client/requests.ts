import { McpError, ResponseStreamClosedError, rpcError, UnsupportedProtocolVersionError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import { Deadlines } from '../base/deadlines.ts';
import type { Connections } from './connections.ts';
import type { Inputs } from './inputs.ts';
import { Lowered, type Request } from './lowered.ts';
import type { Connection } from './negotiate.ts';
import type { Note } from '../ports/index.ts';
import type { CallOptions, Settings } from './options.ts';
import { Pending } from './pending.ts';
import { mayAsk, Rounds, type Delivered, type Make } from './rounds.ts';

/** A final result, the connection it came on, and whether a request went out twice. */
export interface Answer {
  readonly result: JsonObject;
  readonly connection: Connection;
  readonly reissued: boolean;
  /** How often the server asked for input, or for patience, before. */
  readonly rounds: number;
}

/** The one way of every request: lower, send, wait, and once more where that is safe. */
export class Requests {
  readonly #connections: Connections;
  readonly #settings: Settings;
  readonly #deadlines: Deadlines;
  readonly #heed: (note: Note) => void;
  readonly #inputs: Inputs;
  readonly #underWay = new Set<Pending>();
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
   * is sent again once on a new connection. A response stream that broke is followed by the one re-issue that
   * 2026-07-28 prescribes, with a new id (changelog, major change 9). Nothing else is ever sent again, and all of it
   * shares the limits of the one call. So do the rounds in which a modern server asks for input: each is a request of
   * its own.
   *
   * @throws RpcError for the server's errors, InputRequiredError when it does not get the input it needs,
   *   TransportError and InvalidResponseError for what came instead of a result
   */
  async send(request: Request | ((connection: Connection) => Request), options: CallOptions = {}): Promise<Answer> {
    const pending = new Pending(options, this.#settings, this.#deadlines, this.#heed);
    const make = typeof request === 'function' ? request : () => request;
    this.#underWay.add(pending);
    try {
      const first = await this.#deliver(make, pending);
      if (first.required === undefined)
        return { result: first.result, connection: first.connection, reissued: first.reissued, rounds: 0 };
      const deliver = (again: Make): Promise<Delivered> => this.#deliver(again, pending);
      return await new Rounds(make, pending, deliver, this.#inputs, this.#settings).run(first);
    } finally {
      this.#underWay.delete(pending);
      pending.release();
    }
  }

  /** Gets one request through, and gives what the server answered: a result or a question. */
  async #deliver(make: Make, pending: Pending): Promise<Delivered> {
    let resent = false;
    let reissued = false;
    for (;;) {
      const connection = this.#connections.live ?? (await this.#connections.get(pending.cancel.signal));
      try {
        const request = make(connection);
        const result = await this.#once(connection, request, pending);
        const { lift } = connection.wire;
        const required = mayAsk(request.method) ? lift.inputRequired(result) : undefined;
        return { result: required === undefined ? lift.complete(result) : result, connection, reissued, required };
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
  }

  async #once({ link, wire, meta }: Connection, request: Request, pending: Pending): Promise<JsonObject> {
    // Only progress shows that a long call is alive, and only a token brings progress.
    const token = pending.wantsProgress || request.method === 'tools/call' ? ++this.#lastToken : undefined;
    pending.begin(request.method);
    const reply = await link.request(new Lowered(request, meta, meta && wire.revision, token), pending);
    if (reply.error !== undefined)
      throw rpcError(reply.error, reply.status === undefined ? {} : { status: reply.status });
    return reply.result;
  }

  /** Whether the failed call provably never ran, for a reason that a new connection mends. */
  #notRun(error: McpError): boolean {
    if (error.code === 'session_lost') return true;
    if (error.code === 'connection') return error.origin === 'transport' && error.outcome === 'not-sent';
    // A program speaks what it speaks; a server behind a URL may have been replaced by another build.
    return error instanceof UnsupportedProtocolVersionError && this.#connections.kind === 'http';
  }
}
