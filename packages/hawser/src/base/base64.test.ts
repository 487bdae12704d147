import { assert, property, uint8Array } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromBase64, fromBase64Url, isBase64, toBase64, toBase64Url } from './base64.ts';

/** The same without pieces. */
const inOne = (bytes: Uint8Array): string => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));

test('bytes of all lengths, longer than a piece too', () => {
  expect(toBase64(new Uint8Array())).toBe('');
  expect(toBase64(new Uint8Array([0, 1, 2]))).toBe('AAEC');
  const many = new Uint8Array(100_001).map((_, at) => at % 256);
  expect(toBase64(many)).toBe(inOne(many));
  assert(
    property(uint8Array(), (bytes) => {
      expect(toBase64(bytes)).toBe(inOne(bytes));
      expect(isBase64(toBase64(bytes))).toBe(true);
    }),
  );
});

test('a view sees its own part only', () => {
  expect(toBase64(new Uint8Array([9, 0, 1, 2, 9]).subarray(1, 4))).toBe('AAEC');
});

test.each(['A', 'AAE', 'AA=C', 'A===', 'AA-_', 'AAEC\n', 'data:,x', '===='])('%j is no base64', (text) => {
  expect(isBase64(text)).toBe(false);
});

describe('bytes of a text', () => {
  test('there and back', () => {
    assert(
      property(uint8Array(), (bytes) => {
        expect(fromBase64(toBase64(bytes))).toEqual(bytes);
        expect(fromBase64Url(toBase64Url(bytes))).toEqual(bytes);
        expect(toBase64Url(bytes)).toMatch(/^[\w-]*$/);
      }),
    );
    const large = new Uint8Array(100_000).map((_, at) => at % 251);
    expect(fromBase64Url(toBase64Url(large))).toEqual(large);
  });

  test.each(['A', 'AA=C', 'A===', 'AA-_', 'data:,x', '====', 'é'])('%j has none', (text) => {
    expect(fromBase64(text)).toBeUndefined();
  });

  test.each(['AAECAw', 'AAEC Aw==', 'AAECAw==\n', 'AAECAx=='])(
    'blanks, padding and spare bits do not matter: %j',
    (text) => {
      expect(fromBase64(text)).toEqual(new Uint8Array([0, 1, 2, 3]));
    },
  );

  test.each(['A', 'AB=', 'AB==', 'A+', 'A/', 'AB ', 'AB\n', 'é', 'AB', 'AAB'])(
    'one base64url text per value: %j is none',
    (text) => {
      // The last two have bits set that no byte has.
      expect(fromBase64Url(text)).toBeUndefined();
    },
  );
});
