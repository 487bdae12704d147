// oxlint-disable unicorn/no-thenable -- `then` is a keyword of JSON Schema
/** Random schemas of each dialect, and values that have a chance to fit them. */
import * as fc from 'fast-check';
import { isObject, type JsonObject } from '../../src/base/json.ts';
import type { DialectName } from '../../src/schema/dialects.ts';

export type Schema = JsonObject | boolean;

const names = fc.constantFrom('a', 'b', 'ab', 'constructor', 'toString', '__proto__', '');
const scalars = fc.constantFrom<unknown>(
  null,
  true,
  false,
  0,
  1,
  1.0,
  1.5,
  2,
  3,
  -1,
  0.1,
  '',
  'a',
  'b',
  'ab',
  '\u{1F600}',
);
const patterns = fc.constantFrom('a', '^a$', 'b', '^.$', '\\d', '^\\p{L}*$', '(?=a)', '^(a|b){1,2}$');
const types = fc.constantFrom('null', 'boolean', 'object', 'array', 'number', 'string', 'integer');
const count = fc.nat(3);
const number = fc.constantFrom(-1, 0, 0.1, 1, 1.5, 2, 3);

/** Names are own members here, `__proto__` too, as they are in parsed JSON. */
function record<T>(entries: [string, T][]): Record<string, T> {
  return Object.fromEntries(entries);
}

function dictionary<T>(
  keys: fc.Arbitrary<string>,
  of: fc.Arbitrary<T>,
  maxLength = 3,
): fc.Arbitrary<Record<string, T>> {
  return fc.uniqueArray(fc.tuple(keys, of), { maxLength, selector: ([key]) => key }).map(record);
}

const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalars,
    fc.array(tie('value'), { maxLength: 3 }),
    dictionary(names, tie('value')),
  ),
}));

/** Keywords all dialects have: those for any value, and where subschemas stand. */
function shared(one: fc.Arbitrary<Schema>): Record<string, fc.Arbitrary<unknown>> {
  const some = fc.array(one, { minLength: 1, maxLength: 3 });
  return {
    type: fc.oneof(types, fc.uniqueArray(types, { minLength: 1, maxLength: 3 })),
    enum: fc.uniqueArray(value, { minLength: 1, maxLength: 4, selector: (entry) => JSON.stringify(entry) }),
    const: value,
    minimum: number,
    maximum: number,
    exclusiveMinimum: number,
    exclusiveMaximum: number,
    multipleOf: fc.constantFrom(1, 2, 0.5, 0.25, 1.5),
    minLength: count,
    maxLength: count,
    pattern: patterns,
    properties: dictionary(names, one),
    patternProperties: dictionary(patterns, one, 2),
    additionalProperties: one,
    propertyNames: one,
    required: fc.uniqueArray(names, { maxLength: 2 }),
    minProperties: count,
    maxProperties: count,
    items: one,
    contains: one,
    minItems: count,
    maxItems: count,
    uniqueItems: fc.boolean(),
    allOf: some,
    anyOf: some,
    oneOf: some,
    not: one,
    if: one,
    then: one,
    else: one,
    contentMediaType: fc.constant('application/json'),
    contentEncoding: fc.constant('base64'),
    default: value,
    'x-unknown': value,
  };
}

/** What the dialects have of their own; each also gets some of the others, which it must not know. */
function own(one: fc.Arbitrary<Schema>): Record<DialectName, Record<string, fc.Arbitrary<unknown>>> {
  const some = fc.array(one, { minLength: 1, maxLength: 3 });
  const needs = dictionary(names, fc.uniqueArray(names, { maxLength: 2 }), 2);
  const lists = { items: fc.oneof(one, some), additionalItems: one };
  const later = {
    minContains: count,
    maxContains: count,
    dependentRequired: needs,
    dependentSchemas: dictionary(names, one, 2),
    unevaluatedProperties: one,
    unevaluatedItems: one,
  };
  return {
    'draft-07': {
      ...lists,
      dependencies: dictionary(names, fc.oneof(one, fc.uniqueArray(names, { maxLength: 2 })), 2),
      $ref: fc.constantFrom('#/definitions/a', '#b', 'urn:example:c', '#/definitions/e/items', '#/definitions/list'),
      minContains: fc.constant(2),
      unevaluatedProperties: fc.constant(false),
      dependentRequired: fc.constant({ a: ['b'] }),
      prefixItems: fc.constant([false]),
    },
    '2019-09': {
      ...later,
      ...lists,
      $ref: fc.constantFrom('#/$defs/a', '#b', 'urn:example:c', 'urn:example:f', '#/$defs/e/items', '#/$defs/list'),
      $recursiveRef: fc.constant('#'),
      prefixItems: fc.constant([false]),
      $dynamicRef: fc.constant('#d'),
    },
    '2020-12': {
      ...later,
      prefixItems: some,
      $ref: fc.constantFrom('#/$defs/a', '#b', 'urn:example:c', 'urn:example:f', '#/$defs/e/items', '#d'),
      $dynamicRef: fc.constantFrom('#d', 'urn:example:c#d', 'urn:example:f', '#b', '#/$defs/a'),
      additionalItems: fc.constant(false),
      $recursiveRef: fc.constant('#'),
    },
  };
}

