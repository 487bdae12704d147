import { Cancel, follow } from '../base/cancel.ts';
import type { Serving, Way } from './serving.ts';

/** The answer to what was handed over by itself: one text, or none at all. */
export class OneAnswer implements Way {
  readonly #peer: Way;
  readonly #answered: (text: string | undefined) => void;
  readonly #gone: Cancel | undefined;
  readonly #unfollow: (() => void) | undefined;
  /** Requests that run, and the reading of what was handed over. */
  #running = 1;

  /**
   * @param signal aborts when nobody waits for the answer any more
   * @param answered the first call counts
   */
  constructor(peer: Way, signal: AbortSignal | undefined, answered: (text: string | undefined) => void) {
    this.#peer = peer;
    this.#answered = answered;
    if (signal === undefined) return;
    this.#gone = new Cancel();
    this.#gone.onCancel(() => answered(undefined));
    this.#unfollow = follow(signal, this.#gone);
  }

  begin(serving: Serving): void {
    this.#running++;
    this.#gone?.onCancel((reason) => serving.cancelled(reason));
  }

  write(text: string): boolean {
    this.#answered(text);
    return true;
  }

  forget(serving: Serving): void {
    this.#peer.forget(serving);
    // The reply comes after this.
    queueMicrotask(() => this.finish());
  }

  /** A request is over, or all has been read. Without any answer there is none. */
  finish(): void {
    if (--this.#running > 0) return;
    this.#unfollow?.();
    this.#answered(undefined);
  }
}
