import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { notesTo } from '../src/notes.ts';
import { Output, styleOf } from '../src/output.ts';

function collect(verbose: boolean) {
  let written = '';
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      written += chunk.toString();
      done();
    },
  });
  const output = new Output(stream, styleOf(stream, false, {}));
  return { logger: notesTo(output, verbose, (text) => text.replaceAll('hunter2', '[secret]')), text: () => written };
}

test('warnings are shown, safe to print and without secrets; the rest is not', () => {
  const { logger, text } = collect(false);
  logger.debug('a');
  logger.info('b');
  logger.warn('left out \u001b[2J\nhunter2');
  logger.error('broke', new Error('why'));
  expect(text()).toBe('warning: left out \\x1b[2J [secret]\nerror: broke: why\n');
});

test('only the first five, unless --verbose', () => {
  const brief = collect(false);
  const verbose = collect(true);
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
  const { logger, text } = collect(false);
  logger.warn('server log: the disk is full');
  expect(text()).toBe('');
});

test('none when the command has given up', () => {
  let written = '';
  const stream = new Writable({ write: (chunk: Buffer, _encoding, done) => ((written += chunk.toString()), done()) });
  const output = new Output(stream, styleOf(stream, false, {}));
  notesTo(
    output,
    false,
    (text) => text,
    () => true,
  ).warn('the connection has ended');
  expect(written).toBe('');
});
