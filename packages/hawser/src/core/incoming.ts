/**
 * One request on a pipe, seen from the side that serves it. After a cancellation nothing more is sent for it
 * (basic/transports/stdio "Cancellation"); a subscription that the server ends is announced before its result
 * (basic/patterns/subscriptions "Graceful Closure").
 */
export type State = { readonly at: 'running' } | { readonly at: 'cancelled' } | { readonly at: 'done' };

export type Input =
  /** The handler has its reply. */
  | { readonly on: 'replied' }
  /** The caller cancelled it. */
  | { readonly on: 'cancelled' }
  /** The pipe has ended. */
  | { readonly on: 'ended' };

export type Effect = { readonly do: 'send-reply' } | { readonly do: 'stop-handler' } | { readonly do: 'forget' };

export const initial: State = { at: 'running' };

const none: readonly Effect[] = [];
const reply: readonly Effect[] = [{ do: 'forget' }, { do: 'send-reply' }];
const stop: readonly Effect[] = [{ do: 'stop-handler' }];
const stopAndForget: readonly Effect[] = [{ do: 'forget' }, { do: 'stop-handler' }];
const forget: readonly Effect[] = [{ do: 'forget' }];

export function step(state: State, input: Input): readonly [State, readonly Effect[]] {
  switch (state.at) {
    case 'running':
      if (input.on === 'replied') return [{ at: 'done' }, reply];
      if (input.on === 'cancelled') return [{ at: 'cancelled' }, stop];
      return [{ at: 'done' }, stopAndForget];
    case 'cancelled':
      // The id stays taken until the handler is through: a new request under it would be mistaken for this one.
      return input.on === 'cancelled' ? [state, none] : [{ at: 'done' }, forget];
    case 'done':
      return [state, none];
  }
}
