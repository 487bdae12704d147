/**
 * A map that gives up its oldest entry quickly. What a plain `Map` finds first is found past all that went before it,
 * which in a queue is more each time; this remembers where it was.
 */
export class OldestFirst<Key, Value> {
  readonly #entries = new Map<Key, Value>();
  /** Everything before its place has been taken. */
  #keys = this.#entries.keys();

  get size(): number {
    return this.#entries.size;
  }

  get(key: Key): Value | undefined {
    return this.#entries.get(key);
  }

  /** A key that is there already keeps its place. */
  set(key: Key, value: Value): void {
    this.#entries.set(key, value);
  }

  delete(key: Key): boolean {
    return this.#entries.delete(key);
  }

  values(): MapIterator<Value> {
    return this.#entries.values();
  }

  /** Takes the oldest entry out. */
  take(): Value | undefined {
    let next = this.#keys.next();
    if (next.done === true) {
      // At its end an iterator stays there, whatever is added.
      this.#keys = this.#entries.keys();
      next = this.#keys.next();
      if (next.done === true) return undefined;
    }
    const value = this.#entries.get(next.value);
    this.#entries.delete(next.value);
    return value;
  }
}
