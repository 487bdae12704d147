import { nearest } from './nearest.ts';
import { retype } from './target.ts';
import type { ServerTarget } from './target.ts';
import { count, oneLine, short } from './text.ts';
import { UsageError } from './usage-error.ts';

/**
 * Finds what was named among all that the server offers of its kind.
 *
 * @throws UsageError that says what is close, or how to list all
 */
export function offered<T extends { readonly name: string }>(
  kind: 'tool' | 'prompt',
  name: string,
  all: readonly T[],
  target: ServerTarget,
): T {
  const found = all.find((one) => one.name === name);
  if (found !== undefined) return found;
  const names = all.map((one) => one.name);
  const meant = nearest(name, names).map(oneLine);
  const others = names.length === 0 ? 'the server offers none' : `it offers ${count(names.length, kind)}`;
  throw new UsageError(
    `the server has no ${kind} "${short(name)}"; ${others}`,
    meant.length > 0 ? `did you mean ${meant.join(' or ')}?` : `${retype(`${kind}s`, target)} lists them`,
  );
}
