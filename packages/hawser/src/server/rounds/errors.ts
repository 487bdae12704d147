/** What asking and remembering can fail with. */
import { McpError, type ErrorDetails } from '../../base/errors.ts';

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

/**
 * A person was asked several times, and no content fitted the schema of the question. Uncaught, the call ends with that
 * as the tool's failure.
 */
export class NoFitError extends McpError {
  /** Of the question. */
  readonly key: string;
  /** What was wrong with the last content. */
  readonly reason: string;

  constructor(key: string, reason: string, times: number) {
    super('no_fit', `${times} answers to the question "${key}" did not fit, the last one: ${reason}`, {
      origin: 'peer',
    });
    this.key = key;
    this.reason = reason;
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

/** A question waits for its answer within a step, which a suspension has to wait for. */
export function nested(key: string, step: string): ReplayError {
  const problem = `"${key}" is asked within the step "${step}": ask first, then use the answer in the step`;
  return new ReplayError('nested', problem);
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
