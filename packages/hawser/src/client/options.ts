import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { Implementation, Progress, Revision } from '../model/types.ts';
import type { Authorizer, HttpPort, Note, Validator } from '../ports/index.ts';
import type { HeaderSource } from '../transport/http-headers.ts';

/** Options of every call. */
export interface CallOptions {
  /** Gives the call up: the server is told in the way of the transport, the call rejects with an `AbortError`. */
  signal?: AbortSignal | undefined;
  /** How long to wait for the answer; progress starts the wait anew. Default: the connection's. */
  timeoutMs?: number | undefined;
  /** How long to wait at most, progress or not. Default: the connection's. */
  maxTimeoutMs?: number | undefined;
  /** Hears of the call's progress; a late notice is dropped. */
  onProgress?: ((progress: Progress) => void) | undefined;
}

/** A message as it went over the wire, for debugging. Headers with secrets are masked, bodies are not. */
export interface Frame {
  direction: 'in' | 'out';
  text: string;
  headers?: Record<string, string>;
  status?: number;
}

/** Which protocol to speak: found out (`auto`), one generation, or exactly one revision. */
export type Protocol = 'auto' | 'modern' | 'legacy' | Revision;

/** Options of a connection. */
export interface ConnectOptions {
  /** Default `auto`. */
  protocol?: Protocol | undefined;
  /** Refuses any other kind of target: for places that take targets from users, since a command runs a program. */
  transport?: 'http' | 'stdio' | undefined;
  /** Who this client says it is. */
  clientInfo?: Implementation | undefined;
  /** Headers for every HTTP request; a function is asked anew for each. Those of the protocol cannot be replaced. */
  headers?: HeaderSource | undefined;
  /** Adds credentials to HTTP requests and reacts to 401 and 403. */
  authorizer?: Authorizer | undefined;
  /** Gives the connecting up. */
  signal?: AbortSignal | undefined;
  /** For opening and negotiating together. Default 30,000. */
  connectTimeoutMs?: number | undefined;
  /** On pipes: how long a server may be silent on the probe before the legacy handshake is tried as well. Default 5,000. */
  discoverTimeoutMs?: number | undefined;
  /** For each request. Default 60,000. */
  timeoutMs?: number | undefined;
  /** Hard limit for each request although progress extends the wait. Default 600,000. */
  maxTimeoutMs?: number | undefined;
  /** Largest response, in bytes. Default 16 MiB. */
  maxResponseBytes?: number | undefined;
  /** Most pages a list may have. Default 1,000. */
  maxPages?: number | undefined;
  /** `fetch` to use instead of the built-in HTTP: with proxies, certificates or recording in it. */
  fetch?: typeof fetch | undefined;
  /** The way to the network, for full control. */
  http?: HttpPort | undefined;
  /** Checks structured content against output schemas. */
  validator?: Validator | undefined;
  /** Default: silent. */
  logger?: Logger | undefined;
  /** Takes notices that belong to no request: list changes and log messages of legacy servers. */
  onNotification?: ((note: Note) => void) | undefined;
  /** Sees every message, for debugging. */
  onFrame?: ((frame: Frame) => void) | undefined;
  /** Time and chance, for tests. */
  clock?: Clock | undefined;
}

/** The options every part of a client needs, defaults filled in. */
export interface Settings {
  readonly protocol: Protocol;
  readonly clientInfo: Implementation;
  readonly connectTimeoutMs: number;
  readonly discoverTimeoutMs: number;
  readonly timeoutMs: number;
  readonly maxTimeoutMs: number;
  readonly maxResponseBytes: number;
  readonly maxPages: number;
  readonly logger: Logger;
  readonly validator: Validator;
  readonly clock: Clock;
}
