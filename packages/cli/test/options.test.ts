import { describe, expect, test } from 'vitest';
import { readDuration, readOptions, timeLimits } from '../src/options.ts';
import { UsageError } from '../src/usage-error.ts';

const environment = { TOKEN: 'Bearer abc', EMPTY: '' };

describe('--timeout', () => {
  test.each([
    ['30', 30_000],
    ['1.5', 1_500],
    ['30s', 30_000],
    ['500ms', 500],
    ['2m', 120_000],
    ['1440m', 86_400_000],
  ])('%s is %i ms', (text, expected) => {
    expect(readDuration(text)).toBe(expected);
  });

  test.each(['', '0', '-1', '1h', 'soon', '0.0001ms', '1441m', '1e3'])('"%s" is refused', (text) => {
    expect(() => readDuration(text)).toThrow(UsageError);
  });

  test('bounds connecting and requests; a silent server is given half of a short limit', () => {
    expect(timeLimits(undefined)).toEqual({});
    expect(timeLimits(2_000)).toEqual({
      timeoutMs: 2_000,
      connectTimeoutMs: 2_000,
      discoverTimeoutMs: 1_000,
      maxTimeoutMs: 600_000,
    });
    expect(timeLimits(900_000)).toMatchObject({ discoverTimeoutMs: 5_000, maxTimeoutMs: 900_000 });
  });
});

describe('--protocol', () => {
  test.each(['auto', 'modern', 'legacy', '2024-11-05', '2026-07-28'])('%s is known', (protocol) => {
    expect(readOptions({ protocol }, {}).protocol).toBe(protocol);
  });

  test('anything else is refused with the list', () => {
    expect(() => readOptions({ protocol: '2023-01-01' }, {})).toThrow(
      expect.objectContaining({ hint: expect.stringContaining('2025-11-25') }),
    );
  });
});

describe('headers', () => {
  test('come from the command line and from variables', () => {
    const options = readOptions({ header: ['X-Team:  red: blue '], headerEnv: ['Authorization=TOKEN'] }, environment);
    expect(options.headers).toEqual({ 'X-Team': 'red: blue', Authorization: 'Bearer abc' });
  });

  test.each<[string, { header?: string[]; headerEnv?: string[] }, RegExp]>([
    ['no colon', { header: ['Authorization Bearer hunter2'] }, /no name/],
    ['no name', { header: [': hunter2'] }, /no name/],
    ['a name with a blank', { header: ['A b: hunter2'] }, /no header name/],
    ['a line break', { header: ['A: hunter2\r\nB: c'] }, /HTTP does not allow/],
    ['beyond Latin-1', { header: ['A: hunter2 €'] }, /HTTP does not allow/],
    ['twice', { header: ['A: hunter2', 'a: hunter2'] }, /given twice/],
    ['no variable', { headerEnv: ['Authorization'] }, /wants a header and a variable/],
    ['an unset variable', { headerEnv: ['Authorization=NOPE'] }, /NOPE is not set/],
  ])('%s is refused, and the value is not shown', (_, raw, message) => {
    const read = () => readOptions(raw, environment);
    expect(read).toThrow(message);
    expect(read).not.toThrow(/hunter2/);
  });
});

describe('--env', () => {
  test('NAME passes a variable on, NAME=value sets it', () => {
    const options = readOptions({ env: ['TOKEN', 'A=b=c', 'EMPTY', 'NONE='] }, environment);
    expect(options.env).toEqual({ TOKEN: 'Bearer abc', A: 'b=c', EMPTY: '', NONE: '' });
  });

  test.each(['NOPE', '=x'])('%s is refused', (env) => {
    expect(() => readOptions({ env: [env] }, environment)).toThrow(UsageError);
  });
});

describe('--log-level, --answer, --no-open', () => {
  test('are off unless given', () => {
    expect(readOptions({}, {})).toMatchObject({ logLevel: undefined, answers: [], open: true });
    expect(readOptions({ logLevel: 'Warning', answer: ['a=1'], open: false }, {})).toMatchObject({
      logLevel: 'warning',
      answers: ['a=1'],
      open: false,
    });
  });

  test.each([{ logLevel: 'loud' }, { answer: ['name'] }, { answer: ['=x'] }])('%j is refused', (raw) => {
    expect(() => readOptions(raw, {})).toThrow(UsageError);
  });
});
