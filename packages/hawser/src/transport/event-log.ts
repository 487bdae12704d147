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
  readonly stream: number;
  readonly text: string;
  readonly kind: EventKind;
}

/**
 * The events of a session's streams, oldest first, under numbers that only rise. At the bounds the oldest notice goes,
 * and only without any the oldest of the others: a caller can do without a notice, hardly without a question or the
 * response.
 */
export class EventLog {
  readonly #bounds: LogBounds;
  readonly #events = new Map<number, Logged>();
  #bytes = 0;

  constructor(bounds: LogBounds) {
    this.#bounds = bounds;
  }

  get size(): number {
    return this.#events.size;
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
    const lost: number[] = [];
    if (bytesOf(text) > maxBytes) return kind === 'reply' ? [stream] : lost;
    this.#events.set(number, { stream, text, kind });
    this.#bytes += bytesOf(text);
    while (this.#events.size > maxEvents || this.#bytes > maxBytes) {
      const oldest = this.#oldest();
      const event = this.#events.get(oldest);
      if (event?.kind === 'reply') lost.push(event.stream);
      this.#delete(oldest);
    }
    return lost;
  }

  #oldest(): number {
    let first: number | undefined;
    for (const [number, { kind }] of this.#events) {
      if (kind === 'notice') return number;
      first ??= number;
    }
    return first ?? 0;
  }

  /** The events of a stream that came after the one with this number. */
  after(number: number, stream: number): (readonly [number: number, text: string])[] {
    const found: (readonly [number, string])[] = [];
    for (const [at, event] of this.#events) if (at > number && event.stream === stream) found.push([at, event.text]);
    return found;
  }

  /** Gives up the events of a stream: all of them, or those that say the same as `text`. */
  forget(stream: number, text?: string): void {
    for (const [number, event] of this.#events)
      if (event.stream === stream && (text === undefined || event.text === text)) this.#delete(number);
  }

  #delete(number: number): void {
    this.#bytes -= bytesOf(this.#events.get(number)?.text ?? '');
    this.#events.delete(number);
  }
}

function bytesOf(text: string): number {
  return text.length * 2;
}
