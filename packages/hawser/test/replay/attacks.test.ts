/** What callers may try with a state that is not theirs to change. */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { Server, type ServerOptions } from '../../src/server/server.ts';
import { VirtualClock } from '../../src/testing/clock.ts';
import type { Caller, Reply } from '../../src/ports/index.ts';
import { everything, exchangeWith, toolCall } from '../support/rounds.ts';
import { recorder, type Recorder } from '../support/stdio.ts';

const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
const secret = 'hunter2-in-a-step';
const keys = ['a secret of at least 16 bytes'];

interface World {
  server: Server;
  clock: VirtualClock;
  log: Recorder;
  /** Runs of handlers, by tool. */
  runs: string[];
}

/** Tools that remember a secret, then ask for a number, then do something. */
function world(options: Partial<ServerOptions> = {}, tools: { version?: string } = {}): World {
  const clock = new VirtualClock();
  const log = recorder();
  const server = new Server({ name: 'attacked', version: '1', clock, logger: log, stateKeys: keys, ...options });
  const runs: string[] = [];
  for (const [name, once] of [
    ['pay', false],
    ['other', false],
    ['payOnce', true],
  ] as const) {
    server.tool(name, { input: { type: 'object' }, once, ...tools }, async (args, ctx) => {
      runs.push(name);
      await ctx.step('secret', () => secret);
      const { n } = await ctx.elicit('n', { message: `How many of ${String(args['what'])}?`, schema });
      await ctx.step('paid', () => void runs.push(`paid ${String(n)}`));
      return `paid ${String(n)}`;
    });
  }
  return { server, clock, log, runs };
}

/** A modern request of somebody. */
function send(
  server: Server,
  name: string,
  args: JsonObject,
  more: JsonObject = {},
  principal?: string,
): Promise<Reply> {
  const caller: Caller = { principal, revision: '2026-07-28', capabilities: everything };
  return server.answer(toolCall(name, args, more), exchangeWith(caller));
}

const answer = (n: unknown = 3): JsonObject => ({ inputResponses: { n: { action: 'accept', content: { n } } } });

async function stateOf(server: Server, name = 'pay', principal = 'ann'): Promise<string> {
  const { result } = await send(server, name, { what: 'eggs' }, {}, principal);
  expect(result).toMatchObject({
    resultType: 'input_required',
    inputRequests: { n: { method: 'elicitation/create' } },
  });
  return String(result?.['requestState']);
}

const expired = { code: -32602, message: 'requestState has expired: call again' };
const refused = { code: -32602, message: 'requestState is not valid' };

