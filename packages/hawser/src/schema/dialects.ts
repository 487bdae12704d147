import { sample } from '../base/logger.ts';
import { SchemaError } from './errors.ts';

/** The dialects that are read. draft-06 is read as draft-07, which only adds to it. */
export type DialectName = '2020-12' | '2019-09' | 'draft-07';

/** What a dialect does otherwise than the others. */
export interface Dialect {
  readonly name: DialectName;
  /** Its meta-schema. */
  readonly uri: string;
  /** Beside `$ref` other keywords count. */
  readonly besideRef: boolean;
  /** `items` may be a list, with `additionalItems` for the rest; else `prefixItems` is. */
  readonly tuples: boolean;
  /** `$anchor`, `unevaluated*`, `dependent*` and counted `contains` are known. */
  readonly vocabularies: boolean;
  /** Items that `contains` found count as evaluated, and `$dynamicRef` is known. */
  readonly dynamic: boolean;
  /** `$recursiveRef` is known. */
  readonly recursive: boolean;
}

const none = { besideRef: false, tuples: false, vocabularies: false, dynamic: false, recursive: false };
const of2020: Dialect = {
  ...none,
  name: '2020-12',
  uri: 'https://json-schema.org/draft/2020-12/schema',
  besideRef: true,
  vocabularies: true,
  dynamic: true,
};
const of2019: Dialect = {
  ...of2020,
  name: '2019-09',
  uri: 'https://json-schema.org/draft/2019-09/schema',
  tuples: true,
  dynamic: false,
  recursive: true,
};
const of07: Dialect = { ...none, name: 'draft-07', uri: 'http://json-schema.org/draft-07/schema', tuples: true };

const all = [of2020, of2019, of07];

/** The dialects that are read, the default first (2026-07-28 basic/index "JSON Schema Usage"). */
export const dialects: readonly { readonly name: DialectName; readonly uri: string }[] = all.map(({ name, uri }) => ({
  name,
  uri,
}));

const byAddress = new Map<string, Dialect>([
  ...all.map((dialect): [string, Dialect] => [plain(dialect.uri), dialect]),
  ['//json-schema.org/draft-06/schema', of07],
]);

/** Either scheme and an empty fragment are the same dialect: both are in use. */
function plain(uri: string): string {
  return uri.replace(/^https?:/, '').replace(/#$/, '');
}

/** The dialect whose meta-schema has this address. */
export function dialectAt(uri: string): Dialect | undefined {
  return byAddress.get(plain(uri));
}

/**
 * The dialect that `$schema` names, 2020-12 without one.
 *
 * @throws SchemaError `unknown_dialect`
 */
export function dialectOf(named: unknown, path = ''): Dialect {
  if (named === undefined) return of2020;
  const dialect = typeof named === 'string' ? dialectAt(named) : undefined;
  if (dialect !== undefined) return dialect;
  const shown = typeof named === 'string' ? `"${sample(named, 100)}"` : typeof named;
  const supported = all.map(({ uri }) => uri).join(', ');
  throw new SchemaError('unknown_dialect', `its dialect ${shown} is not supported; supported: ${supported}`, path);
}
