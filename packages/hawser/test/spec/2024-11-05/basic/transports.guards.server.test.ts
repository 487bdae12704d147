/** MCP 2024-11-05, basic/transports, HTTP with SSE: who is let in, what is taken, and the transport beside its successor. */
import { createServer } from 'node:http';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { connect } from '../../../../src/entry/index.node.ts';
import { nodeHandler } from '../../../../src/node/http.ts';
import { legacySseHandler, serveLegacySse } from '../../../../src/node/legacy-sse.ts';
import { example } from '../../../support/example.ts';
import { call, expectRefusal, flyNode, gate, initialize, listening, modern, type Sent } from '../../../support/http.ts';
import { recorder } from '../../../support/stdio.ts';
import { openSse, sseEndpoint, streamOf } from '../../../support/sse.ts';

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
const stranger = '00000000-0000-4000-8000-000000000000';

/** Tells who calls by the `authorization` header. */
const authenticate = (request: { header(name: string): string | undefined }) => {
  const principal = request.header('authorization');
  return principal === undefined ? { status: 401 as const, headers: { 'www-authenticate': 'Bearer' } } : { principal };
};

describe('Security Warning', () => {
  test('[SSE-005] a foreign origin or host gets 403 at either endpoint, an allowed one is served', async () => {
    const { server, runs } = example();
    const endpoint = await sseEndpoint(server, { allowedOrigins: ['https://app.example'] });
    const client = await openSse(endpoint, { origin: 'https://app.example' });
    await client.initialize();
    for (const headers of [{ origin: 'http://evil.test' }, { origin: 'null' }, { host: 'evil.test' }]) {
      expectRefusal(await endpoint.send(streamOf(headers)), 403, -32_600);
      expectRefusal(await client.post({ ...ping, method: 'tools/call' }, headers), 403, -32_600);
    }
    expect(runs).toEqual([]);
    expect(await client.ask(2, 'ping')).toMatchObject({ id: 2, result: {} });
  });

  test('[SSE-005] it is bound to this machine, unless the names it is reached by are given', async () => {
    const { server } = example();
    await using serving = await serveLegacySse(server);
    expect(new URL(serving.url).hostname).toBe('127.0.0.1');
    expect(new URL(serving.url).pathname).toBe('/sse');
    await expect(serveLegacySse(server, { host: '0.0.0.0' })).rejects.toThrow('needs allowedHosts');
  });

  test('[SSE-005] every request is authenticated, at either endpoint, before its body is read', async () => {
    const endpoint = await sseEndpoint(example().server, { authenticate });
    const refused = await endpoint.send(streamOf());
    expectRefusal(refused, 401, -32_600);
    expect(refused.headers['www-authenticate']).toBe('Bearer');
    const client = await openSse(endpoint, { authorization: 'ada' });
    expectRefusal(await client.post('no JSON', { authorization: undefined }), 401, -32_600);
    await client.initialize();
    const reply = (await client.call(1, 'caller')) as { result: { content: [{ text: string }] } };
    expect(JSON.parse(reply.result.content[0].text)).toMatchObject({ principal: 'ada', revision: '2024-11-05' });
  });

  test('[BUG-142] pages that may call are told so, at either endpoint, and by errors too', async () => {
    const origin = 'https://app.example';
    const endpoint = await sseEndpoint(example().server, { allowedOrigins: [origin], authenticate });
    const asks = { origin, 'access-control-request-method': 'GET', 'access-control-request-headers': 'authorization' };
    for (const [path, methods] of [
      ['/sse', 'GET'],
      ['/messages', 'POST'],
    ] as const) {
      const answer = await endpoint.send({ method: 'OPTIONS', path, headers: asks });
      expect(answer).toMatchObject({
        status: 204,
        headers: { 'access-control-allow-origin': origin, 'access-control-allow-methods': methods },
      });
    }
    const client = await openSse(endpoint, { origin, authorization: 'ada' });
    const refused = await client.post(ping, { authorization: undefined });
    const elsewhere = await endpoint.send(streamOf({ origin }, '/else'));
    for (const { status, headers } of [client.live, await client.post(ping), refused, elsewhere])
      expect([status, headers['access-control-allow-origin']]).toEqual([status, origin]);
  });

  test('a handler sees what its own message came with', async () => {
    const { server } = example();
    server.tool('seen', {}, (_, { caller }) =>
      JSON.stringify([caller.header?.('x-trace'), caller.scopes, caller.claims]),
    );
    const endpoint = await sseEndpoint(server, {
      authenticate: (request) => ({ principal: 'ada', scopes: [request.header('x-scope') ?? ''], claims: { n: 1 } }),
    });
    const client = await openSse(endpoint, { 'x-scope': 'none' });
    await client.initialize();
    for (const trace of ['a', 'b']) {
      const call = { jsonrpc: '2.0', id: trace, method: 'tools/call', params: { name: 'seen' } };
      expect((await client.post(call, { 'x-trace': trace, 'x-scope': `of ${trace}` })).status).toBe(202);
      const reply = (await client.next()) as { result: { content: [{ text: string }] } };
      expect(JSON.parse(reply.result.content[0].text)).toEqual([trace, [`of ${trace}`], { n: 1 }]);
    }
  });

  test('[SEC-005] a connection belongs to who opened it: for another it does not exist', async () => {
    const { server, runs } = example();
    const endpoint = await sseEndpoint(server, { authenticate });
    const client = await openSse(endpoint, { authorization: 'ada' });
    await client.initialize();
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'echo' } };
    const foreign = await client.post(call, { authorization: 'bob' });
    const unknown = await endpoint.send({ ...client.sent(call), path: `/messages?sessionId=${stranger}` });
    for (const answer of [foreign, unknown]) expectRefusal(answer, 404, -32_600);
    expect(foreign.text).toBe(unknown.text);
    expect(runs).toEqual([]);
  });
});

