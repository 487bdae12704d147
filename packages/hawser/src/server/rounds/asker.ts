import { Cancel } from '../../base/cancel.ts';
import type { Clock } from '../../base/clock.ts';
import { RequestTimeoutError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import type { InputRequest } from '../../model/inputs.ts';
import type { Exchange, Reply } from '../../ports/index.ts';
import { wireOf } from '../../wire/index.ts';
import { CannotAskError } from './questions/abilities.ts';

/** Sends questions to one legacy caller, for as long as somebody waits for the answers. */
export class Asker {
  readonly #exchange: Exchange;
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  readonly #open = new Set<Cancel>();
  #followed = false;
  #ended: { readonly reason: unknown } | undefined;

  /** @param timeoutMs for each answer; `Infinity` for as long as it takes */
  constructor(exchange: Exchange, clock: Clock, timeoutMs: number) {
    this.#exchange = exchange;
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * @throws RequestTimeoutError when there is no answer in time; what the exchange was cancelled for, or what
   *   {@link end} was told; CapabilityError
   */
  ask(request: InputRequest): Promise<Reply> {
    const { ask } = this.#exchange;
    const { method } = request;
    const params = this.#params(request);
    if (ask === undefined) throw new CannotAskError('elicit', 'there is no way to ask');
    return new Promise<Reply>((resolve, reject) => {
      this.#follow();
      if (this.#ended !== undefined) return reject(this.#ended.reason);
      const cancel = new Cancel();
      this.#open.add(cancel);
      const timer =
        this.#timeoutMs === Infinity
          ? undefined
          : this.#clock.after(this.#timeoutMs, () => cancel.cancel(new RequestTimeoutError(this.#timeoutMs, method)));
      const done = (): void => {
        timer?.cancel();
        this.#open.delete(cancel);
        cancel.done();
      };
      // Whoever carries the question may take its time to notice, or never do.
      cancel.onCancel((reason) => {
        done();
        reject(reason);
      });
      new Promise<Reply>((asked) => {
        asked(ask.call(this.#exchange, { method, params }, { cancel }));
      })
        .finally(done)
        .then(resolve, reject);
    });
  }

  /** Takes all open questions back: the caller is told, and they reject with `reason`, as do later ones. */
  end(reason: unknown): void {
    this.#ended ??= { reason };
    for (const cancel of this.#open) cancel.cancel(reason);
  }

  #follow(): void {
    if (this.#followed) return;
    this.#followed = true;
    this.#exchange.cancel.onCancel((reason) => this.end(reason));
  }

  #params(request: InputRequest): JsonObject {
    const { lower } = wireOf(this.#exchange.caller.revision);
    const page = request.method === 'elicitation/create' && request.params.mode === 'url';
    // Only legacy callers are told an id, and only pages have one.
    const named = page ? { ...request, params: { ...request.params, elicitationId: this.#clock.uuid() } } : request;
    const params = lower.inputRequest(named);
    if (params === undefined)
      throw new CannotAskError(page ? 'elicit-url' : 'sample-tools', 'its revision has no words for it');
    return params;
  }
}
