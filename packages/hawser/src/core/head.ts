import { errorCodes } from '../model/meta.ts';
import { originAllowed, type AllowedOrigins } from './origins.ts';
import { Refusal } from './refusal.ts';

/** Reads a request header by its lower-case name. */
export type HeaderOf = (name: string) => string | undefined;

/** Who may reach an HTTP endpoint, judged before anything of the request is read. */
export interface HeadPolicy {
  /** Host names, with or without port, that requests may be addressed to; `any` leaves `Host` unchecked. */
  allowedHosts: readonly string[] | 'any';
  /** Origins of web pages that may call; the endpoint's own always may. */
  allowedOrigins: AllowedOrigins;
  /** Largest request body, in bytes. */
  maxBodyBytes: number;
}

const refuse = (status: number, message: string, headers?: Readonly<Record<string, string>>): Refusal =>
  new Refusal(status, errorCodes.invalidRequest, message, headers === undefined ? {} : { headers });

const hostRefused = refuse(403, 'Host is not allowed');
const originRefused = refuse(403, 'Origin is not allowed', { vary: 'Origin' });
const notJson = refuse(415, 'Content-Type must be application/json');
const notAcceptable = refuse(406, 'Accept must allow application/json or text/event-stream');
const tooLarge = refuse(413, 'the request body is too large');

/** The refusal for a body past the limit. */
export const bodyTooLarge = tooLarge;
/** The refusal for a body whose end never came: hardly anybody is left to read it. */
export const bodyBrokeOff = new Refusal(400, errorCodes.parse, 'the body broke off');
/** The refusal for a body that was not complete in time. */
export const bodyTooSlow = new Refusal(408, errorCodes.parse, 'the body took too long', {
  headers: { connection: 'close' },
});
/** The refusal for bytes that are no text. */
export const bodyNotUtf8 = new Refusal(400, errorCodes.parse, 'the body is not UTF-8');

/** Host and Origin, for every HTTP method (basic/transports/streamable-http "Security & Endpoint"). */
export function gateOrigin(policy: HeadPolicy, header: HeaderOf): Refusal | undefined {
  const host = header('host');
  if (policy.allowedHosts !== 'any' && (host === undefined || !hostAllowed(policy.allowedHosts, host)))
    return hostRefused;
  const origin = header('origin');
  if (origin !== undefined && !originAllowed(policy.allowedOrigins, origin, host)) return originRefused;
  return undefined;
}

function hostAllowed(allowed: readonly string[], host: string): boolean {
  const lower = host.toLowerCase();
  const name = lower.replace(/:\d+$/, '');
  return allowed.includes(lower) || allowed.includes(name);
}

/** Names of this machine itself, in every spelling; with them, any port. */
export const loopbackHosts: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

const jsonType = /^application\/json[ \t]*(?:;|$)/i;

/** Content type, announced length and `Accept` of a POST. */
export function gatePost(policy: HeadPolicy, header: HeaderOf): Refusal | undefined {
  const type = header('content-type');
  if (type !== 'application/json' && (type === undefined || !jsonType.test(type))) return notJson;
  const length = header('content-length');
  if (length !== undefined && Number(length) > policy.maxBodyBytes) return tooLarge;
  return acceptable(header('accept')) === 'none' ? notAcceptable : undefined;
}

/** What a caller takes in answer to a POST. */
export type Accepts = 'both' | 'json' | 'sse';

/**
 * What a caller takes. Lenient: no `Accept` takes all, and one type of the two is enough. Weights do not matter,
 * except that a weight of 0 excludes (RFC 9110, section 12.5.1).
 */
export function acceptable(accept: string | undefined): Accepts | 'none' {
  if (accept === undefined || accept === usualAccept) return 'both';
  const ranges = accept.toLowerCase().split(',').map(readRange);
  const json = takes(ranges, 'application', 'json');
  const sse = takes(ranges, 'text', 'event-stream');
  if (json) return sse ? 'both' : 'json';
  return sse ? 'sse' : 'none';
}

interface Range {
  readonly type: string;
  readonly excluded: boolean;
}

function readRange(text: string): Range {
  const [type = '', ...params] = text.split(';').map((part) => part.trim());
  return { type, excluded: params.some((param) => /^q=0(?:\.0*)?$/.test(param)) };
}

/** The most specific range that matches decides. */
function takes(ranges: readonly Range[], type: string, subtype: string): boolean {
  for (const wanted of [`${type}/${subtype}`, `${type}/*`, '*/*']) {
    const found = ranges.filter((range) => range.type === wanted);
    if (found.length > 0) return found.some((range) => !range.excluded);
  }
  return false;
}

/** What every client of Streamable HTTP sends. */
export const usualAccept = 'application/json, text/event-stream';
