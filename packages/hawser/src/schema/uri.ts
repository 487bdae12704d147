/** URI references (RFC 3986), as schemas use them. */

/** The address of a schema that does not say its own. */
export const nowhere = 'schema://hawser/';

/** What a reference resolves to: an address without fragment, and the fragment, decoded. */
export interface Address {
  readonly uri: string;
  readonly fragment: string;
}

/** A reference against a base; undefined when it is no URI reference. */
export function resolveUri(reference: string, base: string): Address | undefined {
  const hash = reference.indexOf('#');
  const uri = hash < 0 ? reference : reference.slice(0, hash);
  try {
    const fragment = hash < 0 ? '' : decodeURIComponent(reference.slice(hash + 1));
    if (uri === '') return { uri: base, fragment };
    const url = new URL(uri, base);
    url.hash = '';
    return { uri: url.href, fragment };
  } catch {
    return undefined;
  }
}
