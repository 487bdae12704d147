import type { Writable } from 'node:stream';

/**
 * Resolves when a stream that is full has room again, or is closed. It costs a pair of listeners: however many wait for
 * one stream, they share one of these.
 *
 * @param settled is called before whoever waits goes on
 */
export function whenDrained(stream: Writable, settled: () => void): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      stream.off('drain', done);
      stream.off('close', done);
      settled();
      resolve();
    };
    stream.on('drain', done);
    stream.on('close', done);
  });
}
