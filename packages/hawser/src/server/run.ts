/**
 * The one way in which handlers of tools, resources and prompts are run.
 *
 * Most handlers never ask: a run (`handler-run`) and a context are made, the handler settles, done.
 *
 * The walk of a round, for one that asks:
 *
 * 1. `run`: a modern request of a later round has its state opened (`rounds/state`). One that does not verify is answered
 *    at once. A tool that says `once` has the round claimed first (`rounds/once`).
 * 2. `start`: the handler is called with its context. Its first question or step makes an attempt (`begin`):
 *    `rounds/suspending` for modern callers, `rounds/direct` for legacy ones. What both have in common, the steps above
 *    all, is in `rounds/attempt`.
 * 3. A question is made and checked for its caller (`rounds/questions`). The attempt looks for its answer in the journal
 *    (`rounds/state/journal`) and in what came with the request. Without one a legacy caller is sent a request
 *    (`rounds/asker`); a modern run is suspended with all that is asked until the cut (`rounds/round`).
 * 4. The handler settles, and the attempt says what the run came to: the handler's value or error; the round trip, with
 *    a new state; that the caller cannot be asked. `rounds/input-required`, the low level, is dealt with here too.
 *
 * `rounds/work` has the words for all of it, `rounds/author-types` those of authors.
 */
