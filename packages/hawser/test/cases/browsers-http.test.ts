/** Pages of other origins that call a server: who may, and what their browsers want to hear (CORS). */
import { describe, expect, onTestFinished, test } from 'vitest';
import { connect } from '../../src/entry/index.node.ts';
import { serveHttp } from '../../src/node/http.ts';
import type { NodeHandlerOptions } from '../../src/node/http-options.ts';
import type { Service } from '../../src/ports/index.ts';
import { Server } from '../../src/server/server.ts';
import { pageAt } from '../support/browser.ts';
import { example } from '../support/example.ts';
import {
  call,
  expectRefusal,
  gate,
  initialize,
  modern,
  nodeEndpoint,
  openSession,
  usual,
  webEndpoint,
  type Answer,
  type Endpoint,
  type Sent,
} from '../support/http.ts';

const page = 'https://ok.test';

/** Options that both doors have. */
type Options = Pick<NodeHandlerOptions, 'allowedOrigins' | 'authenticate' | 'maxBodyBytes'>;

const doors: readonly [string, (service: Service, options?: Options) => Promise<Endpoint>][] = [
  ['Node door', (service, options) => nodeEndpoint(service, { allowedOrigins: [page], ...options })],
  ['web door', (service, options) => Promise.resolve(webEndpoint(service, { allowedOrigins: [page], ...options }))],
];

const names =
  'authorization,content-type,mcp-protocol-version,mcp-method,mcp-name,mcp-param-region,mcp-session-id,last-event-id';

const preflight = (origin = page, more: Sent['headers'] = {}): Sent => ({
  method: 'OPTIONS',
  headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': names, ...more },
});

const from = (sent: Sent, origin = page): Sent => ({ ...sent, headers: { ...sent.headers, origin } });

function corsOf({ headers }: Answer): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => name.startsWith('access-control-') || name === 'vary'),
  );
}

const readable = {
  'access-control-allow-origin': page,
  'access-control-expose-headers': 'Mcp-Session-Id, MCP-Protocol-Version, WWW-Authenticate, Retry-After',
  vary: 'Origin',
};

