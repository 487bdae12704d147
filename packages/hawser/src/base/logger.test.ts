import { describe, expect, test } from 'vitest';
import { guarded, sample, silent, type Logger } from './logger.ts';

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

describe('a guarded logger', () => {
  const levels = ['debug', 'info', 'warn', 'error'] as const;

  test('hands on what it is told', () => {
    const told: unknown[][] = [];
    const take =
      (level: string) =>
      (...all: unknown[]) =>
        void told.push([level, ...all]);
    const logger = guarded({ debug: take('debug'), info: take('info'), warn: take('warn'), error: take('error') });
    for (const level of levels) expect(logger[level]('x', 1)).toBe(true);
    expect(guarded().info('x')).toBe(true);
    expect(told).toEqual(levels.map((level) => [level, 'x', 1]));
  });

  test('throws nothing, whatever is thrown at it', () => {
    const full = (): never => {
      throw new Error('disk full');
    };
    const logger = guarded({ debug: full, info: full, warn: full, error: full });
    for (const level of levels) expect(logger[level]('x')).toBe(false);
    // Not even one that lacks a function.
    expect(guarded({} as unknown as Logger).info('x')).toBe(false);
  });

  test('keeps the logger what it is: its functions may need it', () => {
    class Counting implements Logger {
      count = 0;
      debug(): void {
        this.count++;
      }
      info(): void {
        this.count++;
      }
      warn(): void {
        this.count++;
      }
      error(): void {
        this.count++;
      }
    }
    const counting = new Counting();
    for (const level of levels) guarded(counting)[level]('x');
    expect(counting.count).toBe(4);
  });
});
