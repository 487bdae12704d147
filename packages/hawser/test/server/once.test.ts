/** Tools that say `once`: what becomes of a round whose store, caller or answers fail. */
import { describe, expect, test } from 'vitest';
import { Cancel } from '../../src/base/cancel.ts';
import type { JsonObject } from '../../src/base/json.ts';
import type { Caller, Kv, Reply } from '../../src/ports/index.ts';
import { MemoryKv } from '../../src/server/rounds/once/memory-kv.ts';
import { roundOwner } from '../../src/server/rounds/once/once.ts';
import { Server, type ServerOptions } from '../../src/server/server.ts';
import type { Context } from '../../src/server/context.ts';
import { VirtualClock } from '../../src/testing/clock.ts';
import { gate } from '../support/http.ts';
import { accept, everything, exchangeWith, linkTo, observed, toolCall } from '../support/rounds.ts';

const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
const answer = { inputResponses: { n: accept({ n: 1 }) } };
const garbage = { inputResponses: { n: { nonsense: 1 } } };
const lost = { code: -32603, message: 'this round has been run, and what it came to cannot be repeated' };

interface Sending {
  principal?: string;
  declared?: JsonObject;
  cancel?: Cancel;
}

/** A tool that asks and then does something, each request of which is sent by hand. */
function paying(act: (ctx: Context) => unknown, options: Partial<ServerOptions> = {}) {
  const { server, clock, logger } = observed(options);
  server.tool('pay', { once: true }, async (_, ctx) => {
    await ctx.elicit('n', { message: 'm', schema });
    return (await act(ctx)) as string;
  });
  const send = (more: JsonObject, { principal, declared = everything, cancel }: Sending = {}) => {
    const caller: Caller = { principal, revision: '2026-07-28', capabilities: declared };
    return server.answer(toolCall('pay', {}, more), exchangeWith(caller, cancel));
  };
  const begin = async (sending: Sending = {}): Promise<string> =>
    String((await send({}, sending)).result?.['requestState']);
  return { server, clock, logger, send, begin };
}

/** A store that counts what it is told, and may fail. */
class Counting implements Kv {
  readonly told: unknown[][] = [];
  readonly #kv: Kv;
  readonly #fails: (key: string, value: string) => boolean;

  constructor(clock: VirtualClock, fails: (key: string, value: string) => boolean = () => false) {
    this.#kv = new MemoryKv(clock);
    this.#fails = fails;
  }

  get(key: string): ReturnType<Kv['get']> {
    return this.#kv.get(key);
  }

