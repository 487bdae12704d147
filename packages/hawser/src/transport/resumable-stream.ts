import type { Timer } from '../base/clock.ts';
import type { LoggedEvent, Note } from '../ports/index.ts';
import { noteText } from '../wire/index.ts';
import { frame, streamHeaders, type HttpOutgoing } from './http-types.ts';
import type { EventKind } from './kept-events.ts';
import type { Resumption } from './resumption.ts';

/** How long callers are told to wait before they come back, unless the server says otherwise. */
export const defaultRetryMs = 1_000;

/** How long a complete stream waits for a caller who has gone. */
const keptMs = 10 * 60_000;

/** What makes the session's own stream different from that of a response. */
interface StandingStream {
  /** Its caller has gone and may come back. */
  onAway(): void;
}

/** What tells that something has changed. */
const change = /(?:\/list_changed|\/resources\/updated)$/;

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
  #name = '';
  /** The number of the last event that was kept. */
  #last = 0;
  /** Its caller is back, and what it missed is being fetched for it. */
  #fetching: HttpOutgoing | undefined;
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
    this.#name = this.#resumption.add(this, this.#standing !== undefined);
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
    return this.#event(this.#resumption.next(), `retry: ${this.retryMs}\ndata: \n\n`);
  }

  /** Nothing goes anywhere from here, nor can anybody come back for it. */
  get over(): boolean {
    return this.#at === 'over';
  }

  get unsent(): boolean {
    return (this.#at === 'live' || this.#at === 'ending') && this.#out.unsent;
  }

  /** @param kind questions are kept as long as there is room for any, until {@link answered} */
  write(text: string, kind: 'notice' | 'question' = 'notice'): boolean {
    return this.#write(text, kind, kind === 'question' ? text : undefined);
  }

  /** @param key by which it is given up, or takes the place of the one before */
  #write(text: string, kind: EventKind, key: string | undefined): boolean {
    if (this.#at !== 'live' && this.#at !== 'away') return false;
    const event = this.#keep(text, kind, key);
    return this.#at === 'away' || this.#out.write(event);
  }

  /** Keeps an event; gives its text with an id. */
  #keep(text: string, kind: EventKind, key?: string): string {
    this.#last = this.#resumption.next();
    const event = this.#event(this.#last, text);
    this.#resumption.keep(this.#name, this.#last, text, kind, key);
    return event;
  }

  #event(number: number, text: string): string {
    return `id: ${this.#name}.${number}\n${text}`;
  }

  /** Writes a notice as an event. */
  note({ method, params, text }: Note): boolean {
    const event = frame(text ?? noteText(method, params));
    // A change that comes again says nothing new. Whatever else is said twice is two things.
    return this.#write(event, 'notice', this.#standing !== undefined && change.test(method) ? event : undefined);
  }

  /** A question that was written is answered, or taken back. */
  answered(text: string): void {
    this.#resumption.supersede(text);
  }

  /** With `text` it is complete, without it is broken off: there is nothing to come back for. */
  end(text?: string): void {
    if (text === undefined) return this.#breakOff();
    if (this.#at !== 'live' && this.#at !== 'away') return;
    const out = this.#at === 'live' ? this.#out : undefined;
    this.#at = out === undefined ? 'kept' : 'ending';
    const event = this.#keep(text, 'reply');
    if (out !== undefined) this.#deliver(out, event);
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
    this.#stopFetching();
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
    this.#stopFetching();
    this.#timer?.cancel();
    this.#out = out;
    out.open(streamHeaders);
    const missed = this.#resumption.after(this.#name, after);
    if ('then' in missed) void this.#fetch(out, missed);
    else this.#goOn(out, missed);
  }

  /** The log takes its time. What comes meanwhile is kept, and fetched as well. */
  async #fetch(out: HttpOutgoing, fetched: Promise<readonly LoggedEvent[]>): Promise<void> {
    this.#fetching = out;
    try {
      for (let asked = this.#last; ;) {
        const events = await fetched;
        if (this.#fetching !== out) return;
        const known = Math.max(asked, events.at(-1)?.number ?? 0);
        if (this.#last <= known) {
          this.#fetching = undefined;
          return this.#goOn(out, events);
        }
        out.write(this.#textOf(events));
        asked = this.#last;
        fetched = Promise.resolve(this.#resumption.after(this.#name, known));
      }
    } catch {
      if (this.#fetching !== out) return;
      // The caller may come back and try again.
      this.#stopFetching();
      if (this.#at === 'kept') this.#expire();
      this.#standing?.onAway();
    }
  }

  #stopFetching(): void {
    this.#fetching?.end();
    this.#fetching = undefined;
  }

  #textOf(events: readonly LoggedEvent[]): string {
    return events.map(({ number, data }) => this.#event(number, data)).join('');
  }

  #goOn(out: HttpOutgoing, events: readonly LoggedEvent[]): void {
    const missed = this.#textOf(events);
    this.#timer?.cancel();
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
    this.#timer?.cancel();
    this.#timer = this.#resumption.clock.after(keptMs, () => this.#forget());
  }

  /** What was kept of its end had to go; while it is being delivered that does no harm. */
  lost(): void {
    if (this.#at === 'kept') this.#forget();
  }

  #forget(): void {
    this.#at = 'over';
    this.#stopFetching();
    this.#timer?.cancel();
    this.#room?.resolve();
    this.#room = undefined;
    this.#resumption.forget(this.#name);
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
