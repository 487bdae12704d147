/** What asking and remembering can fail with, and the one thing that is no failure: a suspension. */
import { McpError, type ErrorDetails } from '../../base/errors.ts';

const brand = Symbol.for('hawser.Suspended');

/**
 * Unwinds a handler whose questions have gone to the caller. Not a failure: the handler runs again when the answers
 * are there. Private to the library; users know it by {@link isSuspended}.
 */
export class Suspended extends Error {
  constructor(keys: readonly string[]) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(
      `not a failure: the call is suspended until the caller answers ${keys.join(', ')}; let it pass (isSuspended(error))`,
    );
    Error.stackTraceLimit = stackTraceLimit;
    this.name = 'Suspended';
  }

  get [brand](): true {
    return true;
  }
}

/**
 * Whether a `catch` block met a suspension instead of a failure: roll back as for a failure, and throw it on. True
 * across copies of the package.
 *
 * ```ts
 * try { … await ctx.elicit(…) … }
 * catch (error) { await rollBack(); if (isSuspended(error)) throw error; return 'it failed' }
 * ```
 */
export function isSuspended(error: unknown): boolean {
  return typeof error === 'object' && error !== null && (error as Record<symbol, unknown>)[brand] === true;
}

/** The person said no, or went away without an answer. Uncaught, the call ends with that as the tool's failure. */
export class DeclinedError extends McpError {
  /** Of the question. */
  readonly key: string;
  readonly action: 'decline' | 'cancel';

  constructor(key: string, action: 'decline' | 'cancel') {
    super('declined', `the question "${key}" was ${action === 'decline' ? 'declined' : 'cancelled'}`, {
      origin: 'peer',
    });
    this.key = key;
    this.action = action;
  }
}

/** What a handler does wrong with keys, steps and state. */
export type ReplayErrorCode =
  | 'bad_key'
  | 'duplicate_key'
  | 'nested'
  | 'not_json'
  | 'replay_conflict'
  | 'state_too_large'
  | 'step_too_large';

/** A handler that cannot be run again the way it is written: a key twice, another question, values that are no JSON. */
export class ReplayError extends McpError {
  declare readonly code: ReplayErrorCode;

  constructor(code: ReplayErrorCode, message: string, details: ErrorDetails = {}) {
    super(code, message, details);
  }
}

/** What is kept of a failure of a step. */
export interface RecordedFailure {
  readonly name: string;
  readonly message: string;
  readonly code?: string | number | undefined;
}

/** A step failed, in this round or an earlier one: a step runs once, and its failure is remembered like its value. */
export class StepError extends McpError {
  /** Of the step. */
  readonly key: string;
  /** `name`, `message` and `code` of the error; all that outlives a round. */
  readonly failure: RecordedFailure;

  constructor(key: string, failure: RecordedFailure) {
    super('step_failed', failure.message, { cause: failure });
    this.key = key;
    this.failure = failure;
  }
}
