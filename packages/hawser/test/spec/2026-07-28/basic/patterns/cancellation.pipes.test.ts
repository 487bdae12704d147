/** Cancellation (basic/patterns/cancellation, basic/transports/stdio "Cancellation") on pipes, and in process. */
import { describe, expect, test } from 'vitest';
import { AbortError } from '../../../../../src/base/errors.ts';
import { Cancel } from '../../../../../src/base/cancel.ts';
import { Server } from '../../../../../src/server/server.ts';
import { scriptedServer } from '../../../../../src/testing/scripted.ts';
import { acrossSeeds, runInRandomOrder } from '../../../../../src/testing/scheduler.ts';
import { settle } from '../../../../../src/testing/settle.ts';
import { steppedPair } from '../../../../../src/testing/pipes.ts';
import { pipeLink } from '../../../../../src/transport/pipe-client.ts';
import { servePipe } from '../../../../../src/transport/pipe-server.ts';
import { overEveryLink } from '../../../../support/links.ts';
import {
  connectByHand,
  eras,
  failureOf,
  initialize,
  modernMeta,
  opening,
  received,
  recorder,
  serveByHand,
  tokenOf,
} from '../../../../support/stdio.ts';
import { useWorld } from '../../../../support/world.ts';

const world = useWorld();

/** What a server by hand was told of cancellations. */
const cancelled = (messages: Record<string, unknown>[]) =>
  messages.filter((message) => message['method'] === 'notifications/cancelled').map((message) => message['params']);

