import { isObject } from '../base/json.ts';
import type { Logger } from '../base/logger.ts';
import { McpError } from '../base/errors.ts';
import { ReplayError } from './rounds/errors.ts';

/** Errors that nobody throws on purpose to tell a model something. */
const mistakes: ReadonlySet<unknown> = new Set(['TypeError', 'ReferenceError', 'RangeError', 'SyntaxError']);

/** A tool failed: its message goes to the model, and here is where its stack can be found. */
export function logFailure(logger: Logger, what: string, thrown: unknown): void {
  const level = isMistake(thrown) ? 'error' : 'debug';
  logger[level](`${what} failed`, thrown);
}

/** Whether it is the code that is wrong, so that its author should know: also when it misuses the library. */
function isMistake(thrown: unknown): boolean {
  if (McpError.is(thrown)) return thrown instanceof ReplayError || thrown.code === 'bad_argument';
  return isObject(thrown) && mistakes.has(thrown['name']);
}
