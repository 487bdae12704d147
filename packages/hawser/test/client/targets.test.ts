/** What `connect` makes of what it is given, before anything is opened. */
import { expect, test } from 'vitest';
import { ArgumentError } from '../../src/base/errors.ts';
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
