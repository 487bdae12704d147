/** The one rejection that is no failure, and must not end a process when nobody looks at it. */

const brand = Symbol.for('hawser.Suspended');

/**
 * Unwinds a handler whose questions have gone to the caller. Not a failure: the handler runs again when the answers
 * are there. Private to the library; users know it by {@link isSuspended}.
 */
export class Suspended extends Error {
  constructor(keys: readonly string[]) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(
      `not a failure: the call is suspended until the caller answers ${keys.join(', ')}; let it pass (isSuspended(error))`,
    );
    Error.stackTraceLimit = stackTraceLimit;
    this.name = 'Suspended';
  }

  get [brand](): true {
    return true;
  }
}

/**
 * Whether a `catch` block met a suspension instead of a failure: roll back as for a failure, and throw it on. True
 * across copies of the package.
 *
 * ```ts
 * try { … await ctx.elicit(…) … }
 * catch (error) { await rollBack(); if (isSuspended(error)) throw error; return 'it failed' }
 * ```
 */
export function isSuspended(error: unknown): boolean {
  return typeof error === 'object' && error !== null && (error as Record<symbol, unknown>)[brand] === true;
}
