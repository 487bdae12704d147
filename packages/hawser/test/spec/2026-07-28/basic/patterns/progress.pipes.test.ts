/** Progress (basic/patterns/progress) on pipes. */
import { describe, expect, test } from 'vitest';
import { Server } from '../../../../../src/server/server.ts';
import type { Progress } from '../../../../../src/model/types.ts';
import {
  connectByHand,
  eras,
  initialize,
  modernMeta,
  opening,
  received,
  recorder,
  serveByHand,
  tokenOf,
} from '../../../../support/stdio.ts';

/** The `_meta` of a request in either era. */
const metaOf = (era: 'modern' | 'legacy', more: object) => (era === 'modern' ? { ...modernMeta, ...more } : more);

describe('Progress Flow: a server of ours', () => {
  function reporting() {
    const server = new Server({ name: 'reporting', version: '1' });
    server.tool('report', { input: { type: 'object' } }, async ({ values }, ctx) => {
      for (const value of values as [number, number?, string?][]) await ctx.progress(...value);
      return 'done';
    });
    return server;
  }

  async function report(era: 'modern' | 'legacy', values: unknown, meta: object) {
    const served = serveByHand(reporting());
    if (era === 'legacy') await initialize(served, '2025-11-25');
    const before = served.client.lines.length;
    const call = served.client.request('tools/call', {
      name: 'report',
      arguments: { values },
      _meta: metaOf(era, meta),
    });
    await served.pair.run();
    await call;
    return received(served.client, before);
  }

  test.each(eras.flatMap((era) => [0, '', 'abc', 7, '7', -1].map((token) => [era, token] as const)))(
    '[BUG-090 PROG-001 PROG-002] %s: token %j is echoed as it is, before the result',
    async (era, progressToken) => {
      const messages = await report(
        era,
        [
          [0.5, 1],
          [1, 1, 'all'],
        ],
        { progressToken },
      );
      expect(messages).toEqual([
        { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken, progress: 0.5, total: 1 } },
        {
          jsonrpc: '2.0',
          method: 'notifications/progress',
          params: { progressToken, progress: 1, total: 1, message: 'all' },
        },
        expect.objectContaining({ result: expect.anything() }),
      ]);
    },
  );

  test.each(eras)('[BUG-090] %s: without a token nothing is sent', async (era) => {
    expect(await report(era, [[0.5], [1]], {})).toEqual([expect.objectContaining({ result: expect.anything() })]);
  });

  test.each(eras)('[PROG-003] %s: what does not rise is not sent; fractions count', async (era) => {
    const values = [[0.1], [0.1], [0.05], [0.11], [-1], [2], [1.999], [3]];
    const messages = await report(era, values, { progressToken: 1 });
    expect(messages.slice(0, -1).map((message) => (message['params'] as Progress).progress)).toEqual([0.1, 0.11, 2, 3]);
  });

  test.each(eras)(
    '[PROG-004] %s: nothing is sent once the result has gone, or the request was cancelled',
    async (era) => {
      const server = new Server({ name: 'late', version: '1' });
      const tell: (() => Promise<unknown>)[] = [];
      server.tool('late', {}, (_, ctx) => {
        tell.push(() => ctx.progress(1));
        return 'done';
      });
      server.tool('hang', {}, (_, ctx) => {
        tell.push(() => ctx.progress(1));
        return new Promise(() => {});
      });
      const served = serveByHand(server);
      if (era === 'legacy') await initialize(served, '2025-11-25');
      const before = served.client.lines.length;
      for (const [id, name] of [
        ['a', 'late'],
        ['b', 'hang'],
      ] as const) {
        const params = { name, _meta: metaOf(era, { progressToken: id }) };
        served.client.send({ jsonrpc: '2.0', id, method: 'tools/call', params });
      }
      await served.pair.run();
      served.client.notify('notifications/cancelled', {
        requestId: 'b',
        ...(era === 'modern' && { _meta: modernMeta }),
      });
      await served.pair.run();
      await Promise.all(tell.map((each) => each()));
      await served.pair.run();
      expect(received(served.client, before)).toEqual([
        expect.objectContaining({ id: 'a', result: expect.anything() }),
      ]);
    },
  );
});

