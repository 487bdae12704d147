import { describe, expect, test } from 'vitest';
import { clip, columns, oneLine, printableJson, size, visible, wrap } from '../src/text.ts';

const escape = '\x1b[2J\x1b]0;title\x07';

describe('visible', () => {
  test.each([
    [escape, String.raw`\x1b[2J\x1b]0;title\x07`],
    ['a\tb\nc', 'a\tb\nc'],
    ['a\r\nb', 'a\nb'],
    ['safe\rEVIL', String.raw`safe\rEVIL`],
    ['\x00\x7f\x9b31m', String.raw`\x00\x7f\x9b31m`],
    ['user\u202egpj.exe', String.raw`user\u{202e}gpj.exe`],
    ['\u{e0041}', String.raw`\u{e0041}`],
    ['naïve 漢字 👩‍👩‍👧', 'naïve 漢字 👩‍👩‍👧'],
  ])('%j becomes %s', (text, expected) => {
    expect(visible(text)).toBe(expected);
  });
});

test('oneLine has no line breaks and no controls', () => {
  expect(oneLine(`  a\n\n  b\u2028c\x1b[31m `)).toBe(String.raw`a b c\x1b[31m`);
});

test('printableJson is the same value without characters a terminal obeys', () => {
  const value = { [escape]: '\x9b31m \u202e \u{e0041} \x7f\n', n: 1 };
  const text = printableJson(value);
  expect(JSON.parse(text)).toEqual(value);
  expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e\u{e0041}]/u);
  expect(printableJson(undefined)).toBe('null');
});

test.each([
  ['abc', 3, 'abc'],
  ['abcd', 3, 'ab…'],
  ['漢字', 4, '漢字'],
  ['漢字漢', 4, '漢…'],
  ['漢字', 3, '漢…'],
  ['e\u0301e\u0301e\u0301', 3, 'e\u0301e\u0301e\u0301'],
  ['👍👍', 3, '👍…'],
  ['abc', 0, '…'],
])('%s clipped to %i columns is %s', (text, max, expected) => {
  expect(clip(text, max)).toBe(expected);
});

test.each([
  ['abc', 3],
  ['漢字', 4],
  ['e\u0301', 1],
  ['👍', 2],
])('%s takes %i columns', (text, expected) => {
  expect(columns(text)).toBe(expected);
});

test('wrap breaks at blanks and leaves long words whole', () => {
  expect(wrap('one two three', 7)).toEqual(['one two', 'three']);
  expect(wrap('extraordinary a', 5)).toEqual(['extraordinary', 'a']);
  expect(wrap('', 5)).toEqual(['']);
});

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1.0 kB'],
  [2_500_000, '2.5 MB'],
])('%i bytes are %s', (bytes, expected) => {
  expect(size(bytes)).toBe(expected);
});