describe('Cancellation Flow: a client of ours', () => {
  test.each(eras)('[CAN-001 STDIO-009 BUG-097] %s: an aborted call is told of once, by its id', async (era) => {
    const { pair, server, client, link } = await connectByHand(opening[era]);
    const controller = world.abortController();
    const failed = failureOf(client.callTool('x', {}, { signal: controller.signal }));
    await pair.run();
    const request = await server.expect('tools/call');
    controller.abort(new Error('enough'));
    expect(await failed).toMatchObject({ code: 'aborted', outcome: 'unknown', cause: { message: 'enough' } });
    await pair.run();
    expect(cancelled(received(server))).toEqual([{ requestId: request.id }]);
    expect(link.open).toBe(0);
    await world.advance(250);
  });

  test.each(eras)('[CAN-008 SEED-280 SEED-097] %s: so is one that has timed out; it is not sent again', async (era) => {
    const { pair, server, client, link } = await connectByHand(opening[era], { clock: world.clock });
    const failed = failureOf(client.callTool('x', {}, { timeoutMs: 1_000 }));
    await pair.run();
    await world.advance(999);
    expect(cancelled(received(server))).toEqual([]);
    await world.advance(1);
    expect(await failed).toMatchObject({ code: 'timeout', timeoutMs: 1_000, outcome: 'unknown' });
    await pair.run();
    const request = await server.expect('tools/call');
    expect(cancelled(received(server))).toEqual([{ requestId: request.id }]);
    expect(server.unread).toEqual([]);
    expect(link.open).toBe(0);
    await world.advance(250);
  });

  test.each(eras)(
    '[CAN-008 SEED-279] %s: the wait is the call’s own, else the connection’s; progress begins it anew, up to the maximum',
    async (era) => {
      const { pair, server, client } = await connectByHand(opening[era], { clock: world.clock, timeoutMs: 2_000 });
      const plain = failureOf(client.callTool('plain'));
      const own = failureOf(client.callTool('own', {}, { timeoutMs: 3_000 }));
      const alive = failureOf(
        client.callTool('alive', {}, { timeoutMs: 2_000, maxTimeoutMs: 4_500, onProgress: () => {} }),
      );
      await pair.run();
      let over = 0;
      void alive.then(() => (over = world.clock.now()));
      const asked = received(server).find(
        (message) => (message['params'] as { name?: string } | undefined)?.name === 'alive',
      );
      const progressToken = tokenOf(asked ?? {});
      for (let n = 1; n <= 6; n++) {
        await world.advance(1_000);
        server.notify('notifications/progress', { progressToken, progress: n });
        await pair.run();
      }
      for (const failed of [plain, own, alive]) expect(await failed).toMatchObject({ code: 'timeout' });
      expect(await plain).toMatchObject({ timeoutMs: 2_000 });
      expect(await own).toMatchObject({ timeoutMs: 3_000 });
      expect(over).toBe(4_500);
    },
  );

  test('[VER-034 CAN-010 BUG-097] initialize is never cancelled', async () => {
    const controller = world.abortController();
    const pair = steppedPair();
    const lines: string[] = [];
    pair.server.start({ chunk: (bytes) => lines.push(new TextDecoder().decode(bytes)), ended: () => {} });
    const link = pipeLink(pair.client, { answer: () => Promise.reject(new Error('x')), notice: () => {} });
    const cancel = new Cancel();
    controller.signal.addEventListener('abort', () => cancel.cancel(controller.signal.reason), { once: true });
    const failed = failureOf(link.request({ method: 'initialize', params: {} }, { cancel }));
    await pair.run();
    controller.abort();
    expect(await failed).toBeInstanceOf(AbortError);
    await pair.run();
    expect(lines.join('').match(/"method":"[^"]*"/g)).toEqual(['"method":"initialize"']);
  });

  test.each(eras)(
    '[CAN-003 BUG-097] %s: nothing is said of a call that was never sent, or that is answered',
    async (era) => {
      const { pair, server, client, link } = await connectByHand({
        ...opening[era],
        'tools/call': () => ({ content: [] }),
      });
      expect(await failureOf(client.callTool('x', {}, { signal: AbortSignal.abort('early') }))).toMatchObject({
        code: 'aborted',
        outcome: 'not-sent',
        cause: 'early',
      });
      const controller = world.abortController();
      const call = client.callTool('y', {}, { signal: controller.signal });
      await pair.run();
      await call;
      controller.abort();
      await pair.run();
      expect(cancelled(received(server))).toEqual([]);
      expect(received(server).filter((message) => message['method'] === 'tools/call')).toHaveLength(1);
      expect(link.open).toBe(0);
      await world.advance(250);
    },
  );

  test.each(eras)(
    '[CAN-006 SEED-286 BUG-097] %s: a late answer is ignored, without a fuss, and the next call is not touched',
    async (era) => {
      const logger = recorder();
      const { pair, server, client, link } = await connectByHand(opening[era], { clock: world.clock, logger });
      const failed = failureOf(client.callTool('x', {}, { timeoutMs: 1_000 }));
      await pair.run();
      await world.advance(1_000);
      await failed;
      const late = await server.expect('tools/call');
      const next = client.callTool('y');
      late.reply({ content: [{ type: 'text', text: 'for x' }] });
      late.reply({ content: [{ type: 'text', text: 'for x again' }] });
      await pair.run();
      expect(link.open).toBeGreaterThan(0);
      (await server.expect('tools/call')).reply({ content: [{ type: 'text', text: 'for y' }] });
      await pair.run();
      expect((await next).text).toBe('for y');
      expect(logger.of('warn')).toEqual([]);
      expect(link.open).toBe(0);
      await world.advance(250);
    },
  );

  test.each(eras)('[SEED-282] %s: 100 calls aborted at once all reject, and nothing is left of them', async (era) => {
    const { pair, server, client, link } = await connectByHand(opening[era], { clock: world.clock });
    const controller = world.abortController();
    const calls = Array.from({ length: 100 }, () =>
      failureOf(client.callTool('x', {}, { signal: controller.signal, onProgress: () => {} })),
    );
    await pair.run();
    expect(link.open).toBe(200);
    controller.abort();
    for (const error of await Promise.all(calls)) expect(error).toMatchObject({ code: 'aborted' });
    expect([link.open, controller.listeners]).toEqual([0, 0]);
    await pair.run();
    expect(cancelled(received(server))).toHaveLength(100);
    await world.advance(250);
    expect(world.clock.pending).toBe(0);
  });

  test('[SEED-315 CAN-004] a server that cancels a call of ours is not heeded; the call goes on', async () => {
    const { pair, server, client } = await connectByHand(opening.modern);
    const call = client.callTool('x');
    await pair.run();
    const request = await server.expect('tools/call');
    server.notify('notifications/cancelled', { requestId: request.id });
    await pair.run();
    request.reply({ content: [{ type: 'text', text: 'done' }] });
    await pair.run();
    expect((await call).text).toBe('done');
  });
});

describe('Behavior Requirements: a server of ours', () => {
  function holding() {
    const server = new Server({ name: 'holding', version: '1' });
    const signals: AbortSignal[] = [];
    const releases: (() => void)[] = [];
    server.tool('hold', {}, (_, ctx) => {
      signals.push(ctx.signal);
      return new Promise((resolve) => releases.push(() => resolve('done')));
    });
    return { server, signals, releases };
  }

  async function open(era: 'modern' | 'legacy', logger = recorder()) {
    const held = holding();
    const served = serveByHand(held.server, { logger });
    if (era === 'legacy') await initialize(served, '2025-11-25');
    const from = served.client.lines.length;
    const meta = era === 'modern' ? { _meta: modernMeta } : {};
    const call = (id: number | string) =>
      served.client.send({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'hold', ...meta } });
    const cancel = (params: unknown) => served.client.notify('notifications/cancelled', params);
    return { ...held, ...served, from, call, cancel };
  }

  test.each(eras)(
    '[STDIO-010 CAN-005] %s: the handler is stopped, and not a word more is said of the request',
    async (era) => {
      const { pair, client, signals, releases, from, call, cancel } = await open(era);
      call('a');
      call('b');
      await pair.run();
      cancel({ requestId: 'a', reason: 'no longer wanted' });
      await pair.run();
      expect(signals.map((signal) => signal.aborted)).toEqual([true, false]);
      expect(signals[0]?.reason).toMatchObject({ code: 'aborted', cause: 'no longer wanted' });
      for (const release of releases) release();
      await pair.run();
      expect(received(client, from)).toEqual([expect.objectContaining({ id: 'b', result: expect.anything() })]);
    },
  );

  test.each(eras)('[CAN-007] %s: unknown, finished and malformed cancellations are ignored in silence', async (era) => {
    const { pair, client, signals, releases, from, call, cancel } = await open(era);
    call(1);
    await pair.run();
    for (const params of [
      undefined,
      {},
      { requestId: 77 },
      { requestId: '1' },
      { requestId: null },
      { requestId: {} },
      { requestId: [1] },
      { requestId: 1.5 },
      { requestId: 'x', reason: {} },
    ])
      cancel(params);
    client.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: [1] });
    await pair.run();
    expect(signals[0]?.aborted).toBe(false);
    releases[0]?.();
    await pair.run();
    cancel({ requestId: 1 });
    cancel({ requestId: 1 });
    await pair.run();
    const answers = received(client, from).filter((message) => message['id'] === 1);
    expect(answers).toEqual([expect.objectContaining({ result: expect.anything() })]);
  });

  test.each(eras)('%s: an id is taken until the handler of the cancelled request is through', async (era) => {
    const { pair, client, releases, from, call, cancel } = await open(era);
    call(1);
    await pair.run();
    cancel({ requestId: 1 });
    call(1);
    await pair.run();
    expect(received(client, from)).toMatchObject([{ error: { code: -32_600 } }]);
    releases[0]?.();
    await pair.run();
    call(1);
    await pair.run();
    releases[1]?.();
    await pair.run();
    expect(received(client, from).slice(1)).toEqual([expect.objectContaining({ id: 1, result: expect.anything() })]);
  });

  test('[CAN-009] the reason is logged, cut and without control characters', async () => {
    const logger = recorder();
    const { pair, call, cancel } = await open('modern', logger);
    call(1);
    call(2);
    await pair.run();
    cancel({ requestId: 1, reason: `first\nsecond${'x'.repeat(1_000)}` });
    cancel({ requestId: 2 });
    await pair.run();
    const [first, second] = logger.of('debug').filter((message) => message.includes('was cancelled'));
    expect(first).toMatch(/^request 1 was cancelled: first\\x0asecondx+… \(1012 characters\)$/);
    expect(second).toBe('request 2 was cancelled: no reason given');
  });

  test('[CAN-010 CAN-007] in a legacy session the server cancels what it asked, by its own id; the answer comes late', async () => {
    const cancel = new Cancel();
    const answers: unknown[] = [];
    const served = serveByHand({
      async answer(call, exchange) {
        if (call.method === 'tools/call' && exchange.ask !== undefined)
          answers.push(await failureOf(exchange.ask({ method: 'roots/list' }, { cancel })));
        return { result: {} };
      },
      notice: () => {},
    });
    await initialize(served, '2025-11-25');
    served.client.send({ jsonrpc: '2.0', id: 'call', method: 'tools/call', params: {} });
    await served.pair.run();
    const asked = await served.client.expect('roots/list');
    cancel.cancel('enough');
    asked.reply({ roots: [] });
    await served.pair.run();
    expect(await served.client.expectNote('notifications/cancelled')).toMatchObject({
      params: { requestId: asked.id },
    });
    expect(answers).toMatchObject([{ code: 'aborted', cause: 'enough' }]);
    expect(received(served.client).at(-1)).toEqual({ jsonrpc: '2.0', id: 'call', result: {} });
  });

  test('[CAN-010] and a client of ours stops answering what the server has cancelled', async () => {
    let asked: Cancel | undefined;
    let answer: (result: object) => void = () => {};
    const pair = steppedPair();
    const server = scriptedServer(pair.server);
    const link = pipeLink(pair.client, {
      answer: (_, exchange) => {
        asked = exchange.cancel;
        return new Promise((resolve) => (answer = (result) => resolve({ result: { ...result } })));
      },
      notice: () => {},
    });
    void failureOf(link.request({ method: 'initialize' }));
    server.send({ jsonrpc: '2.0', id: 'ask', method: 'roots/list' });
    await pair.run();
    server.notify('notifications/cancelled', { requestId: 'ask' });
    await pair.run();
    expect(asked?.cancelled).toBe(true);
    answer({});
    await pair.run();
    expect(received(server).map((message) => message['method'])).toEqual(['initialize']);
  });

  test('the end of the pipe stops what runs, and nothing is written after it', async () => {
    const { pair, client, served, signals, releases, from, call } = await open('modern');
    call(1);
    await pair.run();
    const closed = client.close();
    await pair.run();
    await closed;
    expect(await served.closed).toBe(undefined);
    expect(signals[0]?.aborted).toBe(true);
    releases[0]?.();
    await pair.run();
    expect(received(client, from)).toEqual([]);
  });
});

