import { systemClock, type Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import { errorCodes } from '../model/meta.ts';
import type { Implementation } from '../model/types.ts';
import type { Call, Exchange, Kv, Reply, Validator } from '../ports/index.ts';
import { wireOf } from '../wire/index.ts';
import { CallContext, type ContextParts } from './call-context.ts';
import type { Context } from './context.ts';
import type { LogLevels } from './log-levels.ts';
import { CannotAskError } from './rounds/abilities.ts';
import { Asker, DirectAttempt } from './rounds/asking-directly.ts';
import type { Attempt } from './rounds/attempt.ts';
import { InputRequired } from './rounds/input-required.ts';
import { Journal, type Carried } from './rounds/journal.ts';
import { askDirectly, neededOf, type Needed } from './rounds/low-level.ts';
import { MemoryKv } from './rounds/memory-kv.ts';
import { Once } from './rounds/once.ts';
import { Questions } from './rounds/questions.ts';
import type { Ran, Settled } from './rounds/ran.ts';
import { badResponses, States } from './rounds/states.ts';
import { SuspendingAttempt } from './rounds/suspending.ts';
import type { Work } from './rounds/work.ts';

export type { Ran } from './rounds/ran.ts';
export type { Work } from './rounds/work.ts';

/** What a runner is made of. */
export interface RunnerParts {
  readonly info: Implementation;
  readonly logger: Logger;
  readonly validator: Validator;
  readonly levels: LogLevels;
  readonly clock?: Clock | undefined;
  readonly stateKeys?: readonly (string | Uint8Array)[] | undefined;
  readonly stateTtlMs?: number | undefined;
  readonly askTimeoutMs?: number | undefined;
  readonly store?: Kv | undefined;
}

type Handler = (ctx: Context) => unknown;

const defaultTtlMs = 600_000;

/** Runs the handlers of tools, resources and prompts: the one way for all of them. */
export class Runner implements ContextParts {
  readonly levels: LogLevels;
  readonly logger: Logger;
  readonly questions: Questions;
  readonly #clock: Clock;
  readonly #askTimeoutMs: number;
  readonly #states: States;
  readonly #once: Once;

  /** @throws ArgumentError when the keys are unusable */
  constructor({ info, logger, validator, levels, ...options }: RunnerParts) {
    const { clock = systemClock, stateKeys, stateTtlMs = defaultTtlMs, askTimeoutMs = defaultTtlMs, store } = options;
    this.levels = levels;
    this.logger = logger;
    this.questions = new Questions(validator, logger);
    this.#clock = clock;
    this.#askTimeoutMs = askTimeoutMs;
    this.#states = new States(info, logger, clock, stateKeys, stateTtlMs);
    this.#once = new Once(store ?? new MemoryKv(clock), clock, stateTtlMs);
  }

  /** Runs a handler. Rejects only for what is the fault of neither handler nor caller, such as a store that fails. */
  run(call: Call, exchange: Exchange, work: Work, handler: Handler): Promise<Ran> {
    const { params } = call;
    const resumes = params?.['requestState'] !== undefined || params?.['inputResponses'] !== undefined;
    if (resumes && wireOf(exchange.caller.revision).facts.asks === 'result')
      return this.#resume(call, exchange, work, handler);
    return this.#start(new CallContext(call, exchange, this, work), handler);
  }

  async #resume(call: Call, exchange: Exchange, work: Work, handler: Handler): Promise<Ran> {
    const resumed = await this.#states.open(call, exchange.caller, work);
    if ('reply' in resumed) return resumed;
    const { carried, responses } = resumed;
    const start = (): Promise<Ran> => {
      const context = new CallContext(call, exchange, this, work);
      context.asking = this.#suspending(context, carried, responses);
      return this.#start(context, handler);
    };
    return carried !== undefined && work.once === true ? this.#once.run(carried, exchange.cancel, start) : start();
  }

  /** Most handlers never ask: for them this is all there is. */
  #start(context: CallContext, handler: Handler): Promise<Ran> {
    let settled: Settled;
    try {
      const returned = handler(context);
      if (isThenable(returned)) return this.#await(context, handler, returned);
      settled = { value: returned };
    } catch (thrown) {
      settled = { thrown };
    }
    return new Promise((resolve) => {
      context.end = resolve;
      this.#settled(context, settled, handler);
    });
  }

  #await(context: CallContext, handler: Handler, returned: PromiseLike<unknown>): Promise<Ran> {
    return new Promise((resolve) => {
      context.end = resolve;
      returned.then(
        (value) => this.#settled(context, { value }, handler),
        (thrown: unknown) => this.#settled(context, { thrown }, handler),
      );
    });
  }

  /** Makes what asks and remembers for a run that has not asked before. */
  begin(context: CallContext): Attempt {
    const { exchange } = context;
    if (wireOf(exchange.caller.revision).facts.asks === 'result') return this.#suspending(context, undefined, {});
    return this.#direct(context, new Journal(this.#clock.uuid()), {});
  }

  #suspending(
    context: CallContext,
    carried: Carried | undefined,
    responses: Readonly<Record<string, unknown>>,
  ): SuspendingAttempt {
    const journal = new Journal(carried === undefined ? this.#clock.uuid() : '', carried);
    const attempt = new SuspendingAttempt(context, journal, responses, this.logger, this.#clock, () => {
      const reply = attempt.refused
        ? Promise.resolve(badResponses)
        : this.#states.inputRequired(context, journal, attempt.questions, {
            sent: attempt.sent,
            bound: attempt.bound,
          });
      this.#end(context, reply, attempt.suspended);
    });
    return attempt;
  }

  #direct(context: CallContext, journal: Journal, responses: Readonly<Record<string, unknown>>): DirectAttempt {
    const asker = new Asker(context.exchange, this.#clock, this.#askTimeoutMs);
    return new DirectAttempt(context, journal, responses, this.logger, asker);
  }

  #settled(context: CallContext, settled: Settled, handler: Handler): void {
    if (context.asked !== undefined || needsInput(settled)) return this.#settledAsking(context, settled, handler);
    context.finish();
    context.end(settled);
  }

  /** A handler that asked, remembered or needs something has settled. */
  #settledAsking(context: CallContext, settled: Settled, handler: Handler): void {
    const attempt = context.asking as Attempt;
    const suspending = attempt instanceof SuspendingAttempt;
    if (suspending && attempt.settled(settled)) return;
    context.finish();
    if (needsInput(settled)) return this.#needs(context, attempt, settled.value, handler);
    if ('thrown' in settled && settled.thrown instanceof CannotAskError && suspending)
      return context.end({ reply: refusal(settled.thrown) });
    this.#remark(context, attempt, settled);
    context.end(settled);
  }

  #needs(context: CallContext, attempt: Attempt, required: InputRequired, handler: Handler): void {
    let needed: Needed;
    try {
      needed = neededOf(required, context.exchange);
    } catch (thrown) {
      const modern = attempt instanceof SuspendingAttempt;
      return context.end(modern && thrown instanceof CannotAskError ? { reply: refusal(thrown) } : { thrown });
    }
    if (attempt instanceof SuspendingAttempt) {
      const { questions, state } = needed;
      const reply = this.#states.inputRequired(context, attempt.journal, questions, { state, bound: false });
      return this.#end(context, reply, undefined);
    }
    void this.#askAndRunAgain(context, attempt.journal, needed, handler).then(context.end);
  }

  async #askAndRunAgain(context: CallContext, journal: Journal, needed: Needed, handler: Handler): Promise<Ran> {
    try {
      const asker = new Asker(context.exchange, this.#clock, this.#askTimeoutMs);
      const answered = await askDirectly(needed, journal, asker);
      const another = context.again();
      another.asking = this.#direct(another, answered.journal, answered.responses);
      return await this.#start(another, handler);
    } catch (thrown) {
      return { thrown };
    }
  }

  /** Gives the reply, then tells a handler that still runs to stop. */
  #end(context: CallContext, replying: Promise<Reply>, reason: unknown): void {
    void replying
      .then(
        (reply) => context.end({ reply }),
        (thrown: unknown) => context.end({ thrown }),
      )
      .then(() => context.abort(reason));
  }

  /** What the author should know. */
  #remark(context: CallContext, attempt: Attempt, settled: Settled): void {
    const { name } = context.work;
    if (attempt instanceof SuspendingAttempt && attempt.questions.length > 0)
      this.logger.warn(`${name}: questions whose answers nobody waited for`, keysOf(attempt.questions));
    if ('value' in settled && attempt.journal.unused.length > 0)
      this.logger.warn(`${name}: known from an earlier round, not asked for in this one`, attempt.journal.unused);
  }
}

function keysOf(questions: readonly (readonly [string, unknown])[]): string[] {
  return questions.map(([key]) => key);
}

/** The caller cannot be asked for what the request needs (basic/index "Error codes"). */
function refusal({ message, requiredCapabilities }: CannotAskError): Reply {
  return {
    error: { code: errorCodes.missingClientCapability, message, data: { requiredCapabilities } },
    status: 400,
  };
}

function needsInput(settled: Settled): settled is { readonly value: InputRequired } {
  return 'value' in settled && settled.value instanceof InputRequired;
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    ((typeof value === 'object' && value !== null) || typeof value === 'function') &&
    typeof (value as { then?: unknown }).then === 'function'
  );
}
