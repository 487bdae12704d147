/** Where the library reports what is odd but not an error of the call at hand. `console` is one. */
export interface Logger {
  debug(message: string, details?: unknown): void;
  info(message: string, details?: unknown): void;
  warn(message: string, details?: unknown): void;
  error(message: string, details?: unknown): void;
}

function nothing(): void {}

/** A logger that drops everything. */
export const silent: Logger = { debug: nothing, info: nothing, warn: nothing, error: nothing };

/** The part of a peer's text that may go into a log or an error: control characters shown, at most `max` characters. */
export function sample(text: string, max = 200): string {
  const shown = text.slice(0, max).replace(/\p{Cc}/gu, (c) => `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}`);
  return text.length > max ? `${shown}… (${text.length} characters)` : shown;
}
