/** Schemas and values that are meant to do harm, and what has to come of them when the schema is a stranger's. */
import type { JsonObject } from '../../src/base/json.ts';
import { compileUntrusted, type CompileOptions } from '../../src/schema/compile.ts';
import { SchemaError, type SchemaErrorCode } from '../../src/schema/errors.ts';

export type Outcome = 'valid' | 'invalid' | 'budget' | SchemaErrorCode;

export interface Bomb {
  readonly name: string;
  /** Made when they are needed: some are large. */
  readonly schema: () => JsonObject;
  readonly value: () => unknown;
  readonly outcome: Outcome;
  readonly options?: CompileOptions;
  /** Steps it may take at most, where it is not stopped; with half as many it has to be. */
  readonly steps?: number;
}

function times<T>(count: number, make: (at: number) => T): T[] {
  return Array.from({ length: count }, (_, at) => make(at));
}

function named<T>(count: number, make: (at: number) => T): Record<string, T> {
  return Object.fromEntries(times(count, (at) => [`n${at}`, make(at)]));
}

function nested(levels: number, around: (inner: unknown) => unknown, inner: unknown): unknown {
  for (let level = 0; level < levels; level++) inner = around(inner);
  return inner;
}

/** Each definition asks the next one twice. */
function doubling(keyword: string, last: JsonObject, beside: JsonObject = {}): JsonObject {
  const $defs = named<JsonObject>(60, (at) => {
    const next = { $ref: `#/$defs/n${at + 1}` };
    return { [keyword]: [next, next], ...beside };
  });
  return { $defs: { ...$defs, n60: last }, $ref: '#/$defs/n0' };
}

/** So many resources, each of which refers to the next, and the last to a dynamic anchor that some of them have. */
function manyResources(count: number, last: JsonObject = {}): JsonObject {
  const resources = named(count, (at): JsonObject => ({
    $id: `n${at}`,
    $defs: { x: { $dynamicAnchor: `x${(count - 1 - at) % 7}` } },
    allOf: [at + 1 < count ? { $ref: `n${at + 1}` } : { $dynamicRef: '#x0', ...last }],
  }));
  return { $id: 'http://e.test/', $ref: 'n0', $defs: { ...resources, leaf: { $id: 'leaf' } } };
}

/** Those that are regular expressions. */
export const patternBombs: readonly Bomb[] = [
  { name: '^(a+)+$ on 50,000 characters', schema: () => ({ pattern: '^(a+)+$' }), outcome: 'invalid', steps: 500_000 },
  { name: '(a|a)*b on 50,000 characters', schema: () => ({ pattern: '(a|a)*b' }), outcome: 'invalid', steps: 500_000 },
  { name: '(.*a){12} on 50,000 characters', schema: () => ({ pattern: '^(.*a){12}$' }), outcome: 'budget' },
  { name: 'x{1,1000} twice over', schema: () => ({ pattern: '((a{1,1000}){1,1000}){1,1000}' }), outcome: 'pattern' },
  { name: 'groups 4,999 deep', schema: () => ({ pattern: '('.repeat(4_999) + ')'.repeat(4_999) }), outcome: 'pattern' },
  { name: 'a reference, which is not linear', schema: () => ({ pattern: '^(a+)\\1+$' }), outcome: 'pattern' },
  { name: '10,001 characters', schema: () => ({ pattern: 'a'.repeat(10_001) }), outcome: 'pattern' },
  {
    name: '5,000 patterns',
    schema: () => ({ patternProperties: named(5_000, () => true) }),
    outcome: 'pattern',
  },
].map((bomb) => ({ ...bomb, value: () => `${'a'.repeat(50_000)}!` }) as Bomb);

const combinations: Bomb[] = [
  ...['anyOf', 'oneOf'].map((keyword): Bomb => ({
    name: `${keyword} that doubles 60 times`,
    schema: () => doubling(keyword, { type: 'number' }),
    value: () => 'x',
    outcome: 'budget',
  })),
  {
    name: 'allOf that doubles 60 times',
    schema: () => doubling('allOf', {}),
    value: () => 1,
    outcome: 'budget',
  },
  {
    name: 'anyOf that doubles 60 times, each with unevaluatedProperties',
    schema: () => doubling('anyOf', { properties: { n0: true } }, { unevaluatedProperties: false }),
    value: () => named(3, () => 1),
    outcome: 'budget',
  },
  {
    name: 'nested anyOf, 12 levels of 2',
    schema: () => nested(12, (inner) => ({ anyOf: [inner, inner] }), { type: 'number' }) as JsonObject,
    value: () => 'x',
    outcome: 'invalid',
    steps: 20_000,
  },
  {
    name: 'nested anyOf, 14 levels of 2',
    schema: () => nested(14, (inner) => ({ anyOf: [inner, inner] }), {}) as JsonObject,
    value: () => 'x',
    outcome: 'too_large',
  },
];

