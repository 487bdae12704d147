/**
 * What browsers want to hear before a page of another origin may call (Fetch standard, "CORS protocol"). Who may is
 * judged by `core/origins`; nothing here opens anything. Cookies are never asked for: whoever calls says who it is by a
 * header.
 */
import type { HeaderOf } from './head.ts';

/** What pages need to read of an answer, and could not otherwise. */
const exposed = 'Mcp-Session-Id, MCP-Protocol-Version, WWW-Authenticate, Retry-After';

/** How long a browser may remember an answer to a preflight, in seconds. More is cut down to it by Chromium. */
const maxAge = '7200';

/** For answers that could have been others to a page: caches between are not to mix them up. */
export const varyByOrigin = { vary: 'Origin' } as const;

/** Headers with which a page of this origin may read an answer. */
export function corsHeaders(origin: string): Readonly<Record<string, string>> {
  return { 'access-control-allow-origin': origin, 'access-control-expose-headers': exposed, vary: 'Origin' };
}

/** Whether a browser asks if a page may send what it wants to send. The question carries no credentials. */
export function isPreflight(method: string, header: HeaderOf): boolean {
  return (
    method === 'OPTIONS' && header('origin') !== undefined && header('access-control-request-method') !== undefined
  );
}

const headerNames = /^[\w!#$%&'*+.^`|~, \t-]+$/;
const maxHeaderNames = 8_192;

/**
 * The answer to a preflight of an origin that may call. The headers that were asked for are allowed by name: there is no
 * other way to allow every `Mcp-Param-…`, and `*` leaves out `Authorization`.
 *
 * @param methods what the endpoint takes, as a list for a header
 */
export function preflightHeaders(origin: string, methods: string, header: HeaderOf): Readonly<Record<string, string>> {
  const names = header('access-control-request-headers');
  const known = names !== undefined && names.length <= maxHeaderNames && headerNames.test(names);
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-methods': methods,
    ...(known && { 'access-control-allow-headers': names }),
    'access-control-max-age': maxAge,
    vary: 'Origin, Access-Control-Request-Headers',
  };
}
