import { AbortError, McpError } from '../base/errors.ts';

/** The error for a request that was given up, from the reason: an error of the library says itself what it is. */
export function aborted(reason: unknown, outcome: 'not-sent' | 'unknown'): McpError {
  return McpError.is(reason) ? reason : new AbortError(reason, { outcome });
}
