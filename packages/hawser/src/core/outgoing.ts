/**
 * One request on its way over a pipe, seen from the side that sent it (basic/patterns/cancellation). It is settled
 * exactly once, whatever comes in whatever order, and what comes later is absorbed.
 */
export type State = { readonly at: 'waiting' } | { readonly at: 'done' };

export type Input =
  /** A response with its id came, good or bad. */
  | { readonly on: 'answered' }
  /** The caller gave up, or its time is over. */
  | { readonly on: 'cancelled' }
  /** The pipe has ended. */
  | { readonly on: 'ended' };

export type Effect =
  /** Forget the id and settle the caller's promise with what the input brought. */
  | { readonly do: 'settle' }
  /** Tell the other side that nobody waits any more. */
  | { readonly do: 'tell-cancelled' };

export const initial: State = { at: 'waiting' };

const done: State = { at: 'done' };
const none: readonly Effect[] = [];
const settle: readonly Effect[] = [{ do: 'settle' }];
const settleAndTell: readonly Effect[] = [{ do: 'tell-cancelled' }, { do: 'settle' }];

export function step(state: State, input: Input): readonly [State, readonly Effect[]] {
  if (state.at === 'done') return [state, none];
  return [done, input.on === 'cancelled' ? settleAndTell : settle];
}
