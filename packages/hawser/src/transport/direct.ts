import { aborted } from '../base/aborted.ts';
import { Cancel } from '../base/cancel.ts';
import { AbortError, ConnectionError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import { silent } from '../base/logger.ts';
import { callerOf } from '../core/caller.ts';
import { LegacyCaller } from '../core/handshake.ts';
import { Refusal } from '../core/refusal.ts';
import { errorCodes } from '../model/meta.ts';
import type { RequestId } from '../model/types.ts';
import type { Call, Caller, Exchange, Link, Note, Reply, RequestOptions, Service, Why } from '../ports/index.ts';
import { answer } from './answer.ts';
import { legacyServer } from './legacy-server.ts';
import { standingListen } from './standing.ts';
import { unwritable } from './unwritable.ts';

/**
 * Client and server in one process, without a wire between them. What passes is what JSON makes of it, both ways: as
 * over every other link, and so that neither side can reach into the other's objects. Both eras are served, as on a
 * pipe.
 */
export function directLink(service: Service, inbound: Service): Link {
  return new DirectLink(service, inbound);
}

class DirectLink implements Link {
  readonly closed: Promise<Why>;
  readonly #service: Service;
  readonly #inbound: Service;
  readonly #running = new Set<Cancel>();
  #resolveClosed!: (why: Why) => void;
  #ended = false;
  #listening = false;
  #lastId = 0;
  #session: LegacyCaller | undefined;

  constructor(service: Service, inbound: Service) {
    this.#service = service;
    this.#inbound = inbound;
    this.closed = new Promise((resolve) => {
      this.#resolveClosed = resolve;
    });
  }

  /** How many calls run; 0 when nothing is left behind. */
  get open(): number {
    return this.#running.size;
  }

  async request(call: Call, options: RequestOptions = {}): Promise<Reply> {
    if (this.#ended) throw new ConnectionError('the connection has ended', { outcome: 'not-sent' });
    if (options.cancel?.cancelled === true) throw aborted(options.cancel.reason, 'not-sent');
    const id = ++this.#lastId;
    const params = paramsOf(call);
    const caller = callerOf({ kind: 'request', id, method: call.method, params }, this.#session);
    if (caller instanceof Refusal) return { error: caller.error, status: caller.status };
    if (caller instanceof LegacyCaller) this.#session = caller;
    const cancel = new Cancel();
    const exchange = new DirectExchange(id, caller, cancel, options.emit, this.#inbound);
    this.#running.add(cancel);
    return new Promise<Reply>((resolve, reject) => {
      const gone = (reason: unknown): void => {
        reject(aborted(reason, 'unknown'));
        cancel.cancel(new AbortError(reason));
      };
      options.cancel?.onCancel(gone);
      exchange.ended = gone;
      answer(this.#service, { ...call, params }, exchange, silent, (reply) => resolve(cloned(reply)));
    }).finally(() => {
      exchange.over = true;
      cancel.done();
      this.#running.delete(cancel);
    });
  }

  async notify(note: Note): Promise<void> {
    const session = this.#session;
    if (this.#ended || session === undefined) return;
    if (note.method === 'notifications/initialized') this.#listen(session);
    const sent = { ...note, params: paramsOf(note) };
    try {
      this.#service.notice(sent, session);
    } catch {
      // A notification has no answer: whatever is wrong with it stays over there.
    }
  }

  #listen(session: LegacyCaller): void {
    if (this.#listening) return;
    this.#listening = true;
    const cancel = new Cancel();
    this.#running.add(cancel);
    const emit = (note: Note): void => this.#inbound.notice(note, legacyServer);
    const exchange = new DirectExchange('session', session, cancel, emit, this.#inbound, true);
    answer(this.#service, standingListen, exchange, silent, () => this.#running.delete(cancel));
  }

  async close(): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    for (const cancel of this.#running) cancel.cancel(new ConnectionError('the connection has ended'));
    this.#resolveClosed({ by: 'us' });
  }
}

/** What it comes to on the other side of a wire. */
function throughJson<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value)) as Value;
}

/** @throws ArgumentError for what cannot be written as JSON */
function paramsOf({ method, params, text }: Call): JsonObject | undefined {
  if (params === undefined) return undefined;
  try {
    return JSON.parse(text ?? JSON.stringify(params)) as JsonObject;
  } catch (cause) {
    throw unwritable(method, cause);
  }
}

/** The result exactly as other transports would carry it. */
function cloned(reply: Reply): Reply {
  try {
    if (reply.error !== undefined) return throughJson(reply);
    return { result: JSON.parse(reply.json ?? JSON.stringify(reply.result)) as JsonObject };
  } catch {
    return { error: { code: errorCodes.internal, message: 'the result cannot be written as JSON' } };
  }
}

class DirectExchange implements Exchange {
  readonly id: RequestId;
  readonly caller: Caller;
  readonly cancel: Cancel;
  readonly standing: boolean;
  over = false;
  ended: (reason: unknown) => void = () => undefined;
  readonly #emit: ((note: Note) => void) | undefined;
  readonly #inbound: Service;

  constructor(
    id: RequestId,
    caller: Caller,
    cancel: Cancel,
    emit: ((note: Note) => void) | undefined,
    inbound: Service,
    standing = false,
  ) {
    this.id = id;
    this.caller = caller;
    this.cancel = cancel;
    this.standing = standing;
    this.#emit = emit;
    this.#inbound = inbound;
    cancel.onCancel((reason) => this.ended(reason));
  }

  emit(note: Note): boolean {
    if (this.over || this.cancel.cancelled) return false;
    this.#emit?.(throughJson({ method: note.method, params: note.params }));
    return true;
  }

  async drained(): Promise<void> {}

  get ask(): Exchange['ask'] {
    if (this.caller.session === undefined) return undefined;
    return async (call, options = {}) => {
      const cancel = options.cancel ?? new Cancel();
      const exchange = new DirectExchange(0, legacyServer, cancel, options.emit, this.#inbound);
      const asked = { ...call, params: paramsOf(call) };
      return new Promise((resolve) => {
        answer(this.#inbound, asked, exchange, silent, (reply) => resolve(cloned(reply)));
      });
    };
  }
}
