/** Work that is easily done before it is taken from the budget, or without. */
import type { JsonObject } from '../../../src/base/json.ts';
import { named, nested, times, type Bomb } from './bomb.ts';

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

export const uncharged: readonly Bomb[] = [
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
