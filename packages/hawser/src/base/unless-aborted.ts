import { AbortError, McpError } from './errors.ts';

/** What waiting ends with when it is given up, before anything was sent: the library's own error, or an AbortError. */
export function abortError(reason: unknown): McpError {
  return McpError.is(reason) ? reason : new AbortError(reason, { outcome: 'not-sent' });
}

/** Waits unless the caller gives up; the work goes on, for others who wait for the same. */
export function unlessAborted<T>(waited: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return waited;
  return new Promise((resolve, reject) => {
    const listener = (): void => reject(abortError(signal.reason));
    if (signal.aborted) listener();
    else signal.addEventListener('abort', listener, { once: true });
    waited.then(resolve, reject).finally(() => signal.removeEventListener('abort', listener));
  });
}
