import type { Logger } from '../base/logger.ts';
import { safely } from '../base/safely.ts';

/** Those who want to hear of notices, in the order in which they came; each is told `Args`. */
export class Listeners<Args extends readonly unknown[]> {
  readonly #logger: Logger;
  /** Replaced as a whole: whoever leaves or comes while a notice is being told changes nothing of that. */
  #all: readonly { readonly listener: (...args: Args) => void }[] = [];

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** The same function may be added more than once. Gives what takes it away again. */
  add(listener: (...args: Args) => void): () => void {
    const added = { listener };
    this.#all = [...this.#all, added];
    return () => {
      this.#all = this.#all.filter((each) => each !== added);
    };
  }

  tell(...args: Args): void {
    for (const { listener } of this.#all) safely(this.#logger, () => listener(...args), 'onNotification threw');
  }
}
