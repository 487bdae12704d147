/** When a process with a client in it ends by itself: never before a call has settled, and soon after the last one. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { inTypeScript, root } from '../support/commands.ts';

async function run(fixture: string, ...given: string[]): Promise<{ said: string; code: unknown }> {
  const [program, ...args] = inTypeScript(fixture, ...given);
  const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  return { said: said.trim(), code };
}

test('a call that nothing else waits for is waited for until its limit (modern)', async () => {
  expect(await run('waits.ts', '50', 'modern')).toEqual({ said: 'timeout', code: 0 });
});

test('a call that nothing else waits for is waited for until its limit (legacy, a shared timer)', async () => {
  expect(await run('waits.ts', '5000', 'legacy')).toEqual({ said: 'timeout', code: 0 });
}, 20_000);

test('connecting is waited for as well', async () => {
  expect(await run('connects.ts')).toEqual({ said: 'timeout', code: 0 });
});

test('a client that was not closed keeps no process', async () => {
  expect(await run('waits.ts', 'idle')).toEqual({ said: 'there', code: 0 });
});
