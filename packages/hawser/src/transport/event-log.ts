/** What an event carries: a question has somebody waiting for its answer, a reply ends its stream. */
export type EventKind = 'notice' | 'question' | 'reply';

/** How much of what a session's callers may have missed is kept. */
interface LogBounds {
  readonly maxEvents: number;
  /** At two bytes a character, the most that a string takes. */
  readonly maxBytes: number;
}

/** The bounds of a session, unless told otherwise. */
export const defaultLogBounds: LogBounds = { maxEvents: 1_000, maxBytes: 4 * 1024 * 1024 };

/** An event as it is kept. */
interface Logged {
  readonly number: number;
  readonly stream: number;
  readonly text: string;
  readonly kind: EventKind;
}

/** How many places of notices that went may stand empty before the others move up. */
const maxEmpty = 1_024;

/**
 * The events of a session's streams, under numbers that only rise. At the bounds the oldest notice goes, and only
 * without any the oldest of the others: a caller can do without a notice, hardly without a question or the response.
 */
export class EventLog {
  readonly #bounds: LogBounds;
  /** Oldest first, from `#first` on: a tool may send very many. */
  #notices: Logged[] = [];
  #first = 0;
  /** Questions and replies, oldest first. */
  #others: Logged[] = [];
  #bytes = 0;

  constructor(bounds: LogBounds) {
    this.#bounds = bounds;
  }

  get size(): number {
    return this.#notices.length - this.#first + this.#others.length;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Keeps an event.
   *
   * @returns the streams whose reply was given up for it; its own, if it is one and too large itself
   */
  add(number: number, stream: number, text: string, kind: EventKind): readonly number[] {
    const { maxEvents, maxBytes } = this.#bounds;
    if (bytesOf(text) > maxBytes) return kind === 'reply' ? [stream] : [];
    (kind === 'notice' ? this.#notices : this.#others).push({ number, stream, text, kind });
    this.#bytes += bytesOf(text);
    if (this.size <= maxEvents && this.#bytes <= maxBytes) return [];
    const lost: number[] = [];
    while (this.size > maxEvents || this.#bytes > maxBytes) {
      const gone = this.#takeOldest();
      if (gone?.kind === 'reply') lost.push(gone.stream);
    }
    return lost;
  }

  #takeOldest(): Logged | undefined {
    const notice = this.#notices[this.#first];
    const oldest = notice ?? this.#others.shift();
    if (notice !== undefined && ++this.#first >= maxEmpty) this.#moveUp();
    this.#bytes -= bytesOf(oldest?.text ?? '');
    return oldest;
  }

  #moveUp(): void {
    this.#notices = this.#notices.slice(this.#first);
    this.#first = 0;
  }

  /** The events of a stream that came after the one with this number, as text of events. */
  after(number: number, stream: number): (readonly [number: number, text: string])[] {
    this.#moveUp();
    return [...this.#notices, ...this.#others]
      .filter((event) => event.stream === stream && event.number > number)
      .toSorted((a, b) => a.number - b.number)
      .map((event) => [event.number, event.text]);
  }

  /** Gives up the events of a stream: all of them, or those that say the same as `text`. */
  forget(stream: number, text?: string): void {
    const stays = (event: Logged): boolean => event.stream !== stream || (text !== undefined && event.text !== text);
    this.#moveUp();
    this.#notices = this.#notices.filter(stays);
    this.#others = this.#others.filter(stays);
    this.#bytes = 0;
    for (const kept of [this.#notices, this.#others]) for (const event of kept) this.#bytes += bytesOf(event.text);
  }
}

function bytesOf(text: string): number {
  return text.length * 2;
}
