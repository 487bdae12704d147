import type { EventLog, LoggedEvent } from '../ports/index.ts';

/** Keeps events in this process. It has no bounds of its own: what uses it has. */
export class MemoryEventLog implements EventLog {
  readonly #streams = new Map<string, Map<number, string>>();

  /** How many streams there are. */
  get size(): number {
    return this.#streams.size;
  }

  append(stream: string, number: number, data: string): void {
    const events = this.#streams.get(stream);
    if (events === undefined) this.#streams.set(stream, new Map([[number, data]]));
    else events.set(number, data);
  }

  after(stream: string, number: number): LoggedEvent[] {
    const after: LoggedEvent[] = [];
    for (const [each, data] of this.#streams.get(stream) ?? []) if (each > number) after.push({ number: each, data });
    return after;
  }

  forget(stream: string, number?: number): void {
    const events = this.#streams.get(stream);
    if (number !== undefined) events?.delete(number);
    if (number === undefined || events?.size === 0) this.#streams.delete(stream);
  }
}
