import {
  HttpStatusError,
  InsufficientScopeError,
  ServerError,
  TransientServerError,
  UnauthorizedError,
  type ErrorDetails,
  type McpError,
  type RpcErrorObject,
} from '../base/errors.ts';
import { sample } from '../base/logger.ts';
import { maskUrl } from '../base/secret.ts';
import type { HttpHead } from './http-headers.ts';

const passing = new Set([429, 502, 503, 504]);

/**
 * Whether a status says more than a JSON-RPC error that comes with it: what is missing are credentials, scope or
 * time, whatever the body calls it.
 */
export function outranksBody(response: HttpHead): boolean {
  const { status } = response;
  return status === 401 || passing.has(status) || (status === 403 && scopeWanted(response) !== undefined);
}

/**
 * The error for a response that is no answer to the request.
 *
 * @param response its head, without our credentials
 * @param body what it said instead, without our credentials
 * @param rpc the JSON-RPC error in it, if there is one
 */
export function httpFailure(response: HttpHead, method: string, body: string, rpc?: RpcErrorObject): McpError {
  const { status } = response;
  const details: ErrorDetails = rpc === undefined ? {} : { rpc };
  const said = (rpc?.message ?? body).trim();
  const text = `${method}: HTTP ${status}${said === '' ? '' : `: ${sample(said)}`}`;
  if (status === 401) return new UnauthorizedError(`${method}: the server wants credentials (HTTP 401)`, details);
  if (status === 403) return forbidden(response, text, details);
  if (passing.has(status))
    return new TransientServerError(status, text, { ...details, retryAfterMs: retryAfter(response) });
  if (status >= 500) return new ServerError(status, text, details);
  const to = status >= 300 && status < 400 ? target(response) : undefined;
  if (to === undefined) return new HttpStatusError(status, text, details);
  return new HttpStatusError(
    status,
    `${method}: HTTP ${status}: redirected to ${to}; redirects are not followed: use the final URL`,
    details,
  );
}

function forbidden(response: HttpHead, text: string, details: ErrorDetails): McpError {
  const challenge = scopeWanted(response);
  if (challenge === undefined) return new HttpStatusError(403, text, { ...details, outcome: 'refused' });
  const param = (name: string): string | undefined => new RegExp(`\\b${name}="([^"]*)"`, 'i').exec(challenge)?.[1];
  return new InsufficientScopeError(param('scope'), param('error_description'), details);
}

/** RFC 6750, section 3.1: only this challenge means that more scope would help; any other 403 is final. */
function scopeWanted(response: HttpHead): string | undefined {
  const challenge = response.header('www-authenticate');
  return challenge !== undefined && /\berror="?insufficient_scope"?/i.test(challenge) ? challenge : undefined;
}

/** Where a redirect leads, without what could be a secret in it. */
function target(response: HttpHead): string | undefined {
  const location = response.header('location');
  if (location === undefined) return undefined;
  const shown = maskUrl(location);
  return sample(shown.startsWith('[') ? location.replace(/[?#].*$/s, '') : shown);
}

/** `Retry-After` in seconds, or as a date beside the date of the response (RFC 9110, section 10.2.3). */
function retryAfter(response: HttpHead): number | undefined {
  const value = response.header('retry-after');
  if (value === undefined) return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  const ms = Date.parse(value) - Date.parse(response.header('date') ?? '');
  return ms >= 0 ? ms : undefined;
}
