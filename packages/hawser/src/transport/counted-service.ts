import type { Call, Caller, Exchange, Note, Reply, Service } from '../ports/index.ts';

/** A service that knows how many of its calls run. What a door listens with for a session is none. */
export class CountedService implements Service {
  readonly #service: Service;
  readonly #ended: () => void;
  #running = 0;

  /** @param ended is told whenever a call has ended */
  constructor(service: Service, ended: () => void) {
    this.#service = service;
    this.#ended = ended;
  }

  get running(): number {
    return this.#running;
  }

  async answer(call: Call, exchange: Exchange): Promise<Reply> {
    if (exchange.standing === true) return this.#service.answer(call, exchange);
    this.#running++;
    try {
      return await this.#service.answer(call, exchange);
    } finally {
      this.#running--;
      this.#ended();
    }
  }

  notice(note: Note, from: Caller): void {
    this.#service.notice(note, from);
  }
}
