/** One legacy session over HTTP, on the server (2025-11-25 basic/transports "Session Management"). */
import { unreachable } from '../base/unreachable.ts';

/** `stream` is the session's own, which GET opens; one at most. `away`: its caller has gone and may come back. */
export type State = { readonly at: 'alive'; readonly stream: 'none' | 'open' | 'away' } | { readonly at: 'ended' };

export type Input =
  /** A GET asks for the stream. */
  | { readonly on: 'stream' }
  /** A GET asks for the rest of the stream, naming the last event that came. */
  | { readonly on: 'resume' }
  /** The stream's caller has gone. */
  | { readonly on: 'stream-gone' }
  /** The caller did not come back in time. */
  | { readonly on: 'expired' }
  /** Nothing will be told on the stream any more. */
  | { readonly on: 'stopped' }
  /** DELETE, or the server closes. */
  | { readonly on: 'end' };

export type Effect =
  | { readonly do: 'attach-stream' }
  | { readonly do: 'resume-stream' }
  | { readonly do: 'refuse-stream' }
  /** Wait for the caller a while: what happens meanwhile is kept. */
  | { readonly do: 'await-return' }
  | { readonly do: 'end-stream' }
  /** Cancel what runs in the session, and forget it. */
  | { readonly do: 'dissolve' };

export const initial: State = { at: 'alive', stream: 'none' };
const open: State = { at: 'alive', stream: 'open' };
const none: readonly Effect[] = [];

export function step(state: State, input: Input): readonly [State, readonly Effect[]] {
  const asks = input.on === 'stream' || input.on === 'resume';
  if (state.at === 'ended') return [state, asks ? [{ do: 'refuse-stream' }] : none];
  const { stream } = state;
  switch (input.on) {
    case 'stream':
      if (stream === 'open') return [state, [{ do: 'refuse-stream' }]];
      return [open, stream === 'away' ? [{ do: 'end-stream' }, { do: 'attach-stream' }] : [{ do: 'attach-stream' }]];
    case 'resume':
      // Whoever knows the last event is the caller the stream is for: its connection has gone, noticed here or not.
      return [open, [stream === 'none' ? { do: 'attach-stream' } : { do: 'resume-stream' }]];
    case 'stream-gone':
      return stream === 'open' ? [{ at: 'alive', stream: 'away' }, [{ do: 'await-return' }]] : [state, none];
    case 'expired':
      return stream === 'away' ? [initial, [{ do: 'end-stream' }]] : [state, none];
    case 'stopped':
      return stream === 'none' ? [state, none] : [initial, [{ do: 'end-stream' }]];
    case 'end':
      return [{ at: 'ended' }, stream === 'none' ? [{ do: 'dissolve' }] : [{ do: 'end-stream' }, { do: 'dissolve' }]];
    default:
      return unreachable(input);
  }
}
