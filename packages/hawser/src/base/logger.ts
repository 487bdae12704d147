/**
 * Where the library reports what is odd but not an error of the call at hand. `console` is one, but not for a program
 * whose stdout is a wire, as that of a stdio server is: there take `stderrLogger` of `hawser/node`.
 */
export interface Logger {
  debug(message: string, details?: unknown): void;
  info(message: string, details?: unknown): void;
  warn(message: string, details?: unknown): void;
  error(message: string, details?: unknown): void;
}

function nothing(): void {}

/** A logger that drops everything. */
export const silent: Logger = { debug: nothing, info: nothing, warn: nothing, error: nothing };

/** A logger that never throws; each function says whether the message was taken. */
export type GuardedLogger = { readonly [Level in keyof Logger]: (message: string, details?: unknown) => boolean };

/** A logger of somebody's that cannot break what it is told of: what it throws is dropped. Without one all is taken. */
export function guarded(logger: Logger = silent): GuardedLogger {
  const tell =
    (level: keyof Logger) =>
    (message: string, details?: unknown): boolean => {
      try {
        logger[level](message, details);
        return true;
      } catch {
        // There is nobody left to tell.
        return false;
      }
    };
  return { debug: tell('debug'), info: tell('info'), warn: tell('warn'), error: tell('error') };
}

/** Characters that steer a terminal or break a line, or that are not seen at all. */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/**
 * The part of a peer's text that may go into a log or an error: at most `max` characters, those that are not seen
 * written out.
 */
export function sample(text: string, max = 200): string {
  const shown = text.slice(0, max).replace(invisible, (c) => {
    const hex = (c.codePointAt(0) ?? 0).toString(16);
    return hex.length > 2 ? `\\u{${hex}}` : `\\x${hex.padStart(2, '0')}`;
  });
  return text.length > max ? `${shown}… (${text.length} characters)` : shown;
}
