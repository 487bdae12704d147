import { assert, jsonValue, property } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonical, digest } from './digest.ts';

describe('canonical', () => {
  test('the order of members says nothing, that of a list does', () => {
    expect(canonical({ b: 1, a: [{ d: 2, c: 3 }] })).toBe('{"a":[{"c":3,"d":2}],"b":1}');
    expect(canonical([1, 2])).not.toBe(canonical([2, 1]));
  });

  test('undefined is as JSON has it', () => {
    expect(canonical({ a: undefined, b: [undefined] })).toBe('{"b":[null]}');
  });

  test('it is JSON of the same value', () => {
    assert(
      property(jsonValue(), (value) => {
        expect(JSON.parse(canonical(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});

test('a digest is short, and of the text alone', async () => {
  const one = await digest('one');
  expect(one).toMatch(/^[\w-]{22}$/);
  expect(await digest('one')).toBe(one);
  expect(await digest('two')).not.toBe(one);
});
