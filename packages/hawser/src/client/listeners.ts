import type { Logger } from '../base/logger.ts';
import type { Note } from '../ports/index.ts';

/** Those who want to hear of notices, in the order in which they came. */
export class Listeners {
  readonly #logger: Logger;
  /** Replaced as a whole: whoever leaves or comes while a notice is being told changes nothing of that. */
  #all: readonly { readonly listener: (note: Note) => void }[] = [];

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** The same function may be added more than once. Gives what takes it away again. */
  add(listener: (note: Note) => void): () => void {
    const added = { listener };
    this.#all = [...this.#all, added];
    return () => {
      this.#all = this.#all.filter((each) => each !== added);
    };
  }

  tell(note: Note): void {
    for (const { listener } of this.#all) {
      try {
        listener(note);
      } catch (error) {
        this.#logger.error('onNotification threw', error);
      }
    }
  }
}
