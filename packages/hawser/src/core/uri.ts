/** Longest URI that is taken from a peer, in characters. */
export const maxUriLength = 65_536;

/**
 * Whether a text can be a URI (RFC 3986): a scheme, and no blanks, control characters or broken percent-encoding.
 * What follows the scheme is the scheme's own affair. URIs of more than 65,536 characters are none here.
 */
export function isUri(text: unknown): text is string {
  return typeof text === 'string' && text.length <= maxUriLength && form.test(text) && !broken.test(text);
}

const form = /^[A-Za-z][A-Za-z0-9+.-]*:/;
// oxlint-disable-next-line no-control-regex -- a URI with control characters is none
const broken = /[\u0000-\u0020\u007f]|%(?![0-9A-Fa-f]{2})/;
