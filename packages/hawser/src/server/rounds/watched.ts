/** Promises of questions and steps that nobody may be waiting for. */
import type { Logger } from '../../base/logger.ts';
import { isSuspended } from '../../base/suspended.ts';

/** Knows whether anybody looks at it. */
class Watched<Value> extends Promise<Value> {
  looked = false;

  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  // oxlint-disable-next-line unicorn/no-thenable -- it is a promise
  override then<Result1 = Value, Result2 = never>(
    fulfilled?: ((value: Value) => Result1 | PromiseLike<Result1>) | null,
    rejected?: ((reason: unknown) => Result2 | PromiseLike<Result2>) | null,
  ): Promise<Result1 | Result2> {
    this.looked = true;
    return super.then(fulfilled, rejected);
  }
}

/**
 * The same promise; a rejection that nobody looks at does not end the process. A suspension may pass unseen, any other
 * failure is told to the author: it would be lost.
 */
export function watched<Value>(promise: Promise<Value>, what: string, logger: Logger): Promise<Value> {
  const seen = new Watched<Value>((resolve, reject) => {
    promise.then(resolve, reject);
  });
  void Promise.prototype.then.call(seen, undefined, (error: unknown) => {
    if (!seen.looked && !isSuspended(error)) logger.error(`${what} failed, and nobody waited for it`, error);
  });
  return seen;
}
