import { fromBase64, isBase64, toBase64 } from '../base/base64.ts';
import type { Json } from '../base/json.ts';

/** Names of the headers of Streamable HTTP, in lower case (MCP 2026-07-28, basic/transports/streamable-http). */
export const headerNames = {
  protocolVersion: 'mcp-protocol-version',
  method: 'mcp-method',
  name: 'mcp-name',
  session: 'mcp-session-id',
  lastEventId: 'last-event-id',
  paramPrefix: 'mcp-param-',
} as const;

const prefix = '=?base64?';
const suffix = '?=';
const encoder = new TextEncoder();
const plain = /^(?:[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)?$/;

/** Text as a header value: as it is when that is safe, else `=?base64?…?=` of its UTF-8 ("Value Encoding"). */
export function encodeHeader(value: string): string {
  if (plain.test(value) && !(value.startsWith(prefix) && value.endsWith(suffix))) return value;
  return prefix + toBase64(encoder.encode(value)) + suffix;
}

/**
 * The text a header value stands for: white space around it goes, an encoded value is decoded.
 *
 * @returns undefined when it has characters no header may have, or claims to be encoded and is not
 */
export function decodeHeader(value: string): string | undefined {
  const trimmed = trim(value);
  if (trimmed.length >= prefix.length + suffix.length && trimmed.startsWith(prefix) && trimmed.endsWith(suffix)) {
    return decodeText(trimmed.slice(prefix.length, -suffix.length));
  }
  return /^[\x20-\x7e\t]*$/.test(trimmed) ? trimmed : undefined;
}

/** Takes optional white space off both ends (RFC 9110, section 5.6.3). */
export function trim(value: string): string {
  return value.replace(/^[ \t]+/, '').replace(/[ \t]+$/, '');
}

/** A tool argument as header text: strings as they are, integers in decimal, booleans as words. */
export function headerText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  return Number.isSafeInteger(value) ? String(value) : undefined;
}

/** Whether decoded header text says the same as the value in the body; integers compare as numbers. */
export function headerEquals(text: string, value: Json): boolean {
  if (typeof value === 'number')
    return Number.isSafeInteger(value) && /^-?\d+(?:\.\d+)?$/.test(text) && Number(text) === value;
  return headerText(value) === text;
}

function decodeText(text: string): string | undefined {
  const bytes = isBase64(text) ? fromBase64(text) : undefined;
  if (bytes === undefined) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
