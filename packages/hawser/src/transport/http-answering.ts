import { Cancel } from '../base/cancel.ts';
import { sample, type Logger } from '../base/logger.ts';
import type { Caller, Service } from '../ports/index.ts';
import { newest, type Message } from '../wire/index.ts';
import { brokenHandler, replyText } from './reply.ts';

/** A legacy server, as far as what it asks depends on it. */
export const server: Caller = { revision: newest.legacy, capabilities: {} };

/** Answers what a legacy server asks over HTTP: each answer is a POST of its own. */
export class Answering {
  readonly #inbound: Service;
  readonly #logger: Logger;
  readonly #maxInFlight: number;
  readonly #post: (body: string) => Promise<void>;
  #serving = 0;

  /** @param post posts a message that has no reply */
  constructor(inbound: Service, logger: Logger, maxInFlight: number, post: (body: string) => Promise<void>) {
    this.#inbound = inbound;
    this.#logger = logger;
    this.#maxInFlight = maxInFlight;
    this.#post = post;
  }

  /** Never rejects. */
  async answer({ id, method, params }: Message & { kind: 'request' }): Promise<void> {
    if (this.#serving >= this.#maxInFlight) {
      this.#logger.debug(`${sample(method, 60)} of the server is dropped: ${this.#serving} are being answered`);
      return;
    }
    this.#serving++;
    const cancel = new Cancel();
    const exchange = { id, caller: server, cancel, emit: () => false, drained: () => Promise.resolve() };
    try {
      const reply = await this.#inbound.handle({ method, params }, exchange).catch(() => brokenHandler);
      // Taken back meanwhile: nobody waits for the answer.
      if (!cancel.cancelled) await this.#post(replyText(id, reply));
    } catch (error) {
      this.#logger.warn(`the answer to ${sample(method, 60)} did not get through`, error);
    } finally {
      this.#serving--;
    }
  }
}
