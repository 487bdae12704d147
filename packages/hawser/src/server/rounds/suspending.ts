import type { Clock, Timer } from '../../base/clock.ts';
import { InvalidResponseError } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import { Suspended } from '../../base/suspended.ts';
import { cannotAsk, CannotAskError } from './questions/abilities.ts';
import { Attempt, tooLate, type QuestionKind } from './attempt.ts';
import { canonical } from './state/digest.ts';
import { neededOf, needsInput, type InputRequired } from './input-required.ts';
import { isQuestion, type AnswerEntry, type Journal } from './state/journal.ts';
import { oddityOf } from './oddities.ts';
import type { Question, Taken } from './questions/question.ts';
import { Round } from './round.ts';
import { badResponses, type States } from './state/states.ts';
import type { Ran, Run, Settled } from './work.ts';

/** How long a handler may take to unwind after a suspension. */
const unwindMs = 1_000;
/** How long questions wait for steps before something is done about it. */
const patienceMs = 10_000;

/**
 * A run for a modern caller: a question without an answer suspends it.
 *
 * The cut comes when no step is running and a turn of the event loop has passed since the last question or step: all
 * questions until then make one round. Each of them rejects with the same {@link Suspended}, so that the handler
 * unwinds. Rejecting at once would lose questions put side by side; never settling would leak what `finally` gives
 * back. Code that swallows the rejection and goes on is held at its next question or step, which never settles.
 */
export class SuspendingAttempt extends Attempt {
  readonly #clock: Clock;
  readonly #states: States;
  /**
   * `refusing`: an answer was no answer, and the cut comes as soon as nothing runs. `over`: the handler has settled, or
   * what it does makes no difference any more.
   */
  #at: 'open' | 'refusing' | 'cut' | 'over' = 'open';
  readonly #round = new Round();
  /** What has to end before the cut; true once the function of a step was called. */
  readonly #running = new Map<string, boolean>();
  #turn = 0;
  #timer: Timer | undefined;
  #warned = false;
  /** What made the handler unwind. */
  #suspended: Suspended | undefined;
  /** The question whose answer was none. */
  #refused: string | undefined;
  #followed = false;
  #cancelled: { readonly reason: unknown } | undefined;

  constructor(
    run: Run,
    journal: Journal,
    responses: Readonly<Record<string, unknown>>,
    logger: Logger,
    clock: Clock,
    states: States,
  ) {
    super(run, journal, responses, logger);
    this.#clock = clock;
    this.#states = states;
  }

