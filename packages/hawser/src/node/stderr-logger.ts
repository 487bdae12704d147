import type { Writable } from 'node:stream';
import { inspect } from 'node:util';
import { ArgumentError } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';

const levels = ['debug', 'info', 'warn', 'error'] as const;

/** Settings of a {@link stderrLogger}. */
export interface StderrLoggerOptions {
  /** The least level that is written. Default `info`. */
  level?: (typeof levels)[number];
  /** Where it is written. Default: the process's stderr. */
  stream?: Writable;
}

/**
 * A logger that writes to stderr, one line per message with the details after it: the one for stdio servers, whose
 * stdout belongs to the protocol.
 *
 * ```ts
 * const logger = stderrLogger({ level: 'debug' })
 * serveStdio(new Server({ name: 'weather', version: '1.0.0', logger }), { logger })
 * ```
 *
 * @throws ArgumentError for a level that there is not
 */
export function stderrLogger({ level = 'info', stream = process.stderr }: StderrLoggerOptions = {}): Logger {
  const least = levels.indexOf(level);
  if (least < 0) throw new ArgumentError(`stderrLogger: there is no level "${level}": ${levels.join(', ')}`);
  const at =
    (each: (typeof levels)[number]): Logger['debug'] =>
    (message, details) => {
      if (levels.indexOf(each) < least) return;
      const more = details === undefined ? '' : ` ${typeof details === 'string' ? details : inspect(details)}`;
      stream.write(`${each}: ${message}${more}\n`);
    };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}