describe('what is taken', () => {
  test('each endpoint takes its own method, with or without a slash at the end; nothing else is there', async () => {
    const endpoint = await sseEndpoint(example().server, { path: '/old/sse', messagesPath: '/old/post' });
    const client = await openSse(endpoint, {}, '/old/sse/?x=1');
    expect(client.path).toMatch(/^\/old\/post\?sessionId=/);
    expect((await endpoint.send({ ...client.sent(ping), path: client.path.replace('?', '/?') })).status).toBe(202);
    const allowed = async (sent: Sent): Promise<unknown> => {
      const { status, headers } = await endpoint.send(sent);
      return [status, headers['allow']];
    };
    for (const method of ['POST', 'DELETE', 'HEAD', 'PUT'])
      expect(await allowed({ ...client.sent(''), method, path: '/old/sse' })).toEqual([405, 'GET']);
    for (const method of ['GET', 'DELETE'])
      expect(await allowed({ ...client.sent(undefined), method })).toEqual([405, 'POST']);
    for (const path of ['/sse', '/messages', '/old', '/old/sse/more'])
      expect((await endpoint.send(streamOf({}, path))).status).toBe(404);
  });

  test('whoever takes no stream is opened none', async () => {
    const endpoint = await sseEndpoint(example().server, { maxSessions: 1 });
    for (const accept of ['application/json', 'text/html', 'text/event-stream;q=0'])
      expectRefusal(await endpoint.send(streamOf({ accept })), 406, -32_600);
    await openSse(endpoint, { accept: undefined });
  });

  const posts: [what: string, body: unknown, headers: Sent['headers'], status: number, code: number, id?: unknown][] = [
    ['no JSON', '{"jsonrpc":', {}, 400, -32_700],
    ['no UTF-8', new Uint8Array([0x22, 0xff, 0x22]), {}, 400, -32_700],
    ['nested too deep', '['.repeat(65) + ']'.repeat(65), {}, 400, -32_700],
    ['no message', { jsonrpc: '2.0' }, {}, 400, -32_600],
    ['no method', { jsonrpc: '2.0', id: 7, method: 5 }, {}, 400, -32_600, 7],
    ['past the limit', JSON.stringify('x'.repeat(1_000)), {}, 413, -32_600],
    ['another type', ping, { 'content-type': 'text/plain' }, 415, -32_600],
    ['no type', ping, { 'content-type': undefined }, 415, -32_600],
  ];
  test.each(posts)(
    'a post of %s is refused, and the connection goes on',
    async (_, body, headers, status, code, id) => {
      const client = await openSse(await sseEndpoint(example().server, { maxBodyBytes: 1_000 }));
      await client.initialize('2025-11-25');
      expectRefusal(await client.post(body, headers), status, code, id);
      expect(await client.ask(2, 'ping')).toMatchObject({ id: 2 });
    },
  );

  test('a body of just the limit is taken, and one that takes no answer too', async () => {
    const client = await openSse(await sseEndpoint(example().server, { maxBodyBytes: 1_000 }));
    await client.initialize();
    const body = JSON.stringify(ping);
    expect((await client.post(body + ' '.repeat(1_000 - body.length), { accept: 'text/html' })).status).toBe(202);
    expect(await client.next()).toMatchObject({ id: 1 });
  });

  test('a post without the id of a connection gets 400', async () => {
    const { path, ...sent } = (await openSse(await sseEndpoint(example().server))).sent(ping);
    const endpoint = await sseEndpoint(example().server);
    for (const nowhere of ['/messages', '/messages?', '/messages?session=1'])
      expectRefusal(await endpoint.send({ ...sent, path: nowhere }), 400, -32_600);
    expectRefusal(await endpoint.send({ ...sent, path: path ?? '' }), 404, -32_600);
  });
});

