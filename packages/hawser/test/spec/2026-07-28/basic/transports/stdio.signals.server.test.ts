/** What signals do to a process that serves on its own stdio (basic/transports/stdio "Shutdown"). */
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { startFixture } from '../../../../support/commands.ts';
import { modernMeta } from '../../../../support/stdio.ts';

type Running = ReturnType<typeof startFixture>;

/** Resolves when the process has said that. */
async function said({ child, text }: Running, what: string): Promise<void> {
  while (!text.err.includes(what)) await once(child.stderr, 'data');
}

async function started(...how: string[]): Promise<Running> {
  const running = startFixture('signals.ts', ...how);
  await said(running, 'ready\n');
  return running;
}

/** Starts a call that does not end. */
async function hold(running: Running): Promise<void> {
  running.send({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'hold', arguments: {}, _meta: modernMeta },
  });
  await said(running, 'held\n');
}

describe.runIf(process.platform !== 'win32')('signals', () => {
  test.each([
    { how: [], so: 'which ends by itself' },
    { how: ['busy'], so: 'which a timer keeps alive' },
    { how: ['slow'], so: 'whose service does not end' },
  ])('[SEED-174] Ctrl-C ends a process $so: one line, exit code 130', async ({ how }) => {
    const running = await started(...how);
    running.child.kill('SIGINT');
    expect(await running.ended).toEqual([130, null]);
    expect(running.text).toEqual({ out: '', err: 'ready\n\nExiting...\n' });
  });

  test('[SEED-174] what runs is aborted', async () => {
    const running = await started('busy');
    await hold(running);
    running.child.kill('SIGINT');
    expect(await running.ended).toEqual([130, null]);
    expect(running.text).toEqual({ out: '', err: 'ready\nheld\n\nExiting...\naborted\n' });
  });

  test('SIGTERM does the same without a word: 143', async () => {
    const running = await started('busy');
    await hold(running);
    running.child.kill('SIGTERM');
    expect(await running.ended).toEqual([143, null]);
    expect(running.text).toEqual({ out: '', err: 'ready\nheld\naborted\n' });
  });

  test('subscriptions get their final result first', async () => {
    const running = await started('busy');
    const params = { notifications: {}, _meta: modernMeta };
    running.send({ jsonrpc: '2.0', id: 's', method: 'subscriptions/listen', params });
    await running.lines(1);
    running.child.kill('SIGTERM');
    expect(await running.ended).toEqual([143, null]);
    expect((await running.lines(3)).slice(1)).toMatchObject([
      { method: 'notifications/cancelled', params: { requestId: 's' } },
      { id: 's', result: { resultType: 'complete' } },
    ]);
  });

  test.each([
    { how: ['busy', 'slow'], when: 'Exiting', so: 'while it waits for its service' },
    { how: ['busy', 'tell'], when: 'over', so: 'while it waits for what keeps it alive' },
  ])('a second one ends it at once, $so', async ({ how, when }) => {
    const running = await started(...how);
    await hold(running);
    running.child.kill('SIGINT');
    await said(running, when);
    running.child.kill('SIGINT');
    expect(await running.ended).toEqual([130, null]);
    expect(running.text.err.match(/Exiting/g)).toHaveLength(1);
  });

  test.each([['own'], ['own', 'keep']])('[BUG-016] a program that listens itself is left to it: %s', async (...how) => {
    const running = await started(...how);
    running.child.kill('SIGINT');
    await said(running, 'mine\n');
    await hold(running);
    running.child.kill('SIGTERM');
    expect(await running.ended).toEqual(how.includes('keep') ? [null, 'SIGTERM'] : [143, null]);
    expect(running.text.err).not.toContain('Exiting');
  });

  test.each(['once', 'closed', 'keep'])('[BUG-016] where we have no say (%s) Node has it', async (how) => {
    const running = await started(how);
    if (how === 'once') {
      running.child.kill('SIGINT');
      await said(running, 'mine\n');
    }
    running.child.kill('SIGINT');
    expect(await running.ended).toEqual([null, 'SIGINT']);
  });
});