describe.each(doors)('%s', (name, open) => {
  test('[BUG-142 SEED-163 B-75] a preflight is answered, without asking who it is from', async () => {
    const { server, runs } = example();
    let asked = 0;
    const endpoint = await open(server, { authenticate: () => ({ principal: `${++asked}` }) });
    const answer = await endpoint.send(preflight());
    expect(answer).toMatchObject({ status: 204, text: '' });
    expect(corsOf(answer)).toEqual({
      'access-control-allow-origin': page,
      'access-control-allow-methods': name === 'Node door' ? 'GET, POST, DELETE' : 'POST',
      'access-control-allow-headers': names,
      'access-control-max-age': '7200',
      vary: 'Origin, Access-Control-Request-Headers',
    });
    // 204 has no body, so no length of one.
    expect(answer.headers).not.toHaveProperty('content-length');
    expect([asked, runs]).toEqual([0, []]);
  });

  test('a door without sessions offers POST alone', async () => {
    const endpoint = webEndpoint(example().server, { allowedOrigins: [page] });
    const stateless = await nodeEndpoint(example().server, { allowedOrigins: [page], legacy: 'stateless' });
    for (const each of [endpoint, stateless])
      expect((await each.send(preflight())).headers).toHaveProperty('access-control-allow-methods', 'POST');
  });

  test.each([
    ['the result', 200, call('echo')],
    ['a stream', 200, call('report', {}, { meta: { progressToken: 1 } })],
    ['a listen stream', 200, undefined],
    ['no answer', 202, { headers: usual, body: { jsonrpc: '2.0', method: 'notifications/cancelled' } }],
    ['no JSON', 400, { headers: usual, body: '{' }],
    ['no such method', 404, modern('nope')],
    ['GET of a modern client', 405, { method: 'GET', headers: { 'mcp-protocol-version': '2026-07-28' } }],
    ['OPTIONS that are no preflight', 405, { method: 'OPTIONS' }],
    ['nothing acceptable', 406, call('echo', {}, { headers: { accept: 'text/html' } })],
    ['too much', 413, call('echo', { text: 'x'.repeat(2_000) })],
    ['no content type', 415, { headers: { 'content-type': 'text/plain' }, body: '{}' }],
    ['initialize', 200, initialize()],
  ])('[BUG-142] the page may read the answer: %s', async (what, status, sent) => {
    const endpoint = await open(example().server, { maxBodyBytes: 1_000 });
    if (sent === undefined) {
      const listen = modern('subscriptions/listen', { notifications: {} });
      const flight = endpoint.fly(from(listen));
      const { headers } = await flight.head;
      expect(headers).toMatchObject({ ...readable, 'content-type': 'text/event-stream' });
      return flight.leave();
    }
    const answer = await endpoint.send(from(sent));
    expect({ what, status: answer.status }, answer.text).toEqual({ what, status });
    expect(corsOf(answer)).toEqual(readable);
  });

  test('[BUG-142] so may it when it is refused, and when authentication breaks', async () => {
    const challenge = { 'WWW-Authenticate': 'Bearer resource_metadata="x"', Vary: 'Authorization' };
    const refusing = await open(example().server, { authenticate: () => ({ status: 401, headers: challenge }) });
    const refused = await refusing.send(from(call('echo')));
    expectRefusal(refused, 401, -32600);
    expect(corsOf(refused)).toEqual({ ...readable, vary: 'Authorization, Origin' });
    expect(refused.headers).toHaveProperty('www-authenticate', 'Bearer resource_metadata="x"');
    const breaking = await open(example().server, { authenticate: () => Promise.reject(new Error('x')) });
    const broken = await breaking.send(from(call('echo')));
    expectRefusal(broken, 500, -32603);
    expect(corsOf(broken)).toEqual(readable);
  });

  test.each(['https://evil.test', 'null', 'http://ok.test', 'https://ok.test:444'])(
    '[BUG-142 SEC-001] %s is told nothing: not by a preflight, not by an answer, and nothing runs',
    async (origin) => {
      const { server, runs } = example();
      const endpoint = await open(server);
      for (const sent of [preflight(origin), from(call('echo'), origin), from(initialize(), origin)]) {
        const answer = await endpoint.send(sent);
        expectRefusal(answer, 403, -32600);
        expect(corsOf(answer)).toEqual({ vary: 'Origin' });
      }
      expect(runs).toEqual([]);
    },
  );

  test('[BUG-142] nobody may by default', async () => {
    const endpoint = await open(example().server, { allowedOrigins: [] });
    for (const origin of [page, 'http://localhost:6274'])
      expectRefusal(await endpoint.send(preflight(origin)), 403, -32600);
  });

  test("with 'any' all pages may, and each is told of itself alone", async () => {
    const endpoint = await open(example().server, { allowedOrigins: 'any' });
    for (const origin of ['https://evil.test', 'null']) {
      expect((await endpoint.send(preflight(origin))).headers).toMatchObject({ 'access-control-allow-origin': origin });
      const answer = await endpoint.send(from(call('echo'), origin));
      expect(answer).toMatchObject({ status: 200, headers: { 'access-control-allow-origin': origin } });
    }
  });

  test('who is no page is told nothing of it, but caches are', async () => {
    const endpoint = await open(example().server);
    expect(corsOf(await endpoint.send(call('echo')))).toEqual({});
    expect(corsOf(await endpoint.send({ method: 'PUT' }))).toEqual({ vary: 'Origin' });
  });
});

test("[BUG-140] 'any' page may call by the names of this machine, not by another one", async () => {
  const endpoint = await nodeEndpoint(example().server, { allowedOrigins: 'any' });
  for (const sent of [call('echo'), preflight()])
    expectRefusal(await endpoint.send(from({ ...sent, headers: { ...sent.headers, host: 'evil.test' } })), 403, -32600);
});

test('[SEED-163] in a session: its id can be read, its stream too, and it can be ended', async () => {
  const { server } = example();
  const endpoint = await nodeEndpoint(server, { allowedOrigins: [page] });
  const session = await openSession(endpoint, '2025-11-25', { origin: page });
  const flight = endpoint.fly(session.get());
  const stream = await flight.head;
  expect(stream.headers).toMatchObject({ ...readable, 'content-type': 'text/event-stream' });
  expect(corsOf(await endpoint.send(session.call('echo')))).toEqual(readable);
  const ended = await endpoint.send(session.delete());
  expect(ended.status).toBe(200);
  expect(corsOf(ended)).toEqual(readable);
  expect(corsOf(await endpoint.send(session.call('echo')))).toEqual(readable);
});

