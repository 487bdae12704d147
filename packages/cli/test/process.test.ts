/** What only shows in a process of its own: signals, streams that break, the command as it is installed. */
import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { serveDemo } from './fixtures/demo-http.ts';
import { demoCommand, hawser, isAlive, scriptCommand, start } from './fixtures/run.ts';

const url = await serveDemo();

describe.concurrent('the command as it is installed', () => {
  test('says its version and helps', async () => {
    expect(await hawser(['--version'])).toEqual({ exitCode: 0, stdout: `${manifest.version}\n`, stderr: '' });
    expect((await hawser(['--help'])).stdout).toContain('hawser tools -- npx -y some-server --flag');
  });

  test('starts a server and calls it', async () => {
    const outcome = await hawser(['call', 'echo', '-', '--', ...demoCommand], { input: '{"text": "hi"}' });
    expect(outcome).toEqual({ exitCode: 0, stdout: 'hi\n', stderr: '' });
  });

  test('tells its exit code', async () => {
    expect((await hawser(['call', url, 'fail'])).exitCode).toBe(1);
    expect((await hawser(['tools'])).exitCode).toBe(2);
  });

  test('does not ask where there is no terminal', async () => {
    const { exitCode, stderr } = await hawser(['call', url, 'order']);
    expect(stderr).toMatch(/there is no terminal to answer at/);
    expect(exitCode).toBe(6);
  });
});

describe.concurrent('a reader that goes away', () => {
  test('ends the output quietly', async () => {
    const { child, done } = start(['tools', url]);
    child.stdout?.destroy();
    const { exitCode, stderr } = await done;
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  });
});

test.runIf(existsSync('/dev/full'))('an output that cannot be written is said and is exit code 70', async () => {
  const { exitCode, stderr } = await hawser(['--help'], { stdout: '/dev/full' });
  expect(stderr).toMatch(/^hawser: the output could not be written: /);
  expect(exitCode).toBe(70);
});

describe.runIf(process.platform !== 'win32').concurrent('signals', () => {
  test.each<[NodeJS.Signals, number]>([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ])('[BUG-016] %s during a call ends the server, says one line, exits with %i', async (signal, expected) => {
    const run = start(['call', 'wait', '--verbose', '--', ...demoCommand]);
    const [, pid] = await run.stderrMatches(/pid (\d+) /);
    expect(isAlive(Number(pid))).toBe(true);
    run.child.kill(signal);
    const { exitCode, stdout, stderr } = await run.done;
    expect(stderr.trimEnd().split('\n').at(-1)).toBe('hawser: interrupted');
    expect({ exitCode, stdout }).toEqual({ exitCode: expected, stdout: '' });
    expect(isAlive(Number(pid))).toBe(false);
  });

  test('[BUG-016] Ctrl-C in a terminal reaches the whole group: the same', async () => {
    const run = start(['call', 'wait', '--verbose', '--', ...demoCommand], { detached: true });
    const [, pid] = await run.stderrMatches(/pid (\d+) /);
    process.kill(-(run.child.pid ?? 0), 'SIGINT');
    const { exitCode, stderr } = await run.done;
    expect(stderr).toMatch(/\nhawser: interrupted\n$/);
    expect(exitCode).toBe(130);
    expect(isAlive(Number(pid))).toBe(false);
  });

  test('[BUG-016] Ctrl-C while connecting', async () => {
    const run = start(['tools', '--verbose', '--', ...scriptCommand('silent.mjs')]);
    const pid = Number((await run.stderrMatches(/pid (\d+) /))[1]);
    expect(isAlive(pid)).toBe(true);
    run.child.kill('SIGINT');
    const { exitCode, stdout, stderr } = await run.done;
    expect(isAlive(pid)).toBe(false);
    expect(stderr).toMatch(/\nhawser: interrupted\n$/);
    expect({ exitCode, stdout }).toEqual({ exitCode: 130, stdout: '' });
  });

  test('Ctrl-C while standard input is awaited', async () => {
    const run = start(['call', 'echo', '--args', '-', '--', ...scriptCommand('silent.mjs')]);
    // More than pipes hold: once all of it is written, the command is reading.
    await new Promise((resolve) => run.child.stdin?.write(' '.repeat(1 << 20), resolve));
    run.child.kill('SIGINT');
    expect((await run.done).exitCode).toBe(130);
  });

  test('a call over HTTP', async () => {
    const run = start(['call', url, 'wait', '--verbose']);
    await run.stderrMatches(/pid \d+ /);
    run.child.kill('SIGINT');
    expect((await run.done).exitCode).toBe(130);
  });
});
