/** A value that must not be shown: printing, logging or serializing it gives `[secret]`. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** The value itself, for the one place that needs it. */
  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return '[secret]';
  }

  toJSON(): string {
    return '[secret]';
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return '[secret]';
  }
}

const sensitiveHeader =
  /^(proxy-)?authorization$|cookie|dpop|token|secret|passw|credential|apikey|(^|[-_])(auth|key|session|signature)([-_]|$)/i;

/** A copy of headers that can be shown: values of headers that carry credentials or session ids are masked. */
export function maskHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const shown: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) shown[name] = sensitiveHeader.test(name) ? '[secret]' : value;
  return shown;
}

/** An address that can be shown: without user, password, query or fragment, which may carry credentials. */
export function maskUrl(url: string | URL): string {
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    return '[not a URL]';
  }
  return maskUrlText(parsed.protocol === 'http:' || parsed.protocol === 'https:' ? parsed.href : `${url}`);
}

/**
 * The same of a text that may be no URL, or one with placeholders in it. A password with a `/`, `?` or `#` in it makes
 * a URL that reads quite differently, `https://me:12/34@host`. So where an `@` comes late, and it cannot be told what
 * is before it, only what looks like a host is shown.
 */
export function maskUrlText(text: string): string {
  const [, scheme = '', rest = ''] = /^([a-z][a-z0-9+.-]*:\/\/)?(.*)$/is.exec(text) ?? [];
  const [authority = ''] = /^[^/?#\\]*/.exec(rest) ?? [];
  const user = authority.lastIndexOf('@') + 1;
  const before = rest.slice(0, rest.lastIndexOf('@') + 1);
  if (before.length > user && !isPlain(before)) {
    const [, host] = /^([^:@]*|\[[\da-f:.]*\])(?::\d*)?$/i.exec(authority) ?? [];
    return `${scheme}${host !== undefined && isHost.test(host) ? `${host}/…` : '…'}`;
  }
  const [shown = '', query] = rest.slice(user).split(/(?=[?#])/);
  return `${scheme}${shown}${query?.startsWith('?') === true && query !== '?' ? '?…' : ''}`;
}

const isHost = /^localhost$|[.[]|^\$\{[^:]*\}$/i;

/** `host/@scope/`, as registries have it: there is no password without a colon. */
function isPlain(before: string): boolean {
  return !before.includes(':') && /^[^/?#@\\]+\/([^@?#\\]*\/)?@$/.test(before);
}
