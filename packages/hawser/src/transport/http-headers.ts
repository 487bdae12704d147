import { ArgumentError, type RpcErrorObject } from '../base/errors.ts';
import { parseJson } from '../base/json.ts';
import { maskHeaders } from '../base/secret.ts';
import { usualAccept } from '../core/head.ts';
import type { Call, HttpResponse } from '../ports/index.ts';
import { encodeHeader, headerNames, readError, type Wire } from '../wire/index.ts';

/** Headers as users give them: an object, a `Headers`, or pairs. */
type GivenHeaders = Readonly<Record<string, string>> | Iterable<readonly [string, string]>;

/** The same, or a function that is asked anew for each request. */
export type HeaderSource = GivenHeaders | (() => GivenHeaders | Promise<GivenHeaders>);

/** Headers that have been checked, names in lower case. */
export type HeaderList = readonly (readonly [name: string, value: string])[];

/** What a response says before its body. */
export type HttpHead = Pick<HttpResponse, 'status' | 'header'>;

/** What the protocol or the connection says with a header is not for users to say. */
const reserved = new Set([
  'accept',
  'connection',
  'content-length',
  'content-type',
  'expect',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  headerNames.lastEventId,
  headerNames.method,
  headerNames.name,
  headerNames.protocolVersion,
  headerNames.session,
]);

/**
 * The headers a user gave, checked, those of the protocol left out. Fixed ones are checked at once, those of a
 * function each time.
 *
 * @throws ArgumentError for a header that cannot be sent; it names the header, never its value
 */
export function headerSource(source: HeaderSource): () => HeaderList | Promise<HeaderList> {
  if (typeof source === 'function') return async () => checked(await source());
  const list = checked(source);
  return () => list;
}

function checked(given: GivenHeaders): HeaderList {
  if (typeof given !== 'object' || given === null)
    throw new ArgumentError('headers must be an object, a Headers, pairs, or a function that gives one');
  const pairs = Symbol.iterator in given ? [...(given as Iterable<readonly [string, string]>)] : Object.entries(given);
  const list: [string, string][] = [];
  for (const [name, value] of pairs) {
    // In plain JavaScript an absent value is often written as undefined.
    if (value === undefined) continue;
    if (!/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name)) throw new ArgumentError('headers: a name is not a header token');
    if (typeof value !== 'string' || !/^[\t\x20-\x7e]*$/.test(value))
      throw new ArgumentError(`headers: the value of ${name} must be text of visible ASCII characters`);
    const lower = name.toLowerCase();
    if (!reserved.has(lower) && !lower.startsWith(headerNames.paramPrefix)) list.push([lower, value]);
  }
  return list;
}

/** The headers of a modern POST: they mirror its body ("Request Headers"). */
export function modernHeaders(call: Call, wire: Wire): Record<string, string> {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    accept: usualAccept,
    [headerNames.protocolVersion]: wire.revision,
    [headerNames.method]: call.method,
  };
  if (call.name !== undefined) headers[headerNames.name] = encodeHeader(call.name);
  if (call.mirror !== undefined)
    for (const [name, value] of Object.entries(call.mirror)) headers[name] = encodeHeader(value);
  return headers;
}

/** What a legacy session is told by on every request after `initialize` (2025-11-25 "Session Management"). */
export interface SessionMarks {
  readonly id: string | undefined;
  /** Undefined where the server chose a version that we do not speak. */
  readonly wire: Wire | undefined;
}

/** The headers of a legacy request; without a session those of `initialize`. */
export function legacyHeaders(
  method: 'GET' | 'POST' | 'DELETE',
  session: SessionMarks | undefined,
): Record<string, string> {
  const headers: Record<string, string> = { accept: method === 'GET' ? 'text/event-stream' : usualAccept };
  if (method === 'POST') headers['content-type'] = 'application/json';
  if (session?.id !== undefined) headers[headerNames.session] = session.id;
  if (session?.wire !== undefined && session.wire.facts.versionHeader !== 'never')
    headers[headerNames.protocolVersion] = session.wire.revision;
  return headers;
}

const scheme = /^(?:basic|bearer|digest|dpop|negotiate|token|api-?key)$/i;
const shortestSecret = 4;

/**
 * Takes the credentials of a request out of what the server said about it: some servers send them back in their
 * complaints, which then stand in errors and logs.
 */
export function hide(text: string, headers: Readonly<Record<string, string>>): string {
  const shown = maskHeaders(headers);
  const secrets = Object.entries(headers)
    .filter(([name, value]) => shown[name] !== value)
    .flatMap(([, value]) => [value, ...value.split(/[\s;,]+/), ...value.split(/[\s;,=]+/)])
    .filter((part) => part.length >= shortestSecret && !scheme.test(part))
    .flatMap((part) => [part, JSON.stringify(part).slice(1, -1)]);
  // The longest first: a secret may be part of another.
  return secrets
    .sort((a, b) => b.length - a.length)
    .reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), text);
}

/** The head of a response, its headers without our credentials. */
export function hiddenHead(response: HttpResponse, headers: Readonly<Record<string, string>>): HttpHead {
  return {
    status: response.status,
    header(name) {
      const value = response.header(name);
      return value === undefined ? undefined : hide(value, headers);
    },
  };
}

/** The same for an error of the server, its data included. */
export function hideIn(error: RpcErrorObject, headers: Readonly<Record<string, string>>): RpcErrorObject {
  const text = JSON.stringify(error);
  const hidden = hide(text, headers);
  if (hidden === text) return error;
  return readError(parseJson(hidden)) ?? { code: error.code, message: hide(error.message, headers) };
}
