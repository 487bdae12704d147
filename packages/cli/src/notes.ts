import type { Logger } from 'hawser';
import type { Output } from './output.ts';
import { clip, oneLine } from './text.ts';

const mostWarnings = 5;

/**
 * What the library notices, on standard error: warnings always (a tool that was left out, a server that writes other
 * things than messages), but only the first few unless `verbose`; the rest only then.
 */
export function notesTo(
  stderr: Output,
  verbose: boolean,
  redact: (text: string) => string,
  muted: () => boolean = () => false,
): Logger {
  const { paint } = stderr.style;
  let warnings = 0;
  const note = (level: string, message: string, details: unknown) => {
    const cause = details instanceof Error ? `: ${details.message}` : '';
    stderr.line(paint.dim(`${level}: ${redact(clip(oneLine(`${message}${cause}`), 400))}`));
  };
  const whenVerbose = (level: string) => (message: string, details?: unknown) => {
    if (verbose) note(level, message, details);
  };
  const atFirst = (level: string) => (message: string, details?: unknown) => {
    // The server's own log is for those who ask for it, with --log-level; --verbose shows it as it comes.
    if (message.startsWith('server log: ') || (muted() && !verbose)) return;
    warnings++;
    if (verbose || warnings <= mostWarnings) note(level, message, details);
    else if (warnings === mostWarnings + 1) stderr.line(paint.dim('more warnings: --verbose shows them'));
  };
  return {
    debug: whenVerbose('debug'),
    info: whenVerbose('info'),
    warn: atFirst('warning'),
    error: atFirst('error'),
  };
}