test('[BUG-142] paths where nothing is can be read as well: pages look for metadata there', async () => {
  const endpoint = await nodeEndpoint(example().server, { allowedOrigins: [page] });
  const path = '/.well-known/oauth-protected-resource/mcp';
  const asked = await endpoint.send({ ...preflight(page, { 'access-control-request-method': 'GET' }), path });
  expect(asked).toMatchObject({ status: 204, headers: { 'access-control-allow-methods': 'GET, POST' } });
  const answer = await endpoint.send({ method: 'GET', path, headers: { origin: page } });
  expect(answer).toMatchObject({ status: 404, text: 'not found\n' });
  expect(corsOf(answer)).toEqual(readable);
  const stranger = await endpoint.send({ method: 'GET', path, headers: { origin: 'https://evil.test' } });
  expect(stranger.status).toBe(403);
  expect((await endpoint.send({ method: 'GET', path })).status).toBe(404);
});

test('[SEED-182] options that would never match are refused where they are given', async () => {
  const { server } = example();
  const allowedOrigins = ['https://app.test/'];
  await expect(serveHttp(server, { allowedOrigins })).rejects.toMatchObject({ code: 'bad_argument' });
  expect(() => webEndpoint(server, { allowedOrigins })).toThrow(/allowedOrigins/);
  expect(() => new Server({ name: 's', version: '1', web: { allowedOrigins } })).toThrow(/allowedOrigins/);
});

describe('a page of the Inspector, which is at http://localhost:6274', () => {
  const inspector = 'http://localhost:6274';

  for (const protocol of ['2025-03-26', '2025-11-25', '2026-07-28'] as const)
    test(`[SEED-166 B-75] connects, lists, calls, and hears of its calls and of changes (${protocol})`, async () => {
      const { server } = example();
      const serving = await serveHttp(server, { allowedOrigins: ['http://localhost'] });
      onTestFinished(() => serving.close({ drainMs: 0 }));
      const { fetch, preflights } = pageAt(inspector);
      const client = await connect(serving.url, { protocol, fetch });
      onTestFinished(() => client.close());
      expect((await client.listTools()).map(({ name }) => name)).toContain('echo');
      expect((await client.callTool('echo', { text: 'hi' })).text).toBe('hi');
      const mirrored = await client.callTool('mirrored', { region: 'eu' });
      expect(mirrored.text).toBe('agreed');
      const steps: number[] = [];
      await client.callTool('report', {}, { onProgress: ({ progress }) => steps.push(progress) });
      expect(steps).toEqual([0.5, 1]);
      if (protocol === '2026-07-28') {
        const heard = gate();
        const listening = await client.listen({ toolsListChanged: true }, { onNotification: () => heard.open() });
        server.removeTool('report');
        await heard.opened;
        await listening.close();
      }
      const asked = new Set(preflights.flat());
      for (const name of protocol === '2026-07-28'
        ? ['mcp-method', 'mcp-name', 'mcp-param-region']
        : ['mcp-session-id'])
        expect(asked).toContain(name);
    });

  test('[SEED-166] the same by hand, taking */*', async () => {
    const serving = await serveHttp(example().server, { allowedOrigins: ['http://localhost'] });
    onTestFinished(() => serving.close({ drainMs: 0 }));
    const { fetch } = pageAt(inspector);
    const post = (body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
      fetch(serving.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: '*/*', ...headers },
        body: JSON.stringify(body),
      });
    const opened = await post(initialize().body);
    const id = opened.headers.get('mcp-session-id') ?? '';
    expect(id).not.toBe('');
    const session = { 'mcp-session-id': id, 'mcp-protocol-version': '2025-11-25' };
    expect((await post({ jsonrpc: '2.0', method: 'notifications/initialized' }, session)).status).toBe(202);
    const listed = await post({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, session);
    expect(await listed.text()).toContain('"echo"');
    expect((await fetch(serving.url, { method: 'DELETE', headers: session })).status).toBe(200);
  });

  test('a server that was not told of it is closed to it', async () => {
    const serving = await serveHttp(example().server);
    onTestFinished(() => serving.close({ drainMs: 0 }));
    await expect(connect(serving.url, { fetch: pageAt(inspector).fetch })).rejects.toMatchObject({
      code: 'transport',
    });
  });
});
