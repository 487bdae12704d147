/** Values that are large or deep. */
import { named, nested, times, type Bomb } from './bomb.ts';

export const values: readonly Bomb[] = [
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
