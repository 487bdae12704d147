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
 * notice that is past them all by itself counts as nothing, and there is one of that kind at most.
 */
export class Waiting {
  readonly #notices = new Map<string, Notice>();
  readonly #dropped: () => void;
  #characters = 0;
  /** The key of the one that is past the bounds by itself. */
  #oversize: string | undefined;

  /** @param dropped is called for each notice that gave way */
  constructor(dropped: () => void) {
    this.#dropped = dropped;
  }

  add(notice: Notice): void {
    const { key } = notice;
    // A repeat says nothing new.
    if (this.#notices.has(key)) return;
    if (notice.characters > maxCharacters) this.#addOversize(notice);
    else this.#add(notice);
    for (const oldest of this.#notices.values()) {
      if (this.#notices.size <= maxNotes && this.#characters <= maxCharacters) return;
      this.#notices.delete(oldest.key);
      this.#characters -= oldest.characters;
      this.#dropped();
    }
  }

  #add(notice: Notice): void {
    this.#notices.set(notice.key, notice);
    this.#characters += notice.characters;
  }

  #addOversize(notice: Notice): void {
    const { key } = notice;
    if (this.#oversize !== undefined && this.#notices.delete(this.#oversize)) this.#dropped();
    this.#oversize = key;
    this.#add({ ...notice, characters: 0 });
  }

  [Symbol.iterator](): Iterator<Notice> {
    return this.#notices.values();
  }
}
