import { isSuspended } from '../../base/suspended.ts';
import type { Settled } from './work.ts';

const advice = 'code that catches errors has to let a suspension pass (isSuspended)';

/** What the author should know of the way a suspended handler settled. */
export function oddityOf(settled: Settled): string | undefined {
  if ('value' in settled) return `the handler returned after a suspension, what it returned is dropped; ${advice}`;
  return isOfSuspension(settled.thrown)
    ? undefined
    : 'the handler failed after a suspension, the error is dropped; if it stands for the suspension, give that as its cause';
}

function isOfSuspension(thrown: unknown): boolean {
  let error = thrown;
  for (let depth = 0; depth < 10 && typeof error === 'object' && error !== null; depth++) {
    if (isSuspended(error)) return true;
    error = (error as { cause?: unknown }).cause;
  }
  return false;
}
