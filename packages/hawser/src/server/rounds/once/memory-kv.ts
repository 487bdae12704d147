import type { Clock } from '../../../base/clock.ts';
import type { Kv } from '../../../ports/index.ts';

interface Kept {
  readonly value: string;
  readonly version: string;
  readonly expires: number;
}

/** How much is kept. */
interface Amount {
  entries: number;
  chars: number;
}

/** Whose an entry is, and which share of the store may be theirs. */
export interface Owner {
  readonly name: string;
  /** 0 to 1. */
  readonly share: number;
}

/** Bounds of a {@link MemoryKv}. */
interface MemoryKvBounds {
  /** Default 10,000. */
  readonly maxEntries?: number;
  /** Of all values. Default 16 Mi. */
  readonly maxChars?: number;
  /** Reads the owner out of a key, so that nobody fills the store for the others. Default: all keys are of one owner. */
  readonly ownerOf?: (key: string) => Owner;
}

const everybody: Owner = { name: '', share: 1 };

/**
 * A store in memory. Full, it refuses: what it forgot early would be run again.
 *
 * @throws RangeError from `set` when there is no room
 */
export class MemoryKv implements Kv {
  readonly #clock: Clock;
  readonly #max: Amount;
  readonly #ownerOf: (key: string) => Owner;
  readonly #kept = new Map<string, Kept>();
  readonly #all: Amount = { entries: 0, chars: 0 };
  readonly #owned = new Map<string, Amount>();
  #versions = 0;

  constructor(clock: Clock, bounds: MemoryKvBounds = {}) {
    const { maxEntries = 10_000, maxChars = 16 * 1024 * 1024, ownerOf = () => everybody } = bounds;
    this.#clock = clock;
    this.#max = { entries: maxEntries, chars: maxChars };
    this.#ownerOf = ownerOf;
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
    const more: Amount = { entries: kept === undefined ? 1 : 0, chars: value.length - (kept?.value.length ?? 0) };
    if (!this.#hasRoom(key, more)) this.#sweep();
    if (!this.#hasRoom(key, more)) throw new RangeError('the store is full');
    this.#forget(key);
    this.#count(key, 1, value.length);
    this.#kept.set(key, { value, version: String(++this.#versions), expires: this.#clock.now() + ttlMs });
    return true;
  }

  async delete(key: string, { ifVersion }: { ifVersion?: string } = {}): Promise<boolean> {
    const kept = this.#live(key);
    if (kept === undefined || (ifVersion !== undefined && kept.version !== ifVersion)) return false;
    this.#forget(key);
    return true;
  }

  #hasRoom(key: string, { entries, chars }: Amount): boolean {
    const { name, share } = this.#ownerOf(key);
    const within = (amount: Amount | undefined, part: number): boolean =>
      (amount?.entries ?? 0) + entries <= this.#max.entries * part &&
      (amount?.chars ?? 0) + chars <= this.#max.chars * part;
    return within(this.#all, 1) && within(this.#owned.get(name), share);
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
    const kept = this.#kept.get(key);
    if (kept === undefined) return;
    this.#kept.delete(key);
    this.#count(key, -1, -kept.value.length);
  }

  #count(key: string, entries: number, chars: number): void {
    const { name } = this.#ownerOf(key);
    const owned = this.#owned.get(name) ?? { entries: 0, chars: 0 };
    for (const amount of [this.#all, owned]) {
      amount.entries += entries;
      amount.chars += chars;
    }
    if (owned.entries === 0) this.#owned.delete(name);
    else this.#owned.set(name, owned);
  }
}
