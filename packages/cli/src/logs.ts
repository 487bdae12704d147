import { logLevels, type LogLevel } from 'hawser';
import type { Output } from './output.ts';
import { clip, oneLine, printableJson } from './text.ts';

/** Shows the server's log messages from a level on, one line each: `[warning] db: the disk is full`. */
export function logsTo(stderr: Output, from: LogLevel, hide: (text: string) => string) {
  const { paint } = stderr.style;
  return ({ level, logger, data }: { level: LogLevel; logger?: string; data: unknown }): void => {
    // Legacy servers send what they like, whatever they were told.
    if (logLevels.indexOf(level) < logLevels.indexOf(from)) return;
    const text = clip(oneLine(typeof data === 'string' ? data : printableJson(data, 0)), 10_000);
    const head = `[${level}]${logger === undefined ? '' : ` ${clip(oneLine(logger), 100)}:`}`;
    const colour = logLevels.indexOf(level) >= logLevels.indexOf('error') ? paint.red : paint.yellow;
    stderr.line(
      `${logLevels.indexOf(level) < logLevels.indexOf('warning') ? paint.dim(head) : colour(head)} ${hide(text)}`,
    );
  };
}
