import { aborted } from '../base/aborted.ts';
import { ConnectionError, McpError } from '../base/errors.ts';
import { isObject } from '../base/json.ts';
import * as outgoing from '../core/outgoing.ts';
import { metaKeys } from '../model/meta.ts';
import type { ProgressToken, RequestId } from '../model/types.ts';
import type { Call, Note, Reply, RequestOptions } from '../ports/index.ts';
import { noteText, requestText } from '../wire/index.ts';
import { unwritable } from './unwritable.ts';

/** A request of ours on a pipe: where it stands, and who waits for its reply. */
class Waiting {
  state: outgoing.State = outgoing.initial;
  readonly id: RequestId;
  readonly method: string;
  /** Names its progress notices. */
  readonly token: ProgressToken | undefined;
  /** It asked for log messages. */
  readonly logs: boolean;
  readonly emit: ((note: Note) => void) | undefined;
  readonly resolve: (reply: Reply) => void;
  readonly reject: (error: Error) => void;

  constructor(
    id: RequestId,
    call: Call,
    emit: ((note: Note) => void) | undefined,
    resolve: (reply: Reply) => void,
    reject: (error: Error) => void,
  ) {
    this.id = id;
    this.method = call.method;
    this.emit = emit;
    this.resolve = resolve;
    this.reject = reject;
    const meta = call.params?.['_meta'];
    this.token = isObject(meta) ? (meta[metaKeys.progressToken] as ProgressToken | undefined) : undefined;
    this.logs = isObject(meta) && meta[metaKeys.logLevel] !== undefined;
  }
}

/** Settles a call with what has come of it. */
export type Settle = (waiting: Waiting) => void;

/** The requests of this end of a pipe that wait for their replies. */
export class Calls {
  readonly #write: (text: string) => unknown;
  readonly #byId = new Map<RequestId, Waiting>();
  readonly #byToken = new Map<ProgressToken, Waiting>();
  #lastId = 0;
  #logging = 0;

  constructor(write: (text: string) => unknown) {
    this.#write = write;
  }

  /** How many there are. */
  get size(): number {
    return this.#byId.size;
  }

  /** All that is kept for them; 0 when nothing is left behind. */
  get kept(): number {
    return this.#byId.size + this.#byToken.size + this.#logging;
  }

  /** Whether one that asked for log messages is among them. */
  get logs(): boolean {
    return this.#logging > 0;
  }

  send(call: Call, { cancel, emit }: RequestOptions): Promise<Reply> {
    return new Promise((resolve, reject) => {
      if (cancel?.cancelled === true) throw aborted(cancel.reason, 'not-sent');
      // Ids are never used twice: legacy revisions demand it for the whole session.
      const id = ++this.#lastId;
      const text = textOf(id, call);
      const waiting = new Waiting(id, call, emit, resolve, reject);
      this.#byId.set(id, waiting);
      if (waiting.token !== undefined) this.#byToken.set(waiting.token, waiting);
      if (waiting.logs) this.#logging++;
      cancel?.onCancel((reason) => this.#cancel(waiting, reason));
      this.#write(text);
    });
  }

  has(id: RequestId): boolean {
    return this.#byId.has(id);
  }

  /** Whether the id is one of those given out, though nobody may wait for it any more. */
  gave(id: RequestId): boolean {
    return typeof id === 'number' && id > 0 && id <= this.#lastId;
  }

  /** The call that progress with this token belongs to. */
  withToken(token: unknown): Waiting | undefined {
    return this.#byToken.get(token as ProgressToken); // anything else is not in the map
  }

  /** The subscription with this id. */
  subscription(id: unknown): Waiting | undefined {
    const waiting = this.#byId.get(id as RequestId); // anything else is not in the map
    return waiting?.method === 'subscriptions/listen' ? waiting : undefined;
  }

  /** The call that opens the connection, if nothing else is under way. */
  opening(): RequestId | undefined {
    if (this.#byId.size !== 1) return undefined;
    const [only] = this.#byId.values();
    return only?.method === 'server/discover' || only?.method === 'initialize' ? only.id : undefined;
  }

  /** False: nobody waits for that id. */
  answered(id: RequestId, settle: Settle): boolean {
    const waiting = this.#byId.get(id);
    if (waiting !== undefined) this.#post(waiting, { on: 'answered' }, settle);
    return waiting !== undefined;
  }

  /** The pipe has ended: nothing is answered any more. */
  end(cause: Error | undefined): void {
    const error = McpError.is(cause)
      ? cause
      : new ConnectionError('the connection ended before the response', { outcome: 'unknown', cause });
    for (const waiting of this.#byId.values()) this.#post(waiting, { on: 'ended' }, () => waiting.reject(error));
  }

  #cancel(waiting: Waiting, reason: unknown): void {
    this.#post(waiting, { on: 'cancelled' }, () => {
      waiting.reject(aborted(reason, 'unknown'));
    });
  }

  #post(waiting: Waiting, input: outgoing.Input, settle: Settle): void {
    const [state, effects] = outgoing.step(waiting.state, input);
    waiting.state = state;
    for (const effect of effects) {
      if (effect.do === 'settle') {
        this.#forget(waiting);
        settle(waiting);
      } else if (waiting.method !== 'initialize') {
        this.#write(noteText('notifications/cancelled', { requestId: waiting.id }));
      }
    }
  }

  #forget({ id, token, logs }: Waiting): void {
    if (token !== undefined && this.#byToken.get(token) === this.#byId.get(id)) this.#byToken.delete(token);
    this.#byId.delete(id);
    if (logs) this.#logging--;
  }
}

function textOf(id: RequestId, { method, params }: Call): string {
  try {
    return requestText(id, method, params);
  } catch (cause) {
    throw unwritable(method, cause);
  }
}
