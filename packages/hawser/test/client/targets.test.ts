/** What `connect` makes of what it is given, before anything is opened. */
import { expect, test } from 'vitest';
import { ArgumentError } from '../../src/base/errors.ts';
import type { Target } from '../../src/client/connect.ts';
import type { ConnectOptions } from '../../src/client/options.ts';
import { connect } from '../../src/entry/index.node.ts';

test.each([
  ['', 'neither a URL nor a command'],
  ['ftp://s.test/x', 'ftp: is not HTTP'],
  ['ws://s.test', 'ws: is not HTTP'],
  [new URL('file:///etc/hosts'), 'file: is not HTTP'],
  ['http://user:secret@s.test/mcp', 'credentials do not belong in a URL'],
  ['http://', 'the URL cannot be read'],
])('a target that cannot be: %s', async (target, problem) => {
  const error = await connect(target).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ArgumentError);
  expect((error as Error).message).toContain(problem);
  expect((error as Error).message).not.toContain('secret');
});

test('a place that takes URLs from users starts no program', async () => {
  await expect(connect('node server.js', { transport: 'http' })).rejects.toThrow(
    "a command, where transport is 'http'",
  );
  await expect(connect('https://s.test/', { transport: 'stdio' })).rejects.toThrow("a URL, where transport is 'stdio'");
});

const listed = 'must be an array of the program and its arguments';

test.each<[unknown, string]>([
  [5, 'the target must be'],
  [null, 'the target must be'],
  [undefined, 'the target must be'],
  [{}, 'the target must be'],
  [[], 'the target must be'],
  [{ answer: 1 }, 'the target must be'],
  [{ url: 5 }, 'the URL cannot be read'],
  [{ url: 'https://s.test/', shownAs: 5 }, 'shownAs must be text'],
  [{ command: 'node x' }, listed],
  [{ command: ['node', 5] }, listed],
  [{ command: null }, listed],
  [{ command: [] }, 'the command is empty'],
  [{ command: ['node'], env: { A: 1 } }, 'env must be'],
  [{ command: ['node'], env: 'A=1' }, 'env must be'],
  [{ command: ['node'], cwd: 1 }, 'cwd must be'],
])('what is no target at all: %j', async (target, problem) => {
  const error = await connect(target as Target).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ArgumentError);
  expect((error as Error).message).toContain(problem);
});

test.each<[unknown, string]>([
  [{ protocol: '2020-01-01' }, 'protocol must be one of auto, modern, legacy, 20'],
  [{ protocol: null }, 'protocol must be one of'],
  [{ transport: 'sse' }, 'transport must be'],
  [{ timeoutMs: 'x' }, 'timeoutMs must be a positive number'],
  [{ timeoutMs: '5' }, 'timeoutMs must be a positive number'],
  [{ maxTimeoutMs: NaN }, 'maxTimeoutMs must be a positive number'],
  [{ connectTimeoutMs: 0 }, 'connectTimeoutMs must be a positive number'],
  [null, 'the options must be an object'],
  ['modern', 'the options must be an object'],
])('options that cannot be: %j', async (options, problem) => {
  const error = await connect('http://s.test/', options as ConnectOptions).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ArgumentError);
  expect((error as Error).message).toContain(problem);
});
