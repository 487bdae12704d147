import { aborted } from './aborted.ts';

/** Waits unless the caller gives up; the work goes on, for others who wait for the same. */
export function unlessAborted<T>(waited: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return waited;
  return new Promise((resolve, reject) => {
    const listener = (): void => reject(aborted(signal.reason, 'not-sent'));
    if (signal.aborted) listener();
    else signal.addEventListener('abort', listener, { once: true });
    waited.then(resolve, reject).finally(() => signal.removeEventListener('abort', listener));
  });
}