describe('what does not verify is refused, and the handler does not run', () => {
  const flip = (state: string, at: number): string =>
    state.slice(0, at) + (state[at] === 'A' ? 'B' : 'A') + state.slice(at + 1);

  const attacks: Record<string, (state: string) => { state?: unknown; name?: string; args?: JsonObject; as?: string }> =
    {
      'a flip in the version': (state) => ({ state: flip(state, 0) }),
      'a flip in the key id': (state) => ({ state: flip(state, 4) }),
      'a flip in the nonce': (state) => ({ state: flip(state, 12) }),
      'a flip in the text': (state) => ({ state: flip(state, 60) }),
      'a flip in the tag': (state) => ({ state: flip(state, state.length - 10) }),
      'another principal': () => ({ as: 'bob' }),
      'no principal': () => ({ as: '' }),
      'another tool': () => ({ name: 'other' }),
      'other arguments': () => ({ args: { what: 'cars' } }),
      'more arguments': () => ({ args: { what: 'eggs', more: 1 } }),
      'half of it': (state) => ({ state: state.slice(0, state.length / 2) }),
      'the empty text': () => ({ state: '' }),
      '1 MiB': () => ({ state: 'A'.repeat(1 << 20) }),
      'one character past the limit': () => ({ state: 'A'.repeat(65_537) }),
      'a number': () => ({ state: 5 }),
      null: () => ({ state: null }),
      'an object': (state) => ({ state: { state } }),
      'a list': (state) => ({ state: [state] }),
      'a suffix': (state) => ({ state: `${state}-TAMPERED` }),
      'a suffix of one character': (state) => ({ state: `${state}A` }),
      padding: (state) => ({ state: `${state}=` }),
      'a blank': (state) => ({ state: `${state} ` }),
      'two of them': (state) => ({ state: state + state }),
      'no base64': () => ({ state: '{"log":[]}' }),
    };

  test.each(Object.entries(attacks))('[MRTR-017 MRTR-018 BUG-130] %s', async (_, attack) => {
    const { server, runs, log } = world();
    const state = await stateOf(server);
    runs.length = 0;
    const { state: sent = state, name = 'pay', args = { what: 'eggs' }, as = 'ann' } = attack(state);
    const reply = await send(server, name, args, { ...answer(), requestState: sent }, as === '' ? undefined : as);
    expect(reply.error).toEqual(refused);
    expect(runs).toEqual([]);
    // Neither the error nor the log holds anything of it.
    const told = JSON.stringify([reply, log.entries]);
    expect(told).not.toContain(secret);
    expect(told).not.toContain(state.slice(10, 40));
    expect(log.of('warn').filter((message) => message.includes('requestState refused'))).toHaveLength(1);
  });

  test('[MRTR-017 BUG-130] the untouched one is taken, also with the arguments in another order', async () => {
    const { server, runs } = world();
    const { result } = await send(server, 'pay', { what: 'eggs', a: 1 }, {}, 'ann');
    const requestState = result?.['requestState'];
    const reply = await send(server, 'pay', { a: 1, what: 'eggs' }, { ...answer(), requestState }, 'ann');
    expect(reply.result).toMatchObject({ resultType: 'complete', content: [{ text: 'paid 3' }] });
    expect(runs).toEqual(['pay', 'pay', 'paid 3']);
  });

  test('[MRTR-018 BUG-130] it is good until it expires, and not a millisecond longer', async () => {
    const { server, clock, runs } = world({ stateTtlMs: 60_000 });
    const requestState = await stateOf(server);
    await clock.advance(59_999);
    const early = await send(server, 'pay', { what: 'eggs' }, { ...answer(), requestState }, 'ann');
    expect(early.result).toMatchObject({ resultType: 'complete' });
    runs.length = 0;
    await clock.advance(1);
    const late = await send(server, 'pay', { what: 'eggs' }, { ...answer(), requestState }, 'ann');
    expect([late.error, runs]).toEqual([expired, []]);
    // Whoever it was not made for learns nothing of its age.
    const other = await send(server, 'pay', { what: 'eggs' }, { ...answer(), requestState }, 'bob');
    expect([other.error, runs]).toEqual([refused, []]);
  });

  test('[SEED-186 B-37] what was asked of one is taken from that one, for the same request and in time only', async () => {
    const { server, clock, runs } = world({ stateTtlMs: 60_000 });
    const requestState = await stateOf(server);
    runs.length = 0;
    const goOn = (name = 'pay', what = 'eggs', as: string | undefined = 'ann', state = requestState): Promise<Reply> =>
      send(server, name, { what }, { ...answer(), requestState: state }, as);
    const last = requestState.length - 5;
    for (const reply of [
      await goOn('pay', 'eggs', 'ann', flip(requestState, last)),
      await goOn('pay', 'eggs', 'bob'),
      await goOn('other'),
      await goOn('pay', 'cars'),
    ])
      expect(reply.error).toEqual(refused);
    expect(runs).toEqual([]);
    expect((await goOn()).result).toMatchObject({ resultType: 'complete' });
    await clock.advance(60_000);
    expect((await goOn()).error).toEqual(expired);
  });

  test('[MRTR-020 BUG-130] another process with the same key goes on, one with another key does not', async () => {
    const requestState = await stateOf(world().server);
    const goOn = async (options: Partial<ServerOptions>): Promise<Reply> =>
      send(world(options).server, 'pay', { what: 'eggs' }, { ...answer(), requestState }, 'ann');
    expect((await goOn({})).result).toMatchObject({ content: [{ text: 'paid 3' }] });
    // A key that is retired still opens; bytes are as good as text.
    const older = ['a new secret of 16 bytes', new TextEncoder().encode(keys[0])];
    expect((await goOn({ stateKeys: older })).result).toMatchObject({ content: [{ text: 'paid 3' }] });
    expect((await goOn({ stateKeys: ['another secret, 16 bytes'] })).error).toEqual(refused);
    expect((await goOn({ name: 'another server' })).error).toEqual(refused);
  });

  test('a server without keys makes one of its own', async () => {
    const plain = (): Server => {
      const server = new Server({ name: 'attacked', version: '1' });
      server.tool('pay', { input: { type: 'object' } }, async (_, ctx) => {
        await ctx.step('s', () => 1);
        return String((await ctx.elicit('n', { message: 'n', schema }))['n']);
      });
      return server;
    };
    const server = plain();
    const requestState = await stateOf(server);
    const more = { ...answer(), requestState };
    expect((await send(server, 'pay', { what: 'eggs' }, more, 'ann')).result).toMatchObject({
      content: [{ text: '3' }],
    });
    expect((await send(plain(), 'pay', { what: 'eggs' }, more, 'ann')).error).toEqual(refused);
  });

  test('[MRTR-018] another version of the tool does not go on with it', async () => {
    const requestState = await stateOf(world({}, { version: '1' }).server);
    const more = { ...answer(), requestState };
    const same = await send(world({}, { version: '1' }).server, 'pay', { what: 'eggs' }, more, 'ann');
    expect(same.result).toMatchObject({ content: [{ text: 'paid 3' }] });
    const other = await send(world({}, { version: '2' }).server, 'pay', { what: 'eggs' }, more, 'ann');
    expect(other.error).toEqual(refused);
  });

  test('[MRTR-017] a step value cannot be read from it', async () => {
    const { server } = world();
    const state = await stateOf(server);
    const plain = atob(state.replaceAll('-', '+').replaceAll('_', '/'));
    expect(plain).not.toContain('hunter2');
    expect(await stateOf(server)).not.toBe(state);
  });
});

