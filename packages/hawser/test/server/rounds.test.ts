/** Round trips where the specification leaves them to us: the low level for legacy callers, cancellation, stores. */
import { describe, expect, test } from 'vitest';
import { Cancel } from '../../src/base/cancel.ts';
import type { JsonObject } from '../../src/base/json.ts';
import type { Call, Kv, Note, Reply } from '../../src/ports/index.ts';
import { inputRequired } from '../../src/server/rounds/input-required.ts';
import { MemoryKv } from '../../src/server/rounds/once/memory-kv.ts';
import { Server, type ServerOptions } from '../../src/server/server.ts';
import { VirtualClock } from '../../src/testing/clock.ts';
import { call, gate, nodeEndpoint } from '../support/http.ts';
import {
  accept,
  drive,
  everything,
  legacyInbound,
  legacyOn,
  linkTo,
  modernWays,
  observed,
  shakeHands,
  textOf,
  toolCall,
} from '../support/rounds.ts';
import { recorder } from '../support/stdio.ts';

const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
const form = (message: string) =>
  ({ method: 'elicitation/create', params: { message, requestedSchema: schema } }) as const;

describe('the low level, for a legacy caller', () => {
  const counting = (until: number): Server => {
    const server = new Server({ name: 's', version: '1' });
    server.tool('count', {}, async (_, ctx) => {
      const chance = await ctx.step('chance', () => Math.random());
      const { at = 0, sum = 0, first = chance } = (ctx.state ?? {}) as { at?: number; sum?: number; first?: number };
      expect(first).toBe(chance);
      const { n } = ctx.responses as { n?: { content: { n: number } } };
      const total = sum + (n?.content.n ?? 0);
      await ctx.progress(1);
      await ctx.progress(at + 1);
      if (at === until) return `${total} after ${at}`;
      return inputRequired({ requests: { n: form(`${at}?`) }, state: { at: at + 1, sum: total, first } });
    });
    return server;
  };

  test.each(modernWays)('[MRTR-024] its requests are sent, and the handler runs again (%s)', async (over) => {
    const driver = await legacyOn(counting(3), over, ({ key }) => accept({ n: Number.parseInt(key, 10) + 1 }));
    const outcome = await driver.call('count');
    expect([outcome.rounds, textOf(outcome)]).toEqual([[['0?'], ['1?'], ['2?']], '6 after 3']);
  });

  test('10 times, not 11', async () => {
    const ten = await legacyOn(counting(10), 'direct', () => accept({ n: 1 }));
    expect(textOf(await ten.call('count'))).toBe('10 after 10');
    const eleven = await legacyOn(counting(11), 'direct', () => accept({ n: 1 }));
    const outcome = await eleven.call('count');
    expect(outcome.rounds).toHaveLength(10);
    expect([outcome.result?.['isError'], textOf(outcome)]).toEqual([true, 'the handler asked more than 10 times']);
  });

  test('a refusal, and a caller that cannot be asked, are the failure of the tool', async () => {
    const refusing = await legacyOn(counting(1), 'pipe', () => ({ rpcError: { code: -1, message: 'no' } }));
    expect((await refusing.call('count')).result).toMatchObject({ isError: true, content: [{ text: 'no' }] });
    const mute = await legacyOn(counting(1), 'pipe', () => expect.unreachable(), '2025-11-25', {});
    expect(textOf(await mute.call('count'))).toMatch(/^the caller cannot be asked/);
  });

  test('what it reports rises over all runs', async () => {
    const seen: unknown[] = [];
    const answering = legacyInbound(() => accept({ n: 1 }));
    const link = linkTo(counting(2), 'direct', answering);
    await shakeHands(link, '2025-11-25');
    const params = { name: 'count', arguments: {}, _meta: { progressToken: 1 } };
    await link.request({ method: 'tools/call', params }, { emit: (note) => void seen.push(note.params?.['progress']) });
    expect(seen).toEqual([1, 2, 3]);
  });
});

