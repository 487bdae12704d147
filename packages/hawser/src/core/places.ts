/** How many places are taken, in all and by each principal, so that nobody takes them all. */
export class Places {
  readonly #max: number;
  readonly #maxPerPrincipal: number;
  readonly #taken = new Map<string, number>();
  #all = 0;

  /** @param maxPerPrincipal does not hold for callers without a principal: they may be many */
  constructor(max: number, maxPerPrincipal: number) {
    this.#max = max;
    this.#maxPerPrincipal = maxPerPrincipal;
  }

  /** Whether there is a place left for a principal. */
  has(principal: string | undefined): boolean {
    if (this.#all >= this.#max) return false;
    return principal === undefined || (this.#taken.get(principal) ?? 0) < this.#maxPerPrincipal;
  }

  /** False when there is no place left. */
  take(principal: string | undefined): boolean {
    if (!this.has(principal)) return false;
    if (principal !== undefined) this.#taken.set(principal, (this.#taken.get(principal) ?? 0) + 1);
    this.#all++;
    return true;
  }

  leave(principal: string | undefined): void {
    this.#all--;
    if (principal === undefined) return;
    const own = (this.#taken.get(principal) ?? 0) - 1;
    if (own > 0) this.#taken.set(principal, own);
    else this.#taken.delete(principal);
  }
}
