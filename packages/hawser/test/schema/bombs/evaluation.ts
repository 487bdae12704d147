/** Evaluation that doubles, or does not end. */
import type { JsonObject } from '../../../src/base/json.ts';
import { named, nested, times, type Bomb } from './bomb.ts';

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

export const combinations: readonly Bomb[] = [
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

export const cycles: readonly Bomb[] = [
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
