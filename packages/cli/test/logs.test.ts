import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { logsTo } from '../src/logs.ts';
import { Output, styleOf } from '../src/output.ts';

function collect(from: 'info' | 'debug') {
  let written = '';
  const stream = new Writable({ write: (chunk: Buffer, _encoding, done) => ((written += chunk.toString()), done()) });
  const hide = (text: string) => text.replaceAll('hunter2', '[secret]');
  return { log: logsTo(new Output(stream, styleOf(stream, false, {})), from, hide), text: () => written };
}

test('messages from the level on, whatever the server was told', () => {
  const { log, text } = collect('info');
  log({ level: 'debug', data: 'a' });
  log({ level: 'info', data: 'b' });
  log({ level: 'emergency', data: 'c' });
  expect(text()).toBe('[info] b\n[emergency] c\n');
});

test('one line each, safe to print, without secrets', () => {
  const { log, text } = collect('debug');
  log({ level: 'debug', logger: 'db\x1b[2J', data: 'a\nb hunter2' });
  log({ level: 'error', data: { why: '\x1b' } });
  log({ level: 'error', data: undefined });
  expect(text()).toBe('[debug] db\\x1b[2J: a b [secret]\n[error] {"why":"\\u001b"}\n[error] null\n');
});
