import type { Clock } from '../base/clock.ts';
import type { JsonObject } from '../base/json.ts';
import type { GuardedLogger, Logger } from '../base/logger.ts';
import type { LogMessage } from '../model/inputs.ts';
import type { Implementation, LogLevel, Progress, Revision } from '../model/types.ts';
import type { Authorizer, HttpPort, Note, Validator } from '../ports/index.ts';
import type { HeaderSource } from '../transport/http-headers.ts';
import type { ElicitHandlers, FormHandler } from './elicitation.ts';
import type { RootsSource } from './roots.ts';
import type { SampleHandler, SampleOptions } from './sampling.ts';

/** Options of every call. */
export interface CallOptions {
  /** Gives the call up: the server is told in the way of the transport, the call rejects with an `AbortError`. */
  signal?: AbortSignal | undefined;
  /** How long to wait for the answer; progress starts the wait anew. Default: the connection's. */
  timeoutMs?: number | undefined;
  /** How long to wait at most, progress or not. Default: the connection's. */
  maxTimeoutMs?: number | undefined;
  /**
   * Hears of the call's progress. It never goes back: when the call takes several requests (rounds, or one sent again),
   * values that are not above the last one are dropped, though they start the wait anew. A late notice is dropped too.
   */
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
  /** Has a person answer a server's questions: a function for forms only, or one per mode (client/elicitation). */
  onElicit?: FormHandler | ElicitHandlers | undefined;
  /** Has a model go on with a server's conversations (client/sampling; deprecated since 2026-07-28). */
  onSample?: SampleHandler | SampleOptions | undefined;
  /**
   * The places a server may work in (client/roots; deprecated since 2026-07-28). An empty list declares them without
   * there being any yet: see `roots` of the client.
   */
  roots?: RootsSource | undefined;
  /** Extensions this client supports, with their settings, by their names. */
  extensions?: Readonly<Record<string, JsonObject>> | undefined;
  /** How often a modern server may ask for input before a call fails. Default 10. */
  maxRounds?: number | undefined;
  /** Listing what the server does not declare is an error, instead of an empty list. Default false. */
  strict?: boolean | undefined;
  /** From which level on the server is asked for log messages. Default: not asked. See `setLogLevel`. */
  logLevel?: LogLevel | undefined;
  /** Takes the server's log messages, as they came; the `logger` gets them as well, made safe to print. */
  onLog?: ((message: LogMessage) => void) | undefined;
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
  /** Sees every message on the wire, for debugging. A server in this process has none, and nothing is seen. */
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
  readonly strict: boolean;
  readonly maxRounds: number;
  readonly logger: GuardedLogger;
  readonly validator: Validator;
  readonly clock: Clock;
}
