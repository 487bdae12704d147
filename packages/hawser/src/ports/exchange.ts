import type { Cancel } from '../base/cancel.ts';
import type { RpcErrorObject } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import type { ClientCapabilities, Implementation, LogLevel, RequestId, Revision } from '../model/types.ts';

/**
 * One request as it travels: lowered for a revision, its id still to be given by the link that carries it.
 * `name` and `mirror` are what Streamable HTTP repeats in headers; other links ignore them.
 */
export interface Call {
  method: string;
  params?: JsonObject | undefined;
  /** Value of `Mcp-Name`, not yet encoded. */
  name?: string | undefined;
  /** `Mcp-Param-*` headers by full name, not yet encoded. */
  mirror?: Readonly<Record<string, string>> | undefined;
  /** The modern revision it is lowered for, if whoever made the call says so; `_meta` says it as well. */
  readonly revision?: Revision | undefined;
  /** `params` as JSON text, if whoever made the call has it at less cost than `JSON.stringify`. */
  readonly text?: string | undefined;
}

/** One notification as it travels. */
export interface Note {
  method: string;
  params?: JsonObject | undefined;
  /** All of it as JSON text, if whoever made the note has it at less cost than `JSON.stringify`. */
  readonly text?: string | undefined;
}

/**
 * How an exchange ends: with a result or with an error. A refusal is an error with the HTTP status it is sent with,
 * which doors never guess from the code: -32602 is 400 for a missing `_meta` field and 200 for an unknown tool.
 */
export type Reply =
  | {
      readonly result: JsonObject;
      readonly error?: undefined;
      /** The result as JSON text, when it is at hand. */ readonly json?: string | undefined;
    }
  | { readonly error: RpcErrorObject; readonly result?: undefined; readonly status?: number | undefined };

/** What a link is told with a request. */
export interface RequestOptions {
  /** Cancels the request the way the transport does it. Its `signal` is a plain `AbortSignal`. */
  cancel?: Cancel | undefined;
  /** Takes notices that belong to this request: progress, log messages, what a subscription brings. */
  emit?: ((note: Note) => void) | undefined;
}

/** Why a link ended. */
export type Why =
  | { readonly by: 'us' }
  | {
      readonly by: 'peer';
      readonly reason: string;
      /** The session is gone, the server is not (HTTP 404). */ readonly sessionLost?: boolean;
    }
  | { readonly by: 'fault'; readonly error: Error };

/** One session or one process. It never reconnects: when it ends, `closed` resolves, and a new one has to be opened. */
export interface Link {
  /**
   * Sends a request and waits for its reply.
   *
   * @throws McpError with an `outcome` when no reply came
   */
  request(call: Call, options?: RequestOptions): Promise<Reply>;
  /** Sends a notification; resolves when it is on its way. */
  notify(note: Note): Promise<void>;
  /** Resolves when the link has ended, for whatever reason; never rejects. */
  readonly closed: Promise<Why>;
  /** Ends it in the transport's polite way. A second call waits for the first. */
  close(): Promise<void>;
}

/** Opens a link. `inbound` serves what a legacy server asks or tells of its own accord. */
export type Open = (inbound: Service, options: { signal?: AbortSignal | undefined }) => Promise<Link>;

/** Who calls, and what it said of itself: with this very request (modern), or when its session began (legacy). */
export interface Caller {
  /** From authentication only; undefined for anonymous callers. */
  readonly principal?: string | undefined;
  /** From the authentication of this very request. */
  readonly scopes?: readonly string[] | undefined;
  /** From the authentication of this very request. */
  readonly claims?: Readonly<Record<string, unknown>> | undefined;
  readonly revision: Revision;
  readonly capabilities: ClientCapabilities;
  readonly clientInfo?: Implementation | undefined;
  readonly logLevel?: LogLevel | undefined;
  /** Reads a header of this very request by its lower-case name; absent where there are no headers. */
  readonly header?: ((name: string) => string | undefined) | undefined;
  /**
   * The same object for all requests of one legacy session; absent in the modern era, and for legacy callers who are
   * served without sessions.
   */
  readonly session?: object | undefined;
}

/** The serving side of one call. */
export interface Exchange {
  /** The id the caller gave the request; a subscription is named by it. */
  readonly id: RequestId;
  readonly caller: Caller;
  /** Cancelled when the caller gave up or has gone. */
  readonly cancel: Cancel;
  /** Opened by a door on behalf of a legacy session, not by a request of the caller's. */
  readonly standing?: boolean | undefined;
  /** The revisions that are served on this way, newest first. Absent: all. */
  readonly supportedVersions?: readonly Revision[] | undefined;
  /** False: notices have no way to the caller, as when it takes one JSON text and nothing else. */
  readonly hears?: boolean | undefined;
  /** Sends a notice that belongs to this call. False: the way is full or gone, wait for {@link drained}. */
  emit(note: Note): boolean;
  /** Resolves when there is room again or the caller has gone; never rejects. */
  drained(): Promise<void>;
  /** Asks the caller something. Legacy sessions only. */
  ask?: ((call: Call, options?: RequestOptions) => Promise<Reply>) | undefined;
  /**
   * Ends the HTTP response while the call goes on: the caller comes back for the rest after `retryMs` milliseconds
   * (default 1,000). Only in sessions of revisions that know this (2025-11-25 basic/transports "Sending Messages to the
   * Server"); elsewhere it is absent or does nothing.
   */
  closeStream?(retryMs?: number): void;
}

/** Whatever answers calls. A gateway is a service whose `answer` calls a link. */
export interface Service {
  /** Answers one call. Rejections are answered as internal errors, without their text. */
  answer(call: Call, exchange: Exchange): Promise<Reply>;
  /** Takes a notification; whatever goes wrong with it stays here. */
  notice(note: Note, from: Caller): void;
}
