/**
 * A map that gives up its oldest entry quickly. What a plain `Map` finds first is found past all that went before it,
 * which in a queue is more each time; this remembers where it was.
 */
export class OldestFirst<Key, Value> {
  readonly #entries = new Map<Key, Value>();
  /** Everything before its place has been taken. */
  #keys: MapIterator<Key> | undefined;
  /** Entries deleted since it was moved. */
  #deleted = 0;

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
    if (!this.#entries.delete(key)) return false;
    // An iterator that stands still holds on to all that has left the map since: it is let go before that is much.
    if (this.#keys !== undefined && ++this.#deleted > this.#entries.size) this.#keys = undefined;
    return true;
  }

  values(): MapIterator<Value> {
    return this.#entries.values();
  }

  /** Takes the oldest entry out. */
  take(): Value | undefined {
    this.#deleted = 0;
    let next = (this.#keys ??= this.#entries.keys()).next();
    if (next.done === true) {
      // At its end an iterator stays there, whatever is added.
      this.#keys = this.#entries.keys();
      next = this.#keys.next();
    }
    if (next.done === true) {
      this.#keys = undefined;
      return undefined;
    }
    const value = this.#entries.get(next.value);
    this.#entries.delete(next.value);
    return value;
  }
}
