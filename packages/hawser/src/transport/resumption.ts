import type { Clock } from '../base/clock.ts';
import type { LoggedEvent } from '../ports/index.ts';
import type { Keeping } from './keeping.ts';
import { KeptEvents, type EventKind } from './kept-events.ts';
import type { ResumableStream } from './resumable-stream.ts';

/**
 * What a session can take up again: its streams and the events on them (2025-11-25 basic/transports "Resumability and
 * Redelivery"). The id of an event names its stream, which names the session, and the event; to callers it says
 * nothing. All of it is made on first use.
 */
export class Resumption {
  /** Whether callers take events without data, and fetch a stream in pieces. */
  readonly polls: boolean;
  readonly #keeping: Keeping;
  #tag: string | undefined;
  #kept: KeptEvents | undefined;
  #streams: Map<string, ResumableStream> | undefined;
  #lastStream = 0;
  #lastEvent = 0;

  constructor(keeping: Keeping, polls: boolean) {
    this.#keeping = keeping;
    this.polls = polls;
  }

  get clock(): Clock {
    return this.#keeping.clock;
  }

  /** How many events are kept. */
  get kept(): number {
    return this.#kept?.size ?? 0;
  }

  /** Takes a stream in; gives its name. The session's own has always the same: there is one at a time. */
  add(stream: ResumableStream, standing: boolean): string {
    // Names must differ from those of other processes that use the same log.
    this.#tag ??= this.clock.uuid().replaceAll('-', '').slice(0, 16);
    const name = `${this.#tag}.${standing ? 0 : ++this.#lastStream}`;
    (this.#streams ??= new Map()).set(name, stream);
    return name;
  }

  /** The stream with that name. */
  stream(name: string): ResumableStream | undefined {
    return this.#streams?.get(name);
  }

  /** A number for an event; they only rise. */
  next(): number {
    return ++this.#lastEvent;
  }

  /**
   * Keeps an event. A stream that cannot be completed any more for want of room is given up.
   *
   * @param key takes the place of the event that was kept under the same one
   */
  keep(stream: string, number: number, text: string, kind: EventKind, key?: string): void {
    this.#kept ??= new KeptEvents(this.#keeping.budget, (gone) => {
      this.#keeping.forget(gone.stream, gone.number);
      if (gone.kind === 'reply') this.#streams?.get(gone.stream)?.lost();
    });
    if (key !== undefined) this.#kept.supersede(key);
    this.#keeping.append(stream, number, text);
    this.#kept.add({ number, stream, bytes: text.length * 2, kind, key });
  }

  /** Gives up what was kept under that key: nobody needs it any more. */
  supersede(key: string): void {
    this.#kept?.supersede(key);
  }

  /** The names of stream and event in an id; undefined for one that this session has not given. */
  read(id: string): { readonly stream: string; readonly standing: boolean; readonly event: number } | undefined {
    const [, tag, stream, event] = /^([0-9a-f]{16})\.(\d{1,9})\.(\d{1,15})$/.exec(id) ?? [];
    if (tag === undefined || tag !== this.#tag || Number(event) > this.#lastEvent) return undefined;
    return { stream: `${tag}.${Number(stream)}`, standing: Number(stream) === 0, event: Number(event) };
  }

  /** What came on a stream after the event with this number. */
  after(stream: string, event: number): readonly LoggedEvent[] | Promise<readonly LoggedEvent[]> {
    return this.#keeping.after(stream, event);
  }

  forget(stream: string): void {
    if (this.#streams?.delete(stream) !== true) return;
    this.#kept?.forget(stream);
    this.#keeping.forget(stream);
  }

  /** The session is over: there will be nobody to come back. */
  clear(): void {
    for (const stream of this.#streams?.values() ?? []) stream.end();
  }
}
