/** Suspended questions that nobody waits for, in a process of their own. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { inTypeScript, root, startFixture } from '../support/commands.ts';
import { toolCall } from '../support/rounds.ts';

/** A server in a process of its own, whose tools are called one after the other. */
function started(...args: string[]) {
  const fixture = startFixture('rejections.ts', ...args);
  let calls = 0;
  return {
    ...fixture,
    async call(tool: string): Promise<JsonObject> {
      const { method, params } = toolCall(tool);
      fixture.send({ jsonrpc: '2.0', id: ++calls, method, params });
      return (await fixture.lines(calls))[calls - 1]?.['result'] as JsonObject;
    },
  };
}

test('a suspension nobody looks at does not end the process', async () => {
  const served = started();
  for (let times = 0; times < 3; times++)
    expect(await served.call('unseen')).toMatchObject({ resultType: 'input_required' });
  expect(served.text.err).not.toMatch(/\bError\b/);
}, 30_000);

test('any other rejection ends it as before', async () => {
  const served = started();
  await served.call('unseen');
  await served.call('other');
  expect((await served.ended)[0]).toBe(1);
  expect(served.text.err).toContain('somebody else’s fault');
}, 30_000);

test('unless the program has a listener of its own', async () => {
  const served = started('own');
  await served.call('other');
  while (served.text.err === '') await once(served.child.stderr, 'data');
  expect(served.text.err).toBe('left to me\n');
  expect(await served.call('unseen')).toMatchObject({ resultType: 'input_required' });
}, 30_000);

interface Rejecting {
  mode?: string;
  environment?: string;
  copies?: number;
  own?: boolean;
  what?: 'suspended' | 'other';
}

/** Rejects a promise in a process of its own, and tells what became of that. */
function rejecting({ mode, environment, copies = 1, own = false, what = 'other' }: Rejecting) {
  const args = [String(copies), own ? 'own' : 'none', what];
  const [program, ...rest] = inTypeScript('suspensions.ts', ...args);
  const flags = mode === undefined ? [] : [`--unhandled-rejections=${mode}`];
  const env = { ...process.env, NODE_OPTIONS: environment ?? '' };
  return new Promise<{ code: unknown; out: string; errors: string }>((resolve) => {
    execFile(program, [...flags, ...rest], { cwd: root, env }, (failure, out, errors) => {
      resolve({ code: failure === null ? 0 : failure.code, out, errors });
    });
  });
}

const fault = 'somebody else’s fault';

test.concurrent.each<[string, Rejecting, { code: number; out: string; says: string }]>([
  [
    'two copies of the package keep it alive',
    { copies: 2, what: 'suspended' },
    { code: 0, out: 'alive with 2\n', says: '' },
  ],
  ['two copies leave other rejections what they are', { copies: 2 }, { code: 1, out: '', says: fault }],
  [
    'and to a listener of the program',
    { copies: 2, own: true },
    { code: 0, out: 'alive with 3\n', says: 'left to me' },
  ],
  ['--unhandled-rejections=none', { mode: 'none' }, { code: 0, out: 'alive with 1\n', says: '' }],
  [
    '=none in NODE_OPTIONS',
    { environment: '--unhandled_rejections none' },
    { code: 0, out: 'alive with 1\n', says: '' },
  ],
  [
    'the command line comes after it',
    { environment: '--unhandled-rejections=none', mode: 'throw' },
    { code: 1, out: '', says: fault },
  ],
  ['=warn', { mode: 'warn' }, { code: 0, out: 'alive with 1\n', says: fault }],
  ['=warn-with-error-code', { mode: 'warn-with-error-code' }, { code: 1, out: 'alive with 1\n', says: fault }],
  ['=strict', { mode: 'strict' }, { code: 1, out: '', says: fault }],
])(
  'a rejection nobody handles: %s',
  async (_, given, { code, out, says }) => {
    const met = await rejecting(given);
    expect({ code: met.code, out: met.out }).toEqual({ code, out });
    if (says === '') expect(met.errors).toBe('');
    else expect(met.errors).toContain(says);
  },
  30_000,
);
