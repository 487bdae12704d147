import { expect, test } from 'vitest';
import { isObject, notJson, parseJson } from './json.ts';

test.each([
  [{}, true],
  [{ a: 1 }, true],
  [Object.create(null), true],
  [null, false],
  [undefined, false],
  [[], false],
  ['{}', false],
  [1, false],
])('isObject(%j) is %s', (value, is) => {
  expect(isObject(value)).toBe(is);
});

test.each(['', '{', 'undefined', "{'a':1}", '{"a":1}}', 'NaN', '\u0000'])(
  '%j is not JSON, and nothing is thrown',
  (text) => {
    expect(parseJson(text)).toBe(notJson);
  },
);

test('what is JSON comes as it is, null and false too', () => {
  for (const value of [null, false, 0, '', [], { a: [1] }]) expect(parseJson(JSON.stringify(value))).toEqual(value);
});

test('nested 512 levels deep is JSON, one more is not', () => {
  const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;
  expect(parseJson(nested(512))).toEqual(JSON.parse(nested(512)));
  expect(parseJson(nested(513))).toBe(notJson);
});