/** Branches that look at some members before one of them fails, and what is left for `unevaluated*`. */
function evaluating(dialect: DialectName): fc.Arbitrary<JsonObject> {
  const leaf = fc.constantFrom<Schema>(true, false, { type: 'number' }, { const: 1 });
  const entries = fc.array(leaf, { minLength: 1, maxLength: 2 });
  const branch = fc.oneof(
    fc.record({ properties: dictionary(fc.constantFrom('a', 'b', 'ab'), leaf), required: fc.constantFrom([], ['a']) }),
    fc.record({ [dialect === '2020-12' ? 'prefixItems' : 'items']: entries, maxItems: fc.constantFrom(1, 2, 3) }),
    fc.record({ contains: leaf, properties: dictionary(fc.constantFrom('a', 'b'), leaf) }),
  );
  const branches = fc.array(branch, { minLength: 1, maxLength: 3 });
  return fc
    .tuple(fc.constantFrom('anyOf', 'oneOf', 'allOf', 'if', 'not'), branches, branch)
    .map(([keyword, all, then]) => ({
      ...(keyword === 'if' || keyword === 'not' ? { [keyword]: all[0], then } : { [keyword]: all }),
      ...(dialect === 'draft-07' ? {} : { unevaluatedProperties: false, unevaluatedItems: false }),
    }));
}

function schemaOf(dialect: DialectName, partial: boolean): fc.Arbitrary<Schema> {
  const { schema } = fc.letrec<{ schema: Schema }>((tie) => {
    const one = tie('schema');
    const special = own(one)[dialect];
    const entries = ([name, arbitrary]: [string, fc.Arbitrary<unknown>]): fc.Arbitrary<[string, unknown]> =>
      arbitrary.map((entry): [string, unknown] => [name, entry]);
    // `$recursiveRef` to the whole document would not end, unless it is asked about members.
    const keyword = fc.oneof(
      { maxDepth: 3 },
      ...Object.entries(shared(one)).map(entries),
      ...Object.entries(special)
        .filter(([name]) => name !== '$recursiveRef' || dialect !== '2019-09')
        .map(entries),
      ...(partial
        ? [
            {
              weight: 12,
              arbitrary: fc.constantFrom<[string, unknown]>(['format', 'date'], ['contentSchema', { type: 'number' }]),
            },
          ]
        : []),
      ...(dialect === '2019-09'
        ? [
            fc
              .constantFrom('items', 'additionalProperties')
              .map((name): [string, unknown] => [name, { $recursiveRef: '#' }]),
          ]
        : []),
    );
    // Few keywords at a time, so that some values fit.
    const few = fc.array(keyword, { minLength: 1, maxLength: 4 }).map(record);
    return {
      schema: fc.oneof(
        { maxDepth: 3 },
        { weight: 1, arbitrary: fc.boolean() },
        { weight: 6, arbitrary: few },
        { weight: 1, arbitrary: evaluating(dialect) },
      ),
    };
  });
  return schema;
}

export const dialectUris: Record<DialectName, string> = {
  '2020-12': 'https://json-schema.org/draft/2020-12/schema',
  '2019-09': 'https://json-schema.org/draft/2019-09/schema',
  'draft-07': 'http://json-schema.org/draft-07/schema#',
};

/** A document around a schema: what its references lead to, none of which leads back without a member between. */
function documentOf(root: Schema, more: Schema, dialect: DialectName): JsonObject {
  const $schema = dialectUris[dialect];
  const list = { items: { $ref: '#' }, maxItems: 2 };
  const shape = { type: ['object', 'string', 'array'], properties: { a: true } };
  const hidden = { 'x-not-a-keyword': 1, items: { minimum: 1, minLength: 1 } };
  if (dialect === 'draft-07')
    return {
      $schema,
      allOf: [root],
      definitions: {
        a: shape,
        b: { $id: '#b', minLength: 1, minItems: 1 },
        c: { $id: 'urn:example:c', items: { $ref: '#/definitions/d' }, definitions: { d: { type: 'number' } } },
        e: hidden,
        list: { items: { $ref: '#/definitions/a' } },
        more: { properties: { more } },
      },
    };
  const is2019 = dialect === '2019-09';
  // Two resources, of which the one that is entered first decides what the other means by its references.
  const there = { $ref: 'https://example.test/document#/$defs/more/properties/more' };
  const c = is2019
    ? { $id: 'urn:example:c', $recursiveAnchor: true, additionalProperties: { $recursiveRef: '#' }, minProperties: 1 }
    : {
        $id: 'urn:example:c',
        items: { $dynamicRef: '#d' },
        additionalProperties: { $dynamicRef: '#e' },
        $defs: { d: { $dynamicAnchor: 'd' }, e: { $dynamicAnchor: 'e', type: ['number', 'object'] } },
      };
  const f = is2019
    ? { $id: 'urn:example:f', $recursiveAnchor: true, $ref: 'urn:example:c', properties: { a: there } }
    : { $id: 'urn:example:f', $ref: 'urn:example:c', $defs: { e: { $dynamicAnchor: 'e', allOf: [there] } } };
  return {
    $schema,
    $id: 'https://example.test/document',
    ...(is2019 ? { $recursiveAnchor: true } : {}),
    allOf: [root],
    $defs: {
      a: shape,
      b: { $anchor: 'b', minLength: 1, minItems: 1 },
      c,
      d: is2019 ? {} : { $dynamicAnchor: 'd', type: ['number', 'array'], unevaluatedItems: { type: 'number' } },
      e: hidden,
      f,
      list,
      more: { properties: { more } },
    },
  };
}

