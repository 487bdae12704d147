import { logLevels, type LogLevel } from 'hawser';
import type { Output } from './output.ts';
import { clip, oneLine, printableJson } from './text.ts';

/** Shows the server's log messages from a level on, one line each: `[warning] db: the disk is full`. */
export function logsTo(stderr: Output, from: LogLevel, hide: (text: string) => string) {
  const { paint } = stderr.style;
  return ({ level, logger, data }: { level: LogLevel; logger?: string; data: unknown }): void => {
    // Legacy servers send what they like, whatever they were told.
    if (isBelow(level, from)) return;
    const text = clip(oneLine(typeof data === 'string' ? data : printableJson(data, 0)), 10_000);
    const head = `[${level}]${logger === undefined ? '' : ` ${clip(oneLine(logger), 100)}:`}`;
    const colour = isBelow(level, 'warning') ? paint.dim : isBelow(level, 'error') ? paint.yellow : paint.red;
    stderr.line(`${colour(head)} ${hide(text)}`);
  };
}

function isBelow(level: LogLevel, other: LogLevel): boolean {
  return logLevels.indexOf(level) < logLevels.indexOf(other);
}
