/** Things that came, by key, for whoever takes them: in the order of coming, each by one taker. */
export class Mailbox<T> {
  readonly #items: { key: string; item: T }[] = [];
  readonly #takers: { key: string; resolve: (item: T) => void; reject: (error: Error) => void }[] = [];
  #ended: Error | undefined;

  /** The keys of what nobody has taken. */
  get unread(): string[] {
    return this.#items.map(({ key }) => key);
  }

  put(key: string, item: T): void {
    const at = this.#takers.findIndex((taker) => taker.key === key);
    if (at < 0) this.#items.push({ key, item });
    else this.#takers.splice(at, 1)[0]?.resolve(item);
  }

  /** The next thing with that key, or the error when none will come. */
  take(key: string): Promise<T> {
    const at = this.#items.findIndex((each) => each.key === key);
    const found = at < 0 ? undefined : this.#items.splice(at, 1)[0];
    const taken = new Promise<T>((resolve, reject) => {
      if (found !== undefined) resolve(found.item);
      else if (this.#ended !== undefined) reject(this.#ended);
      else this.#takers.push({ key, resolve, reject });
    });
    // Whoever awaits it sees the rejection; a test that no longer does must not fail for it.
    taken.catch(nothing);
    return taken;
  }

  /** Nothing more will come. */
  end(error: Error): void {
    this.#ended ??= error;
    for (const taker of this.#takers.splice(0)) taker.reject(error);
  }
}

function nothing(): void {}
