import { describe, expect, test } from 'vitest';
import { sample, silent } from './logger.ts';

describe('sample', () => {
  test.each([
    ['plain text', 'plain text'],
    ['', ''],
    ['a\nERROR fake\r\n', 'a\\x0aERROR fake\\x0d\\x0a'],
    ['\u001B[31mred\u0007', '\\x1b[31mred\\x07'],
    ['nul\0, delete\u007F, next line\u0085', 'nul\\x00, delete\\x7f, next line\\x85'],
    ['line\u2028paragraph\u2029', 'line\\u{2028}paragraph\\u{2029}'],
    ['right-to-left \u202Etxt.exe', 'right-to-left \\u{202e}txt.exe'],
    ['half of a pair \uD83C', 'half of a pair \\u{d83c}'],
    ['ünïcode — 读取 🎉', 'ünïcode — 读取 🎉'],
  ])('%j', (text, shown) => {
    expect(sample(text)).toBe(shown);
  });

  test('is cut at the bound and not before', () => {
    expect(sample('x'.repeat(200))).toBe('x'.repeat(200));
    expect(sample('x'.repeat(201))).toBe(`${'x'.repeat(200)}… (201 characters)`);
    expect(sample('abcdef', 3)).toBe('abc… (6 characters)');
  });

  test('what is written out counts as it came, so that the bound on reading holds', () => {
    expect(sample('\n'.repeat(1_000_000), 5)).toBe(`${'\\x0a'.repeat(5)}… (1000000 characters)`);
  });
});

test('the silent logger takes everything', () => {
  for (const level of ['debug', 'info', 'warn', 'error'] as const) expect(silent[level]('x', {})).toBe(undefined);
});
