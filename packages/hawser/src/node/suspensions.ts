import { inspect } from 'node:util';
import { isSuspended } from '../base/suspended.ts';

/** On the listener itself, so that one copy of the package knows that of another. */
const brand = Symbol.for('hawser.keepsSuspensions');

let kept = false;

/**
 * Keeps the process alive when nobody looks at the promise of a question that was suspended. With any listener Node
 * leaves rejections to it, so the others are met as Node would without one: by default they end the process. A program
 * that has listeners of its own is left to them. A second call does nothing.
 */
export function keepSuspensions(): void {
  if (kept) return;
  kept = true;
  const mode = rejectionMode(process.env['NODE_OPTIONS'], process.execArgv);
  const listener = (reason: unknown): void => {
    if (isSuspended(reason)) return;
    const listeners = process.listeners('unhandledRejection');
    // Of several copies of the package one is enough.
    if (!listeners.every(isOurs) || listeners[0] !== listener) return;
    if (mode === 'throw') throw reason;
    if (mode !== 'warn-with-error-code') return;
    process.emitWarning(inspect(reason), 'UnhandledPromiseRejectionWarning');
    process.exitCode = 1;
  };
  process.on('unhandledRejection', Object.assign(listener, { [brand]: true }));
}

function isOurs(listener: object): boolean {
  return (listener as Record<symbol, unknown>)[brand] === true;
}

/**
 * What Node does with rejections nobody handles (`--unhandled-rejections`). With `warn` it warns by itself, with
 * `strict` it has thrown before it asks listeners, with `none` it is silent.
 */
function rejectionMode(environment: string | undefined, given: readonly string[]): string {
  const options = [...(environment ?? '').replaceAll('"', '').split(/\s+/), ...given];
  let mode = 'throw';
  options.forEach((option, at) => {
    const [name, value] = option.split('=', 2);
    if (name?.replaceAll('_', '-') === '--unhandled-rejections') mode = value ?? options[at + 1] ?? mode;
  });
  return mode;
}
