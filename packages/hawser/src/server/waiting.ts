import type { Note } from '../ports/index.ts';

/** Most notices that wait for room, and most characters of them. */
const maxNotes = 1_000;
const maxCharacters = 1024 * 1024;

/** A notice, with what it is told apart by: those with one key are repeats. */
export interface Notice {
  readonly key: string;
  readonly note: Note;
  /** How much it holds, about. */
  readonly characters: number;
}

/**
 * Notices for a listener that does not keep up. A change told twice waits once; past the bounds the oldest give way. A
 * notice that is past them all by itself has a place of its own, the one.
 */
export class Waiting {
  readonly #notices = new Map<string, Notice>();
  readonly #dropped: () => void;
  #characters = 0;
  #oversize: Notice | undefined;

  /** @param dropped is called for each notice that gave way */
  constructor(dropped: () => void) {
    this.#dropped = dropped;
  }

  add(notice: Notice): void {
    const { key, characters } = notice;
    // A repeat says nothing new.
    if (this.#notices.has(key)) return;
    if (characters > maxCharacters) {
      if (this.#oversize !== undefined) this.#dropped();
      this.#oversize = notice;
      return;
    }
    this.#notices.set(key, notice);
    this.#characters += characters;
    for (const oldest of this.#notices.values()) {
      if (this.#notices.size <= maxNotes && this.#characters <= maxCharacters) return;
      this.#notices.delete(oldest.key);
      this.#characters -= oldest.characters;
      this.#dropped();
    }
  }

  *[Symbol.iterator](): Iterator<Notice> {
    yield* this.#notices.values();
    if (this.#oversize !== undefined) yield this.#oversize;
  }
}
