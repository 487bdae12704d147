/** When a process with a client in it ends by itself: never before a call has settled, and soon after the last one. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { inTypeScript, root } from '../support/commands.ts';
import { isAlive } from '../support/stdio.ts';

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

test.runIf(process.platform !== 'win32')(
  '[BUG-016] Ctrl-C reaches all of the foreground: a program that handles it still has its servers, and ends them itself',
  async () => {
    const [program, ...args] = inTypeScript('interrupted.ts');
    // A group of its own, as a shell gives to what it runs in front.
    const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'], detached: true });
    onTestFinished(() => void child.kill('SIGKILL'));
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
    while (!said.includes('\n')) await once(child.stdout, 'data');
    const [pid = ''] = said.split('\n');
    expect(isAlive(Number(pid))).toBe(true);
    process.kill(-(child.pid ?? 0), 'SIGINT');
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(said).toBe(`${pid}\n${pid}\nconnection\n`);
    expect(isAlive(Number(pid))).toBe(false);
  },
);