/** Choices that are made one after the other. */
type Pick = (among: number) => number;

/** A value that the schema has a word on: often one that fits, or fails in one place only. */
function instanceOf(schema: unknown, pick: Pick, depth = 0): unknown {
  const chance = [null, true, 0, 1, 1.5, 2, '', 'a', 'ab', '2020-01-01', [], {}][pick(12)];
  if (!isObject(schema) || depth > 6 || pick(8) === 0) return chance;
  const inner = (one: unknown): unknown => instanceOf(one, pick, depth + 1);
  if ('const' in schema && pick(4) > 0) return schema['const'];
  const { enum: choices } = schema;
  if (Array.isArray(choices) && choices.length > 0 && pick(4) > 0) return choices[pick(choices.length)];
  const isFor = (...keywords: string[]): boolean => keywords.some((keyword) => keyword in schema);
  if (isFor('properties', 'required', 'patternProperties', 'dependencies', 'dependentRequired', 'dependentSchemas')) {
    const object: [string, unknown][] = [];
    for (const keyword of ['properties', 'dependentSchemas', 'dependentRequired', 'dependencies'])
      for (const [name, one] of Object.entries((schema[keyword] as JsonObject | undefined) ?? {}))
        if (pick(4) > 0) object.push([name, inner(one)]);
    for (const name of (schema['required'] as string[] | undefined) ?? []) if (pick(8) > 0) object.push([name, chance]);
    for (const [, one] of Object.entries((schema['patternProperties'] as JsonObject | undefined) ?? {}))
      object.push(['ab', inner(one)]);
    if (pick(3) === 0) object.push(['b', inner(schema['additionalProperties'] ?? schema['unevaluatedProperties'])]);
    return record(object);
  }
  if (isFor('additionalProperties', 'unevaluatedProperties', 'propertyNames', 'minProperties', 'maxProperties'))
    return record(['a', 'ab', 'b'].slice(pick(4)).map((name) => [name, inner(schema['additionalProperties'])]));
  if (isFor('items', 'prefixItems', 'contains', 'uniqueItems', 'minItems', 'maxItems', 'unevaluatedItems')) {
    const { items, contains } = schema;
    const first = (Array.isArray(items) ? items : ((schema['prefixItems'] as unknown[] | undefined) ?? [])).map(inner);
    const rest = [
      contains,
      contains,
      Array.isArray(items) ? schema['additionalItems'] : items,
      schema['unevaluatedItems'],
    ];
    return [...first, ...rest.slice(pick(4)).map(inner)].slice(0, 1 + pick(5));
  }
  if (isFor('$ref', '$dynamicRef', '$recursiveRef') && pick(4) > 0) {
    const members = [chance, inner({ $ref: '#' }), inner(true)].slice(pick(3));
    return pick(2) === 0 ? members : record(members.map((member, at) => [['a', 'b', 'ab'][at] ?? '', member]));
  }
  for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
    const schemas = schema[keyword];
    if (Array.isArray(schemas)) return inner(schemas[pick(schemas.length)]);
  }
  for (const keyword of ['if', 'then', 'else', 'not'])
    if (keyword in schema && pick(2) === 0) return inner(schema[keyword]);
  if (isFor('minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'))
    return [-1, 0, 0.1, 0.3, 1, 1.5, 2, 3, 4.35, 0.07][pick(10)];
  if (isFor('minLength', 'maxLength', 'pattern', 'format')) return ['', 'a', 'b', 'ab', '\u{1F600}', 'abc1'][pick(6)];
  return chance;
}

function pickFrom(numbers: readonly number[]): Pick {
  let at = 0;
  return (among) => (numbers[at++ % numbers.length] ?? 0) % among;
}

/** A schema document, and values to hold against it. */
export interface Case {
  readonly schema: JsonObject;
  readonly values: readonly unknown[];
}

export function cases(dialect: DialectName, { partial = false } = {}): fc.Arbitrary<Case> {
  const schemas = schemaOf(dialect, partial);
  const numbers = fc.array(fc.nat(1_000), { minLength: 12, maxLength: 24, size: 'max' });
  return fc
    .tuple(schemas, schemas, fc.array(numbers, { minLength: 6, maxLength: 6 }), fc.array(value, { maxLength: 2 }))
    .map(([root, more, choices, others]) => ({
      schema: documentOf(root, more, dialect),
      values: [...choices.map((chosen) => instanceOf(root, pickFrom(chosen))), ...others],
    }));
}
