/** basic/patterns/progress, as handlers report it, over every link; on the wire of HTTP by hand. */
import { describe, expect, test } from 'vitest';
import type { Progress } from '../../../../../src/model/types.ts';
import { Server } from '../../../../../src/server/server.ts';
import { call, doors, gate, modern } from '../../../../support/http.ts';
import { overEveryLink } from '../../../../support/links.ts';

function reporting(): Server {
  return new Server({ name: 's', version: '1' })
    .tool('report', {}, async (_, { progress }) => {
      await progress(0.5, 2, 'half');
      await progress(0.5, 2, 'again');
      await progress(0.25, 2, 'back');
      await progress(1.75, 2);
      await progress(2);
      return 'done';
    })
    .tool('hasty', {}, (_, { progress }) => {
      for (let step = 1; step <= 3; step++) void progress(step);
      return 'done';
    });
}

describe('Progress Flow', () => {
  overEveryLink(
    '[PROG-002 PROG-003 SEED-277] what rises arrives in order, before the result; the text of it since 2025-03-26',
    { server: reporting },
    async ({ client, revision }) => {
      const heard: Progress[] = [];
      const result = await client.callTool('report', {}, { onProgress: (progress) => heard.push(progress) });
      expect(result.text).toBe('done');
      expect(heard).toEqual([
        { progress: 0.5, total: 2, ...(revision !== '2024-11-05' && { message: 'half' }) },
        { progress: 1.75, total: 2 },
        { progress: 2 },
      ]);
    },
  );

  overEveryLink(
    'who does not await it loses none of it while there is room',
    { server: reporting },
    async ({ client }) => {
      const heard: number[] = [];
      await client.callTool('hasty', {}, { onProgress: ({ progress }) => heard.push(progress) });
      expect(heard).toEqual([1, 2, 3]);
    },
  );

  overEveryLink('who does not ask is not told', { server: reporting }, async ({ client }) => {
    expect((await client.callTool('report')).text).toBe('done');
  });
});

describe.each(doors)('$name', ({ open }) => {
  test('[PROG-006 HTTP-016] progress flows on the stream of its own request; without it the answer is no stream', async () => {
    const both = gate();
    let running = 0;
    const server = reporting().tool('meet', {}, async (_, { progress }) => {
      if (++running === 2) both.open();
      await both.opened;
      await progress(1);
      return 'met';
    });
    const endpoint = await open(server);
    const [first, second] = await Promise.all([
      endpoint.send(call('meet', {}, { id: 1, meta: { progressToken: 'one' } })),
      endpoint.send(call('meet', {}, { id: 2, meta: { progressToken: 'two' } })),
    ]);
    for (const [answer, id, progressToken] of [
      [first, 1, 'one'],
      [second, 2, 'two'],
    ] as const) {
      expect(answer.type).toBe('text/event-stream');
      expect(answer.messages).toEqual([
        { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken, progress: 1 } },
        expect.objectContaining({ id, result: expect.anything() as unknown }),
      ]);
    }
    expect((await endpoint.send(call('report'))).type).toBe('application/json');
  });

  test('[PROG-006] progress of a client is nothing to a server', async () => {
    const endpoint = await open(reporting());
    const { headers } = modern('notifications/progress');
    const params = { progressToken: 'one', progress: 1 };
    const answer = await endpoint.send({ headers, body: { jsonrpc: '2.0', method: 'notifications/progress', params } });
    expect([answer.status, answer.text]).toEqual([202, '']);
  });
});
