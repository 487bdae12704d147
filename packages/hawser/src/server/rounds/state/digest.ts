/** One text for all that is equal as JSON, and its digest. */

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

export function toBase64Url(bytes: Uint8Array): string {
  let binary = '';
  // Arguments of a call are limited in number.
  for (let at = 0; at < bytes.length; at += 8_192) binary += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** Undefined for what {@link toBase64Url} does not write: one text per value, so that nothing can be varied. */
export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[A-Za-z0-9_-]*$/.test(text) || text.length % 4 === 1) return undefined;
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at);
  return toBase64Url(bytes) === text ? bytes : undefined;
}
