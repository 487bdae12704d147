import { hearUnheard } from '../base/unheard.ts';

let heard = false;

/**
 * Says on stderr, once per process, that a server without a logger has something to say. A second call does nothing.
 */
export function warnOfUnheard(): void {
  hearUnheard((message) => {
    if (heard) return;
    heard = true;
    const advice = 'give the server a logger to see why, and what follows: new Server({ logger: stderrLogger(), … })';
    process.stderr.write(`hawser: ${message} (${advice})\n`);
  });
}
