import { AbortError, McpError, type Outcome } from './errors.ts';

/** The error for what was given up, from the reason: an error of the library says itself what it is. */
export function aborted(reason: unknown, outcome?: Outcome): McpError {
  return McpError.is(reason) ? reason : new AbortError(reason, outcome && { outcome });
}