describe('a state that is sent again', () => {
  test('runs the round again, with the values of the steps before, unless the tool says `once`', async () => {
    const { server, runs } = world();
    const more = { ...answer(), requestState: await stateOf(server) };
    await send(server, 'pay', { what: 'eggs' }, more, 'ann');
    await send(server, 'pay', { what: 'eggs' }, more, 'ann');
    expect(runs).toEqual(['pay', 'pay', 'paid 3', 'pay', 'paid 3']);
  });

  test('[MRTR-019 BUG-130] of a tool that says `once` it gets the answer it got', async () => {
    const { server, runs, clock } = world();
    const requestState = await stateOf(server, 'payOnce');
    const first = await send(server, 'payOnce', { what: 'eggs' }, { ...answer(3), requestState }, 'ann');
    const second = await send(server, 'payOnce', { what: 'eggs' }, { ...answer(500), requestState }, 'ann');
    expect(first.result).toMatchObject({ content: [{ text: 'paid 3' }] });
    expect(second.result).toEqual(first.result);
    expect(runs).toEqual(['payOnce', 'payOnce', 'paid 3']);
    await clock.advance(600_000);
    const late = await send(server, 'payOnce', { what: 'eggs' }, { ...answer(3), requestState }, 'ann');
    expect(late.error).toEqual(expired);
  });

  test('[MRTR-019] and both at a time run it once', async () => {
    const { server, runs, clock } = world();
    const requestState = await stateOf(server, 'payOnce');
    const more = { ...answer(3), requestState };
    const both = Promise.all([1, 2].map(() => send(server, 'payOnce', { what: 'eggs' }, more, 'ann')));
    // The second one may have to wait and look again.
    const over = both.then(() => 'over');
    while ((await Promise.race([over, clock.advance(50)])) !== 'over') continue;
    await clock.settle();
    for (const { result } of await both) expect(result).toMatchObject({ content: [{ text: 'paid 3' }] });
    expect(runs.filter((run) => run === 'paid 3')).toHaveLength(1);
  });

  test('[MRTR-019] a tool that says `once` takes no answer without a state', async () => {
    const { server, runs } = world();
    const { result } = await send(server, 'payOnce', { what: 'eggs' }, answer(3), 'ann');
    expect(result).toMatchObject({ resultType: 'input_required' });
    expect(runs).toEqual(['payOnce']);
  });
});

test('a handler that swallows everything acts on nothing', async () => {
  const acted: string[] = [];
  const server = new Server({ name: 's', version: '1', clock: new VirtualClock() });
  server.tool('swallows', {}, async (_, ctx) => {
    let n: unknown = 'nothing';
    try {
      ({ n } = await ctx.elicit('n', { message: 'n', schema }));
    } catch {
      // Whatever it was.
    }
    try {
      await ctx.step('act', () => void acted.push(`on ${String(n)}`));
    } catch {
      // Whatever it was.
    }
    return 'acted';
  });
  const first = await send(server, 'swallows', {});
  expect(first.result).toMatchObject({ resultType: 'input_required' });
  expect(acted).toEqual([]);
  // Garbage in place of an answer is not swallowed either.
  const garbage = await send(server, 'swallows', {}, { inputResponses: { n: { action: 'yes' } } });
  expect(garbage.error).toMatchObject({ code: -32602 });
  expect(acted).toEqual([]);
  const last = await send(server, 'swallows', {}, answer(4));
  expect(last.result).toMatchObject({ content: [{ text: 'acted' }] });
  expect(acted).toEqual(['on 4']);
});