import { systemClock, type Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { Implementation } from '../model/types.ts';
import type { Call, Exchange, Kv, Validator } from '../ports/index.ts';
import { wireOf } from '../wire/index.ts';
import { CallContext } from './call-context.ts';
import type { Context } from './context.ts';
import { HandlerRun, type Handler, type RunParts } from './handler-run.ts';
import type { LogLevels } from './log-levels.ts';
import { Asker } from './rounds/asker.ts';
import type { Attempt } from './rounds/attempt.ts';
import { DirectAttempt } from './rounds/direct.ts';
import { needsInput } from './rounds/input-required.ts';
import { Journal, type Carried } from './rounds/state/journal.ts';
import { MemoryKv } from './rounds/once/memory-kv.ts';
import { mute } from './rounds/mute.ts';
import { Once, roundOwner } from './rounds/once/once.ts';
import { QuestionMaker } from './rounds/questions/question-maker.ts';
import { States } from './rounds/state/states.ts';
import { SuspendingAttempt } from './rounds/suspending.ts';
import type { Ran, Settled, Work } from './rounds/work.ts';
import type { Sessions } from './session.ts';

export type { Ran } from './rounds/work.ts';

/** What a runner is made of. */
interface RunnerParts {
  readonly info: Implementation;
  readonly logger: Logger;
  readonly validator: Validator;
  readonly levels: LogLevels;
  readonly sessions: Sessions;
  readonly clock?: Clock | undefined;
  readonly stateKeys?: readonly (string | Uint8Array)[] | undefined;
  readonly stateTtlMs?: number | undefined;
  readonly askTimeoutMs?: number | undefined;
  readonly store?: Kv | undefined;
}

const defaultTtlMs = 600_000;

/** Runs the handlers of tools, resources and prompts: the one way for all of them. */
export class Runner implements RunParts {
  readonly levels: LogLevels;
  readonly sessions: Sessions;
  readonly logger: Logger;
  readonly questions: QuestionMaker;
  readonly #clock: Clock;
  readonly #askTimeoutMs: number;
  readonly #states: States;
  readonly #once: Once;

  /** @throws ArgumentError when the keys are unusable */
  constructor({ info, logger, validator, levels, sessions, ...options }: RunnerParts) {
    const { clock = systemClock, stateKeys, stateTtlMs = defaultTtlMs, askTimeoutMs = defaultTtlMs } = options;
    const { store = new MemoryKv(clock, { ownerOf: roundOwner }) } = options;
    this.levels = levels;
    this.sessions = sessions;
    this.logger = logger;
    this.questions = new QuestionMaker(validator, logger);
    this.#clock = clock;
    this.#askTimeoutMs = askTimeoutMs;
    this.#states = new States(info, logger, clock, stateKeys, stateTtlMs);
    this.#once = new Once(store, clock, logger, stateTtlMs);
  }

  /** Runs a handler. Rejects only for what is the fault of neither handler nor caller, such as a store that fails. */
  run(call: Call, exchange: Exchange, work: Work, handler: Handler): Promise<Ran> {
    const { params } = call;
    const resumes = params?.['requestState'] !== undefined || params?.['inputResponses'] !== undefined;
    if (resumes && asksByResult(exchange)) return this.#resume(call, exchange, work, handler);
    return this.#start(new HandlerRun(call, exchange, work, handler, this));
  }

  /**
   * Has handlers run that may not ask, one after the other, in one context: `ctx.elicit` and the like reject with a
   * CapabilityError, and answers that came with the request are not for them.
   */
  async runMute<Value>(
    call: Call,
    exchange: Exchange,
    name: string,
    use: (ctx: Context) => Promise<Value>,
  ): Promise<Value> {
    const run = new HandlerRun(call, exchange, { name, args: {} }, use, this);
    run.mute = mute;
    try {
      return await use(new CallContext(run));
    } finally {
      run.finish();
    }
  }

  async #resume(call: Call, exchange: Exchange, work: Work, handler: Handler): Promise<Ran> {
    const { caller, cancel } = exchange;
    const resumed = await this.#states.open(call, caller, work);
    if ('reply' in resumed) return resumed;
    const { carried, responses } = resumed;
    const run = new HandlerRun(call, exchange, work, handler, this);
    run.attempt = this.#suspending(run, carried, responses);
    if (carried === undefined || work.once !== true) return this.#start(run);
    run.claimed = true;
    return this.#once.run(carried, caller, cancel, () => this.#start(run));
  }

  #start(run: HandlerRun): Promise<Ran> {
    let settled: Settled;
    try {
      const returned = run.handler(new CallContext(run));
      if (isThenable(returned)) return this.#await(run, returned);
      settled = { value: returned };
    } catch (thrown) {
      settled = { thrown };
    }
    return new Promise((resolve) => {
      run.end = resolve;
      this.#settled(run, settled);
    });
  }

  #await(run: HandlerRun, returned: PromiseLike<unknown>): Promise<Ran> {
    return new Promise((resolve) => {
      run.end = resolve;
      returned.then(
        (value) => this.#settled(run, { value }),
        (thrown: unknown) => this.#settled(run, { thrown }),
      );
    });
  }

  #settled(run: HandlerRun, settled: Settled): void {
    const attempt = needsInput(settled) ? (run.attempt ??= this.begin(run)) : run.attempt;
    if (attempt !== undefined) return attempt.settled(settled);
    run.finish();
    run.end(settled);
  }

  begin(run: HandlerRun): Attempt {
    if (asksByResult(run.exchange)) return this.#suspending(run, undefined, {});
    return this.#direct(run, new Journal(this.#clock.uuid()), {});
  }

  again(run: HandlerRun, journal: Journal, responses: Readonly<Record<string, unknown>>): Promise<Ran> {
    run.attempt = this.#direct(run, journal, responses);
    return this.#start(run);
  }

  #suspending(run: HandlerRun, carried: Carried | undefined, responses: Readonly<Record<string, unknown>>): Attempt {
    const journal = new Journal(carried === undefined ? this.#clock.uuid() : '', carried);
    return new SuspendingAttempt(run, journal, responses, this.logger, this.#clock, this.#states);
  }

  #direct(run: HandlerRun, journal: Journal, responses: Readonly<Record<string, unknown>>): Attempt {
    const makeAsker = (): Asker => new Asker(run.exchange, this.#clock, this.#askTimeoutMs);
    return new DirectAttempt(run, journal, responses, this.logger, makeAsker);
  }
}

/** Whether questions end a request and come back with the next, or are requests of their own. */
function asksByResult({ caller }: Exchange): boolean {
  return wireOf(caller.revision).facts.asks === 'result';
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    ((typeof value === 'object' && value !== null) || typeof value === 'function') &&
    typeof (value as { then?: unknown }).then === 'function'
  );
}
