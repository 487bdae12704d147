/** What asks a process to end, and the code it exits with then: 128 and the number of the signal. */
const codes = { SIGINT: 130, SIGTERM: 143 } as const;

/** A signal that asks a process to end. */
export type EndSignal = keyof typeof codes;

const signals = Object.keys(codes) as EndSignal[];

/**
 * Calls `end` when a signal asks the process to end; the exit code is set by then. A second signal ends it at once. We
 * listen only as long as nobody else does: a program that has its own way to end is left to it, and libraries that kill
 * the process unless somebody listens do not take us for somebody.
 *
 * @returns stops that, unless a signal has come
 */
export function onEndSignal(end: (signal: EndSignal) => void): () => void {
  let ending = false;
  const listener = (signal: EndSignal): void => {
    if (ending) process.exit(codes[signal]);
    ending = true;
    process.exitCode = codes[signal];
    end(signal);
  };
  const makeWay = (event: string | symbol, other: unknown): void => {
    if (other === listener || !Object.hasOwn(codes, event)) return;
    // Once the other is there: Node stops to look out for a signal with the last listener for it.
    queueMicrotask(() => process.off(event, listener));
  };
  for (const signal of signals) if (process.listenerCount(signal) === 0) process.on(signal, listener);
  process.on('newListener', makeWay);
  return () => {
    if (ending) return;
    process.off('newListener', makeWay);
    for (const signal of signals) process.off(signal, listener);
  };
}
