/** Schemas that take long before anything is validated. */
import type { JsonObject } from '../../../src/base/json.ts';
import { named, nested, times, type Bomb } from './bomb.ts';

export const documents: readonly Bomb[] = [
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

export const compiling: readonly Bomb[] = [
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
