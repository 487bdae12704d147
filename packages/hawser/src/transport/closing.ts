import type { Clock, Timer } from '../base/clock.ts';
import { notNegative } from '../base/positive.ts';
import { Refusal } from '../core/refusal.ts';
import { errorCodes } from '../model/meta.ts';

/** How a door is closed. */
export interface CloseOptions {
  /**
   * How long what runs may take to end by itself, in milliseconds; 0: no time at all, `Infinity`: as long as it takes.
   * Default 5,000.
   */
  drainMs?: number | undefined;
}

/** What a door does on its way out. */
export interface Ending {
  /** Nothing new is taken: end what would never end by itself. */
  drain(): void;
  /** The time is up, or nothing runs any more: end everything. */
  end(): void;
}

/** What comes to a door that is closing is answered with. */
export const closing = new Refusal(503, errorCodes.internal, 'the server is closing', {
  headers: { connection: 'close', 'retry-after': '1' },
});

/** How long what runs may take to end by itself, unless told otherwise, in milliseconds. */
export const defaultDrainMs = 5_000;

/** The life of a door: open, then answering what it had taken, then closed. */
export class Closing {
  readonly #clock: Clock;
  readonly #ending: Ending;
  #at: 'open' | 'draining' | 'closed' = 'open';
  /** Requests that are not answered yet. */
  #unanswered = 0;
  #deadlineMs = Infinity;
  #timer: Timer | undefined;
  #closed: { readonly promise: Promise<void>; resolve(): void } | undefined;

  constructor(clock: Clock, ending: Ending) {
    this.#clock = clock;
    this.#ending = ending;
  }

  get at(): 'open' | 'draining' | 'closed' {
    return this.#at;
  }

  /** A request has come; {@link leave} follows when it is answered. */
  enter(): void {
    this.#unanswered++;
  }

  leave(): void {
    this.#unanswered--;
    if (this.#at === 'draining' && this.#unanswered === 0) this.#end();
  }

  /**
   * Closes the door; resolves when it is closed. Another call can only hasten it.
   *
   * @throws ArgumentError when `drainMs` is no number of milliseconds
   */
  close({ drainMs }: CloseOptions = {}): Promise<void> {
    const deadlineMs = this.#clock.now() + notNegative('drainMs', drainMs, defaultDrainMs);
    this.#closed ??= pending();
    if (this.#at === 'open') {
      this.#at = 'draining';
      this.#ending.drain();
    }
    if (this.#at === 'draining') this.#await(deadlineMs);
    return this.#closed.promise;
  }

  #await(deadlineMs: number): void {
    const leftMs = deadlineMs - this.#clock.now();
    if (this.#unanswered === 0 || leftMs <= 0) return this.#end();
    if (deadlineMs >= this.#deadlineMs) return;
    this.#deadlineMs = deadlineMs;
    this.#timer?.cancel();
    this.#timer = this.#clock.after(leftMs, () => this.#end());
    // Whoever closes waits for it, even when nothing else keeps the process alive.
    this.#timer.hold?.(true);
  }

  #end(): void {
    if (this.#at === 'closed') return;
    this.#at = 'closed';
    this.#timer?.cancel();
    this.#ending.end();
    this.#closed?.resolve();
  }
}

function pending(): { readonly promise: Promise<void>; resolve(): void } {
  let resolve!: () => void;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
