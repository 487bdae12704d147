import { Cancel } from '../base/cancel.ts';
import { AbortError } from '../base/errors.ts';
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
  readonly #streams: boolean;
  #opened = false;
  #over = false;
  #cancel: Cancel | undefined;

  /** @param streams whether the caller takes a stream; if not, notices are lost */
  constructor(id: RequestId, caller: Caller, out: HttpOutgoing, streams: boolean) {
    this.id = id;
    this.caller = caller;
    this.#out = out;
    this.#streams = streams;
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

  emit(note: Note): boolean {
    if (this.#over) return false;
    if (!this.#streams) return true;
    return this.frame(noteText(note.method, note.params));
  }

  /** Sends a message ahead of the reply. */
  protected frame(text: string): boolean {
    if (!this.#opened) {
      this.#opened = true;
      this.#out.open(streamHeaders);
    }
    return this.#out.write(frame(text));
  }

  drained(): Promise<void> {
    return this.#opened ? this.#out.drained() : Promise.resolve();
  }

  finish(reply: Reply): void {
    this.#over = true;
    this.#cancel?.done();
    const text = replyText(this.id, reply);
    if (this.#opened) return this.#out.end(frame(text));
    this.#out.send(this.statusOf(reply), jsonHeaders, text);
  }

  protected statusOf(reply: Reply): number {
    return reply.error === undefined ? 200 : (reply.status ?? 200);
  }
}
