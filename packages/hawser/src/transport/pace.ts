import type { Clock } from '../base/clock.ts';

/** How long a client waits before it comes back to a stream, unless the server says otherwise. */
const usualMs = 1_000;
/** No server may have itself asked without a pause, or hold a caller off for long. */
const leastMs = 10;
const mostMs = 30_000;
/** How often a stream is asked for in vain. */
const maxVain = 10;

/** How long to wait between the tries for a stream: twice as long after each that brought nothing. */
export class Pace {
  #vain = 0;

  /**
   * Milliseconds until the next try; undefined when there have been enough.
   *
   * @param retryMs what the server wishes (2025-11-25 basic/transports "Sending Messages to the Server")
   * @param brought whether the last try brought anything new
   */
  next(retryMs: number | undefined, brought: boolean): number | undefined {
    this.#vain = brought ? 0 : this.#vain + 1;
    if (this.#vain >= maxVain) return undefined;
    const wishedMs = Math.min(Math.max(retryMs ?? usualMs, leastMs), mostMs);
    return Math.min(wishedMs * 2 ** this.#vain, mostMs);
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
