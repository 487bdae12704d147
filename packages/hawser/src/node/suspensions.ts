import { isSuspended } from '../base/suspended.ts';

let kept = false;

/**
 * Keeps the process alive when nobody looks at the promise of a question that was suspended. With any listener Node
 * leaves rejections to it, so the others are thrown on and end the process as before; a program that has listeners of
 * its own is left to them. A second call does nothing.
 */
export function keepSuspensions(): void {
  if (kept) return;
  kept = true;
  process.on('unhandledRejection', (reason) => {
    if (!isSuspended(reason) && process.listenerCount('unhandledRejection') === 1) throw reason;
  });
}
