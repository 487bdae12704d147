import type { Caller } from '../ports/index.ts';

/** How many places there are for listeners, and how many are taken, in all and by each principal. */
export class Places {
  readonly #max: number;
  readonly #maxEach: number;
  readonly #ofPrincipal = new Map<string, number>();
  #taken = 0;

  constructor(max: number, maxEach: number) {
    this.#max = max;
    this.#maxEach = maxEach;
  }

  /** Takes one; false when there is none left, or none for this principal. Callers without a name are no principal. */
  take({ principal }: Caller): boolean {
    if (this.#taken >= this.#max) return false;
    if (principal !== undefined) {
      const own = this.#ofPrincipal.get(principal) ?? 0;
      if (own >= this.#maxEach) return false;
      this.#ofPrincipal.set(principal, own + 1);
    }
    this.#taken++;
    return true;
  }

  /** Gives back one that was taken. */
  leave({ principal }: Caller): void {
    this.#taken--;
    if (principal === undefined) return;
    const own = this.#ofPrincipal.get(principal) ?? 0;
    if (own > 1) this.#ofPrincipal.set(principal, own - 1);
    else this.#ofPrincipal.delete(principal);
  }
}
