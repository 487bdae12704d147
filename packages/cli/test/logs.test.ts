import { expect, test } from 'vitest';
import { logsTo } from '../src/logs.ts';
import { collect } from './fixtures/output.ts';

function logging(from: 'info' | 'debug') {
  const { output, text } = collect();
  return { log: logsTo(output, from, (text) => text.replaceAll('hunter2', '[secret]')), text };
}

test('messages from the level on, whatever the server was told', () => {
  const { log, text } = logging('info');
  log({ level: 'debug', data: 'a' });
  log({ level: 'info', data: 'b' });
  log({ level: 'emergency', data: 'c' });
  expect(text()).toBe('[info] b\n[emergency] c\n');
});

test('one line each, safe to print, without secrets', () => {
  const { log, text } = logging('debug');
  log({ level: 'debug', logger: 'db\x1b[2J', data: 'a\nb hunter2' });
  log({ level: 'error', data: { why: '\x1b' } });
  log({ level: 'error', data: undefined });
  expect(text()).toBe('[debug] db\\x1b[2J: a b [secret]\n[error] {"why":"\\u001b"}\n[error] null\n');
});
