import type { KeptEvents } from './kept-events.ts';

/** How many bytes of events are kept over all sessions of a door, unless told otherwise. */
export const defaultMaxEventLogBytes = 256 * 1024 * 1024;

/**
 * What all sessions of a door may keep together. Past it the session that keeps most gives way, so that callers who
 * leave much behind do not push out what others have missed.
 */
export class EventBudget {
  readonly #maxBytes: number;
  /** Those that keep something. */
  readonly #sessions = new Set<KeptEvents>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** A session keeps more, or less. */
  count(session: KeptEvents, bytes: number): void {
    this.#bytes += bytes;
    if (session.size === 0) this.#sessions.delete(session);
    else if (bytes > 0) this.#sessions.add(session);
  }

  /** Sees to it that the bound is kept. */
  check(): void {
    while (this.#bytes > this.#maxBytes) {
      let largest: KeptEvents | undefined;
      for (const session of this.#sessions)
        if (largest === undefined || session.bytes > largest.bytes) largest = session;
      if (largest === undefined) return;
      // An eighth at a time: looking for the largest costs more than one event.
      const enough = largest.bytes * 0.875;
      while (largest.giveUp() && largest.bytes > enough);
    }
  }
}
