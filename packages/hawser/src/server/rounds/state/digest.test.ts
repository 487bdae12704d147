import { assert, jsonValue, property, uint8Array } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonical, digest, fromBase64Url, toBase64Url } from './digest.ts';

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

describe('base64url', () => {
  test('there and back', () => {
    assert(
      property(uint8Array({ maxLength: 200 }), (bytes) => {
        const text = toBase64Url(bytes);
        expect(text).toMatch(/^[\w-]*$/);
        expect(fromBase64Url(text)).toEqual(bytes);
      }),
    );
    const large = new Uint8Array(100_000).map((_, at) => at % 251);
    expect(fromBase64Url(toBase64Url(large))).toEqual(large);
  });

  test.each(['A', 'AB=', 'AB==', 'A+', 'A/', 'AB ', 'AB\n', 'é', 'AB', 'AAB'])(
    'one text per value: %j is none',
    (text) => {
      // The last two have bits set that no byte has.
      expect(fromBase64Url(text)).toBeUndefined();
    },
  );
});
