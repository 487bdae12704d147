import { ArgumentError } from '../base/errors.ts';

/** The error for a call that cannot be written as JSON: its arguments hold a cycle or a BigInt. */
export function unwritable(method: string, cause: unknown): ArgumentError {
  return new ArgumentError(`${method}: the arguments cannot be written as JSON`, { outcome: 'not-sent', cause });
}
