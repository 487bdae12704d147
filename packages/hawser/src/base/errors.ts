import { errorCodes } from '../model/meta.ts';
import { isObject } from './json.ts';
import { sample } from './logger.ts';
import { McpError, type ErrorDetails, type RpcErrorObject } from './mcp-error.ts';

export { McpError, withOutcome } from './mcp-error.ts';
export type { ErrorCode, ErrorDetails, Origin, Outcome, RpcErrorObject } from './mcp-error.ts';

/**
 * All errors of the library. `code` is a literal to branch on (see `ErrorCode`), `origin` says whose fault it is,
 * `outcome` whether a failed call may have run. Errors of a peer (its JSON-RPC error, see `rpc`) and errors made here
 * never look alike: ours carry no JSON-RPC code (MCP 2026-07-28, basic/index "Error codes").
 */

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
  constructor(rpc: RpcErrorObject, details: ErrorDetails = {}, code = 'rpc_error', message = rpc.message) {
    super(code, message, { origin: 'peer', outcome: 'unknown', ...details, rpc });
  }
}

/** -32020: the server found headers and body of the request in disagreement; it did not run it. */
export class HeaderMismatchError extends RpcError {
  constructor(rpc: RpcErrorObject, details: ErrorDetails = {}) {
    super(rpc, { ...details, outcome: 'refused' }, 'header_mismatch');
  }
}

/**
 * -32021: the request needs a capability that this client did not declare; see `data.requiredCapabilities`. The message
 * names the options of `connect` that declare it.
 */
export class MissingRequiredClientCapabilityError extends RpcError {
  constructor(rpc: RpcErrorObject, details: ErrorDetails = {}) {
    const options = optionsFor(rpc.data);
    const hint = options.length === 0 ? '' : ` (give connect the option ${options.join(' and ')})`;
    super(rpc, { ...details, outcome: 'refused' }, 'missing_client_capability', rpc.message + hint);
  }
}

/** The options that declare what the server wants, in words of ours alone. */
function optionsFor(data: unknown): string[] {
  const required = isObject(data) ? data['requiredCapabilities'] : undefined;
  const { elicitation, sampling, roots, extensions } = isObject(required) ? required : {};
  const part = (of: unknown, name: string): boolean => isObject(of) && of[name] !== undefined;
  const options: string[] = [];
  if (elicitation !== undefined) options.push(part(elicitation, 'url') ? 'onElicit: { url }' : 'onElicit');
  if (sampling !== undefined) {
    const wanted = ['tools', 'context'].filter((name) => part(sampling, name)).map((name) => `, ${name}: true`);
    options.push(wanted.length === 0 ? 'onSample' : `onSample: { handle${wanted.join('')} }`);
  }
  if (roots !== undefined) options.push('roots');
  if (extensions !== undefined) options.push('extensions');
  return options;
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
    case errorCodes.headerMismatch:
      return new HeaderMismatchError(rpc, details);
    case errorCodes.missingClientCapability:
      return new MissingRequiredClientCapabilityError(rpc, details);
    case errorCodes.unsupportedVersion:
      return new UnsupportedProtocolVersionError(rpc, details);
    case errorCodes.methodNotFound:
      return new MethodNotFoundError(rpc, details);
    default:
      return new RpcError(rpc, details);
  }
}
