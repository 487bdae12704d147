/** The names that one server gives to one kind of thing, as far as they are known. */
export class Catalog {
  #names: ReadonlySet<string> = new Set();
  #settled = false;
  /** Counts the changes. */
  #age = 0;
  #namesAge = 0;
  /** The request under way, and of which age the list will be. */
  #refreshing: { readonly age: number; readonly over: Promise<void> } | undefined;
  /** The request after it. */
  #next: Promise<void> | undefined;

  get names(): ReadonlySet<string> {
    return this.#names;
  }

  /** Whether there is no reason to ask: the names are known, or the server failed to tell them. */
  get settled(): boolean {
    return this.#settled;
  }

  /** They may have changed. What is known counts until something better is. */
  forget(): void {
    this.#age++;
    this.#settled = false;
  }

  /** A list is asked for. Gives what takes its names: after a change meanwhile they count, but not for good. */
  begin(): (names: readonly string[]) => void {
    const age = this.#age;
    return (names) => {
      if (age < this.#namesAge) return;
      this.#names = new Set(names);
      this.#namesAge = age;
      if (this.#age === age) this.#settled = true;
    };
  }

  /**
   * Has the list asked for; all who want that while it is under way share one request. Those who come after a change
   * share the next, so that many changes are two requests at most. Never rejects.
   */
  refresh(ask: () => Promise<unknown>): Promise<void> {
    const refreshing = this.#refreshing;
    if (refreshing === undefined) return this.#refresh(ask);
    if (refreshing.age === this.#age) return refreshing.over;
    return (this.#next ??= refreshing.over.then(() => {
      this.#next = undefined;
      return this.refresh(ask);
    }));
  }

  #refresh(ask: () => Promise<unknown>): Promise<void> {
    const age = this.#age;
    const over = ask()
      .catch(() => undefined)
      .then(() => {
        this.#refreshing = undefined;
        // One that failed is not asked again for every call: it may take its time to fail.
        if (this.#age === age) this.#settled = true;
      });
    this.#refreshing = { age, over };
    return over;
  }
}
