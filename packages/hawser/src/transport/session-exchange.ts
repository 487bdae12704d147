import type { Cancel } from '../base/cancel.ts';
import type { Accepts } from '../core/head.ts';
import type { RequestId } from '../model/types.ts';
import type { Caller, Exchange, Note, Reply } from '../ports/index.ts';
import { noteText } from '../wire/index.ts';
import { HttpExchange } from './http-exchange.ts';
import { frame, type HttpOutgoing } from './http-types.ts';
import type { AskingWay, LegacySession } from './legacy-session.ts';
import { defaultRetryMs, type ResumableStream } from './resumable-stream.ts';

const longestRetryMs = 24 * 60 * 60_000;

/** A request in a legacy session: going away is not cancelling, the caller can be asked, and its stream taken up again. */
export class SessionExchange extends HttpExchange {
  readonly #session: LegacySession;
  readonly #stream: ResumableStream;
  readonly #given: Cancel;

  constructor(id: RequestId, session: LegacySession, stream: ResumableStream, accepts: Accepts, cancel: Cancel) {
    super(id, session.caller, stream, accepts);
    this.#session = session;
    this.#stream = stream;
    this.#given = cancel;
  }

  override get cancel(): Cancel {
    return this.#given;
  }

  /** A question needs a stream to travel on. */
  get ask(): Exchange['ask'] {
    if (this.accepts === 'json') return undefined;
    return (call, options) => this.#session.ask(this.#asking, call, options);
  }

  get #asking(): AskingWay {
    return {
      question: (text) => {
        this.open();
        this.#stream.write(frame(text), 'question');
      },
      note: (text) => void this.frame(text),
      settled: (text) => this.#stream.answered(frame(text)),
    };
  }

  closeStream(retryMs?: number): void {
    if (this.accepts === 'json' || this.over || !this.#session.resumption.polls) return;
    const ms = Math.min(Math.max(Math.round(retryMs ?? defaultRetryMs), 0), longestRetryMs);
    this.#stream.retryMs = Number.isNaN(ms) ? defaultRetryMs : ms;
    this.open();
    this.#stream.hangUp();
  }

  override finish(reply: Reply): void {
    this.#session.finished(this.id);
    // Nothing is sent for a cancelled request; a caller that takes only JSON has to get some.
    if (this.#given.cancelled && this.accepts !== 'json') {
      this.drop();
      return this.#stream.end();
    }
    super.finish(reply);
  }

  /** Legacy errors travel in a 200: only the door itself answers otherwise. */
  protected override statusOf(): number {
    return 200;
  }
}

/** What the session listens with for changes; its own stream carries them. */
export class StandingExchange implements Exchange {
  readonly id: RequestId = 'session';
  readonly standing = true;
  readonly caller: Caller;
  readonly cancel: Cancel;
  readonly #out: HttpOutgoing;

  constructor(caller: Caller, out: HttpOutgoing, cancel: Cancel) {
    this.caller = caller;
    this.#out = out;
    this.cancel = cancel;
  }

  emit(note: Note): boolean {
    return this.#out.write(frame(noteText(note.method, note.params)));
  }

  drained(): Promise<void> {
    return this.#out.drained();
  }
}
