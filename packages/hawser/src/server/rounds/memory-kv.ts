import type { Clock } from '../../base/clock.ts';
import type { Kv } from '../../ports/index.ts';

interface Kept {
  readonly value: string;
  readonly version: string;
  readonly expires: number;
}

/**
 * A store in memory. Full, it refuses: what it forgot early would be run again.
 *
 * @throws RangeError from `set` when there is no room
 */
export class MemoryKv implements Kv {
  readonly #clock: Clock;
  readonly #maxEntries: number;
  readonly #maxChars: number;
  /** In the order in which they were written; with one time to live that is the order in which they expire. */
  readonly #kept = new Map<string, Kept>();
  #chars = 0;
  #versions = 0;

  constructor(clock: Clock, maxEntries = 10_000, maxChars = 16 * 1024 * 1024) {
    this.#clock = clock;
    this.#maxEntries = maxEntries;
    this.#maxChars = maxChars;
  }

  async get(key: string): Promise<{ value: string; version: string } | undefined> {
    const kept = this.#live(key);
    return kept && { value: kept.value, version: kept.version };
  }

  async set(
    key: string,
    value: string,
    { ttlMs = Infinity, ifVersion }: { ttlMs?: number; ifVersion?: string | null } = {},
  ): Promise<boolean> {
    const kept = this.#live(key);
    if (ifVersion !== undefined && (kept?.version ?? null) !== ifVersion) return false;
    const added = value.length - (kept?.value.length ?? 0);
    if (this.#isFull(kept === undefined, added)) this.#sweep();
    if (this.#isFull(kept === undefined, added)) throw new RangeError('the store is full');
    this.#forget(key);
    this.#chars += value.length;
    this.#kept.set(key, { value, version: String(++this.#versions), expires: this.#clock.now() + ttlMs });
    return true;
  }

  async delete(key: string, { ifVersion }: { ifVersion?: string } = {}): Promise<boolean> {
    const kept = this.#live(key);
    if (kept === undefined || (ifVersion !== undefined && kept.version !== ifVersion)) return false;
    this.#forget(key);
    return true;
  }

  #isFull(another: boolean, added: number): boolean {
    return (another && this.#kept.size >= this.#maxEntries) || this.#chars + added > this.#maxChars;
  }

  #live(key: string): Kept | undefined {
    const kept = this.#kept.get(key);
    if (kept === undefined || kept.expires > this.#clock.now()) return kept;
    this.#forget(key);
    return undefined;
  }

  #sweep(): void {
    const now = this.#clock.now();
    for (const [key, { expires }] of this.#kept) if (expires <= now) this.#forget(key);
  }

  #forget(key: string): void {
    this.#chars -= this.#kept.get(key)?.value.length ?? 0;
    this.#kept.delete(key);
  }
}
