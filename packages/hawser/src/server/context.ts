import { isObject, type JsonObject } from '../base/json.ts';
import { metaKeys } from '../model/meta.ts';
import type { ProgressToken } from '../model/types.ts';
import type { Call, Caller, Exchange, Note } from '../ports/index.ts';
import { isRequestId, wireOf } from '../wire/index.ts';

/** What a tool's handler is given besides its arguments. */
export interface ToolContext {
  /** Aborts when the caller cancels the call or has gone: stop working. */
  readonly signal: AbortSignal;
  /** Who calls: principal, revision, capabilities, client info, headers. */
  readonly caller: Caller;
  /** The `_meta` of the request. */
  readonly meta: Readonly<JsonObject>;
  /**
   * Tells the caller how far the work is. Does nothing when the caller did not ask. Values have to rise; those that
   * do not are dropped. Awaiting it keeps pace with a slow caller; without awaiting, a slow caller gets the newest.
   *
   * @see MCP 2026-07-28 basic/patterns/progress
   */
  progress(progress: number, total?: number, message?: string): Promise<void>;
}

const sent = Promise.resolve();

/** @internal */
export class CallContext implements ToolContext {
  readonly #exchange: Exchange;
  readonly #call: Call;
  readonly #token: ProgressToken | undefined;
  #last = -Infinity;
  #over = false;
  /** Set while the way to the caller is full. */
  #room: Promise<void> | undefined;
  #newest: Note | undefined;

  constructor(call: Call, exchange: Exchange) {
    this.#call = call;
    this.#exchange = exchange;
    const meta = call.params?.['_meta'];
    const token = isObject(meta) ? meta[metaKeys.progressToken] : undefined;
    // Tokens and ids are of the same kind: any string and any integer, 0 and "" too.
    this.#token = isRequestId(token) ? token : undefined;
  }

  get signal(): AbortSignal {
    return this.#exchange.cancel.signal;
  }

  get caller(): Caller {
    return this.#exchange.caller;
  }

  get meta(): Readonly<JsonObject> {
    const meta = this.#call.params?.['_meta'];
    return isObject(meta) ? meta : {};
  }

  /** Bound, since handlers take their context apart. */
  readonly progress = (progress: number, total?: number, message?: string): Promise<void> => {
    const token = this.#token;
    if (token === undefined || this.#over || !Number.isFinite(progress) || progress <= this.#last) return sent;
    this.#last = progress;
    const { lower } = wireOf(this.#exchange.caller.revision);
    const note: Note = {
      method: 'notifications/progress',
      params: lower.progress(token, {
        progress,
        ...(total !== undefined && Number.isFinite(total) && { total }),
        ...(message !== undefined && { message }),
      }),
    };
    if (this.#room !== undefined) {
      this.#newest = note;
      return this.#room;
    }
    if (this.#exchange.emit(note)) return sent;
    return (this.#room = this.#exchange.drained().then(() => this.#resume()));
  };

  #resume(): void {
    this.#room = undefined;
    const note = this.#newest;
    this.#newest = undefined;
    if (note !== undefined && !this.#over) this.#exchange.emit(note);
  }

  /** The handler is through: nothing more may be sent for its call. */
  finish(): void {
    // The newest progress that waited for room still belongs before the result.
    if (this.#newest !== undefined) this.#exchange.emit(this.#newest);
    this.#newest = undefined;
    this.#over = true;
  }
}
