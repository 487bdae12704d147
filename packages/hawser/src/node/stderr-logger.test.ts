import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { stderrLogger, type StderrLoggerOptions } from './stderr-logger.ts';

function written(options: StderrLoggerOptions): string {
  const stream = new PassThrough();
  const logger = stderrLogger({ ...options, stream });
  logger.debug('one', 'text');
  logger.info('two', { a: { b: { c: 1 } } });
  logger.warn('three');
  const error = new Error('why');
  error.stack = 'Error: why\n    at here';
  logger.error('four', error);
  return String(stream.read() ?? '');
}

test('writes messages from its level on, with their details', () => {
  const four = 'warn: three\nerror: four Error: why\n    at here\n';
  expect(written({})).toBe(`info: two { a: { b: { c: 1 } } }\n${four}`);
  expect(written({ level: 'warn' })).toBe(four);
  expect(written({ level: 'debug' })).toMatch(/^debug: one text\ninfo: /);
});

test('a level that there is not is refused', () => {
  expect(() => stderrLogger({ level: 'loud' as never })).toThrow('there is no level "loud"');
});
