/** MCP 2025-03-26, basic/index, Batching, over HTTP; other revisions have none. */
import { describe, expect, test } from 'vitest';
import { example } from '../../../support/example.ts';
import {
  expectRefusal,
  initialize,
  modern,
  nodeEndpoint,
  openSession,
  usual,
  webEndpoint,
  type Answer,
} from '../../../support/http.ts';

const request = (id: unknown, text: string) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'echo', arguments: { text } },
});
const note = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'nobody' } };

function replies(answer: Answer): Record<string, unknown>[] {
  const parsed = JSON.parse(answer.text) as Record<string, unknown>[];
  expect(parsed).toBeInstanceOf(Array);
  return parsed;
}

describe('Batching', () => {
  test('[BASE-030 LHTTP-003 LHTTP-005] requests in a batch are answered in one, notifications among them in silence', async () => {
    const endpoint = await nodeEndpoint(example().server);
    const session = await openSession(endpoint, '2025-03-26');
    const answer = await endpoint.send(
      session.post([request(1, 'one'), note, request('1', 'two'), request(3, 'three')]),
    );
    expect(answer).toMatchObject({ status: 200, type: 'application/json' });
    expect(
      replies(answer).map((reply) => [
        reply['id'],
        (reply['result'] as { content: [{ text: string }] }).content[0].text,
      ]),
    ).toEqual([
      [1, 'one'],
      ['1', 'two'],
      [3, 'three'],
    ]);
  });

  test('[BASE-030] a batch of notifications or responses: 202 and no body', async () => {
    const endpoint = await nodeEndpoint(example().server);
    const session = await openSession(endpoint, '2025-03-26');
    const response = { jsonrpc: '2.0', id: 's1', result: {} };
    for (const body of [[note], [note, note], [response], [response, note]])
      expect(await endpoint.send(session.post(body))).toMatchObject({ status: 202, text: '' });
  });

  test('[BUG-105] what is wrong in a batch is refused alone; an empty one as a whole', async () => {
    const { server, runs } = example();
    const endpoint = await nodeEndpoint(server);
    const session = await openSession(endpoint, '2025-03-26');
    const answer = await endpoint.send(
      session.post([
        1,
        request(1, 'one'),
        { jsonrpc: '1.0', id: 2, method: 'ping' },
        {},
        { ...request(null, 'x') },
        [request(5, 'x')],
      ]),
    );
    expect(
      replies(answer).map((reply) => [reply['id'], (reply['error'] as { code: number } | undefined)?.code]),
    ).toEqual([
      [null, -32600],
      [1, undefined],
      [2, -32600],
      [null, -32600],
      [null, -32600],
      [null, -32600],
    ]);
    expectRefusal(await endpoint.send(session.post([])), 400, -32600, null);
    expect(runs).toEqual(['echo']);
  });

  test('[BASE-031] initialize cannot stand in a batch', async () => {
    const endpoint = await nodeEndpoint(example().server);
    const { headers, body } = initialize('2025-03-26');
    const outside = await endpoint.send({ headers, body: [body] });
    expectRefusal(outside, 400, -32600, null);
    expect(outside.headers).not.toHaveProperty('mcp-session-id');
    const session = await openSession(endpoint, '2025-03-26');
    const inside = await endpoint.send(session.post([body, request(1, 'one')]));
    expect(replies(inside).map((reply) => 'error' in reply)).toEqual([true, false]);
    expect(inside.headers).not.toHaveProperty('mcp-session-id');
  });

  test('[SEED-179] an id twice in a batch, or in use outside it, is refused the second time', async () => {
    const { server, hold } = example();
    const endpoint = await nodeEndpoint(server);
    const session = await openSession(endpoint, '2025-03-26');
    const held = endpoint.send(session.call('hold', {}, { id: 9 }));
    await hold.started;
    const answer = await endpoint.send(session.post([request(1, 'one'), request(1, 'again'), request(9, 'nine')]));
    expect(replies(answer).map((reply) => 'error' in reply)).toEqual([false, true, true]);
    hold.release();
    expect((await held).content).toBe('let go');
    expect((await endpoint.send(session.call('echo', {}, { id: 9 }))).status).toBe(200);
  });

  test('[SEC-014] a batch at the bound is served, one past it is not', async () => {
    const { server, runs } = example();
    const endpoint = await nodeEndpoint(server);
    const session = await openSession(endpoint, '2025-03-26');
    const batch = (size: number) => Array.from({ length: size }, (_, index) => request(index, 'x'));
    expect(replies(await endpoint.send(session.post(batch(100))))).toHaveLength(100);
    expectRefusal(await endpoint.send(session.post(batch(101))), 400, -32600, null);
    expect(runs).toHaveLength(100);
  });

  test('a request in a batch can be cancelled, and progress has no way out of it', async () => {
    const { server, hold } = example();
    const endpoint = await nodeEndpoint(server);
    const session = await openSession(endpoint, '2025-03-26');
    const tool = (id: number, name: string) => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name, _meta: { progressToken: id } },
    });
    const answering = endpoint.send(session.post([tool(1, 'hold'), tool(2, 'report')]));
    await hold.started;
    expect((await endpoint.send(session.note('notifications/cancelled', { requestId: 1 }))).status).toBe(202);
    expect(await hold.aborted).toMatchObject({ code: 'aborted' });
    hold.release();
    const answer = await answering;
    expect(answer.type).toBe('application/json');
    expect(replies(answer).map((reply) => reply['id'])).toEqual([2]);
  });

  test('[BUG-105 BASE-032] nowhere else is an array a message: -32600, and nothing runs', async () => {
    const { server, runs } = example();
    const endpoint = await nodeEndpoint(server);
    const bodies = [[request(2, 'x'), request(3, 'x')], [note], [], [initialize().body, request(2, 'x')], [1]];
    for (const version of ['2024-11-05', '2025-06-18', '2025-11-25']) {
      const session = await openSession(endpoint, version);
      for (const body of bodies) {
        const answer = await endpoint.send(session.post(body));
        expectRefusal(answer, 400, -32600, version === '2025-11-25' ? undefined : null);
      }
    }
    for (const body of bodies) {
      expectRefusal(await endpoint.send({ headers: modern('tools/list').headers, body }), 400, -32600);
      expectRefusal(await endpoint.send({ headers: usual, body }), 400, -32600, null);
      expectRefusal(await webEndpoint(server).send({ headers: usual, body }), 400, -32600, null);
    }
    expect(runs).toEqual([]);
  });
});
