import type { Cancel } from '../base/cancel.ts';
import type { Accepts } from '../core/head.ts';
import type { RequestId } from '../model/types.ts';
import type { Caller, Exchange, Reply } from '../ports/index.ts';
import { HttpExchange } from './http-exchange.ts';
import { frame } from './http-types.ts';
import type { AskingWay, LegacySession } from './legacy-session.ts';
import { defaultRetryMs, type ResumableStream } from './resumable-stream.ts';

const longestRetryMs = 24 * 60 * 60_000;

/** A request in a legacy session: going away does not cancel it, the caller can be asked, its stream taken up again. */
export class SessionExchange extends HttpExchange {
  readonly #session: LegacySession;
  readonly #stream: ResumableStream;
  readonly #given: Cancel;

  constructor(
    id: RequestId,
    session: LegacySession,
    caller: Caller,
    stream: ResumableStream,
    accepts: Accepts,
    cancel: Cancel,
  ) {
    super(id, caller, stream, accepts);
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
        return !this.#stream.over;
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
