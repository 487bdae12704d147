import type { Refusal } from '../core/refusal.ts';

/** An HTTP request as a platform hands it in. */
export interface HttpIncoming {
  readonly method: string;
  readonly url: string;
  /** A header by its lower-case name. */
  header(name: string): string | undefined;
  /** The body as text; a refusal past `maxBytes`, or when the caller went away before it was complete. */
  text(maxBytes: number): Promise<string | Refusal>;
}

/** Where a platform takes the response. Used once: `send`, or `open` and then `write` and `end`. */
export interface HttpOutgoing {
  send(status: number, headers: Readonly<Record<string, string>>, body?: string): void;
  /** Begins a stream. */
  open(headers: Readonly<Record<string, string>>): void;
  /**
   * Whether something written in an earlier turn has not left yet: its caller does not read, or has vanished without a
   * word.
   */
  readonly unsent: boolean;
  /** False: full or gone, wait for {@link drained}. */
  write(text: string): boolean;
  /** Resolves when there is room again or the caller has gone; never rejects. */
  drained(): Promise<void>;
  /**
   * Completes the response. Calls `passedOn` once all of it is out of the platform's hands; never if the caller goes
   * first.
   */
  end(text?: string, passedOn?: () => void): void;
  /**
   * Calls `listener` once if the caller goes away before the response is complete, and all of it out of the platform's
   * hands.
   */
  onGone(listener: () => void): void;
}

export const jsonHeaders = { 'content-type': 'application/json' } as const;
export const streamHeaders = {
  'content-type': 'text/event-stream',
  // Whatever compresses on the way would hold events back.
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
} as const;

/** A JSON-RPC message as a server-sent event. */
export function frame(text: string): string {
  return `event: message\ndata: ${text}\n\n`;
}
