import { silent, type Logger } from './logger.ts';

let hear: ((message: string) => void) | undefined;

/**
 * The logger of servers that were given none. It says nothing, but a platform that has a place for it may take what went
 * wrong: see {@link hearUnheard}.
 */
export const unheard: Logger = { ...silent, error: (message) => hear?.(message) };

/** Takes errors that would be logged nowhere, without their details: nobody has agreed to have those written down. */
export function hearUnheard(listener: (message: string) => void): void {
  hear = listener;
}
