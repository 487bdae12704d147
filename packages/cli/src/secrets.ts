import type { Options } from './options.ts';
import type { ServerTarget } from './target.ts';

const shortestSecret = 4;

/** What the user handed over to be sent to the server, as it could show up again in a message. */
export function secretsOf(options: Pick<Options, 'headers' | 'env'>, target: ServerTarget | undefined): string[] {
  const values = [...Object.values(options.headers), ...Object.values(options.env)];
  // `Bearer abc`: a server that complains quotes the part behind the scheme.
  for (const value of Object.values(options.headers)) values.push(...value.split(' ').slice(1));
  if (target?.kind === 'url') {
    values.push(target.url.search, ...target.url.searchParams.values());
  }
  return values;
}

/** Puts `[secret]` in the place of every secret, also where JSON has escaped it; more can be added on the way. */
export class Mask {
  readonly #forms = new Set<string>();
  #ordered: readonly string[] = [];

  constructor(secrets: readonly string[] = []) {
    this.add(...secrets);
  }

  /** What is too short to be told from other text is not masked. */
  add(...secrets: readonly string[]): void {
    for (const secret of secrets) {
      if (secret.length < shortestSecret) continue;
      this.#forms.add(secret).add(JSON.stringify(secret).slice(1, -1));
    }
    // The longest first: a secret may contain another.
    this.#ordered = [...this.#forms].sort((a, b) => b.length - a.length);
  }

  readonly hide = (text: string): string =>
    this.#ordered.reduce((result, secret) => result.replaceAll(secret, '[secret]'), text);
}
