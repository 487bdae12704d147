/** Suspended questions that nobody waits for, in a process of their own. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { onTestFinished, expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { inTypeScript, root } from '../support/commands.ts';
import { toolCall } from '../support/rounds.ts';

/** A process to write messages to, and how it ended. */
function started(...args: string[]) {
  const [program, ...rest] = inTypeScript('rejections.ts', ...args);
  const child = spawn(program, rest, { cwd: root });
  onTestFinished(() => void child.kill());
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let errors = '';
  const told = new Promise<void>((resolve) => {
    child.stderr.on('data', (chunk: Buffer) => {
      errors += String(chunk);
      resolve();
    });
  });
  const exited = new Promise<number | null>((resolve) => {
    child.on('close', resolve);
  });
  return {
    exited,
    told,
    errors: () => errors,
    async call(tool: string): Promise<JsonObject> {
      const { method, params } = toolCall(tool);
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })}\n`);
      const { value } = (await lines.next()) as { value: string };
      return (JSON.parse(value) as { result: JsonObject }).result;
    },
  };
}

test('a suspension nobody looks at does not end the process', async () => {
  const served = started();
  for (let times = 0; times < 3; times++)
    expect(await served.call('unseen')).toMatchObject({ resultType: 'input_required' });
  expect(served.errors()).not.toMatch(/\bError\b/);
}, 30_000);

test('any other rejection ends it as before', async () => {
  const served = started();
  await served.call('unseen');
  await served.call('other');
  expect(await served.exited).toBe(1);
  expect(served.errors()).toContain('somebody else’s fault');
}, 30_000);

test('unless the program has a listener of its own', async () => {
  const served = started('own');
  await served.call('other');
  await served.told;
  expect(served.errors()).toBe('left to me\n');
  expect(await served.call('unseen')).toMatchObject({ resultType: 'input_required' });
}, 30_000);