  protected override held(): Promise<never> | undefined {
    if (this.#at === 'refusing') return this.#round.hold();
    if (this.#suspended === undefined) return undefined;
    this.#unwound('the handler went on after a suspension and asked again, so it is held there');
    // One for each: a shared one would keep all that ever waited for it.
    return new Promise<never>(() => undefined);
  }

  protected override begin(key: string): void {
    this.#running.set(key, false);
  }

  protected override called(key: string): void {
    this.#running.set(key, true);
  }

  protected override end(key: string): void {
    this.#running.delete(key);
    this.#arm();
  }

  settled(settled: Settled): void {
    if (this.#at === 'refusing') {
      this.#doCut();
      return this.#unwound();
    }
    if (this.#suspended !== undefined) return this.#unwound(oddityOf(settled));
    this.#at = 'over';
    this.#timer?.cancel();
    this.run.finish();
    if (needsInput(settled)) return this.#needs(settled.value);
    if (this.#round.size > 0)
      this.logger.warn(`${this.run.work.name}: questions whose answers nobody waited for`, this.#round.keys);
    const ran = this.#ranOf(settled);
    if (!('reply' in ran)) this.remark(settled);
    this.run.end(ran);
  }

  /** A handler may leave it to us to say that the caller cannot be asked. */
  #ranOf(settled: Settled): Ran {
    return 'thrown' in settled && settled.thrown instanceof CannotAskError
      ? { reply: cannotAsk(settled.thrown), undone: !this.stepped }
      : settled;
  }

  #needs(required: InputRequired): void {
    try {
      const { questions, state } = neededOf(required, this.run.exchange);
      this.#endWith(this.#states.inputRequired(this.run, this.journal, questions, { state, bound: false }));
    } catch (thrown) {
      this.run.end(this.#ranOf({ thrown }));
    }
  }

  protected async put<Value>(key: string, kind: QuestionKind, question: Question<Value>): Promise<Value> {
    const entry = this.journal.claim(key, kind) as AnswerEntry | undefined;
    this.begin(key);
    let taken: Taken<Value> | undefined;
    try {
      taken = await this.#taken(key, kind, entry, question);
    } catch (error) {
      if (!(error instanceof InvalidResponseError)) throw error;
      this.logger.warn(`the answer to "${key}" was no answer`, error);
      this.#refuse(key);
    } finally {
      this.end(key);
    }
    const held = this.held();
    if (held !== undefined) return held;
    if (taken !== undefined && taken.again === undefined) return taken.value;
    return this.#ask(key, question, taken?.again);
  }

  #ask(key: string, { request, bound }: Question, again: string | undefined): Promise<never> {
    return new Promise<never>((_, reject) => {
      if (this.run.over) return reject(tooLate());
      this.#follow();
      if (this.#cancelled !== undefined) return reject(this.#cancelled.reason);
      const steps = [...this.#running].filter(([, called]) => called).map(([step]) => step);
      this.#round.add(key, { request, again, bound, since: this.#clock.now(), steps, reject });
      this.#arm();
    });
  }

  /** What is known of an answer; undefined when there is none to this question. */
  async #taken<Value>(
    key: string,
    kind: QuestionKind,
    entry: AnswerEntry | undefined,
    question: Question<Value>,
  ): Promise<Taken<Value> | undefined> {
    const answer = entry?.answer ?? (Object.hasOwn(this.responses, key) ? this.responses[key] : undefined);
    const asked = this.journal.asked.get(key);
    const bound = question.bound || this.run.work.once === true;
    if (answer === undefined || (bound && entry === undefined && asked === undefined)) return undefined;
    const put = entry?.question ?? (asked === undefined ? undefined : { digest: asked });
    if (put !== undefined && !(await isQuestion(put, question.request))) {
      this.journal.changed(key);
      return undefined;
    }
    // A copy: what the handler does to it must not get into the next round.
    const taken = await question.take(structuredClone(answer));
    if (taken.again !== undefined) {
      this.logger.debug(`the answer to "${key}" does not fit`, taken.again);
      this.journal.unfit(key, taken.again);
    } else if (entry === undefined)
      this.journal.log.set(key, { kind, answer, question: { text: canonical(question.request) } });
    return taken;
  }

  #refuse(key: string): void {
    if (this.#at !== 'open') return;
    this.#at = 'refusing';
    this.#refused = key;
    this.#follow();
  }

  /** Nobody waits for the answers of a caller that gave up. */
  #follow(): void {
    if (this.#followed) return;
    this.#followed = true;
    this.run.cancel.onCancel((reason) => {
      if (this.#at !== 'open' && this.#at !== 'refusing') return;
      this.#cancelled = { reason };
      this.#timer?.cancel();
      this.#round.dissolve(reason);
    });
  }

  get #due(): boolean {
    return this.#at === 'refusing' || (this.#at === 'open' && this.#round.size > 0);
  }

  #arm(): void {
    if (!this.#due) return;
    if (this.#running.size > 0) return this.#bePatient();
    const turn = ++this.#turn;
    void this.#clock.turn().then(() => {
      if (turn === this.#turn && this.#running.size === 0 && this.#due) this.#doCut();
    });
  }

  #bePatient(): void {
    this.#timer ??= this.#clock.after(patienceMs, () => {
      this.#timer = undefined;
      if (!this.#due || this.#running.size === 0) return;
      this.#unravel();
      this.#bePatient();
    });
  }

  /** Questions wait for steps: for good if they were asked in one of them. */
  #unravel(): void {
    this.#round.unravel(this.#clock.now() - patienceMs, (step) => this.#running.has(step));
    if (this.#warned || this.#round.size === 0) return;
    this.#warned = true;
    const [questions, steps] = [this.#round.keys.join(', '), [...this.#running.keys()].join(', ')];
    this.logger.warn(`${this.run.work.name}: questions (${questions}) wait for steps to end (${steps})`);
  }

  #doCut(): void {
    this.#at = 'cut';
    const suspended = new Suspended(this.#refused === undefined ? this.#round.keys : [this.#refused]);
    this.#suspended = suspended;
    this.run.finish();
    this.#timer?.cancel();
    this.#timer = this.#clock.after(unwindMs, () =>
      this.#unwound(`the handler still runs ${unwindMs} ms after its suspension`),
    );
    this.#round.rejectAll(suspended);
  }

  /** The suspended run has ended, as far as anybody waits for it. */
  #unwound(oddity?: string): void {
    if (this.#at !== 'cut') return;
    this.#at = 'over';
    this.#timer?.cancel();
    if (oddity !== undefined) this.logger.warn(`${this.run.work.name}: ${oddity}`, this.#round.keys);
    if (this.#refused !== undefined) return this.#endWith({ reply: badResponses, undone: !this.stepped });
    const { questions, sent, bound } = this.#round;
    this.#endWith(this.#states.inputRequired(this.run, this.journal, questions, { sent, bound }));
  }

  /** Gives the reply, then tells a handler that still runs to stop. */
  #endWith(ending: Ran | Promise<Ran>): void {
    void Promise.resolve(ending)
      .then(
        (ran) => this.run.end(ran),
        (thrown: unknown) => this.run.end({ thrown }),
      )
      .then(() => this.run.cancel.cancel(this.#suspended ?? tooLate()));
  }
}
