import { ArgumentError } from '../base/errors.ts';
import type { Revision } from '../model/types.ts';
import type { Call, Reply } from '../ports/index.ts';
import { beginning, cursorOf, placeOf, unknownCursor, type ListKind, type Place } from './pages.ts';

/** An entry and its number: entries are numbered as they are registered, and a number is never used again. */
export interface Numbered<Entry> {
  readonly number: number;
  readonly entry: Entry;
}

/** One page of a list of registered entries, and the cursor of the next. */
export interface Cut<Entry> {
  readonly entries: Entry[];
  readonly nextCursor: string | undefined;
}

/** What is registered under names or URIs, in order of registration, and listed in pages. */
export class Registry<Entry> {
  readonly kind: ListKind;
  readonly pageSize: number;
  readonly #byKey = new Map<string, Numbered<Entry>>();
  /** Swapped whole: whoever walks along it keeps the one it began with. */
  #snapshot: readonly Numbered<Entry>[] | undefined;
  /** The first page as JSON text per revision: it is asked for far more often than it changes. */
  #firstPages = new Map<Revision, Reply>();
  #last = 0;

  constructor(kind: ListKind, pageSize: number) {
    this.kind = kind;
    this.pageSize = pageSize;
  }

  /** Whether anything has ever been registered. */
  get used(): boolean {
    return this.#last > 0;
  }

  get(key: string): Entry | undefined {
    return this.#byKey.get(key)?.entry;
  }

  /** All entries in order. */
  get all(): readonly Numbered<Entry>[] {
    return (this.#snapshot ??= [...this.#byKey.values()]);
  }

  /** @throws ArgumentError when the key is taken */
  add(what: string, key: string, entry: Entry): void {
    if (this.#byKey.has(key)) throw new ArgumentError(`there is a ${what} "${key}" already: remove it first`);
    this.#byKey.set(key, { number: ++this.#last, entry });
    this.#changed();
  }

  remove(key: string): Entry | undefined {
    const entry = this.get(key);
    if (this.#byKey.delete(key)) this.#changed();
    return entry;
  }

  #changed(): void {
    this.#snapshot = undefined;
    this.#firstPages = new Map();
  }

  cut({ after }: Place): Cut<Entry> {
    const { all } = this;
    const from = all.findIndex(({ number }) => number > after);
    const page = from < 0 ? [] : all.slice(from, from + this.pageSize);
    const rest = from >= 0 && from + page.length < all.length;
    const nextCursor = rest ? cursorOf(this.kind, { after: page.at(-1)?.number ?? 0, within: 0 }) : undefined;
    return { entries: page.map(({ entry }) => entry), nextCursor };
  }

  /** Answers a call for a page. `write` makes the result of it. */
  list(call: Call, revision: Revision, write: (page: Cut<Entry>) => Record<string, unknown>): Reply {
    const cursor = call.params?.['cursor'];
    const known = cursor === undefined ? this.#firstPages.get(revision) : undefined;
    if (known !== undefined) return known;
    const place = cursor === undefined ? beginning : placeOf(this.kind, cursor);
    if (place === undefined) return unknownCursor;
    const result = write(this.cut(place));
    const reply: Reply = { result, json: JSON.stringify(result) };
    if (cursor === undefined) this.#firstPages.set(revision, reply);
    return reply;
  }
}
