import { Cancel } from '../base/cancel.ts';
import { AbortError } from '../base/errors.ts';
import { sample, type Logger } from '../base/logger.ts';
import type { RequestId } from '../model/types.ts';
import type { Note, Service } from '../ports/index.ts';
import type { Message } from '../wire/index.ts';
import { legacyServer } from './legacy-server.ts';
import { brokenHandler, replyText } from './reply.ts';

/** Answers what a legacy server asks over HTTP: each answer is a POST of its own. */
export class Answering {
  readonly #inbound: Service;
  readonly #logger: Logger;
  readonly #maxInFlight: number;
  readonly #post: (body: string) => Promise<void>;
  /** What the server waits for, as far as it can take it back. */
  readonly #asked = new Map<RequestId, Cancel>();
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
    this.#asked.set(id, cancel);
    const exchange = { id, caller: legacyServer, cancel, emit: () => false, drained: () => Promise.resolve() };
    try {
      const reply = await this.#inbound.answer({ method, params }, exchange).catch(() => brokenHandler);
      // Taken back meanwhile: nobody waits for the answer.
      if (!cancel.cancelled) await this.#post(replyText(id, reply));
    } catch (error) {
      this.#logger.warn(`the answer to ${sample(method, 60)} did not get through`, error);
    } finally {
      this.#serving--;
      // A server may use an id twice: the later request is the one it can take back.
      if (this.#asked.get(id) === cancel) this.#asked.delete(id);
    }
  }

  /** `notifications/cancelled`: for an unknown or answered request it is ignored. */
  cancelled(params: Note['params']): void {
    const asked = this.#asked.get(params?.['requestId'] as RequestId); // anything else is not in the map
    asked?.cancel(new AbortError(params?.['reason']));
  }
}
