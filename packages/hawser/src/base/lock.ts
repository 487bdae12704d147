/**
 * One lock per key, first come first served. Keys nobody holds or waits for take no memory.
 *
 * ```ts
 * await locks.run('server-a', async () => { … })
 * ```
 */
export class KeyedLock {
  readonly #tails = new Map<string, { tail: Promise<unknown>; users: number }>();

  /** How many keys are held or waited for. */
  get size(): number {
    return this.#tails.size;
  }

  /** Runs `work` when all earlier work under `key` is over, however that ended. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    let entry = this.#tails.get(key);
    if (entry === undefined) this.#tails.set(key, (entry = { tail: Promise.resolve(), users: 0 }));
    entry.users++;
    const mine = entry.tail.then(work);
    entry.tail = mine.then(nothing, nothing);
    try {
      return await mine;
    } finally {
      if (--entry.users === 0) this.#tails.delete(key);
    }
  }
}

function nothing(): void {}
