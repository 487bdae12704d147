import type { Clock } from '../base/clock.ts';
import { AbortError } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';

/** Told of the first who watches a resource; `signal` aborts when the last of them has gone. */
export type OnWatch = (uri: string, watch: { readonly signal: AbortSignal }) => void | Promise<void>;

interface Watch {
  readonly controller: AbortController;
  /** Nobody watches it, since this turn. */
  left: boolean;
}

/** Which resources somebody watches, for authors who find out about changes only while somebody wants to know. */
export class Watches {
  readonly #onWatch: OnWatch;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #watched = new Map<string, Watch>();

  constructor(onWatch: OnWatch, clock: Clock, logger: Logger) {
    this.#onWatch = onWatch;
    this.#clock = clock;
    this.#logger = logger;
  }

  /** How many resources somebody watches, or has watched in this turn. */
  get size(): number {
    return this.#watched.size;
  }

  /** The first who watches it has come. */
  came(uri: string): void {
    const known = this.#watched.get(uri);
    if (known !== undefined) {
      known.left = false;
      return;
    }
    const watch: Watch = { controller: new AbortController(), left: false };
    this.#watched.set(uri, watch);
    // The author may tell of a change at once, and what a listener hears first is that it listens.
    queueMicrotask(() => void this.#tell(uri, watch));
  }

  /** The last has gone; one who comes back in the same turn was never away. */
  left(uri: string): void {
    const watch = this.#watched.get(uri);
    if (watch === undefined || watch.left) return;
    watch.left = true;
    void this.#clock.turn().then(() => {
      if (watch.left) this.#end(uri, watch);
    });
  }

  async #tell(uri: string, { controller }: Watch): Promise<void> {
    const { signal } = controller;
    try {
      if (!signal.aborted) await this.#onWatch(uri, { signal });
    } catch (error) {
      // What was begun for a watch that is over may well fail.
      if (!signal.aborted) this.#logger.error('onWatch failed', error);
    }
  }

  #end(uri: string, watch: Watch): void {
    if (this.#watched.get(uri) === watch) this.#watched.delete(uri);
    watch.controller.abort(new AbortError('nobody watches it any more'));
  }
}
