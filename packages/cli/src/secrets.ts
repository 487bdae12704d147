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
  return values.filter((value) => value.length >= shortestSecret);
}

/** A function that puts `[secret]` in the place of every secret, also where JSON has escaped it. */
export function redactor(secrets: readonly string[]): (text: string) => string {
  const forms = new Set(secrets.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]));
  // The longest first: a secret may contain another.
  const ordered = [...forms].sort((a, b) => b.length - a.length);
  return (text) => ordered.reduce((result, secret) => result.replaceAll(secret, '[secret]'), text);
}
