import {
  HttpStatusError,
  InsufficientScopeError,
  ServerError,
  TransientServerError,
  UnauthorizedError,
  type ErrorDetails,
  type McpError,
} from '../base/errors.ts';
import { sample } from '../base/logger.ts';
import type { HttpResponse } from '../ports/index.ts';

/** The error for a response that is no answer to the request; `body` is what it said instead. */
export function httpFailure(response: HttpResponse, method: string, body: string): McpError {
  const { status } = response;
  const said = body.trim() === '' ? '' : `: ${sample(body.trim())}`;
  const text = `${method}: HTTP ${status}${said}`;
  if (status === 401) return new UnauthorizedError(`${method}: the server wants credentials (HTTP 401)`);
  if (status === 403) return forbidden(response, text);
  if (status === 429 || status === 502 || status === 503 || status === 504) {
    return new TransientServerError(status, text, { retryAfterMs: retryAfter(response.header('retry-after')) });
  }
  if (status >= 500) return new ServerError(status, text);
  return new HttpStatusError(status, text);
}

/** RFC 6750, section 3.1: only this challenge means that more scope would help; any other 403 is final. */
function forbidden(response: HttpResponse, text: string): McpError {
  const refused: ErrorDetails = { outcome: 'refused' };
  const challenge = response.header('www-authenticate') ?? '';
  if (!/\berror="?insufficient_scope"?/i.test(challenge)) return new HttpStatusError(403, text, refused);
  const param = (name: string): string | undefined => new RegExp(`\\b${name}="([^"]*)"`, 'i').exec(challenge)?.[1];
  return new InsufficientScopeError(param('scope'), param('error_description'));
}

function retryAfter(value: string | undefined): number | undefined {
  return value !== undefined && /^\d{1,9}$/.test(value) ? Number(value) * 1000 : undefined;
}
