import { describe, expect, test } from 'vitest';
import { clip, oneLine, printableJson, size, visible, wrap } from '../src/text.ts';

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

test('clip counts characters, not code units', () => {
  expect(clip('👍👍👍', 3)).toBe('👍👍👍');
  expect(clip('👍👍👍👍', 3)).toBe('👍👍…');
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
