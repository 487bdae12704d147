import type { Clock } from '../base/clock.ts';
import type { Note } from '../ports/index.ts';
import type { Subscription } from './subscription.ts';

/** How many notices go out in one turn of the event loop: about as many as take a few milliseconds. */
const perTurn = 256;

/**
 * Tells many listeners of a change without holding up everything else: those who cannot be told in this turn are told
 * in one of the next, each in the order of the changes.
 */
export class Broadcast {
  readonly #clock: Clock;
  /** How many may still be told in this turn. */
  #left = perTurn;
  #counting = false;
  /** Those whose turn comes later, whoever was held up first going first. */
  readonly #held = new Set<Subscription>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** How many wait for a later turn. */
  get held(): number {
    return this.#held.size;
  }

  tell(to: Iterable<Subscription>, note: Note): void {
    for (const subscription of to) {
      if (!subscription.waits)
        if (this.#left > 0) this.#left--;
        else {
          subscription.hold();
          this.#held.add(subscription);
        }
      subscription.deliver(note);
    }
    this.#count();
  }

  /** Forgets one that is over. */
  forget(subscription: Subscription): void {
    this.#held.delete(subscription);
  }

  /** Tells all who wait at once. */
  flush(): void {
    for (const subscription of this.#held) subscription.release();
    this.#held.clear();
  }

  #count(): void {
    if (this.#counting || this.#left === perTurn) return;
    this.#counting = true;
    void this.#clock.turn().then(() => this.#nextTurn());
  }

  #nextTurn(): void {
    this.#counting = false;
    this.#left = perTurn;
    for (const subscription of this.#held) {
      if (this.#left <= 0) break;
      this.#held.delete(subscription);
      this.#left -= subscription.release();
    }
    this.#count();
  }
}
