import { sample } from './logger.ts';

/**
 * All errors of the library. `code` is a literal to branch on, `origin` says whose fault it is, `outcome` whether a
 * failed call may have run. Errors of a peer (its JSON-RPC error, see `rpc`) and errors made here never look alike:
 * ours carry no JSON-RPC code (MCP 2026-07-28, basic/index "Error codes").
 */

/** Whose doing an error is: this side's, the other side's, or what lies between. */
export type Origin = 'local' | 'peer' | 'transport';

/**
 * What is known about a failed call: `not-sent`, it provably never left; `refused`, the server said that it did not
 * run it; `unknown`, all else: it may have run.
 */
export type Outcome = 'not-sent' | 'refused' | 'unknown';

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
  readonly code: string;
  readonly origin: Origin;
  readonly outcome: Outcome | undefined;
  /** The peer's JSON-RPC error, when it sent one. */
  readonly rpc: RpcErrorObject | undefined;
  readonly status: number | undefined;

  constructor(code: string, message: string, details: ErrorDetails = {}) {
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

/** An argument or option that cannot work: thrown at once, before anything is sent. */
export class ArgumentError extends McpError {
  constructor(message: string, details: ErrorDetails = {}, code = 'bad_argument') {
    super(code, message, details);
  }
}

/** Something the other side did not declare or this revision does not have. Nothing was sent. */
export class CapabilityError extends McpError {
  constructor(message: string, details: ErrorDetails = {}) {
    super('capability', message, { outcome: 'not-sent', ...details });
  }
}

/** The connection, the process or the network failed. */
export class TransportError extends McpError {
  constructor(message: string, details: ErrorDetails = {}, code = 'transport') {
    super(code, message, { origin: 'transport', outcome: 'unknown', ...details });
  }
}

/** No connection: it could not be made, or it has ended. */
export class ConnectionError extends TransportError {
  constructor(message: string, details: ErrorDetails = {}, code = 'connection') {
    super(message, details, code);
  }
}

/** No answer within the time allowed. The request was cancelled, and may have run. */
export class RequestTimeoutError extends TransportError {
  /** How long was waited, in milliseconds. */
  readonly timeoutMs: number;
  constructor(timeoutMs: number, method: string, details: ErrorDetails = {}) {
    super(`${method}: no answer within ${timeoutMs} ms`, details, 'timeout');
    this.timeoutMs = timeoutMs;
  }
}

/** A response was larger than the limit allows. */
export class ResponseTooLargeError extends TransportError {
  readonly limitBytes: number;
  constructor(limitBytes: number, details: ErrorDetails = {}) {
    super(`the response is larger than ${limitBytes} bytes`, { origin: 'peer', ...details }, 'response_too_large');
    this.limitBytes = limitBytes;
  }
}

/** The response stream ended before the response came. */
export class ResponseStreamClosedError extends TransportError {
  constructor(details: ErrorDetails = {}) {
    super('the response stream ended before the response', details, 'stream_closed');
  }
}

/** The server answered with an HTTP status that is no answer to the request. */
export class HttpStatusError extends TransportError {
  constructor(status: number, message: string, details: ErrorDetails = {}, code = 'http_status') {
    super(message, { origin: 'peer', status, ...details }, code);
  }
}

/** HTTP 5xx without a JSON-RPC answer: the server or something before it failed. */
export class ServerError extends HttpStatusError {
  constructor(status: number, message: string, details: ErrorDetails = {}) {
    super(status, message, details, 'server_error');
  }
}

/** HTTP 502, 503 or 504, or 429: likely to pass. */
export class TransientServerError extends ServerError {
  /** What `Retry-After` asked for, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  constructor(status: number, message: string, details: ErrorDetails & { retryAfterMs?: number | undefined } = {}) {
    super(status, message, details);
    this.retryAfterMs = details.retryAfterMs;
  }
}

/** HTTP 401: credentials are missing or no longer good. */
export class UnauthorizedError extends ConnectionError {
  constructor(message: string, details: ErrorDetails = {}) {
    super(message, { origin: 'peer', outcome: 'refused', status: 401, ...details }, 'unauthorized');
  }
}

/** HTTP 403 with `error="insufficient_scope"` (RFC 6750, section 3.1). */
export class InsufficientScopeError extends ConnectionError {
  readonly scope: string | undefined;
  readonly errorDescription: string | undefined;
  constructor(scope: string | undefined, errorDescription: string | undefined, details: ErrorDetails = {}) {
    const wanted = scope === undefined ? '' : `: ${scope}`;
    super(
      `the server wants more scope${wanted}`,
      { origin: 'peer', outcome: 'refused', status: 403, ...details },
      'insufficient_scope',
    );
    this.scope = scope;
    this.errorDescription = errorDescription;
  }
}

/** The peer sent something the protocol does not allow. */
export class InvalidResponseError extends McpError {
  /** The result as it came, where there is one: a tool's result that does not match its output schema. */
  readonly result: Readonly<Record<string, unknown>> | undefined;
  constructor(message: string, details: ErrorDetails & { result?: Readonly<Record<string, unknown>> } = {}) {
    super('invalid_response', message, { origin: 'peer', outcome: 'unknown', ...details });
    this.result = details.result;
  }
}

/** The caller gave up through its signal; `cause` is the signal's reason. */
export class AbortError extends McpError {
  constructor(reason: unknown, details: ErrorDetails = {}) {
    super('aborted', 'the call was aborted', { cause: reason, ...details });
  }
}

/** The server answered the request with a JSON-RPC error; see `rpc`. */
export class RpcError extends McpError {
  constructor(rpc: RpcErrorObject, details: ErrorDetails = {}, code = 'rpc_error') {
    super(code, rpc.message, { origin: 'peer', outcome: 'unknown', ...details, rpc });
  }
}

/** -32020: the server found headers and body of the request in disagreement; it did not run it. */
export class HeaderMismatchError extends RpcError {
  constructor(rpc: RpcErrorObject, details: ErrorDetails = {}) {
    super(rpc, { ...details, outcome: 'refused' }, 'header_mismatch');
  }
}

/** -32021: the request needs a capability that this client did not declare; see `data.requiredCapabilities`. */
export class MissingRequiredClientCapabilityError extends RpcError {
  constructor(rpc: RpcErrorObject, details: ErrorDetails = {}) {
    super(rpc, { ...details, outcome: 'refused' }, 'missing_client_capability');
  }
}

/** -32022, or no revision in common: `data.supported` and `data.requested` name both sides. */
export class UnsupportedProtocolVersionError extends RpcError {
  constructor(rpc: RpcErrorObject, details: ErrorDetails = {}) {
    super(rpc, { ...details, outcome: 'refused' }, 'unsupported_version');
  }
}

/** -32601: the server does not have the method. */
export class MethodNotFoundError extends RpcError {
  constructor(rpc: RpcErrorObject, details: ErrorDetails = {}) {
    super(rpc, { outcome: 'refused', ...details }, 'method_not_found');
  }
}

/**
 * There is no such resource (server/resources "Error Handling"). A server throws it for a resource that it does not
 * have; a client gets it with the server's own error in `rpc`: -32602, of older servers -32002.
 */
export class ResourceNotFoundError extends McpError {
  readonly uri: string;
  constructor(uri: string, details: ErrorDetails = {}) {
    super('resource_not_found', `there is no resource ${sample(uri)}`, details);
    this.uri = uri;
  }
}

/** What an {@link InputRequiredError} tells of the call that it ended. */
export interface InputRequiredDetails extends ErrorDetails {
  inputRequests?: unknown;
  requestState?: unknown;
  requestMethod: string;
  requestParams: Readonly<Record<string, unknown>>;
  isResumable: boolean;
}

/**
 * The server needs input to finish a call, and does not get it: nobody here answers such questions, a handler failed
 * (see `cause`), it asked too often, or in a way that cannot be understood (2026-07-28 basic/patterns/mrtr).
 */
export class InputRequiredError extends McpError {
  /** What the server asked for, as it came: questions by the names it gave them. */
  readonly inputRequests: unknown;
  /** The server's state, as it came; opaque, and to be sent back to nobody else. */
  readonly requestState: unknown;
  readonly requestMethod: string;
  /** The parameters of the first request of the call. */
  readonly requestParams: Readonly<Record<string, unknown>>;
  /** The call could go on if the questions were answered. */
  readonly isResumable: boolean;

  constructor(message: string, details: InputRequiredDetails) {
    super('input_required', message, { outcome: 'unknown', ...details });
    this.inputRequests = details.inputRequests;
    this.requestState = details.requestState;
    this.requestMethod = details.requestMethod;
    this.requestParams = details.requestParams;
    this.isResumable = details.isResumable;
  }
}

/**
 * Thrown by a handler: the person asked does not want it. Sampling is refused with it, a form or an address is declined
 * (client/sampling "Error Handling").
 */
export class RejectedError extends McpError {
  constructor(message = 'the user rejected the request', details: ErrorDetails = {}) {
    super('rejected', message, details);
  }
}

/** A JSON-RPC error as the class that stands for its code. */
export function rpcError(rpc: RpcErrorObject, details: ErrorDetails = {}): RpcError {
  switch (rpc.code) {
    case -32020:
      return new HeaderMismatchError(rpc, details);
    case -32021:
      return new MissingRequiredClientCapabilityError(rpc, details);
    case -32022:
      return new UnsupportedProtocolVersionError(rpc, details);
    case -32601:
      return new MethodNotFoundError(rpc, details);
    default:
      return new RpcError(rpc, details);
  }
}
