import { expect, test } from 'vitest';
import { Cancel } from '../../../base/cancel.ts';
import { silent } from '../../../base/logger.ts';
import type { Caller } from '../../../ports/index.ts';
import { VirtualClock } from '../../../testing/clock.ts';
import { exchangeWith } from '../../../../test/support/rounds.ts';
import { Journal } from './journal.ts';
import { States } from './states.ts';
import type { Run, Work } from '../work.ts';

const clock = new VirtualClock();
const info = { name: 's', version: '1' };
const keys = ['16 bytes exactly'];
const states = new States(info, silent, clock, keys, 1_000);

interface Of {
  method: string;
  caller: Caller;
  work: Work;
}

const usual: Of = {
  method: 'tools/call',
  caller: { principal: 'ann', revision: '2026-07-28', capabilities: {} },
  work: { name: 't', args: { a: 1 }, version: '2' },
};

async function stateOf({ method, caller, work }: Of): Promise<unknown> {
  const run: Run = {
    work,
    method,
    exchange: exchangeWith(caller),
    over: false,
    cancel: new Cancel(),
    finish: () => undefined,
    end: () => undefined,
    again: () => Promise.reject(new Error('again')),
  };
  const { reply } = await states.inputRequired(run, new Journal('chain'), [], { bound: true });
  return reply.result?.['requestState'];
}

async function opens(requestState: unknown, { method, caller, work }: Of, by = states): Promise<boolean> {
  const opened = await by.open({ method, params: { requestState } }, caller, work);
  return !('reply' in opened);
}

test('a state is opened for what it was written for', async () => {
  expect(await opens(await stateOf(usual), usual)).toBe(true);
});

test.each<[string, Of]>([
  ['a prompt of the same name', { ...usual, method: 'prompts/get' }],
  ['a resource of the same name', { ...usual, method: 'resources/read' }],
  ['another revision', { ...usual, caller: { ...usual.caller, revision: '2025-11-25' } }],
  ['another principal', { ...usual, caller: { ...usual.caller, principal: 'bob' } }],
  ['nobody', { ...usual, caller: { ...usual.caller, principal: undefined } }],
  ['another name', { ...usual, work: { ...usual.work, name: 'u' } }],
  ['other arguments', { ...usual, work: { ...usual.work, args: { a: 2 } } }],
  ['another version', { ...usual, work: { ...usual.work, version: '3' } }],
  ['no version', { ...usual, work: { ...usual.work, version: undefined } }],
])('[MRTR-018] and for nothing else: %s', async (_, other) => {
  expect(await opens(await stateOf(usual), other)).toBe(false);
});

test('[MRTR-018] nor by another server that has the same keys', async () => {
  const other = new States({ ...info, name: 'other' }, silent, clock, keys, 1_000);
  expect(await opens(await stateOf(usual), usual, other)).toBe(false);
});