describe('Timing Considerations', () => {
  const seed = process.env['SEED'];

  test('[CAN-007 STDIO-010] answers, cancellations and the end in any order: each call settles once, nothing is left', async () => {
    await acrossSeeds({ count: 40, only: seed }, async (seed) => {
      const pair = steppedPair({ seed });
      const releases: (() => void)[] = [];
      const server = new Server({ name: 'racing', version: '1' });
      server.tool('hold', {}, () => new Promise((resolve) => releases.push(() => resolve('done'))));
      const seen: string[] = [];
      const onFrame = (direction: string, text: string) => {
        if (direction === 'out' || text.includes('notifications/cancelled')) seen.push(text);
      };
      const served = servePipe(server, pair.server, { onFrame });
      const inbound = { answer: () => Promise.reject(new Error('not asked')), notice: () => {} };
      const link = pipeLink(pair.client, inbound) as ReturnType<typeof pipeLink> & { readonly open: number };
      const cancels = Array.from({ length: 5 }, () => new Cancel());
      const settled = cancels.map(() => 0);
      const params = { name: 'hold', _meta: { ...modernMeta, progressToken: 'p' } };
      const call = (n: number) => () =>
        link.request({ method: 'tools/call', params }, { cancel: cancels[n] }).then(
          () => settled[n]!++,
          () => settled[n]!++,
        );
      await runInRandomOrder(seed, {
        calls: cancels.map((_, n) => call(n)),
        cancels: cancels.slice(0, 3).map((cancel) => () => cancel.cancel('enough')),
        answers: { ready: () => releases.length > 0, run: () => releases.shift()?.() },
        end: [() => {}, () => {}, () => {}, () => {}, () => link.close()],
        toServer: pair.source('server'),
        toClient: pair.source('client'),
      });
      await served.closed;
      await settle();
      expect(settled).toEqual([1, 1, 1, 1, 1]);
      expect(link.open).toBe(0);
      // Of a request whose cancellation the server has read, nothing more is said.
      const over = new Set<unknown>();
      for (const text of seen) {
        const message = JSON.parse(text) as { id?: unknown; params?: { requestId?: unknown } };
        if (message.params?.requestId !== undefined) over.add(message.params.requestId);
        else expect(over.has(message.id)).toBe(false);
      }
    });
  });

  test.each([
    ['the answer first', ['client', 'abort']],
    ['the abort first', ['abort', 'client']],
  ])('an answer on its way and an abort: %s', async (_, order) => {
    const { pair, server, client, link } = await connectByHand(opening.modern);
    const controller = world.abortController();
    const call = client.callTool('x', {}, { signal: controller.signal }).then(
      () => 'answered',
      () => 'aborted',
    );
    await pair.run();
    (await server.expect('tools/call')).reply({ content: [] });
    for (const step of order) {
      if (step === 'abort') controller.abort();
      else pair.deliverAll('client');
      await settle();
    }
    expect(await call).toBe(order[0] === 'abort' ? 'aborted' : 'answered');
    await pair.run();
    expect(cancelled(received(server))).toHaveLength(order[0] === 'abort' ? 1 : 0);
    expect(link.open).toBe(0);
    await world.advance(250);
  });
});

