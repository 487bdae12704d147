/** One text for all that is equal as JSON, and its digest. */
import { toBase64Url } from '../../../base/base64.ts';

const encoder = new TextEncoder();

/** JSON text with the members of objects in the order of their names; members that are `undefined` are left out. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`);
  return `{${members.join(',')}}`;
}

/** 132 bits of SHA-256, as 22 characters that may stand anywhere. */
export async function digest(text: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', encoder.encode(text));
  return toBase64Url(new Uint8Array(hash)).slice(0, 22);
}