describe('cancellation', () => {
  test('[ELI-022] of a legacy call takes its question back', async () => {
    const asked = gate<Cancel>();
    const failed = gate<unknown>();
    const server = new Server({ name: 's', version: '1' });
    server.tool('ask', {}, async (_, ctx) => {
      await ctx.elicit('n', { message: 'm', schema }).catch(failed.open);
      return 'late';
    });
    const link = linkTo(server, 'pipe', {
      answer: (_, exchange) => {
        asked.open(exchange.cancel);
        return new Promise(() => undefined);
      },
      notice: () => undefined,
    });
    await shakeHands(link, '2025-11-25');
    const cancel = new Cancel();
    const calling = link.request({ method: 'tools/call', params: { name: 'ask' } }, { cancel }).catch(() => 'given up');
    const question = await asked.opened;
    const takenBack = new Promise<void>((resolve) => {
      question.onCancel(() => resolve());
    });
    cancel.cancel(new Error('enough'));
    expect(await calling).toBe('given up');
    expect(await failed.opened).toMatchObject({ code: 'aborted' });
    await takenBack;
  });

  test('of a modern call reaches the handler that waits for its cut', async () => {
    const begun = gate();
    const seen = gate<unknown>();
    const server = new Server({ name: 's', version: '1' });
    server.tool('slow', {}, async (_, ctx) => {
      ctx.signal.addEventListener('abort', () => seen.open(ctx.signal.aborted));
      begun.open();
      await ctx.step('endless', ({ signal }) => {
        expect(signal).toBe(ctx.signal);
        return new Promise(() => undefined);
      });
    });
    const cancel = new Cancel();
    const calling = linkTo(server, 'direct')
      .request(toolCall('slow'), { cancel })
      .catch(() => 'given up');
    await begun.opened;
    cancel.cancel(new Error('enough'));
    expect([await calling, await seen.opened]).toEqual(['given up', true]);
  });
});

describe('`once`', () => {
  /** A tool whose second round waits to be let go. */
  function paying(options: Partial<ServerOptions> = {}) {
    const { server, clock, logger } = observed({ stateKeys: ['16 bytes exactly'], ...options });
    const release = gate();
    const begun = gate();
    let runs = 0;
    server.tool('pay', { once: true }, async (_, ctx) => {
      const { n } = await ctx.elicit('n', { message: 'm', schema });
      runs++;
      begun.open();
      await release.opened;
      if (n === 13) throw new Error('unlucky');
      return n === 14 ? undefined : { structured: { n }, text: `paid ${String(n)}` };
    });
    return { server, clock, release, begun, logger, runs: () => runs };
  }

  const first = async (server: Server): Promise<string> =>
    String((await linkTo(server, 'direct').request(toolCall('pay'))).result?.['requestState']);
  const second = (server: Server, requestState: string, n: number): Promise<Reply> =>
    linkTo(server, 'direct').request(toolCall('pay', {}, { requestState, inputResponses: { n: accept({ n }) } }));

  test('[MRTR-019] a repeat waits for the run it repeats, 30 s at most', async () => {
    const { server, clock, release, begun, runs } = paying();
    const state = await first(server);
    const paid = second(server, state, 3);
    await begun.opened;
    const repeat = second(server, state, 4);
    while (clock.pending === 0) await clock.settle();
    await clock.advance(29_000);
    await clock.advance(3_000);
    expect((await repeat).error).toMatchObject({ code: -32603 });
    const another = second(server, state, 5);
    while (clock.pending === 0) await clock.settle();
    release.open();
    expect((await paid).result).toMatchObject({ structuredContent: { n: 3 }, content: [{ text: 'paid 3' }] });
    await clock.advance(50);
    expect((await another).result).toEqual((await paid).result);
    expect(runs()).toBe(1);
  });

  test.each<[number, JsonObject]>([
    [13, { isError: true, content: [{ text: 'unlucky' }] }],
    [14, { content: [] }],
    // What does not fit is asked for again: that is an answer too.
    ['x' as never, { resultType: 'input_required' }],
  ])('[MRTR-019] whatever it came to: %j', async (n, result) => {
    const { server, release } = paying();
    release.open();
    const state = await first(server);
    const paid = await second(server, state, n);
    expect(paid.result).toMatchObject(result);
    expect((await second(server, state, 3)).result).toEqual(paid.result);
  });

  test('[MRTR-019] two processes agree by their store', async () => {
    const store = new MemoryKv(new VirtualClock());
    const [one, two] = [paying({ store }), paying({ store })];
    one.release.open();
    two.release.open();
    const state = await first(one.server);
    expect((await second(two.server, state, 3)).result).toMatchObject({ content: [{ text: 'paid 3' }] });
    expect((await second(one.server, state, 4)).result).toMatchObject({ content: [{ text: 'paid 3' }] });
    expect([one.runs(), two.runs()]).toEqual([0, 1]);
  });

  test('[MRTR-019] without its store the handler does not run', async () => {
    const store: Kv = {
      get: () => Promise.reject(new Error('no store')),
      set: () => Promise.reject(new Error('no store')),
      delete: () => Promise.reject(new Error('no store')),
    };
    const { server, runs, logger } = paying({ store });
    const { error } = await second(server, await first(server), 3);
    expect(error).toEqual({ code: -32603, message: "internal error: the server's log says more" });
    expect([runs(), logger.of('error')]).toEqual([0, ['tools/call broke']]);
  });
});

