import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { EventLog, LoggedEvent } from '../ports/index.ts';
import { EventBudget } from './event-budget.ts';

/** How a door keeps what callers of its sessions may have missed. A log that fails is no reason for a call to fail. */
export class Keeping {
  readonly clock: Clock;
  readonly budget: EventBudget;
  readonly #log: EventLog;
  readonly #logger: Logger;

  constructor(clock: Clock, log: EventLog, maxBytes: number, logger: Logger) {
    this.clock = clock;
    this.budget = new EventBudget(maxBytes);
    this.#log = log;
    this.#logger = logger;
  }

  append(stream: string, number: number, data: string): void {
    try {
      this.#settle(this.#log.append(stream, number, data));
    } catch (error) {
      this.#failed(error);
    }
  }

  forget(stream: string, number?: number): void {
    try {
      this.#settle(this.#log.forget(stream, number));
    } catch (error) {
      this.#failed(error);
    }
  }

  /** What came on a stream after an event; a promise of it that rejects, after the log was told, when it cannot be had. */
  after(stream: string, number: number): readonly LoggedEvent[] | Promise<readonly LoggedEvent[]> {
    try {
      const events = this.#log.after(stream, number);
      if (!('then' in events)) return events;
      return events.then(undefined, (error: unknown) => {
        this.#failed(error);
        throw error;
      });
    } catch (error) {
      this.#failed(error);
      return Promise.reject(error);
    }
  }

  #settle(done: void | Promise<void>): void {
    if (done !== undefined) done.then(undefined, (error: unknown) => this.#failed(error));
  }

  #failed(error: unknown): void {
    this.#logger.error('the event log failed', error);
  }
}
