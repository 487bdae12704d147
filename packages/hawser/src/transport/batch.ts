import type { Serving, Way } from './serving.ts';

/** Most messages of a batch. */
export const maxBatch = 100;

/** The answers to a batch: one line, when the last of them is there (2025-03-26 basic/transports "stdio"). */
export class BatchAnswer implements Way {
  readonly #peer: Way;
  readonly #answers: string[] = [];
  /** Requests that run, and the reading of the batch itself. */
  #running = 1;

  constructor(peer: Way) {
    this.#peer = peer;
  }

  begin(serving: Serving): void {
    this.#running++;
    this.#peer.begin?.(serving);
  }

  write(text: string): boolean {
    this.#answers.push(text);
    return true;
  }

  forget(serving: Serving): void {
    // The reply comes after this.
    queueMicrotask(() => this.finish());
    this.#peer.forget(serving);
  }

  /** A request is over, or the batch has been read. Without any answer nothing is sent. */
  finish(): void {
    if (--this.#running === 0 && this.#answers.length > 0) this.#peer.write(`[${this.#answers.join(',')}]`);
  }
}
