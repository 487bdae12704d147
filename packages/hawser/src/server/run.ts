import { systemClock, type Clock } from '../base/clock.ts';
import { ArgumentError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import type { Logger } from '../base/logger.ts';
import type { Implementation } from '../model/types.ts';
import type { Call, Exchange, Kv, Reply, Validator } from '../ports/index.ts';
import { CallContext, type Context, type ContextParts } from './context.ts';
import type { LogLevels } from './log-levels.ts';
import type { Asking } from './rounds/asking.ts';
import { Questions } from './rounds/questions.ts';

/**
 * What running a handler came to: its value, what it threw, or a reply that is final already (input_required, a state
 * that does not verify, a capability the caller lacks).
 */
export type Ran = { readonly value: unknown } | { readonly thrown: unknown } | { readonly reply: Reply };

/** What is run. */
export interface Work {
  /** Of the tool or prompt, or the URI of the resource. */
  readonly name: string;
  /** As they came, before a schema changed them. */
  readonly args: JsonObject;
  /** A state is only good for the version that wrote it. */
  readonly version?: string | undefined;
  /** A round is run once, however often it is sent. */
  readonly once?: boolean | undefined;
}

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

/** Runs the handlers of tools, resources and prompts: the one way for all of them. */
export class Runner implements ContextParts {
  readonly levels: LogLevels;
  readonly logger: Logger;
  readonly questions: Questions;
  readonly #clock: Clock;

  constructor({ levels, logger, clock }: RunnerParts) {
    this.levels = levels;
    this.logger = logger;
    this.#clock = clock ?? systemClock;
    this.questions = new Questions();
  }

  /** Runs a handler; never rejects. */
  run(call: Call, exchange: Exchange, _work: Work, handler: (ctx: Context) => unknown): Promise<Ran> {
    const context = new CallContext(call, exchange, this);
    return new Promise((resolve) => {
      const settle = (ran: Ran): void => {
        context.finish();
        resolve(ran);
      };
      let returned: unknown;
      try {
        returned = handler(context);
      } catch (thrown) {
        settle({ thrown });
        return;
      }
      if (isThenable(returned))
        returned.then(
          (value) => settle({ value }),
          (thrown: unknown) => settle({ thrown }),
        );
      else settle({ value: returned });
    });
  }

  begin(_context: CallContext): Asking {
    throw new ArgumentError(`not built at ${this.#clock.now()}`);
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    ((typeof value === 'object' && value !== null) || typeof value === 'function') &&
    typeof (value as { then?: unknown }).then === 'function'
  );
}
