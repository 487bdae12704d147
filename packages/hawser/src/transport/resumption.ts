import type { Clock } from '../base/clock.ts';
import { defaultLogBounds, EventLog, type EventKind } from './event-log.ts';
import type { ResumableStream } from './resumable-stream.ts';

/** The number of the session's own stream. */
export const standingNumber = 0;

/**
 * What a session can take up again: its streams and the events on them (2025-11-25 basic/transports "Resumability and
 * Redelivery"). An id names session, stream and event; to callers it says nothing. All of it is made on first use.
 */
export class Resumption {
  readonly clock: Clock;
  /** Whether callers take events without data, and fetch a stream in pieces. */
  readonly polls: boolean;
  #tag: string | undefined;
  #log: EventLog | undefined;
  #streams: Map<number, ResumableStream> | undefined;
  #lastStream = 0;
  #lastEvent = 0;

  constructor(clock: Clock, polls: boolean) {
    this.clock = clock;
    this.polls = polls;
  }

  /** How many events are kept. */
  get kept(): number {
    return this.#log?.size ?? 0;
  }

  /** Takes a stream in; gives its number. The session's own has always the same: there is one at a time. */
  add(stream: ResumableStream, standing: boolean): number {
    const number = standing ? standingNumber : ++this.#lastStream;
    (this.#streams ??= new Map()).set(number, stream);
    return number;
  }

  stream(number: number): ResumableStream | undefined {
    return this.#streams?.get(number);
  }

  /** The id of an event that is not kept. */
  mark(stream: number): string {
    return this.#id(stream, ++this.#lastEvent);
  }

  /** Keeps an event; gives its id. A stream that cannot be completed any more for want of room is given up. */
  keep(stream: number, text: string, kind: EventKind): string {
    const number = ++this.#lastEvent;
    this.#log ??= new EventLog(defaultLogBounds);
    for (const lost of this.#log.add(number, stream, text, kind)) this.#streams?.get(lost)?.lost();
    return this.#id(stream, number);
  }

  /** Gives up what was kept under the same text: nobody needs it any more, or not twice. */
  supersede(stream: number, text: string): void {
    this.#log?.forget(stream, text);
  }

  /** The numbers of stream and event in an id; undefined for one that this session has not given. */
  read(id: string): { readonly stream: number; readonly event: number } | undefined {
    const [, tag, stream, event] = /^([0-9a-f]{8})\.(\d{1,9})\.(\d{1,15})$/.exec(id) ?? [];
    if (tag === undefined || tag !== this.#tag || Number(event) > this.#lastEvent) return undefined;
    return { stream: Number(stream), event: Number(event) };
  }

  /** What came on a stream after the event with this number, as text of events. */
  missed(stream: number, after: number): string {
    const events = this.#log?.after(after, stream) ?? [];
    return events.map(([number, text]) => withId(this.#id(stream, number), text)).join('');
  }

  forget(stream: number): void {
    this.#streams?.delete(stream);
    this.#log?.forget(stream);
  }

  /** The session is over: there will be nobody to come back. */
  clear(): void {
    for (const stream of this.#streams?.values() ?? []) stream.end();
  }

  #id(stream: number, event: number): string {
    this.#tag ??= this.clock.uuid().slice(0, 8);
    return `${this.#tag}.${stream}.${event}`;
  }
}

/** An event, given an id. */
export function withId(id: string, text: string): string {
  return `id: ${id}\n${text}`;
}
