import { expect, test } from 'vitest';
import { canonicalKey } from './canonical.ts';

test('the order of members does not count, that of items does', () => {
  expect(canonicalKey({ a: 1, b: { c: [1, 2], d: 'x' } })).toBe('{"a":1,"b":{"c":[1,2],"d":"x"}}');
  expect(canonicalKey({ b: { d: 'x', c: [1, 2] }, a: 1 })).toBe('{"a":1,"b":{"c":[1,2],"d":"x"}}');
  expect(canonicalKey([1, 2])).not.toBe(canonicalKey([2, 1]));
  expect(
    canonicalKey(
      new Map([
        ['a', 1],
        ['b', 2],
      ]),
    ),
  ).toBe(
    canonicalKey(
      new Map([
        ['b', 2],
        ['a', 1],
      ]),
    ),
  );
  expect(canonicalKey(new Set(['a', 'b']))).toBe(canonicalKey(new Set(['b', 'a'])));
});

test('an undefined member counts as absent, an undefined item does not', () => {
  expect(canonicalKey({ a: undefined })).toBe(canonicalKey({}));
  expect(canonicalKey([undefined])).not.toBe(canonicalKey([]));
});

test('values that JSON would mix up are spelled apart', () => {
  const values = [
    null,
    undefined,
    'null',
    'undefined',
    0,
    -0,
    1,
    '1',
    1n,
    Number.NaN,
    'NaN',
    Infinity,
    -Infinity,
    true,
    'true',
    [],
    {},
    '',
    new Map(),
    new Set(),
    new Date(0),
    [1, 2],
    ['1,2'],
    [[1], 2],
    { a: '","b":' },
    { a: '', b: '' },
  ];
  expect(new Set(values.map((value) => canonicalKey(value))).size).toBe(values.length);
});

test('the same object twice is no cycle', () => {
  const shared = { a: 1 };
  expect(canonicalKey([shared, shared])).toBe('[{"a":1},{"a":1}]');
});

test('what has no spelling is refused', () => {
  const cycle: { self?: object } = {};
  cycle.self = cycle;
  expect(() => canonicalKey(cycle)).toThrow('contains itself');
  expect(() => canonicalKey({ f: () => 1 })).toThrow('a function has no spelling');
  expect(() => canonicalKey([Symbol('s')])).toThrow('a symbol has no spelling');
  expect(() => canonicalKey(new AbortController())).toThrow('class AbortController');
});
