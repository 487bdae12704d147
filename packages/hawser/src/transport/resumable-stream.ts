import type { Timer } from '../base/clock.ts';
import type { Note } from '../ports/index.ts';
import { noteText } from '../wire/index.ts';
import { frame, streamHeaders, type HttpOutgoing } from './http-types.ts';
import { withId, type Resumption } from './resumption.ts';

/** How long callers are told to wait before they come back, unless the server says otherwise. */
export const defaultRetryMs = 1_000;

/** How long a complete stream waits for a caller who has gone. */
const keptMs = 10 * 60_000;

/** What makes the session's own stream different from that of a response. */
interface StandingStream {
  /** Its caller has gone and may come back. */
  onAway(): void;
}

/**
 * A stream of events that outlives the HTTP response it goes out on: what its caller missed is kept until the caller
 * comes back. Opened late or never; until then it is the response, and costs nothing else.
 */
export class ResumableStream implements HttpOutgoing {
  /** How long its caller is told to wait before it comes back. */
  retryMs = defaultRetryMs;
  readonly #resumption: Resumption;
  readonly #standing: StandingStream | undefined;
  /**
   * `ending`: all is written but may not have reached the caller; `kept`: all is there and nobody to take it;
   * `away`: more may come, and nobody to take it.
   */
  #at: 'unopened' | 'live' | 'away' | 'ending' | 'kept' | 'over' = 'unopened';
  #out: HttpOutgoing;
  #number = 0;
  #toldMs: number | undefined;
  #room: { readonly promise: Promise<void>; resolve(): void } | undefined;
  #timer: Timer | undefined;

  constructor(resumption: Resumption, out: HttpOutgoing, standing?: StandingStream) {
    this.#resumption = resumption;
    this.#out = out;
    this.#standing = standing;
  }

  send(status: number, headers: Readonly<Record<string, string>>, body?: string): void {
    this.#at = 'over';
    this.#out.send(status, headers, body);
  }

  open(headers: Readonly<Record<string, string>>): void {
    if (this.#at !== 'unopened') return;
    this.#at = 'live';
    this.#number = this.#resumption.add(this, this.#standing !== undefined);
    this.#out.open(headers);
    this.#watch(this.#out);
    // Nobody can come back for what has no id yet.
    if (!this.#is('live') && this.#standing === undefined) return this.#forget();
    // A comment makes proxies pass the head on at once.
    if (this.#standing !== undefined) this.#out.write(': open\n\n');
    // Older callers take an event without data for a broken message.
    if (this.#resumption.polls) this.#out.write(this.#prime());
  }

  /** An event without data: from its id on a caller can come back. */
  #prime(): string {
    this.#toldMs = this.retryMs;
    return withId(this.#resumption.mark(this.#number), `retry: ${this.retryMs}\ndata: \n\n`);
  }

  get unsent(): boolean {
    return (this.#at === 'live' || this.#at === 'ending') && this.#out.unsent;
  }

  /** @param kind questions are kept as long as there is room for any, until {@link answered} */
  write(text: string, kind: 'notice' | 'question' = 'notice'): boolean {
    if (this.#at !== 'live' && this.#at !== 'away') return false;
    if (this.#standing !== undefined) this.#resumption.supersede(this.#number, text);
    const id = this.#resumption.keep(this.#number, text, kind);
    return this.#at === 'away' || this.#out.write(withId(id, text));
  }

  /** Writes a notice as an event. */
  note({ method, params }: Note): boolean {
    return this.write(frame(noteText(method, params)));
  }

  /** A question that was written is answered, or taken back. */
  answered(text: string): void {
    this.#resumption.supersede(this.#number, text);
  }

  /** With `text` it is complete, without it is broken off: there is nothing to come back for. */
  end(text?: string): void {
    if (text === undefined) return this.#breakOff();
    if (this.#at !== 'live' && this.#at !== 'away') return;
    const out = this.#at === 'live' ? this.#out : undefined;
    this.#at = out === undefined ? 'kept' : 'ending';
    const id = this.#resumption.keep(this.#number, text, 'reply');
    if (out !== undefined) this.#deliver(out, withId(id, text));
    else if (this.#is('kept')) this.#expire();
  }

  #breakOff(): void {
    const at = this.#at;
    if (at === 'unopened') this.#out.open(streamHeaders);
    if (at === 'unopened' || at === 'live') this.#out.end();
    this.#forget();
  }

  /** Sends the end of it, and forgets it once that has gone out. */
  #deliver(out: HttpOutgoing, text: string): void {
    out.end(text, () => {
      if (this.#at === 'ending' && this.#out === out) this.#forget();
    });
  }

  /** Ends the response, not the stream. Only for callers who know that. */
  hangUp(): void {
    if (this.#at !== 'live') return;
    this.#out.end(this.retryMs === this.#toldMs ? undefined : this.#prime());
    this.#leave();
  }

  /** Goes on, from the event with number `after`, on another response; the one before is ended if it still is. */
  resume(after: number, out: HttpOutgoing): void {
    const before = this.#out;
    if (this.#at === 'live' || this.#at === 'ending') {
      before.end();
      this.#leave();
    }
    this.#timer?.cancel();
    this.#out = out;
    out.open(streamHeaders);
    const missed = this.#resumption.missed(this.#number, after);
    if (this.#at === 'kept') {
      this.#at = 'ending';
      this.#watch(out);
      this.#deliver(out, missed);
    } else {
      this.#at = 'live';
      out.write(missed === '' ? ': open\n\n' : missed);
      this.#watch(out);
    }
  }

  #watch(out: HttpOutgoing): void {
    out.onGone(() => {
      if (this.#out !== out || (this.#at !== 'live' && this.#at !== 'ending')) return;
      this.#leave();
      this.#standing?.onAway();
    });
  }

  /** There is nobody to send to. */
  #leave(): void {
    this.#at = this.#at === 'ending' ? 'kept' : 'away';
    if (this.#at === 'kept') this.#expire();
    this.#room?.resolve();
    this.#room = undefined;
  }

  /** For places where the compiler takes the state for what it was before a call. */
  #is(at: 'live' | 'kept'): boolean {
    return this.#at === at;
  }

  #expire(): void {
    this.#timer = this.#resumption.clock.after(keptMs, () => this.#forget());
  }

  /** What was kept of its end had to go; while it is being delivered that does no harm. */
  lost(): void {
    if (this.#at === 'kept') this.#forget();
  }

  #forget(): void {
    this.#at = 'over';
    this.#timer?.cancel();
    this.#room?.resolve();
    this.#room = undefined;
    this.#resumption.forget(this.#number);
  }

  /** Resolves when there is room, or nobody to wait for: what is written meanwhile is kept. */
  drained(): Promise<void> {
    if (this.#at !== 'live') return Promise.resolve();
    if (this.#room !== undefined) return this.#room.promise;
    let resolve!: () => void;
    const promise = new Promise<void>((done) => {
      resolve = done;
    });
    const room = { promise, resolve };
    this.#room = room;
    void this.#out.drained().then(() => {
      if (this.#room === room) this.#room = undefined;
      resolve();
    });
    return promise;
  }

  onGone(listener: () => void): void {
    this.#out.onGone(listener);
  }
}
