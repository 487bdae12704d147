/** The client's side of one `subscriptions/listen` (basic/patterns/subscriptions). */
import { unreachable } from '../base/unreachable.ts';
import type { SubscriptionFilter } from '../model/types.ts';

/** Why a subscription is over. */
export type End =
  /** We closed it. */
  | 'closed'
  /** The server ended it, with its result. */
  | 'completed'
  /** The stream broke: changes may have been missed. */
  | 'lost'
  /** It was never granted. */
  | 'refused';

export type State =
  | { readonly at: 'opening' }
  | { readonly at: 'open'; readonly honored: SubscriptionFilter }
  | { readonly at: 'closed'; readonly end: End };

export type Input =
  | { readonly on: 'acknowledged'; readonly filter: SubscriptionFilter }
  | { readonly on: 'notice' }
  | { readonly on: 'result' }
  | { readonly on: 'failed' }
  | { readonly on: 'lost' }
  | { readonly on: 'close' };

export type Effect =
  | { readonly do: 'opened' }
  | { readonly do: 'open-failed' }
  | { readonly do: 'deliver' }
  | { readonly do: 'ended'; readonly end: End }
  | { readonly do: 'cancel-request' };

export const initial: State = { at: 'opening' };
const none: readonly Effect[] = [];

export function step(state: State, input: Input): readonly [State, readonly Effect[]] {
  if (state.at === 'closed') return [state, none];
  const opening = state.at === 'opening';
  switch (input.on) {
    case 'acknowledged':
      return opening ? [{ at: 'open', honored: input.filter }, [{ do: 'opened' }]] : [state, none];
    case 'notice':
      // Nothing may come before the acknowledgement; what does is not for us.
      return [state, opening ? none : [{ do: 'deliver' }]];
    case 'result':
      return end(opening, opening ? 'refused' : 'completed');
    case 'failed':
      return end(opening, opening ? 'refused' : 'lost');
    case 'lost':
      return end(opening, opening ? 'refused' : 'lost');
    case 'close':
      return [{ at: 'closed', end: 'closed' }, [{ do: 'cancel-request' }, ...ending(opening, 'closed')]];
    default:
      return unreachable(input);
  }
}

function end(opening: boolean, why: End): readonly [State, readonly Effect[]] {
  return [{ at: 'closed', end: why }, ending(opening, why)];
}

function ending(opening: boolean, why: End): readonly Effect[] {
  return opening ? [{ do: 'open-failed' }, { do: 'ended', end: why }] : [{ do: 'ended', end: why }];
}