describe('Behavior Requirements: a client of ours', () => {
  test.each(eras)('[PROG-001 SEED-277] %s: each call has a token of its own, a text or an integer', async (era) => {
    const { pair, server, client } = await connectByHand({ ...opening[era], 'tools/call': () => ({ content: [] }) });
    const calls = [() => {}, () => {}, undefined, () => {}].map((onProgress) =>
      client.callTool('x', {}, { onProgress }),
    );
    await pair.run();
    await Promise.all(calls);
    const tokens = received(server)
      .filter((message) => message['method'] === 'tools/call')
      .map(tokenOf);
    expect(new Set(tokens).size).toBe(4);
    for (const token of tokens) expect(typeof token === 'string' || Number.isInteger(token)).toBe(true);
  });

  test.each(eras)(
    '[BUG-092 SEED-277 PROG-004] %s: late, unknown and malformed progress is ignored; the session lives',
    async (era) => {
      const logger = recorder();
      const { pair, server, client, link } = await connectByHand(opening[era], { logger });
      const heard: Progress[] = [];
      const call = client.callTool('x', {}, { onProgress: (progress) => heard.push(progress) });
      await pair.run();
      const request = await server.expect('tools/call');
      const progressToken = tokenOf(request);
      const say = (params: unknown) => server.notify('notifications/progress', params);
      for (const params of [
        { progressToken: 'tool-call-4', progress: 1 },
        { progressToken: 77, progress: 1 },
        { progressToken: String(progressToken), progress: 1 },
        { progressToken },
        { progressToken, progress: '50%' },
        { progressToken, progress: null },
        { progressToken: null, progress: 1 },
        { progressToken: {}, progress: 1 },
        {},
        undefined,
      ])
        say(params);
      say({ progressToken, progress: 5, total: 0 });
      say({ progressToken, progress: 4, total: '9', message: 7 });
      request.reply({ content: [{ type: 'text', text: 'done' }] });
      say({ progressToken, progress: 6 });
      await pair.run();
      expect((await call).text).toBe('done');
      expect(heard.slice(0, 1)).toEqual([{ progress: 5, total: 0 }]);
      expect(heard.slice(1).every((progress) => progress.progress === 4)).toBe(true);
      expect(logger.of('error')).toEqual([]);
      say({ progressToken, progress: 7 });
      const next = client.callTool('y', {}, { onProgress: (progress) => heard.push(progress) });
      await pair.run();
      (await server.expect('tools/call')).reply({ content: [] });
      await pair.run();
      await next;
      expect(heard.some((progress) => progress.progress >= 6)).toBe(false);
      expect(link.open).toBe(0);
    },
  );

  test('[SEED-278] a server that guesses the token of another server’s call drives no callback', async () => {
    const [one, other] = [await connectByHand(opening.modern), await connectByHand(opening.modern)];
    const heard: string[] = [];
    const calls = [
      one.client.callTool('x', {}, { onProgress: () => heard.push('one') }),
      other.client.callTool('x', {}, { onProgress: () => heard.push('other') }),
    ];
    await one.pair.run();
    await other.pair.run();
    const [asked, theirs] = [await one.server.expect('tools/call'), await other.server.expect('tools/call')];
    for (const progressToken of [1, 2, 3, '1'])
      other.server.notify('notifications/progress', { progressToken, progress: 1 });
    await other.pair.run();
    await one.pair.run();
    expect(new Set(heard)).toEqual(new Set(['other']));
    asked.reply({ content: [] });
    theirs.reply({ content: [] });
    await one.pair.run();
    await other.pair.run();
    await Promise.all(calls);
  });

  test('a listener that throws is reported, and neither the call nor others suffer', async () => {
    const logger = recorder();
    const { pair, server, client } = await connectByHand(opening.modern, { logger });
    const call = client.callTool(
      'x',
      {},
      {
        onProgress: () => {
          throw new Error('oops');
        },
      },
    );
    await pair.run();
    const request = await server.expect('tools/call');
    const progressToken = tokenOf(request);
    server.notify('notifications/progress', { progressToken, progress: 1 });
    request.reply({ content: [{ type: 'text', text: 'done' }] });
    await pair.run();
    expect((await call).text).toBe('done');
    expect(logger.of('error')).toHaveLength(1);
  });

  test('[PROG-007] in a legacy session progress goes the other way as well', async () => {
    const notes: unknown[] = [];
    const answers: unknown[] = [];
    const served = serveByHand({
      async answer(call, exchange) {
        if (call.method === 'initialize') return { result: { protocolVersion: '2025-11-25', capabilities: {} } };
        const asked = { method: 'sampling/createMessage', params: { _meta: { progressToken: 'up' } } };
        if (exchange.ask === undefined) return { result: {} };
        answers.push(await exchange.ask(asked, { emit: (note) => notes.push(note.params) }));
        return { result: {} };
      },
      notice: () => {},
    });
    await initialize(served, '2025-11-25');
    const call = served.client.request('tools/call', { name: 'x' });
    await served.pair.run();
    const asked = await served.client.expect('sampling/createMessage');
    served.client.notify('notifications/progress', { progressToken: 'up', progress: 1 });
    asked.reply({ role: 'assistant' });
    served.client.notify('notifications/progress', { progressToken: 'up', progress: 2 });
    await served.pair.run();
    await call;
    expect([notes, answers]).toEqual([[{ progressToken: 'up', progress: 1 }], [{ result: { role: 'assistant' } }]]);
  });
});