describe('what is told', () => {
  test('[LOG-007] that the key is of this process, once, and only over HTTP', async () => {
    const logger = recorder();
    const server = new Server({ name: 's', version: '1', logger });
    server.tool('t', {}, async (_, ctx) => {
      await ctx.step('s', () => 1);
      await ctx.elicit('n', { message: 'm', schema });
    });
    await linkTo(server, 'direct').request(toolCall('t'));
    expect(logger.of('warn')).toEqual([]);
    const endpoint = await nodeEndpoint(server);
    const meta = { 'io.modelcontextprotocol/clientCapabilities': everything };
    for (let times = 0; times < 3; times++) await endpoint.send(call('t', {}, { meta }));
    expect(logger.of('warn')).toEqual([expect.stringContaining('give stateKeys')]);
  });

  test('that a key is not asked for any more', async () => {
    const logger = recorder();
    let run = 0;
    const server = new Server({ name: 's', version: '1', logger });
    server.tool('t', {}, async (_, ctx) => {
      if (run++ === 0) await ctx.step('only once', () => 1);
      return String((await ctx.elicit('n', { message: 'm', schema }))['n']);
    });
    expect(textOf(await drive(linkTo(server, 'direct'), toolCall('t'), () => accept({ n: 1 })))).toBe('1');
    expect(logger.entries.filter(({ level }) => level === 'warn')).toEqual([
      { level: 'warn', message: 't: known from an earlier round, not asked for in this one', details: ['only once'] },
    ]);
  });

  const cycle: JsonObject = {};
  cycle['cycle'] = cycle;

  test.each<[string, unknown, unknown[]]>([
    ['a big number', 0n, []],
    ['a cycle', cycle, []],
    ['a function', () => 1, [null]],
    ['a symbol', Symbol('s'), [null]],
    ['nothing', undefined, [null]],
    ['what says that it is nothing', { toJSON: () => undefined }, [null]],
    ['what gives a cycle', { toJSON: () => cycle }, []],
    ['no number', NaN, [null]],
    ['a date', new Date(0), ['1970-01-01T00:00:00.000Z']],
    ['a function within', { a: () => 1, b: 2 }, [{ b: 2 }]],
  ])('[LOG-003] a log message that is no JSON is null or left out: %s', async (_, data, expected) => {
    const logger = recorder();
    const server = new Server({ name: 's', version: '1', logger });
    server.tool('t', {}, (__, ctx) => {
      ctx.log('info', data);
      return 'done';
    });
    for (const way of ['direct', 'pipe'] as const) {
      const emitted: unknown[] = [];
      const declared = toolCall('t') as Call & { params: { _meta: JsonObject } };
      declared.params._meta['io.modelcontextprotocol/logLevel'] = 'debug';
      const emit = (note: Note): void => void emitted.push(note);
      // On a pipe nothing says which call a message belongs to.
      const inbound = { answer: () => Promise.reject(new Error('asked')), notice: emit };
      const { result } = await linkTo(server, way, inbound).request(declared, { emit });
      expect(result, way).toMatchObject({ content: [{ text: 'done' }] });
      expect(emitted, way).toEqual(
        expected.map((sent) => ({ method: 'notifications/message', params: { level: 'info', data: sent } })),
      );
    }
    expect(logger.of('warn')).toHaveLength(expected.length === 0 ? 2 : 0);
  });
});
