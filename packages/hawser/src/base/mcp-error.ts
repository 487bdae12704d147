/** Whose doing an error is: this side's, the other side's, or what lies between. */
export type Origin = 'local' | 'peer' | 'transport';

/**
 * What is known about a failed call: `not-sent`, it provably never left; `refused`, the server said that it did not
 * run it; `unknown`, all else: it may have run. It speaks of the whole call: once one of its requests may have run, no
 * later failure says anything but `unknown`.
 */
export type Outcome = 'not-sent' | 'refused' | 'unknown';

/** The codes of the library's errors. There may be more of them in later versions. */
export type ErrorCode =
  /** ArgumentError: an argument or option cannot work. */
  | 'bad_argument'
  /** CapabilityError: not declared, or not in this revision. */
  | 'capability'
  /** ConnectionError: there is no connection, or it has ended. */
  | 'connection'
  /** TransportError: the network failed in some other way. */
  | 'transport'
  /** RequestTimeoutError. */
  | 'timeout'
  /** AbortError: given up through a signal. */
  | 'aborted'
  /** ResponseTooLargeError. */
  | 'response_too_large'
  /** ResponseStreamClosedError: the stream ended before the response. */
  | 'stream_closed'
  /** HttpStatusError: a status that is no answer. */
  | 'http_status'
  /** HttpStatusError: the server has ended the session. */
  | 'session_lost'
  /** ServerError, TransientServerError: HTTP 5xx or 429. */
  | 'server_error'
  /** UnauthorizedError: HTTP 401. */
  | 'unauthorized'
  /** InsufficientScopeError: HTTP 403 that asks for more scope. */
  | 'insufficient_scope'
  /** InvalidResponseError: the peer sent what the protocol does not allow. */
  | 'invalid_response'
  /** RpcError: the server answered with a JSON-RPC error, see `rpc`. */
  | 'rpc_error'
  /** HeaderMismatchError: -32020. */
  | 'header_mismatch'
  /** MissingRequiredClientCapabilityError: -32021. */
  | 'missing_client_capability'
  /** UnsupportedProtocolVersionError: -32022, or no revision in common. */
  | 'unsupported_version'
  /** MethodNotFoundError: -32601. */
  | 'method_not_found'
  /** ResourceNotFoundError. */
  | 'resource_not_found'
  /** InputRequiredError: the server needs input, and does not get it. */
  | 'input_required'
  /** RejectedError: a person said no to a question of a server. */
  | 'rejected'
  /** A question of a server that gets no answer: the cause of an InputRequiredError. */
  | 'unanswerable'
  /** Groups: ServerNotFoundError. */
  | 'server_not_found'
  /** Groups: ToolNotFoundError. */
  | 'tool_not_found'
  /** Groups: PromptNotFoundError. */
  | 'prompt_not_found'
  /** Groups: AmbiguousNameError. */
  | 'ambiguous_name'
  /** Groups: ServerFailedError. */
  | 'server_failed'
  /** Servers: DeclinedError, a person does not want to answer. */
  | 'declined'
  /** Servers, ReplayError: a key that cannot be one. */
  | 'bad_key'
  /** Servers, ReplayError: one key for two things. */
  | 'duplicate_key'
  /** Servers, ReplayError: a question or step within a step. */
  | 'nested'
  /** Servers, ReplayError: a value that JSON cannot carry. */
  | 'not_json'
  /** Servers, ReplayError: the handler did something else than before. */
  | 'replay_conflict'
  /** Servers, ReplayError: more than a state may carry. */
  | 'state_too_large'
  /** Servers, ReplayError: more than a step may give. */
  | 'step_too_large'
  /** Servers: StepError, a step failed. */
  | 'step_failed'
  /** Servers: a handler asked too often. */
  | 'too_many_rounds'
  /** What was thrown is none of ours; it is the `cause`. */
  | 'internal';

/** The `error` member of a JSON-RPC response. */
export interface RpcErrorObject {
  code: number;
  message: string;
  data?: unknown;
}

/** Details of an error, all optional. */
export interface ErrorDetails {
  origin?: Origin;
  outcome?: Outcome;
  rpc?: RpcErrorObject;
  /** HTTP status, if a response with one caused the error. */
  status?: number;
  cause?: unknown;
}

const brand = Symbol.for('hawser.McpError');

/** Base of every error the library throws. */
export class McpError extends Error {
  /** To branch on. Errors that others derive may have codes of their own. */
  readonly code: ErrorCode | (string & {});
  readonly origin: Origin;
  readonly outcome: Outcome | undefined;
  /** The peer's JSON-RPC error, when it sent one. */
  readonly rpc: RpcErrorObject | undefined;
  readonly status: number | undefined;

  constructor(code: ErrorCode | (string & {}), message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = new.target.name;
    this.code = code;
    this.origin = details.origin ?? 'local';
    this.outcome = details.outcome;
    this.rpc = details.rpc;
    this.status = details.status;
  }

  get [brand](): true {
    return true;
  }

  /** The `data` of the peer's JSON-RPC error. */
  get data(): unknown {
    return this.rpc?.data;
  }

  /** Whether `value` is an error of this library; true across copies of the package, unlike `instanceof`. */
  static is(value: unknown): value is McpError {
    return typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[brand] === true;
  }

  /** Any thrown value as an {@link McpError}: ours pass through, others become `internal` with the original as cause. */
  static from(value: unknown): McpError {
    if (McpError.is(value)) return value;
    const message = value instanceof Error ? value.message : String(value);
    return new McpError('internal', message, { cause: value });
  }
}

/** The same error with another outcome. A copy: the error may be what others get as well, or the reason of a signal. */
export function withOutcome(error: McpError, outcome: Outcome): McpError {
  if (error.outcome === outcome) return error;
  const { stack: _stack, ...own } = Object.getOwnPropertyDescriptors(error);
  // Only what `Error` makes is an error to the platform; the rest is a matter of its class and its members.
  const copy = Object.setPrototypeOf(new Error(error.message), Object.getPrototypeOf(error) as object) as McpError;
  Object.defineProperties(copy, { ...own, outcome: { ...own.outcome, value: outcome } });
  Object.defineProperty(copy, 'stack', { value: error.stack, writable: true, configurable: true });
  return copy;
}
