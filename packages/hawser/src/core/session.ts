/** One legacy session over HTTP, on the server (2025-11-25 basic/transports "Session Management"). */
import { unreachable } from '../base/unreachable.ts';

/** `stream` is the GET stream; a session has one at most. */
export type State = { readonly at: 'alive'; readonly stream: boolean } | { readonly at: 'ended' };

export type Input =
  /** A GET asks for the stream. */
  | { readonly on: 'stream' }
  /** The GET stream has gone. */
  | { readonly on: 'stream-gone' }
  /** DELETE, or the server closes. */
  | { readonly on: 'end' };

export type Effect =
  | { readonly do: 'attach-stream' }
  | { readonly do: 'refuse-stream' }
  | { readonly do: 'end-stream' }
  /** Cancel what runs in the session, and forget it. */
  | { readonly do: 'dissolve' };

export const initial: State = { at: 'alive', stream: false };
const none: readonly Effect[] = [];

export function step(state: State, input: Input): readonly [State, readonly Effect[]] {
  if (state.at === 'ended') return [state, input.on === 'stream' ? [{ do: 'refuse-stream' }] : none];
  switch (input.on) {
    case 'stream':
      return state.stream
        ? [state, [{ do: 'refuse-stream' }]]
        : [{ at: 'alive', stream: true }, [{ do: 'attach-stream' }]];
    case 'stream-gone':
      return [{ at: 'alive', stream: false }, none];
    case 'end':
      return [{ at: 'ended' }, state.stream ? [{ do: 'end-stream' }, { do: 'dissolve' }] : [{ do: 'dissolve' }]];
    default:
      return unreachable(input);
  }
}