const cycles: Bomb[] = [
  { name: 'a reference to itself', schema: () => ({ $ref: '#' }), value: () => 1, outcome: 'budget' },
  {
    name: 'two that refer to each other twice',
    schema: () => ({
      $defs: {
        a: { anyOf: [{ $ref: '#/$defs/b' }, { $ref: '#/$defs/b' }] },
        b: { oneOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/a' }] },
      },
      $ref: '#/$defs/a',
    }),
    value: () => 1,
    outcome: 'budget',
  },
  {
    name: '$dynamicRef to itself',
    schema: () => ({ $id: 'http://e.test/', $dynamicAnchor: 'x', $dynamicRef: '#x' }),
    value: () => 1,
    outcome: 'budget',
  },
  {
    name: '$dynamicRef that goes round two resources',
    schema: () => ({
      $id: 'http://e.test/',
      $dynamicAnchor: 'x',
      anyOf: [{ $ref: 'other' }, { $ref: 'other' }],
      $defs: { other: { $id: 'other', $dynamicAnchor: 'x', allOf: [{ $dynamicRef: '#x' }, { $dynamicRef: '#x' }] } },
    }),
    value: () => 1,
    outcome: 'budget',
  },
  {
    name: '$recursiveRef to itself',
    schema: () => ({
      $schema: 'https://json-schema.org/draft/2019-09/schema',
      $recursiveAnchor: true,
      not: { $recursiveRef: '#' },
    }),
    value: () => 1,
    outcome: 'budget',
  },
  {
    name: '300 resources in the dynamic scope',
    schema: () => manyResources(300),
    value: () => 1,
    outcome: 'valid',
    steps: 8_000,
  },
  {
    name: '900 resources in the dynamic scope, and 4,000 that enter one more for each of 10,000 entries',
    schema: () => manyResources(900, { items: { allOf: times(4_000, () => ({ $ref: 'leaf' })) } }),
    value: () => times(10_000, () => 1),
    outcome: 'budget',
  },
  {
    name: '2,000 resources in the dynamic scope',
    schema: () => manyResources(2_000),
    value: () => 1,
    outcome: 'budget',
  },
];

const values: Bomb[] = [
  {
    name: '10,000 members that are unevaluated',
    schema: () => ({ anyOf: [{ properties: { n0: true } }, true], unevaluatedProperties: { type: 'number' } }),
    value: () => named(10_000, () => 1),
    outcome: 'valid',
    steps: 60_000,
  },
  {
    name: '9,990 unevaluatedProperties on one object',
    schema: () => ({ allOf: times(4_995, () => ({ unevaluatedProperties: true })) }),
    value: () => named(10_000, () => 1),
    outcome: 'budget',
  },
  {
    name: 'unevaluatedProperties at every level of a deep value',
    schema: () => ({ properties: { n0: { $ref: '#' } }, unevaluatedProperties: { $ref: '#' } }),
    value: () => nested(14, (inner) => ({ n0: inner, n1: inner }), {}),
    outcome: 'valid',
    steps: 500_000,
  },
  {
    name: 'a value 100,000 levels deep',
    schema: () => ({ items: { $ref: '#' } }),
    value: () => nested(100_000, (inner) => [inner], []),
    outcome: 'budget',
  },
  {
    name: 'a value that is wide and deep',
    schema: () => ({ additionalProperties: { $ref: '#' } }),
    value: () => nested(20, (inner) => ({ n0: inner, n1: inner }), 1),
    outcome: 'budget',
  },
  {
    name: 'the last of 300 levels is wrong',
    schema: () => ({ type: 'array', items: { $ref: '#' } }),
    value: () => nested(300, (inner) => [inner], 1),
    outcome: 'invalid',
    steps: 500_000,
  },
  {
    name: 'uniqueItems of 50,000 numbers',
    schema: () => ({ uniqueItems: true }),
    value: () => times(50_000, (at) => at),
    outcome: 'valid',
    steps: 250_000,
  },
  {
    name: 'uniqueItems of 200,000 objects',
    schema: () => ({ uniqueItems: true }),
    value: () => times(200_000, (at) => ({ at })),
    outcome: 'budget',
  },
  {
    name: 'uniqueItems of 200 that are equal as far as the end of 10,000 entries',
    schema: () => ({ uniqueItems: true }),
    value: () => times(200, (at) => [...times(10_000, () => 0), at]),
    outcome: 'budget',
  },
  {
    name: 'const of 400,000 characters, compared 5,000 times',
    schema: () => ({ items: { const: { text: 'a'.repeat(400_000) } } }),
    value: () => times(5_000, () => ({ text: 'a'.repeat(400_000) })),
    outcome: 'budget',
  },
  {
    name: '100 contains on 10,000 entries',
    schema: () => ({ allOf: times(100, () => ({ contains: { type: 'string' }, minContains: 0, maxContains: 1 })) }),
    value: () => times(10_000, () => 1),
    outcome: 'budget',
  },
  {
    name: 'multipleOf of numbers that are far apart',
    schema: () => ({ items: { multipleOf: 1e-300 } }),
    value: () => times(100_000, (at) => at * 1e300),
    outcome: 'budget',
  },
  {
    name: 'maxLength of a megabyte, 10,000 times',
    schema: () => ({ items: { minLength: 900_000 } }),
    value: () => times(10_000, () => 'a'.repeat(1_000_000)),
    outcome: 'budget',
  },
];

const documents: Bomb[] = [
  {
    name: 'subschemas 100,000 levels deep',
    schema: () => nested(100_000, (inner) => ({ not: inner }), {}) as JsonObject,
    value: () => 1,
    outcome: 'too_large',
  },
  {
    name: '10,001 subschemas',
    schema: () => ({ $defs: named(10_000, () => true) }),
    value: () => 1,
    outcome: 'too_large',
  },
  {
    name: '9,998 references in a row',
    schema: () => ({
      $defs: named(4_999, (at) => (at === 4_998 ? {} : { $ref: `#/$defs/n${at + 1}` })),
      $ref: '#/$defs/n0',
    }),
    value: () => 1,
    outcome: 'budget',
  },
  {
    name: '450 references with pointers of 500 steps',
    schema: () => ({
      examples: [nested(500, (inner) => ({ n: inner }), {})],
      allOf: times(450, () => ({ $ref: `#/examples/0${'/n'.repeat(500)}` })),
    }),
    value: () => 1,
    outcome: 'valid',
    steps: 1_200,
  },
  {
    name: 'an enumeration of 20,000 objects',
    schema: () => ({ enum: times(20_000, (at) => ({ at })) }),
    value: () => ({ at: -1 }),
    outcome: 'invalid',
    steps: 12,
  },
];

const metaSchema = { $ref: 'https://json-schema.org/draft/2020-12/schema' };

/** Integers that share the lower 15 bits of the hash that V8 gives them. */
function colliding(count: number): number[] {
  const found: number[] = [];
  for (let number = -(2 ** 31); found.length < count; number++) {
    let hash = ~number + (number << 15);
    hash ^= hash >>> 12;
    hash += hash << 2;
    hash ^= hash >>> 4;
    hash = Math.imul(hash, 2057);
    hash ^= hash >>> 16;
    if ((hash & 0x7fff) === 0) found.push(number);
  }
  return found;
}

/** Work that is easily done before it is taken from the budget, or without. */
const uncharged: Bomb[] = [
  {
    name: '1,000 times required, with a name that all objects inherit, on 20,000 members',
    schema: () => ({ allOf: times(1_000, () => ({ required: ['constructor'] })) }),
    value: () => ({ ...named(20_000, () => 1), constructor: 1 }),
    outcome: 'valid',
    steps: 3_500,
  },
  {
    name: '1,000 times additionalProperties, which the first of 20,000 members does not fit',
    schema: () => ({ anyOf: times(1_000, () => ({ additionalProperties: false })) }),
    value: () => named(20_000, () => 1),
    outcome: 'budget',
  },
  {
    name: '1,000 references to the meta-schema, for a schema of 20,000 members',
    schema: () => ({ anyOf: times(1_000, () => metaSchema) }),
    value: () => ({ properties: { ...named(20_000, () => true), last: 1 } }),
    outcome: 'budget',
  },
  {
    name: '1,000 references to the meta-schema, for a list of 20,000 names that is none',
    schema: () => ({ anyOf: times(1_000, () => metaSchema) }),
    value: () => ({ dependentRequired: { a: [...times(20_000, (at) => `n${at}`), 1] } }),
    outcome: 'budget',
  },
  {
    name: '1,000 constants, compared with a member whose name is a megabyte',
    schema: () => ({ anyOf: times(1_000, (at) => ({ const: { at } })) }),
    value: () => ({ ['a'.repeat(1_000_000)]: 1 }),
    outcome: 'budget',
  },
  {
    name: 'uniqueItems of 300 texts of 20,000 characters that differ in the last',
    schema: () => ({ uniqueItems: true }),
    value: () => times(300, (at) => 'a'.repeat(20_000) + String.fromCharCode(0x100 + at)),
    outcome: 'valid',
    steps: 500_000,
  },
  {
    name: 'multipleOf a number far below one, of 100,000 integers',
    schema: () => ({ items: { multipleOf: 1e-320 } }),
    value: () => times(100_000, (at) => at),
    outcome: 'budget',
  },
  {
    name: '900 levels whose entries fit, above one that does not: to tell why, all would be gone through again',
    schema: () => ({
      $defs: named<JsonObject>(900, (at) => ({
        items: { type: 'number' },
        ...(at === 899 ? { type: 'string' } : { $ref: `#/$defs/n${at + 1}` }),
      })),
      $ref: '#/$defs/n0',
    }),
    value: () => times(100_000, () => 1),
    outcome: 'budget',
  },
  {
    name: 'uniqueItems of 20,000 numbers with hashes that collide',
    schema: () => ({ uniqueItems: true }),
    value: () => colliding(20_000),
    outcome: 'valid',
    steps: 120_000,
  },
  {
    name: '1,000 references to the meta-schema, for a required name of 2,000,000 characters',
    schema: () => ({ allOf: times(1_000, () => metaSchema) }),
    value: () => ({ required: ['a'.repeat(2_000_000)] }),
    outcome: 'budget',
  },
  {
    name: '100 references to the meta-schema, for a property of 500,000 tildes',
    schema: () => ({ allOf: times(100, () => metaSchema) }),
    value: () => ({ properties: { ['~'.repeat(500_000)]: true } }),
    outcome: 'budget',
  },
  {
    name: '20 problems with a member of 2,000,000 tildes',
    schema: () => ({ allOf: times(20, () => ({ additionalProperties: false })) }),
    value: () => ({ ['~'.repeat(2_000_000)]: 1 }),
    outcome: 'budget',
  },
  {
    name: 'uniqueItems of a text of 1,000,000 characters that is 500 levels deep',
    schema: () => ({ uniqueItems: true }),
    value: () => [nested(500, (inner) => [inner, 1], 'a'.repeat(1_000_000))],
    outcome: 'valid',
    steps: 500_000,
  },
  {
    name: 'uniqueItems of 600,000 characters that have to be escaped, ten times',
    schema: () => ({ allOf: times(10, () => ({ uniqueItems: true })) }),
    value: () => [['\ud800'.repeat(600_000)]],
    outcome: 'budget',
  },
  {
    name: 'a list with a length of four thousand million, and nothing in it',
    schema: () => ({ type: 'string', items: true }),
    value: () => {
      const list: unknown[] = [];
      list.length = 2 ** 32 - 1;
      return list;
    },
    outcome: 'invalid',
  },
];

const formatBombs: Bomb[] = [
  {
    name: 'idn-email with a domain of 500,000 characters that have to be composed',
    schema: () => ({ format: 'idn-email' }),
    value: () => `a@e${'\u0301\u0323'.repeat(250_000)}`,
    outcome: 'invalid' as const,
  },
  {
    name: 'regex with 20,000 properties of Unicode',
    schema: () => ({ format: 'regex' }),
    value: () => `[${'\\p{L}'.repeat(20_000)}]`,
    outcome: 'budget' as const,
  },
  {
    name: '10,000 times idn-hostname of Arabic digits',
    schema: () => ({ items: { anyOf: [{ format: 'idn-hostname' }, true] } }),
    value: () => times(10_000, () => '\u0660'.repeat(253)),
    outcome: 'budget' as const,
  },
  {
    name: '20,000 times regex that is none',
    schema: () => ({ items: { anyOf: [{ format: 'regex' }, true] } }),
    value: () => times(20_000, () => '('),
    outcome: 'budget' as const,
  },
  {
    name: '20,000 times hostname that encodes Unicode',
    schema: () => ({ items: { anyOf: [{ format: 'hostname' }, true] } }),
    value: () => times(20_000, () => 'xn--p1ai.xn--p1ai'),
    outcome: 'budget' as const,
  },
].map((bomb) => ({ ...bomb, options: { assertFormats: true } }));

/** What takes long before anything is validated. */
const compiling: Bomb[] = [
  {
    name: 'an address of 17,000 characters that 3,000 others are relative to',
    schema: () => ({ $id: `http://e.test/${'a'.repeat(17_000)}/`, $defs: named(3_000, (at) => ({ $id: `n${at}` })) }),
    value: () => 1,
    outcome: 'too_large',
  },
  {
    name: 'addresses that grow from level to level',
    schema: () => nested(20, (inner) => ({ $id: `${'a'.repeat(200)}/`, not: inner }), {}) as JsonObject,
    value: () => 1,
    outcome: 'too_large',
  },
  {
    name: 'a reference of 3,000 characters',
    schema: () => ({ $ref: `#/${'a'.repeat(3_000)}` }),
    value: () => 1,
    outcome: 'too_large',
  },
  {
    name: '9,000 addresses and references, relative to one of 200 characters',
    schema: () => ({
      $id: `http://e.test/${'a'.repeat(180)}/`,
      $defs: named(4_500, (at) => ({ $id: `n${at}` })),
      allOf: times(4_500, (at) => ({ $ref: `n${at}` })),
    }),
    value: () => 1,
    outcome: 'valid',
    steps: 12_000,
  },
  {
    name: '3,000 resources, each with a dynamic anchor of its own',
    schema: () => ({
      $id: 'http://e.test/',
      anyOf: [true, ...times(3_000, (at) => ({ $id: `n${at}`, $dynamicAnchor: `x${at}`, $dynamicRef: `#x${at}` }))],
    }),
    value: () => 1,
    outcome: 'valid',
    steps: 4_000,
  },
  ...['const', 'enum'].map((keyword): Bomb => ({
    name: `${keyword} of a value 600 levels deep`,
    schema: () => ({ [keyword]: nested(600, (inner) => [inner], []) }),
    value: () => 1,
    outcome: 'too_large',
  })),
  {
    name: '9,000 addresses and references, relative to one of 1,900 characters',
    schema: () => ({
      $id: `http://e.test/${'a'.repeat(1_900)}/`,
      $defs: named(4_500, (at) => ({ $id: `n${at}` })),
      allOf: times(4_500, (at) => ({ $ref: `n${at}` })),
    }),
    value: () => 1,
    outcome: 'too_large',
  },
  {
    name: '500,000 characters in what no keyword reads',
    schema: () => ({ ...named(60_000, () => 1) }),
    value: () => 1,
    outcome: 'too_large',
  },
  {
    name: '2,000 patterns of one character',
    schema: () => ({
      patternProperties: Object.fromEntries(times(2_000, (at) => [String.fromCharCode(0x4e00 + at), true])),
    }),
    value: () => ({}),
    outcome: 'pattern',
  },
];

export const bombs: readonly Bomb[] = [
  ...patternBombs,
  ...combinations,
  ...cycles,
  ...values,
  ...documents,
  ...uncharged,
  ...formatBombs,
  ...compiling,
];

/** What comes of it: at once for a schema that is refused, of the validation for others. */
export async function outcomeOf(schema: JsonObject, value: unknown, options: CompileOptions = {}): Promise<Outcome> {
  try {
    const result = (await compileUntrusted(schema, options)).validate(value);
    if (result.valid) return 'valid';
    return result.issues[0]?.keyword === 'budget' ? 'budget' : 'invalid';
  } catch (error) {
    if (error instanceof SchemaError) return error.code;
    throw error;
  }
}
