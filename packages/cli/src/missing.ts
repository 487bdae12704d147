import { nearest } from './nearest.ts';
import { retype } from './target.ts';
import type { ServerTarget } from './target.ts';
import { clip, count, oneLine } from './text.ts';
import { UsageError } from './usage-error.ts';

/** The server does not offer what was named: the error says what is close, or how to list all. */
export function missing(
  what: { readonly kind: 'tool' | 'prompt'; readonly list: string },
  name: string,
  names: readonly string[],
  target: ServerTarget,
): UsageError {
  const meant = nearest(name, names).map(oneLine);
  const offered = names.length === 0 ? 'the server offers none' : `it offers ${count(names.length, what.kind)}`;
  return new UsageError(
    `the server has no ${what.kind} "${clip(oneLine(name), 60)}"; ${offered}`,
    meant.length > 0 ? `did you mean ${meant.join(' or ')}?` : `${retype(what.list, target)} lists them`,
  );
}
