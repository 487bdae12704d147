import type { Clock, Timer } from '../../base/clock.ts';
import { InvalidResponseError } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import { isSuspended, Suspended } from '../../base/suspended.ts';
import type { InputRequest } from '../../model/inputs.ts';
import type { CallContext } from '../call-context.ts';
import { Attempt } from './attempt.ts';
import { canonical } from './digest.ts';
import { isQuestion, type AnswerEntry, type Journal, type Kind } from './journal.ts';
import { corrected, type Question, type Taken } from './question.ts';

/** How long a handler may take to unwind after a suspension. */
const unwindMs = 1_000;
/** After which time it is said that questions wait for steps. */
const patienceMs = 10_000;

interface Pending {
  readonly request: InputRequest;
  /** What was wrong with the answer before. */
  readonly again: string | undefined;
  readonly bound: boolean;
  reject(error: Suspended): void;
}

/** How a suspended run ended: how its handler settled, or that it went on, or did not end. */
export type Unwound =
  | { readonly value: unknown }
  | { readonly thrown: unknown }
  | { readonly parked: string }
  | { readonly late: true };

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
  readonly #pending = new Map<string, Pending>();
  readonly #running = new Set<string>();
  #over: ((unwound: Unwound) => void) | undefined;
  #turn = 0;
  #cut: { readonly reason: Suspended; readonly refused: boolean } | undefined;
  #timer: Timer | undefined;

  /** @param over called once, when a suspended run has ended as far as anybody waits for it */
  constructor(
    context: CallContext,
    journal: Journal,
    responses: Readonly<Record<string, unknown>>,
    logger: Logger,
    clock: Clock,
    over: (unwound: Unwound) => void,
  ) {
    super(context, journal, responses, logger);
    this.#clock = clock;
    this.#over = over;
  }

  /** Why the handler was made to unwind; undefined while it was not. */
  get suspended(): Suspended | undefined {
    return this.#cut?.reason;
  }

  /** An answer came that is no answer: the request is refused. */
  get refused(): boolean {
    return this.#cut?.refused === true;
  }

  /** The questions of the round, as their handler put them. */
  get questions(): readonly (readonly [string, InputRequest])[] {
    return [...this.#pending].map(([key, { request }]) => [key, request]);
  }

  /** The same, as they are sent: with what was wrong with the answers before. */
  get sent(): readonly (readonly [string, InputRequest])[] {
    return [...this.#pending].map(([key, { request, again }]) => [key, corrected(request, again)]);
  }

  /** Whether some of them take an answer only with a state. */
  get bound(): boolean {
    return [...this.#pending.values()].some(({ bound }) => bound);
  }

  protected get parked(): boolean {
    return this.#cut !== undefined;
  }

  protected park(): Promise<never> {
    this.#unwound({ parked: 'the handler went on after a suspension and asked again' });
    // One for each: a shared one would keep all that ever waited for it.
    return new Promise<never>(() => undefined);
  }

  protected begin(key: string): void {
    this.#running.add(key);
  }

  protected end(key: string): void {
    this.#running.delete(key);
    this.#arm();
  }

  /** The handler has settled: true if it had been suspended before, and what it came to is known by now. */
  settled(unwound: Unwound): boolean {
    if (this.#cut === undefined) {
      this.#over = undefined;
      this.#timer?.cancel();
      return false;
    }
    this.#unwound(unwound);
    return true;
  }

  protected async put<Value>(key: string, kind: Exclude<Kind, 'step'>, question: Question<Value>): Promise<Value> {
    const entry = this.journal.claim(key, kind) as AnswerEntry | undefined;
    this.begin(key);
    let taken: Taken<Value> | undefined;
    try {
      taken = await this.#taken(key, kind, entry, question);
    } catch (error) {
      if (!(error instanceof InvalidResponseError)) throw error;
      this.logger.warn(`the answer to "${key}" was no answer`, error);
      this.#doCut(new Suspended([key]), true);
    } finally {
      this.end(key);
    }
    if (this.#cut !== undefined) throw this.#cut.reason;
    if (taken !== undefined && taken.again === undefined) return taken.value;
    return new Promise<Value>((_, reject) => {
      const { request, bound } = question;
      this.#pending.set(key, { request, again: taken?.again, bound, reject });
      this.#arm();
    });
  }

  /** What is known of an answer; undefined when there is none to this question. */
  async #taken<Value>(
    key: string,
    kind: Exclude<Kind, 'step'>,
    entry: AnswerEntry | undefined,
    question: Question<Value>,
  ): Promise<Taken<Value> | undefined> {
    const answer = entry?.answer ?? (Object.hasOwn(this.responses, key) ? this.responses[key] : undefined);
    const asked = this.journal.asked.get(key);
    const bound = question.bound || this.context.work.once === true;
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

  #arm(): void {
    if (this.#cut !== undefined || this.#pending.size === 0) return;
    if (this.#running.size > 0) return this.#beImpatient();
    const turn = ++this.#turn;
    void this.#clock.turn().then(() => {
      if (turn === this.#turn && this.#running.size === 0) this.#doCut(new Suspended([...this.#pending.keys()]), false);
    });
  }

  /** A question within a step waits for the step, which waits for the question: nobody else can notice. */
  #beImpatient(): void {
    this.#timer ??= this.#clock.after(patienceMs, () => {
      const [questions, steps] = [[...this.#pending.keys()].join(', '), [...this.#running].join(', ')];
      this.logger.warn(
        `${this.context.work.name}: questions (${questions}) wait for steps to end (${steps}); ask nothing within a step`,
      );
    });
  }

  #doCut(reason: Suspended, refused: boolean): void {
    if (this.#cut !== undefined || this.#over === undefined) return;
    this.#cut = { reason, refused };
    this.context.finish();
    this.#timer?.cancel();
    this.#timer = this.#clock.after(unwindMs, () => this.#unwound({ late: true }));
    for (const { reject } of this.#pending.values()) reject(reason);
  }

  #unwound(unwound: Unwound): void {
    const over = this.#over;
    this.#over = undefined;
    this.#timer?.cancel();
    if (over === undefined) return;
    const oddity = oddityOf(unwound);
    if (oddity !== undefined) this.logger.warn(`${this.context.work.name}: ${oddity}`, [...this.#pending.keys()]);
    over(unwound);
  }
}

const advice = 'code that catches errors has to let a suspension pass (isSuspended)';

/** What the author should know of the way a suspended run ended. */
function oddityOf(unwound: Unwound): string | undefined {
  if ('parked' in unwound) return `${unwound.parked}, so it is held there; ${advice}`;
  if ('late' in unwound) return `the handler still runs ${unwindMs} ms after its suspension`;
  if ('value' in unwound) return `the handler returned after a suspension, what it returned is dropped; ${advice}`;
  return isOfSuspension(unwound.thrown)
    ? undefined
    : 'the handler failed after a suspension, the error is dropped; if it stands for the suspension, give that as its cause';
}

function isOfSuspension(thrown: unknown): boolean {
  let error = thrown;
  for (let depth = 0; depth < 10 && typeof error === 'object' && error !== null; depth++) {
    if (isSuspended(error)) return true;
    error = (error as { cause?: unknown }).cause;
  }
  return false;
}
