/** MCP 2024-11-05, basic/transports, HTTP with SSE: the server. */
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { describe, expect, test } from 'vitest';
import { nextTurn } from '../../../../src/testing/settle.ts';
import { legacyRevisions } from '../../../support/links.ts';
import { example } from '../../../support/example.ts';
import { bareSocket, expectRefusal, gate } from '../../../support/http.ts';
import { openSse, sseEndpoint, streamOf } from '../../../support/sse.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const listChanged = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' };

/** A server and a client that has shaken hands. */
async function opened(version?: string) {
  const { server, hold, runs } = example();
  const endpoint = await sseEndpoint(server);
  const client = await openSse(endpoint);
  await client.initialize(version);
  return { server, hold, runs, endpoint, client };
}

describe('HTTP with SSE', () => {
  test('[SSE-001 SSE-002 SEC-005] a GET opens a stream, whose first event says where to post: an address nobody can guess', async () => {
    const endpoint = await sseEndpoint(example().server);
    const ids = new Set<string>();
    for (let round = 0; round < 5; round++) {
      const { live, path } = await openSse(endpoint);
      expect(live.headers).toMatchObject({ 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' });
      const [, id = ''] = /^\/messages\?sessionId=(.*)$/.exec(path) ?? [];
      expect(id).toMatch(uuid);
      ids.add(id);
    }
    expect(ids.size).toBe(5);
  });

  test.each(legacyRevisions)(
    '[SSE-001 SSE-004] a whole session of %s: what is posted gets 202, and an event each',
    async (version) => {
      const { server, endpoint, client } = await opened(version);
      const frames = await openSse(endpoint);
      await frames.say({ id: 1, method: 'initialize', params: { protocolVersion: version } });
      const block = (await frames.live.block()) ?? '';
      expect(block).toMatch(/^event: message\ndata: \{.*\}$/);
      expect(JSON.parse(block.slice(block.indexOf('{')))).toMatchObject({
        jsonrpc: '2.0',
        id: 1,
        result: { protocolVersion: version, serverInfo: { name: 'example' } },
      });
      expect(await client.call(2, 'echo', { text: 'a\nb\r\nc\u2028 é—读取🎉' })).toMatchObject({
        id: 2,
        result: { content: [{ text: 'a\nb\r\nc\u2028 é—读取🎉' }] },
      });
      await client.say({ id: 3, method: 'tools/call', params: { name: 'report', _meta: { progressToken: 't' } } });
      for (const progress of [0.5, 1])
        expect(await client.next()).toMatchObject({ method: 'notifications/progress', params: { progress } });
      expect(await client.next()).toMatchObject({ id: 3 });
      server.tool('another', {}, () => '');
      expect(await client.next()).toEqual(listChanged);
    },
  );

  test('an unknown revision is answered with our newest legacy one, a modern one too', async () => {
    for (const version of ['1999-01-01', '2026-07-28']) {
      const client = await openSse(await sseEndpoint(example().server));
      expect(await client.initialize(version)).toMatchObject({ protocolVersion: '2025-11-25' });
    }
  });

  test('[SSE-004] the server asks on the stream, and the answer is posted', async () => {
    const { server } = example();
    server.tool('ask', {}, async (_, ctx) => {
      const { content } = await ctx.sample('model', {
        messages: [{ role: 'user', content: { type: 'text', text: 'how are you?' } }],
        maxTokens: 9,
      });
      return JSON.stringify(content);
    });
    const client = await openSse(await sseEndpoint(server));
    await client.initialize('2024-11-05', { sampling: {} });
    const asked = await client.call(1, 'ask');
    expect(asked).toMatchObject({ method: 'sampling/createMessage' });
    const content = { type: 'text', text: 'well' };
    await client.say({ id: asked?.['id'], result: { role: 'assistant', model: 'm', content } });
    const reply = (await client.next()) as { id: unknown; result: { content: [{ text: string }] } };
    expect([reply.id, JSON.parse(reply.result.content[0].text)]).toEqual([1, content]);
  });

  test('a cancelled request is stopped, and no more is heard of it', async () => {
    const { hold, client } = await opened();
    await client.say({ id: 1, method: 'tools/call', params: { name: 'hold' } });
    await hold.started;
    await client.say({ method: 'notifications/cancelled', params: { requestId: 1, reason: 'enough' } });
    expect(await hold.aborted).toMatchObject({ code: 'aborted', cause: 'enough' });
    hold.release();
    expect(await client.ask(2, 'ping')).toEqual({ jsonrpc: '2.0', id: 2, result: {} });
  });

  test('nothing is served before initialize, and initialize once', async () => {
    const client = await openSse(await sseEndpoint(example().server));
    const modernMeta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
    for (const [method, params] of [['tools/list'], ['ping'], ['server/discover', { _meta: modernMeta }]] as const) {
      expect(await client.ask(1, method, params)).toMatchObject({
        id: 1,
        error: { code: -32_600, message: 'there is no session: begin with initialize' },
      });
    }
    await client.initialize();
    expect(await client.ask(2, 'initialize', { protocolVersion: '2024-11-05' })).toMatchObject({
      id: 2,
      error: { code: -32_600 },
    });
    expect(await client.ask(3, 'server/discover', { _meta: modernMeta })).toMatchObject({
      id: 3,
      error: { code: -32_601 },
    });
  });

  test('batches exist in one revision; elsewhere the post is refused', async () => {
    const batch = [1, 2].map((id) => ({ jsonrpc: '2.0', id, method: 'ping' }));
    const { client } = await opened('2025-03-26');
    expect((await client.post(batch)).status).toBe(202);
    expect(await client.next()).toEqual(batch.map(({ id }) => ({ jsonrpc: '2.0', id, result: {} })));
    expectRefusal(await client.post([]), 400, -32_600, null);
    const other = await opened('2024-11-05');
    expectRefusal(await other.client.post(batch), 400, -32_600, null);
  });

  test('what is told to one is told to no other', async () => {
    const { endpoint, client, hold } = await opened();
    const other = await openSse(endpoint);
    await other.initialize();
    await client.say({ id: 1, method: 'tools/call', params: { name: 'report', _meta: { progressToken: 1 } } });
    await other.say({ id: 1, method: 'tools/call', params: { name: 'hold' } });
    await hold.started;
    for (const expected of [{ params: { progress: 0.5 } }, { params: { progress: 1 } }, { id: 1 }])
      expect(await client.next()).toMatchObject(expected);
    await client.say({ method: 'notifications/cancelled', params: { requestId: 1 } });
    hold.release();
    expect(await other.next()).toMatchObject({ id: 1, result: { content: [{ text: 'let go' }] } });
  });
});

describe('the end of a connection', () => {
  test('a client that leaves: what runs is aborted, and the address is good for nothing', async () => {
    const { endpoint, client, hold } = await opened();
    await client.say({ id: 1, method: 'tools/call', params: { name: 'hold' } });
    await hold.started;
    client.leave();
    await hold.aborted;
    expectRefusal(await client.post({ jsonrpc: '2.0', id: 2, method: 'ping' }), 404, -32_600);
    expect((await openSse(endpoint)).path).not.toBe(client.path);
  });

  test('a client whose connection is reset: the same, and a broadcast reaches the others', async () => {
    const { server, endpoint, client } = await opened();
    const { socket } = bareSocket(endpoint.port);
    socket.write('GET /sse HTTP/1.1\r\nhost: localhost\r\n\r\n');
    let text = '';
    while (!text.includes('sessionId=')) text += String((await once(socket, 'data'))[0]);
    const path = /\/messages\S+/.exec(text)?.[0] ?? '';
    socket.resetAndDestroy();
    for (let round = 0; round < 3; round++) {
      server.tool(`another ${round}`, {}, () => '');
      expect(await client.next()).toEqual(listChanged);
    }
    const ping = { jsonrpc: '2.0', id: 2, method: 'ping' };
    const posted = await endpoint.send({ path, headers: { 'content-type': 'application/json' }, body: ping });
    expect(posted.status).toBe(404);
  });

  test('close() ends the streams, and aborts what runs', async () => {
    const { endpoint, client, hold } = await opened();
    await client.say({ id: 1, method: 'tools/call', params: { name: 'hold' } });
    await hold.started;
    const closing = endpoint.close();
    await hold.aborted;
    await closing;
    expect(await client.next()).toBe(undefined);
  });

  test('close() gives what runs its time: its answer is the last of the stream, and nothing new is taken', async () => {
    const { endpoint, client, hold } = await opened();
    await client.say({ id: 1, method: 'tools/call', params: { name: 'hold' } });
    await hold.started;
    expect(endpoint.open).toEqual({ sessions: 1, streams: 1, calls: 1, kept: 0 });
    const closing = endpoint.close({ drainMs: 10_000 });
    expectRefusal(await endpoint.send(streamOf()), 503, -32_603);
    expectRefusal(await client.post({ jsonrpc: '2.0', id: 2, method: 'ping' }), 503, -32_603);
    hold.release();
    expect(await client.next()).toMatchObject({ id: 1, result: { content: [{ text: 'let go' }] } });
    await closing;
    expect(await client.next()).toBe(undefined);
    expect(endpoint.open).toEqual({ sessions: 0, streams: 0, calls: 0, kept: 0 });
  });

  test('one that ends while a message is on its way: 404', async () => {
    const { server, hold, runs } = example();
    let asked = gate();
    const authenticate = () => {
      asked.open();
      return {};
    };
    const endpoint = await sseEndpoint(server, { authenticate });
    const client = await openSse(endpoint);
    await client.initialize();
    await client.say({ id: 1, method: 'tools/call', params: { name: 'hold' } });
    await hold.started;
    const { path } = client;
    const headers = { 'content-type': 'application/json' };
    asked = gate();
    const slow = request({ port: endpoint.port, host: '127.0.0.1', path, method: 'POST', agent: false, headers });
    slow.write('{"jsonrpc":"2.0","id":2,');
    await asked.opened;
    await nextTurn();
    client.leave();
    await hold.aborted;
    slow.end('"method":"tools/call","params":{"name":"echo"}}');
    const [answer] = (await once(slow, 'response')) as [IncomingMessage];
    expect(answer.resume().statusCode).toBe(404);
    expect(runs).toEqual(['hold']);
  });

  test('a silent stream gets comments, so that nobody takes it for dead', async () => {
    const client = await openSse(await sseEndpoint(example().server, { keepAliveMs: 5 }));
    for (let round = 0; round < 3; round++) expect(await client.live.block()).toBe(': keep-alive');
    await client.initialize();
  });
});
