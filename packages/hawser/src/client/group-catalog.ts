/** The names that one server gives to one kind of thing, as far as they are known. */
export class Catalog {
  #names: ReadonlySet<string> = new Set();
  #settled = false;
  /** Counts the changes. */
  #age = 0;
  #namesAge = 0;
  #refreshing: Promise<void> | undefined;

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
    this.#refreshing = undefined;
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

  /** Has the list asked for; all who want that while it is under way share one request. Never rejects. */
  refresh(ask: () => Promise<unknown>): Promise<void> {
    if (this.#refreshing !== undefined) return this.#refreshing;
    const age = this.#age;
    const refreshing = ask()
      .catch(() => undefined)
      .then(() => {
        if (this.#refreshing === refreshing) this.#refreshing = undefined;
        // One that failed is not asked again for every call: it may take its time to fail.
        if (this.#age === age) this.#settled = true;
      });
    return (this.#refreshing = refreshing);
  }
}
