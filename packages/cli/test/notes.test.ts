import { expect, test } from 'vitest';
import { notesTo } from '../src/notes.ts';
import { collect } from './fixtures/output.ts';

function noting(verbose: boolean) {
  const { output, text } = collect();
  return { logger: notesTo(output, verbose, (text) => text.replaceAll('hunter2', '[secret]')), text };
}

test('warnings are shown, safe to print and without secrets; the rest is not', () => {
  const { logger, text } = noting(false);
  logger.debug('a');
  logger.info('b');
  logger.warn('left out \u001b[2J\nhunter2');
  logger.error('broke', new Error('why'));
  expect(text()).toBe('warning: left out \\x1b[2J [secret]\nerror: broke: why\n');
});

test('only the first five, unless --verbose', () => {
  const brief = noting(false);
  const verbose = noting(true);
  for (let i = 1; i <= 8; i++) {
    brief.logger.warn(`${i}`);
    verbose.logger.warn(`${i}`);
  }
  verbose.logger.debug('too');
  expect(brief.text().split('\n')).toEqual([
    ...[1, 2, 3, 4, 5].map((i) => `warning: ${i}`),
    'more warnings: --verbose shows them',
    '',
  ]);
  expect(verbose.text().split('\n')).toHaveLength(10);
});

test('the log of the server is not among them', () => {
  const { logger, text } = noting(false);
  logger.warn('server log: the disk is full');
  expect(text()).toBe('');
});

test('none when the command has given up', () => {
  const { output, text } = collect();
  notesTo(
    output,
    false,
    (text) => text,
    () => true,
  ).warn('the connection has ended');
  expect(text()).toBe('');
});
