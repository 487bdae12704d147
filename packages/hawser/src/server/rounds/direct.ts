import { McpError, rpcError } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { Asker } from './asker.ts';
import { Attempt, tooLate, type QuestionKind } from './attempt.ts';
import { canonical } from './state/digest.ts';
import { neededOf, needsInput, type InputRequired } from './input-required.ts';
import { isQuestion, Journal, type AnswerEntry } from './state/journal.ts';
import { corrected, type Question } from './questions/question.ts';
import type { Ran, Run, Settled } from './work.ts';

/** How often a handler may ask a legacy caller by what it returns. */
const maxDirectRounds = 10;

/** A run for a legacy caller: questions are requests of their own, and answered in place. */
export class DirectAttempt extends Attempt {
  readonly #makeAsker: () => Asker;
  #asker: Asker | undefined;

  constructor(
    run: Run,
    journal: Journal,
    responses: Readonly<Record<string, unknown>>,
    logger: Logger,
    makeAsker: () => Asker,
  ) {
    super(run, journal, responses, logger);
    this.#makeAsker = makeAsker;
  }

  settled(settled: Settled): void {
    this.run.finish();
    // What nobody waits for any more must not stand before a person.
    this.#asker?.end(tooLate());
    if (needsInput(settled)) return void this.#needs(settled.value).then((ran) => this.run.end(ran));
    this.remark(settled);
    this.run.end(settled);
  }

  protected async put<Value>(key: string, kind: QuestionKind, question: Question<Value>): Promise<Value> {
    const { request } = question;
    // There is one when the handler runs again by itself, see `inputRequired`.
    const entry = this.journal.claim(key, kind) as AnswerEntry | undefined;
    if (entry !== undefined && (await isQuestion(entry.question, request))) {
      const taken = await question.take(structuredClone(entry.answer));
      if (taken.again === undefined) return taken.value;
    }
    let again: string | undefined;
    for (;;) {
      if (this.run.over) throw tooLate();
      const reply = await (this.#asker ??= this.#makeAsker()).ask(corrected(request, again));
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
      this.journal.unfit(key, again);
    }
  }

  /** What the handler returned that it needs is asked for at once, and the handler runs again with the answers. */
  async #needs(required: InputRequired): Promise<Ran> {
    const { chain, round, log } = this.journal;
    const asker = this.#makeAsker();
    try {
      const { questions, state } = neededOf(required, this.run.exchange);
      if (round >= maxDirectRounds)
        throw new McpError('too_many_rounds', `the handler asked more than ${maxDirectRounds} times`);
      const answers = questions.map(async ([key, request]): Promise<[string, unknown]> => {
        const { result, error } = await asker.ask(request);
        if (error !== undefined) throw rpcError(error);
        return [key, result];
      });
      const responses = Object.fromEntries(await Promise.all(answers));
      const known = { chain, round: round + 1, log: [...log], asked: [], again: [] };
      const journal = new Journal(chain, { ...known, ...(state !== undefined && { state }) });
      return await this.run.again(journal, responses);
    } catch (thrown) {
      // One that failed is enough for all.
      asker.end(tooLate());
      return { thrown };
    }
  }
}