describe('In process', () => {
  function watched() {
    const signals: AbortSignal[] = [];
    const server = new Server({ name: 'watched', version: '1' });
    server.tool('hold', {}, (_, ctx) => {
      signals.push(ctx.signal);
      return new Promise((resolve) => {
        ctx.signal.addEventListener('abort', () => resolve('too late'));
      });
    });
    return Object.assign(server, { signals });
  }

  overEveryLink(
    '[CAN-001 CAN-005] an abort reaches the handler, and the call rejects though the handler answers',
    { links: ['direct', 'pipe'], server: watched },
    async ({ client, server }) => {
      const controller = new AbortController();
      const failed = failureOf(client.callTool('hold', {}, { signal: controller.signal }));
      await settle();
      expect(server.signals).toHaveLength(1);
      controller.abort('enough');
      expect(await failed).toMatchObject({ code: 'aborted', cause: 'enough' });
      await settle();
      expect(server.signals[0]?.aborted).toBe(true);
    },
  );

  overEveryLink(
    'the end of the connection reaches the handler, and the call rejects',
    { links: ['direct', 'pipe'], server: watched },
    async ({ client, server }) => {
      const failed = failureOf(client.callTool('hold'));
      await settle();
      await client.close();
      expect(await failed).toMatchObject({ code: 'connection', outcome: 'unknown' });
      await settle();
      expect(server.signals[0]?.aborted).toBe(true);
    },
  );
});
