import { assert, property, uint8Array } from 'fast-check';
import { expect, test } from 'vitest';
import { isBase64, toBase64 } from './base64.ts';

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
