import { OldestFirst } from '../base/oldest-first.ts';
import type { EventBudget } from './event-budget.ts';

/** What an event carries: a question has somebody waiting for its answer, a reply ends its stream. */
export type EventKind = 'notice' | 'question' | 'reply';

/** An event that is kept; its text is in an `EventLog`. */
export interface KeptEvent {
  readonly number: number;
  readonly stream: string;
  /** At two bytes a character, the most that a string takes. */
  readonly bytes: number;
  readonly kind: EventKind;
  /** By which it can be superseded. */
  readonly key: string | undefined;
}

/** How much is kept for a session. */
const maxEvents = 1_000;
const maxBytes = 4 * 1024 * 1024;

/**
 * Which events of a session are kept, under numbers that only rise. At the bounds the oldest notice goes, and only
 * without any the oldest of the others: a caller can do without a notice, hardly without a question or the response.
 */
export class KeptEvents {
  readonly #budget: EventBudget;
  readonly #gone: (event: KeptEvent) => void;
  readonly #notices = new OldestFirst<number, KeptEvent>();
  /** Questions and replies. */
  readonly #others = new OldestFirst<number, KeptEvent>();
  readonly #byKey = new Map<string, KeptEvent>();
  #bytes = 0;

  /**
   * @param budget of all sessions together
   * @param gone is told of each event that is given up, or superseded
   */
  constructor(budget: EventBudget, gone: (event: KeptEvent) => void) {
    this.#budget = budget;
    this.#gone = gone;
  }

  get size(): number {
    return this.#notices.size + this.#others.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Keeps an event. One that is too large by itself goes at once, and takes the room of nothing. */
  add(event: KeptEvent): void {
    if (event.bytes > maxBytes) return this.#gone(event);
    (event.kind === 'notice' ? this.#notices : this.#others).set(event.number, event);
    if (event.key !== undefined) this.#byKey.set(event.key, event);
    this.#count(event.bytes);
    while (this.size > maxEvents || this.#bytes > maxBytes) this.giveUp();
    this.#budget.check();
  }

  /** Gives up the event that can best be done without; false when there is none. */
  giveUp(): boolean {
    const event = this.#notices.take() ?? this.#others.take();
    if (event === undefined) return false;
    this.#left(event);
    this.#gone(event);
    return true;
  }

  /** Gives up the event with that key: nobody needs it any more, or not twice. */
  supersede(key: string): void {
    const event = this.#byKey.get(key);
    if (event === undefined) return;
    (event.kind === 'notice' ? this.#notices : this.#others).delete(event.number);
    this.#left(event);
    this.#gone(event);
  }

  /** Strikes the events of a stream off, without a word. */
  forget(stream: string): void {
    for (const kept of [this.#notices, this.#others])
      for (const event of kept.values()) if (event.stream === stream && kept.delete(event.number)) this.#left(event);
  }

  #left(event: KeptEvent): void {
    if (event.key !== undefined && this.#byKey.get(event.key) === event) this.#byKey.delete(event.key);
    this.#count(-event.bytes);
  }

  #count(bytes: number): void {
    this.#bytes += bytes;
    this.#budget.count(this, bytes);
  }
}