describe('how many', () => {
  test('past the bound there is 503, until somebody has gone', async () => {
    const { server, hold } = example();
    const endpoint = await sseEndpoint(server, { maxSessions: 2 });
    const [first] = await Promise.all([openSse(endpoint), openSse(endpoint)]);
    await first.initialize();
    await first.say({ id: 1, method: 'tools/call', params: { name: 'hold' } });
    await hold.started;
    const refused = await endpoint.send(streamOf());
    expectRefusal(refused, 503, -32_603);
    expect(refused.headers['retry-after']).toBe('5');
    first.leave();
    await hold.aborted;
    await openSse(endpoint);
  });

  test('of one principal there are fewer; the anonymous are not counted', async () => {
    const endpoint = await sseEndpoint(example().server, {
      maxSessionsPerPrincipal: 1,
      authenticate: (request) => ({ principal: request.header('authorization') }),
    });
    const ada = { authorization: 'ada' };
    await openSse(endpoint, ada);
    expectRefusal(await endpoint.send(streamOf(ada)), 503, -32_603);
    for (const headers of [{ authorization: 'bob' }, {}, {}]) await openSse(endpoint, headers);
  });

  test.each([
    [{ maxSessions: 0 }, 'maxSessions'],
    [{ maxSessionsPerPrincipal: Number.NaN }, 'maxSessionsPerPrincipal'],
    [{ maxBodyBytes: -1 }, 'maxBodyBytes'],
    [{ keepAliveMs: '5' as never }, 'keepAliveMs'],
    [{ messagesPath: 'messages' }, 'messagesPath'],
    [{ messagesPath: '/a\n\ndata: b' }, 'messagesPath'],
    [{ messagesPath: '/a?b' }, 'messagesPath'],
    [{ path: '/a', messagesPath: '/a' }, 'messagesPath'],
    [{ path: '/a', messagesPath: '/a/' }, 'messagesPath'],
  ])('an option that is unusable is refused: %o', async (options, name) => {
    await expect(serveLegacySse(example().server, options)).rejects.toMatchObject({
      code: 'bad_argument',
      message: expect.stringContaining(name) as unknown,
    });
  });
});

describe('beside its successor', () => {
  /** Old and new at one port: `/mcp`, and `/sse` with `/messages`. */
  async function both() {
    const { server } = example();
    const mcp = nodeHandler(server);
    const sse = legacySseHandler(server);
    const http = createServer((request, response) => {
      const old = /^\/(?:sse|messages)(?:\?|$)/.test(request.url ?? '');
      (old ? sse : mcp)(request, response);
    });
    const endpoint = await listening(http, sse);
    return { server, endpoint };
  }

  test('[SSE-007] one server, one port, and a client of each kind: what changes is told to all', async () => {
    const { server, endpoint } = await both();
    const old = await openSse(endpoint);
    await old.initialize();
    const heard = gate();
    const legacy = await connect(`http://127.0.0.1:${endpoint.port}/mcp`, {
      protocol: 'legacy',
      onNotification: () => heard.open(),
    });
    onTestFinished(() => legacy.close());
    const stream = await endpoint.fly(modern('subscriptions/listen', { notifications: { toolsListChanged: true } }))
      .head;
    expect(await stream.message()).toMatchObject({ method: 'notifications/subscriptions/acknowledged' });
    expect((await endpoint.send(call('echo', { text: 'new' }))).content).toBe('new');
    expect(await old.call(1, 'echo', { text: 'old' })).toMatchObject({ result: { content: [{ text: 'old' }] } });
    expect((await legacy.callTool('echo', { text: 'between' })).text).toBe('between');
    server.tool('another', {}, () => '');
    expect(await old.next()).toEqual({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
    expect(await stream.message()).toMatchObject({ method: 'notifications/tools/list_changed' });
    await heard.opened;
  });

  test('[SSE-007] who tries the new transport at the old address first is told to go on to the old one', async () => {
    const { endpoint } = await both();
    const alone = await sseEndpoint(example().server);
    for (const [at, expected] of [
      [endpoint, 400],
      [alone, 405],
    ] as const) {
      for (const sent of [modern('server/discover'), initialize()])
        expectRefusal(await at.send({ ...sent, path: '/sse' }), expected, -32_600);
      await openSse(at);
    }
  });

  test('a mounted handler takes GET and POST, and nothing else', async () => {
    const { endpoint } = await both();
    for (const method of ['DELETE', 'PUT']) {
      const answer = await endpoint.send({ ...streamOf(), method });
      expect([answer.status, answer.headers['allow']]).toEqual([405, 'GET, POST']);
    }
    expect(() => legacySseHandler(example().server, { messagesPath: '' })).toThrow('messagesPath');
  });

  test('[SSE-008] that it is deprecated is said once in a process, when somebody connects', async () => {
    vi.resetModules();
    const fresh = await import('../../../../src/node/legacy-sse.ts');
    const logger = recorder();
    const notices = (): string[] => logger.of('warn').filter((line) => line.includes('HTTP+SSE'));
    for (let round = 0; round < 2; round++) {
      const serving = await fresh.serveLegacySse(example().server, { logger });
      if (round === 0) expect(notices()).toEqual([]);
      for (let clients = 0; clients < 2; clients++) {
        const { status } = await flyNode(serving.port, streamOf()).head;
        expect(status).toBe(200);
      }
      await serving.close();
    }
    expect(notices()).toEqual([expect.stringMatching(/deprecated since 2025-03-26.*Streamable HTTP/)]);
  });
});
