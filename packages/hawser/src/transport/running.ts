import type { Logger } from '../base/logger.ts';
import type { Call, Reply, Service } from '../ports/index.ts';
import { broke } from './door.ts';
import type { HttpExchange } from './http-exchange.ts';

/** The calls that a door has under way. */
export class RunningCalls {
  readonly #service: Service;
  readonly #logger: Logger;
  readonly #calls = new Set<HttpExchange>();
  /** Subscriptions: they end when somebody ends them. */
  readonly #listens = new Set<HttpExchange>();

  constructor(service: Service, logger: Logger) {
    this.#service = service;
    this.#logger = logger;
  }

  /** How many calls run, without subscriptions. */
  get size(): number {
    return this.#calls.size;
  }

  /** Runs a call and answers it; gives the answer back too. Never rejects. */
  serve(call: Call, exchange: HttpExchange): Promise<Reply> {
    return this.#run(call, exchange, true);
  }

  /** Runs a call that is answered elsewhere. Never rejects. */
  run(call: Call, exchange: HttpExchange): Promise<Reply> {
    return this.#run(call, exchange, false);
  }

  /** One function for both: a promise more for each call, and for as long as a subscription is open, would be felt. */
  async #run(call: Call, exchange: HttpExchange, finishes: boolean): Promise<Reply> {
    const those = call.method === 'subscriptions/listen' ? this.#listens : this.#calls;
    those.add(exchange);
    let reply: Reply;
    try {
      reply = await this.#service.answer(call, exchange);
    } catch (error) {
      reply = broke(call, error, this.#logger);
    }
    those.delete(exchange);
    if (finishes) exchange.finish(reply);
    return reply;
  }

  /** Ends the subscriptions of this door with their final result; those of other doors stay. */
  endListens(reason: unknown): void {
    for (const { cancel } of this.#listens) cancel.cancel(reason);
  }

  /** Cancels what runs. */
  cancel(reason: unknown): void {
    for (const { cancel } of this.#calls) cancel.cancel(reason);
  }
}
