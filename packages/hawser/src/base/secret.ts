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
  const query = parsed.search === '' ? '' : '?…';
  return `${parsed.protocol}//${parsed.host}${parsed.pathname}${query}`;
}
