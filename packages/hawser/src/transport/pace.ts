import type { Clock } from '../base/clock.ts';

/** How long a client waits before it comes back to a stream, unless the server says otherwise. */
const usualMs = 1_000;
/** No server may have itself asked without a pause. */
const leastMs = 10;
/** The longest that a timer can wait: 25 days, past the deadline of any call. */
const longestMs = 2 ** 31 - 1;
/** How far waits grow by themselves; a server may wish for more. */
const grownMs = 30_000;
/** How often in a row a stream is asked for in vain. */
const maxVain = 10;

/** What a try has brought: something new, only that the server has such a stream, or not even that. */
export type Came = 'news' | 'signs' | 'nothing';

/**
 * How long to wait between the tries for a stream: twice as long after each without news, and never shorter than the
 * server wishes.
 */
export class Pace {
  #slower = 0;
  #vain = 0;

  /**
   * Milliseconds until the next try; undefined when there have been enough.
   *
   * @param retryMs what the server wishes (2025-11-25 basic/transports "Sending Messages to the Server")
   * @param came what the last try has brought
   */
  next(retryMs: number | undefined, came: Came): number | undefined {
    this.#slower = came === 'news' ? 0 : this.#slower + 1;
    this.#vain = came === 'nothing' ? this.#vain + 1 : 0;
    if (this.#vain >= maxVain) return undefined;
    const wishedMs = Math.min(Math.max(retryMs ?? usualMs, leastMs), longestMs);
    return Math.max(wishedMs, Math.min(wishedMs * 2 ** this.#slower, grownMs));
  }
}

/** A wait that can be cut short. */
export class Pause {
  /** Resolves when the time is up or the wait was cut short. */
  readonly over: Promise<void>;
  readonly cut: () => void;

  constructor(clock: Clock, ms: number) {
    let resolve!: () => void;
    this.over = new Promise((done) => {
      resolve = done;
    });
    const timer = clock.after(ms, resolve);
    this.cut = () => {
      timer.cancel();
      resolve();
    };
  }
}

/** Whether a server that answers so may answer better later. */
export function passes(status: number): boolean {
  return status === 408 || status === 409 || status === 429 || status >= 500;
}
