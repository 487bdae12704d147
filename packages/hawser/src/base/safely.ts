import type { Logger } from './logger.ts';

/** Runs what others have given: whatever it throws goes to the log, and what goes on here goes on. */
export function safely(logger: Logger, run: () => void, failed = 'a listener threw'): void {
  try {
    run();
  } catch (error) {
    try {
      logger.error(failed, error);
    } catch {
      // The log was the last to tell.
    }
  }
}
