import { Cancel } from '../base/cancel.ts';
import { AbortError } from '../base/errors.ts';
import type { Accepts } from '../core/head.ts';
import type { RequestId } from '../model/types.ts';
import type { Caller, Exchange, Note, Reply } from '../ports/index.ts';
import { noteText } from '../wire/index.ts';
import { frame, jsonHeaders, streamHeaders, type HttpOutgoing } from './http-types.ts';
import { replyText } from './reply.ts';

/**
 * One request over HTTP and its answer: JSON if nothing comes before the reply, else a stream. The stream is opened
 * as late as possible, since an error can only choose its status before.
 */
export class HttpExchange implements Exchange {
  readonly id: RequestId;
  readonly caller: Caller;
  readonly #out: HttpOutgoing;
  protected readonly accepts: Accepts;
  #opened = false;
  #over = false;
  #cancel: Cancel | undefined;

  /** @param accepts what the caller takes; if only JSON, notices are lost */
  constructor(id: RequestId, caller: Caller, out: HttpOutgoing, accepts: Accepts) {
    this.id = id;
    this.caller = caller;
    this.#out = out;
    this.accepts = accepts;
  }

  /**
   * In the modern era a caller that goes away cancels its request. Made when somebody asks: most calls end before
   * anybody does.
   */
  get cancel(): Cancel {
    if (this.#cancel === undefined) {
      const cancel = new Cancel();
      this.#cancel = cancel;
      this.#out.onGone(() => cancel.cancel(new AbortError('the caller has gone')));
    }
    return this.#cancel;
  }

  /** The reply has been sent. */
  protected get over(): boolean {
    return this.#over;
  }

  get hears(): boolean {
    return !this.#over && this.accepts !== 'json';
  }

  emit(note: Note): boolean {
    if (this.#over) return false;
    if (this.accepts === 'json') return true;
    return this.frame(note.text ?? noteText(note.method, note.params));
  }

  /** Sends a message ahead of the reply. */
  protected frame(text: string): boolean {
    this.open();
    return this.#out.write(frame(text));
  }

  protected open(): void {
    if (this.#opened) return;
    this.#opened = true;
    this.#out.open(streamHeaders);
  }

  drained(): Promise<void> {
    return this.#opened ? this.#out.drained() : Promise.resolve();
  }

  finish(reply: Reply): void {
    this.#over = true;
    this.#cancel?.done();
    const text = replyText(this.id, reply);
    const status = this.statusOf(reply);
    // An error with a status of its own keeps it, whatever the caller takes.
    if (this.accepts === 'sse' && status === 200) this.open();
    if (this.#opened) return this.#out.end(frame(text));
    this.#out.send(status, jsonHeaders, text);
  }

  /** Nothing more is sent: the caller no longer wants it. */
  protected drop(): void {
    this.#over = true;
  }

  protected statusOf(reply: Reply): number {
    return reply.error === undefined ? 200 : (reply.status ?? 200);
  }
}
