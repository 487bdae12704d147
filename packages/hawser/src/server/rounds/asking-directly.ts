import { Cancel } from '../../base/cancel.ts';
import type { Clock } from '../../base/clock.ts';
import { RequestTimeoutError, rpcError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Logger } from '../../base/logger.ts';
import type { InputRequest } from '../../model/inputs.ts';
import type { Exchange, Reply } from '../../ports/index.ts';
import { wireOf } from '../../wire/index.ts';
import type { CallContext } from '../call-context.ts';
import { CannotAskError } from './abilities.ts';
import { Attempt } from './attempt.ts';
import { canonical } from './digest.ts';
import { NoFitError } from './errors.ts';
import { isQuestion, type AnswerEntry, type Journal, type Kind } from './journal.ts';
import { corrected, maxAgain, type Question } from './question.ts';

/** A run for a legacy caller: questions are requests of their own, and answered in place. */
export class DirectAttempt extends Attempt {
  protected readonly parked = false;
  readonly #asker: Asker;

  constructor(
    context: CallContext,
    journal: Journal,
    responses: Readonly<Record<string, unknown>>,
    logger: Logger,
    asker: Asker,
  ) {
    super(context, journal, responses, logger);
    this.#asker = asker;
  }

  protected park(): Promise<never> {
    return new Promise<never>(() => undefined);
  }

  protected begin(): void {}
  protected end(): void {}

  protected async put<Value>(key: string, kind: Exclude<Kind, 'step'>, question: Question<Value>): Promise<Value> {
    const { request } = question;
    // There is one when the handler runs again by itself, see `inputRequired`.
    const entry = this.journal.claim(key, kind) as AnswerEntry | undefined;
    if (entry !== undefined && (await isQuestion(entry.question, request))) {
      const taken = await question.take(structuredClone(entry.answer));
      if (taken.again === undefined) return taken.value;
    }
    let again: string | undefined;
    for (let times = 1; ; times++) {
      const reply = await this.#asker.ask(corrected(request, again));
      if (reply.error !== undefined) {
        if (question.refused === undefined) throw rpcError(reply.error);
        return question.refused(reply.error);
      }
      const taken = await question.take(structuredClone(reply.result));
      if (taken.again === undefined) {
        this.journal.log.set(key, { kind, answer: reply.result, question: { text: canonical(request) } });
        return taken.value;
      }
      again = taken.again;
      if (times > maxAgain) throw new NoFitError(key, again, times);
    }
  }
}

/** Sends questions to one legacy caller. */
export class Asker {
  readonly #exchange: Exchange;
  readonly #clock: Clock;
  readonly #timeoutMs: number;

  constructor(exchange: Exchange, clock: Clock, timeoutMs: number) {
    this.#exchange = exchange;
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * @throws RequestTimeoutError when there is no answer in time; what the exchange was cancelled for; CapabilityError
   */
  ask(request: InputRequest): Promise<Reply> {
    const { ask, cancel: ended } = this.#exchange;
    const { method } = request;
    const params = this.#params(request);
    if (ask === undefined) throw new CannotAskError('elicit', 'there is no way to ask');
    const cancel = new Cancel();
    return new Promise<Reply>((resolve, reject) => {
      // Whoever carries the question may take its time to notice.
      cancel.onCancel(reject);
      ended.onCancel((reason) => cancel.cancel(reason));
      if (cancel.cancelled) return;
      const timer = this.#clock.after(this.#timeoutMs, () =>
        cancel.cancel(new RequestTimeoutError(this.#timeoutMs, method)),
      );
      const done = (): void => {
        timer.cancel();
        cancel.done();
      };
      ask.call(this.#exchange, { method, params }, { cancel }).then(resolve, reject).finally(done);
    });
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