  async set(key: string, value: string, options?: Parameters<Kv['set']>[2]): Promise<boolean> {
    this.told.push(['set', (JSON.parse(value) as { at: string }).at, options]);
    if (this.#fails(key, value)) throw new Error('the disk is full');
    return this.#kv.set(key, value, options);
  }

  delete(key: string, options?: Parameters<Kv['delete']>[1]): Promise<boolean> {
    this.told.push(['delete']);
    return this.#kv.delete(key, options);
  }
}

describe('a result that cannot be kept', () => {
  test('is given to its caller all the same, and a repeat is told at once that there is none', async () => {
    const clock = new VirtualClock();
    let paid = 0;
    const store = new Counting(clock, (_, value) => value.includes('"value"'));
    const { logger, send, begin } = paying(() => `paid ${++paid}`, { clock, store });
    const requestState = await begin();
    expect((await send({ ...answer, requestState })).result).toMatchObject({ content: [{ text: 'paid 1' }] });
    expect(logger.of('error')).toEqual(['what a round came to could not be kept: it cannot be repeated']);
    expect((await send({ ...answer, requestState })).error).toEqual(lost);
    expect([paid, clock.pending]).toEqual([1, 0]);
  });

  test('nor when the store fails for good', async () => {
    const clock = new VirtualClock();
    let sets = 0;
    const store = new Counting(clock, () => sets++ > 0);
    const { logger, send, begin } = paying(() => 'paid', { clock, store });
    const reply = await send({ ...answer, requestState: await begin() });
    expect(reply.result).toMatchObject({ content: [{ text: 'paid' }] });
    expect(logger.of('error')).toHaveLength(1);
  });

  test('nor when it is larger than the default store', async () => {
    let paid = 0;
    const { logger, send, begin } = paying(() => `${++paid}`.padEnd(9 * 1024 * 1024, 'x'));
    const requestState = await begin();
    expect((await send({ ...answer, requestState })).result).toMatchObject({ resultType: 'complete' });
    expect((await send({ ...answer, requestState })).error).toEqual(lost);
    expect([paid, logger.of('error')]).toEqual([1, [expect.stringContaining('could not be kept')]]);
  });
});

test('all is kept as long as a state is good', async () => {
  const clock = new VirtualClock();
  const store = new Counting(clock);
  const { send, begin } = paying(() => 'paid', { clock, store, stateTtlMs: 1_234 });
  await send({ ...answer, requestState: await begin() });
  expect(store.told).toEqual([
    ['set', 'running', { ttlMs: 1_234, ifVersion: null }],
    ['set', 'value', { ttlMs: 1_234 }],
  ]);
});

describe('the claim of a round is given back', () => {
  test.each<[string, JsonObject, Sending]>([
    ['when its answers are none', garbage, {}],
    ['when its caller cannot be asked', {}, { declared: {} }],
  ])('%s, and the round can be sent again', async (_, more, sending) => {
    const clock = new VirtualClock();
    const store = new Counting(clock);
    const { send, begin } = paying(() => 'paid', { clock, store });
    const requestState = await begin();
    for (let times = 0; times < 2; times++)
      expect((await send({ ...more, requestState }, sending)).error).toMatchObject({
        code: sending.declared === undefined ? -32602 : -32021,
      });
    expect((await send({ ...answer, requestState })).result).toMatchObject({ content: [{ text: 'paid' }] });
    expect(store.told.map(([what, at]) => at ?? what)).toEqual([
      'running',
      'delete',
      'running',
      'delete',
      'running',
      'value',
    ]);
  });

  test('but not when a step of it ran', async () => {
    let ran = 0;
    const { server } = observed();
    server.tool('pay', { once: true }, async (_, ctx) => {
      await ctx.elicit('first', { message: 'm', schema });
      await ctx.step('s', () => void ran++);
      return String((await ctx.elicit('n', { message: 'm', schema }))['n']);
    });
    const link = linkTo(server, 'direct');
    const send = (requestState: unknown, inputResponses: JsonObject): Promise<Reply> =>
      link.request(toolCall('pay', {}, { requestState, inputResponses }));
    const { result } = await link.request(toolCall('pay'));
    // The answer to the second question is taken only with a state that asked for it.
    const first = accept({ n: 1 });
    const next = await send(result?.['requestState'], { first, n: { nonsense: 1 } });
    expect([next.result?.['resultType'], ran]).toEqual(['input_required', 1]);
    const state = next.result?.['requestState'];
    // In the second round nothing runs: it may be corrected.
    expect((await send(state, { n: { nonsense: 1 } })).error).toMatchObject({ code: -32602 });
    expect((await send(state, { n: accept({ n: 7 }) })).result).toMatchObject({ content: [{ text: '7' }] });
    expect(ran).toBe(1);
  });

  test('nor when one ran before its caller could not be asked', async () => {
    let ran = 0;
    const { server, begin, send } = paying(() => 'paid');
    server.removeTool('pay');
    server.tool('pay', { once: true }, async (_, ctx) => {
      if (ctx.can('elicit')) return String((await ctx.elicit('n', { message: 'm', schema }))['n']);
      await ctx.step('s', () => void ran++);
      return JSON.stringify(await ctx.roots());
    });
    const requestState = await begin();
    for (const declared of [{}, everything])
      expect((await send({ ...answer, requestState }, { declared })).error).toMatchObject({ code: -32021 });
    expect(ran).toBe(1);
  });

  test('nor when one ran beside the answer that is none', async () => {
    let ran = 0;
    const server = new Server({ name: 's', version: '1' });
    let second = false;
    server.tool('pay', { once: true }, async (_, ctx) => {
      if (second) {
        await ctx.step('s', () => void ran++);
      }
      return String((await ctx.elicit('n', { message: 'm', schema }))['n']);
    });
    const link = linkTo(server, 'direct');
    const requestState = (await link.request(toolCall('pay'))).result?.['requestState'];
    second = true;
    for (const more of [garbage, answer])
      expect((await link.request(toolCall('pay', {}, { ...more, requestState }))).error).toMatchObject({
        code: -32602,
      });
    expect(ran).toBe(1);
  });
});

describe('cancellation', () => {
  test('of the request that runs a round does not reach the round: a repeat gets what it came to', async () => {
    const begun = gate();
    const release = gate();
    let aborted = 0;
    const { send, begin } = paying(async (ctx) => {
      ctx.signal.addEventListener('abort', () => aborted++);
      return ctx.step('pay', async ({ signal }) => {
        begun.open();
        await release.opened;
        return signal.aborted ? 'aborted' : 'paid';
      });
    });
    const requestState = await begin();
    const cancel = new Cancel();
    const first = send({ ...answer, requestState }, { cancel });
    await begun.opened;
    cancel.cancel(new Error('the connection broke'));
    release.open();
    await first;
    expect((await send({ ...answer, requestState })).result).toMatchObject({ content: [{ text: 'paid' }] });
    expect(aborted).toBe(0);
  });

  test('of a repeat ends its waiting', async () => {
    const begun = gate();
    const release = gate();
    const { clock, send, begin } = paying(async () => {
      begun.open();
      await release.opened;
      return 'paid';
    });
    const requestState = await begin();
    const first = send({ ...answer, requestState });
    await begun.opened;
    const cancel = new Cancel();
    const repeat = send({ ...answer, requestState }, { cancel });
    while (clock.pending === 0) await clock.settle();
    cancel.cancel(new Error('enough'));
    await clock.advance(50);
    expect((await repeat).error).toMatchObject({ code: -32603 });
    expect(clock.pending).toBe(0);
    release.open();
    await first;
  });
});

describe('one caller does not fill the store for the others', () => {
  /** Fills the store as somebody, and tells after how many rounds it was full. */
  async function fill(
    sending: Sending,
    begin: (s: Sending) => Promise<string>,
    send: (m: JsonObject, s: Sending) => Promise<Reply>,
  ) {
    for (let times = 0; times < 10_001; times++) {
      const { error } = await send({ ...answer, requestState: await begin(sending) }, sending);
      if (error !== undefined) return times;
    }
    return Infinity;
  }

  test('a principal has a tenth of it', async () => {
    const { clock, send, begin } = paying(() => 'ok');
    expect(await fill({ principal: 'eve' }, begin, send)).toBe(1_000);
    for (const sending of [{ principal: 'ann' }, {}])
      expect((await send({ ...answer, requestState: await begin(sending) }, sending)).result).toBeDefined();
    await clock.advance(600_000);
    const eve = { principal: 'eve' };
    expect((await send({ ...answer, requestState: await begin(eve) }, eve)).result).toBeDefined();
  });

  test('those who have no name have half of it together', async () => {
    const clock = new VirtualClock();
    const store = new MemoryKv(clock, { maxEntries: 20, ownerOf: roundOwner });
    const { send, begin } = paying(() => 'ok', { clock, store });
    expect(await fill({}, begin, send)).toBe(10);
    const ann = { principal: 'ann' };
    expect((await send({ ...answer, requestState: await begin(ann) }, ann)).result).toBeDefined();
  });

  test('with rounds that are refused nothing is filled', async () => {
    const clock = new VirtualClock();
    const store = new MemoryKv(clock, { maxEntries: 2 });
    const { send, begin } = paying(() => 'ok', { clock, store });
    for (let times = 0; times < 5; times++)
      expect((await send({ ...garbage, requestState: await begin() })).error).toMatchObject({ code: -32602 });
  });
});
