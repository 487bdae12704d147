/** The keywords of the dialects: what values they may have, and where they hold subschemas. */
import { isObject, type JsonObject } from '../base/json.ts';
import type { Dialect } from './dialects.ts';
import { TextSet } from './text-set.ts';

interface Keyword {
  readonly fits: (value: unknown, dialect: Dialect) => boolean;
  /** Ends the sentence "must be …". */
  readonly must: string;
  /** Dialects that have it; all without this. */
  readonly in?: 'vocabularies' | 'tuples' | 'dynamic' | 'recursive';
  /** It holds subschemas: as its value or in a list, or as the members of an object. */
  readonly holds?: 'schemas' | 'members';
  /** Its subschemas only count where something refers to them. */
  readonly defines?: true;
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isSchema = (value: unknown): boolean => typeof value === 'boolean' || isObject(value);
const isCount = (value: unknown): boolean => Number.isInteger(value) && (value as number) >= 0;
function areNames(value: unknown): boolean {
  if (!Array.isArray(value) || !value.every(isText)) return false;
  const set = new TextSet();
  return value.every((name) => set.add(name));
}
const isSchemaList = (value: unknown): boolean => Array.isArray(value) && value.length > 0;
const types: ReadonlySet<unknown> = new Set(['null', 'boolean', 'object', 'array', 'number', 'string', 'integer']);

function isType(value: unknown): boolean {
  const all = Array.isArray(value) ? (value as unknown[]) : [value];
  return all.length > 0 && areNames(all) && all.every((type) => types.has(type));
}

const text: Keyword = { fits: isText, must: 'a string' };
const number: Keyword = { fits: (value) => Number.isFinite(value), must: 'a number' };
const count: Keyword = { fits: isCount, must: 'a count' };
const flag: Keyword = { fits: (value) => typeof value === 'boolean', must: 'true or false' };
const list: Keyword = { fits: Array.isArray, must: 'a list' };
const names: Keyword = { fits: areNames, must: 'a list of different strings' };
const anchor: Keyword = {
  fits: (value) => isText(value) && /^[A-Za-z_][-A-Za-z0-9._]*$/.test(value),
  must: 'a name without spaces and signs',
};
const schema: Keyword = { fits: isSchema, must: 'a schema', holds: 'schemas' };
const schemas: Keyword = { fits: isSchemaList, must: 'a list of schemas', holds: 'schemas' };
const named: Keyword = { fits: isObject, must: 'an object of schemas', holds: 'members' };

const keywords = new Map<string, Keyword>([
  ['type', { fits: isType, must: `one or more of ${[...types].join(', ')}` }],
  ['required', names],
  ['enum', list],
  ['const', { fits: () => true, must: 'a value' }],
  ['examples', list],
  ['multipleOf', { fits: (value) => Number.isFinite(value) && (value as number) > 0, must: 'a number above 0' }],
  ...each('$id $schema $ref $comment title description format pattern contentMediaType contentEncoding', text),
  ...each('minimum maximum exclusiveMinimum exclusiveMaximum', number),
  ...each('minLength maxLength minItems maxItems minProperties maxProperties', count),
  ...each('uniqueItems readOnly writeOnly', flag),
  ...each('minContains maxContains', { ...count, in: 'vocabularies' }),
  ['deprecated', { ...flag, in: 'vocabularies' }],
  ['$anchor', { ...anchor, in: 'vocabularies' }],
  ['$dynamicAnchor', { ...anchor, in: 'dynamic' }],
  ['$dynamicRef', { ...text, in: 'dynamic' }],
  ['$recursiveAnchor', { ...flag, in: 'recursive' }],
  ['$recursiveRef', { fits: (value) => value === '#', must: '"#"', in: 'recursive' }],
  [
    'dependentRequired',
    {
      fits: (value) => isObject(value) && Object.values(value).every(areNames),
      must: 'an object of lists of different strings',
      in: 'vocabularies',
    },
  ],
  ...each('allOf anyOf oneOf', schemas),
  ['prefixItems', { ...schemas, in: 'dynamic' }],
  [
    'items',
    {
      fits: (value, dialect) => isSchema(value) || (dialect.tuples && Array.isArray(value)),
      must: 'a schema',
      holds: 'schemas',
    },
  ],
  ['additionalItems', { ...schema, in: 'tuples' }],
  ...each('contains not if then else additionalProperties propertyNames', schema),
  ...each('unevaluatedItems unevaluatedProperties', { ...schema, in: 'vocabularies' }),
  ['contentSchema', { ...schema, in: 'vocabularies', defines: true }],
  ...each('properties patternProperties', named),
  ['dependentSchemas', { ...named, in: 'vocabularies' }],
  [
    'dependencies',
    {
      fits: (value) => isObject(value) && Object.values(value).every((one) => isSchema(one) || areNames(one)),
      must: 'an object of schemas and lists of different strings',
      holds: 'members',
    },
  ],
  ['definitions', { ...named, defines: true }],
  ['$defs', { ...named, in: 'vocabularies', defines: true }],
]);

function each(words: string, keyword: Keyword): [string, Keyword][] {
  return words.split(' ').map((word) => [word, keyword]);
}

function keywordOf(name: string, dialect: Dialect): Keyword | undefined {
  const keyword = keywords.get(name);
  return keyword?.in === undefined || dialect[keyword.in] ? keyword : undefined;
}

/** Whether a dialect gives a keyword a meaning. */
export function knows(dialect: Dialect, name: string): boolean {
  return keywordOf(name, dialect) !== undefined;
}

/** What is wrong with the value of a keyword, as the end of a sentence; undefined for what is right or not known. */
export function keywordProblem(name: string, value: unknown, dialect: Dialect): string | undefined {
  const keyword = keywordOf(name, dialect);
  return keyword === undefined || keyword.fits(value, dialect) ? undefined : `must be ${keyword.must}`;
}

/** A subschema where it stands: in a keyword or one of its entries or members, and whether it counts there. */
export interface Place {
  readonly schema: unknown;
  readonly key?: string | number;
  readonly applies: boolean;
}

/** The subschemas that a well-formed keyword holds. */
export function subschemasOf(name: string, value: unknown, dialect: Dialect): Place[] {
  const keyword = keywordOf(name, dialect);
  if (keyword?.holds === undefined) return [];
  const applies = keyword.defines !== true;
  if (Array.isArray(value)) return value.map((one, key) => ({ schema: one, key, applies }));
  if (isObject(value) && keyword.holds === 'members') {
    const places = Object.entries(value).map(([key, one]) => ({ schema: one, key, applies }));
    return name === 'dependencies' ? places.filter(({ schema: one }) => !Array.isArray(one)) : places;
  }
  return [{ schema: value, applies }];
}

/** Whether a schema is a reference and nothing else: in draft-07 no keyword beside `$ref` counts. */
export function isOnlyReference(one: JsonObject, dialect: Dialect): boolean {
  return !dialect.besideRef && typeof one['$ref'] === 'string';
}

/** The entries of a schema that count: of a mere reference also the `definitions`, since it may refer to them. */
export function entriesOf(one: JsonObject, dialect: Dialect): [string, unknown][] {
  const entries = Object.entries(one);
  return isOnlyReference(one, dialect)
    ? entries.filter(([name]) => name === '$ref' || name === 'definitions')
    : entries;
}
