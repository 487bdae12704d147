/** Who calls, as far as it is proved: what authentication says reaches handlers, what callers say proves nothing. */
import { describe, expect, test } from 'vitest';
import type { NodeHandlerOptions } from '../../src/node/http-options.ts';
import type { Authenticate, Exchange, Service } from '../../src/ports/index.ts';
import { servePipe } from '../../src/transport/pipe-server.ts';
import { memoryPipe } from '../../src/transport/memory.ts';
import { Server, type ServerOptions } from '../../src/server/server.ts';
import { scriptedClient } from '../../src/testing/scripted.ts';
import {
  call,
  expectRefusal,
  flyWeb,
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

/** Tokens are `NAME` or `NAME:SCOPES`. */
const authenticate: Authenticate = ({ header }) => {
  const [, name, scopes = ''] = /^Bearer (\w+):?([\w ]*)$/.exec(header('authorization') ?? '') ?? [];
  if (name === undefined) return { status: 401, headers: { 'WWW-Authenticate': 'Bearer' } };
  return { principal: name, scopes: scopes.split(' '), claims: { sub: name, level: scopes.length } };
};

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** A server whose tool tells who calls. */
function telling(options: Partial<ServerOptions> = {}): Server {
  return new Server({ name: 's', version: '1', ...options }).tool('who', {}, (_, { caller }) => {
    const { principal, scopes, claims, clientInfo, header } = caller;
    return JSON.stringify({ principal, scopes, claims, client: clientInfo?.name, trace: header?.('x-trace') });
  });
}

const told = (answer: Answer): unknown => JSON.parse(answer.content);

const doors: readonly [string, (service: Service, options: NodeHandlerOptions) => Promise<Endpoint>][] = [
  ['Node door', (service, options) => nodeEndpoint(service, options)],
  ['stateless Node door', (service, options) => nodeEndpoint(service, { ...options, legacy: 'stateless' })],
  ['web door', (service, { authenticate: hook }) => Promise.resolve(webEndpoint(service, { authenticate: hook }))],
];

describe.each(doors)('%s', (name, open) => {
  test('scopes, claims and headers of a modern request reach its handler', async () => {
    const endpoint = await open(telling(), { authenticate });
    for (const [token, scopes, trace] of [
      ['ann:read write', ['read', 'write'], 'a'],
      ['bob:read', ['read'], 'b'],
    ] as const) {
      const principal = token.slice(0, 3);
      const answer = await endpoint.send(call('who', {}, { headers: { ...bearer(token), 'x-trace': trace } }));
      const claims = { sub: principal, level: token.length - 4 };
      expect(told(answer)).toEqual({ principal, scopes, claims, trace });
    }
  });

  test('so do those of each legacy request: tokens change within a session', async () => {
    const endpoint = await open(telling(), { authenticate });
    const opened = await endpoint.send(initialize('2025-11-25', bearer('ann:read')));
    expect(opened.status).toBe(200);
    const session = opened.headers['mcp-session-id'];
    expect(typeof session).toBe(name === 'Node door' ? 'string' : 'undefined');
    const ask = (token: string, trace: string): Promise<Answer> =>
      endpoint.send({
        headers: {
          ...usual,
          ...bearer(token),
          'x-trace': trace,
          'mcp-protocol-version': '2025-11-25',
          'mcp-session-id': session,
        },
        body: { jsonrpc: '2.0', id: trace, method: 'tools/call', params: { name: 'who' } },
      });
    const client = name === 'Node door' ? { client: 'by hand' } : {};
    const claims = { sub: 'ann', level: 4 };
    expect(told(await ask('ann:read', '1'))).toEqual({
      principal: 'ann',
      scopes: ['read'],
      claims,
      trace: '1',
      ...client,
    });
    expect(told(await ask('ann:write all', '2'))).toMatchObject({ scopes: ['write', 'all'], trace: '2' });
  });

  test('without authentication there is nothing but headers', async () => {
    const endpoint = await open(telling(), {});
    expect(told(await endpoint.send(call('who', {}, { headers: { 'x-trace': 'a' } })))).toEqual({ trace: 'a' });
  });
});

test('a batch has the headers of its request, in each of its calls and notices', async () => {
  const seen: unknown[] = [];
  const service: Service = {
    answer: ({ method }, { caller }) => {
      seen.push([method, caller.header?.('x-trace'), caller.scopes]);
      return Promise.resolve({ result: { protocolVersion: '2025-03-26', capabilities: {}, serverInfo: {} } });
    },
    notice: ({ method }, caller) => void seen.push([method, caller.header?.('x-trace'), caller.scopes]),
  };
  const endpoint = await nodeEndpoint(service, { authenticate });
  const session = await openSession(endpoint, '2025-03-26', { ...bearer('ann:read'), 'x-trace': '1' });
  const batch = [
    { jsonrpc: '2.0', id: 1, method: 'ping' },
    { jsonrpc: '2.0', method: 'notifications/x' },
  ];
  await endpoint.send({ headers: { ...session.headers, ...bearer('ann:all'), 'x-trace': '2' }, body: batch });
  expect(seen).toEqual([
    ['initialize', '1', ['read']],
    ['notifications/initialized', '1', ['read']],
    ['ping', '2', ['all']],
    ['notifications/x', '2', ['all']],
  ]);
});

test('[BUG-038] both spellings of the path want the same proof, and say so where they are', async () => {
  const endpoint = await nodeEndpoint(telling(), { path: '/t/acme/mcp', authenticate });
  for (const path of ['/t/acme/mcp', '/t/acme/mcp/']) {
    const refused = await endpoint.send({ ...call('who'), path });
    expectRefusal(refused, 401, -32600);
    expect(refused.headers).toMatchObject({ 'www-authenticate': 'Bearer' });
    expect(refused.headers).not.toHaveProperty('location');
    const answer = await endpoint.send({ ...call('who', {}, { headers: bearer('ann') }), path });
    expect(told(answer)).toMatchObject({ principal: 'ann' });
  }
});

test('[HTTP-004] fetch of a server asks who calls, and looks at the page, as its options say', async () => {
  const server = telling({ web: { authenticate, allowedOrigins: ['https://app.test'], maxBodyBytes: 1_000 } });
  const send = async (sent: Sent): Promise<number> => (await flyWeb(server.fetch, sent).head).status;
  expect(await send(call('who'))).toBe(401);
  expect(await send(call('who', {}, { headers: bearer('ann') }))).toBe(200);
  const from = (origin: string): Sent => call('who', {}, { headers: { ...bearer('ann'), origin } });
  expect(await send(from('https://app.test'))).toBe(200);
  expect(await send(from('https://evil.test'))).toBe(403);
  expect(await send(call('who', { x: 'x'.repeat(1_000) }, { headers: bearer('ann') }))).toBe(413);
});

describe('what a caller says of itself', () => {
  const info = { name: 'admin', version: '1' };
  const meta = { 'io.modelcontextprotocol/clientInfo': info };

  test('[SEC-012] opens no session of somebody else: the same client info, another principal', async () => {
    const endpoint = await nodeEndpoint(telling(), { authenticate });
    const ann = await openSession(endpoint, '2025-11-25', bearer('ann'));
    const bob = await openSession(endpoint, '2025-11-25', bearer('bob'));
    expect(told(await endpoint.send(ann.call('who')))).toMatchObject({ principal: 'ann', client: 'by hand' });
    for (const sent of [ann.call('who'), ann.get(), ann.delete()])
      expect((await endpoint.send({ ...sent, headers: { ...sent.headers, ...bearer('bob') } })).status).toBe(404);
    expect(told(await endpoint.send(bob.call('who')))).toMatchObject({ principal: 'bob', client: 'by hand' });
    expect(told(await endpoint.send(ann.call('who')))).toMatchObject({ principal: 'ann' });
  });

  test('[SEC-012] is no principal, and nothing that a handler could take for one', async () => {
    const endpoint = await nodeEndpoint(telling());
    const claims = { ...meta, principal: 'admin', scopes: ['all'], claims: { sub: 'admin' } };
    expect(told(await endpoint.send(call('who', {}, { meta: claims })))).toEqual({
      client: 'admin',
    });
  });

  test('[B-45] may be missing; what is no client info is refused', async () => {
    const endpoint = await nodeEndpoint(telling());
    expect((await endpoint.send(call('who'))).status).toBe(200);
    for (const broken of [null, 'x', {}, { name: 'x' }, { name: 1, version: '1' }]) {
      const given = { 'io.modelcontextprotocol/clientInfo': broken };
      expectRefusal(await endpoint.send(call('who', {}, { meta: given })), 400, -32602, 1);
    }
  });
});

describe('states that callers hold', () => {
  const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
  const asks = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } } };

  function paying(): { server: Server; paid: string[] } {
    const paid: string[] = [];
    const server = new Server({ name: 's', version: '1' }).tool('pay', {}, async (_, ctx) => {
      await ctx.step('order', () => 'of eggs');
      const { n } = await ctx.elicit('n', { message: 'How much?', schema });
      paid.push(`${String(ctx.caller.principal)} ${String(n)}`);
      return 'paid';
    });
    return { server, paid };
  }

  const answers = { n: { action: 'accept', content: { n: 3 } } };
  const resume = (state: unknown, token: string): Sent =>
    modern(
      'tools/call',
      { name: 'pay', arguments: {}, inputResponses: answers, requestState: state as string },
      {
        meta: asks,
        headers: bearer(token),
      },
    );

  async function begun(endpoint: Endpoint): Promise<string> {
    const { result } = await endpoint.send(call('pay', {}, { meta: asks, headers: bearer('ann') }));
    expect(result).toMatchObject({
      resultType: 'input_required',
      requestState: expect.stringMatching(/^.{40}/) as unknown,
    });
    return String(result['requestState']);
  }

  test('[SEC-004] prove nothing: in the hands of another they are worth nothing', async () => {
    const { server, paid } = paying();
    const endpoint = await nodeEndpoint(server, { authenticate });
    const state = await begun(endpoint);
    expectRefusal(await endpoint.send(resume(state, 'bob')), 200, -32602, 1);
    expectRefusal(await endpoint.send({ ...resume(state, 'bob'), headers: usual }), 401, -32600);
    expect(paid).toEqual([]);
    expect((await endpoint.send(resume(state, 'ann'))).content).toBe('paid');
    expect(paid).toEqual(['ann 3']);
  });

  test('[SEC-010] are sealed: whatever was changed in one is refused', async () => {
    const { server, paid } = paying();
    const endpoint = await nodeEndpoint(server, { authenticate });
    const state = await begun(endpoint);
    for (const at of [0, 5, Math.floor(state.length / 2), state.length - 1]) {
      const changed = state.slice(0, at) + (state[at] === 'A' ? 'B' : 'A') + state.slice(at + 1);
      expectRefusal(await endpoint.send(resume(changed, 'ann')), 200, -32602, 1);
    }
    expect(paid).toEqual([]);
  });
});

test('[B-73] nobody can be asked outside a call: what stands open for changes has no way to ask', async () => {
  const standing: Exchange[] = [];
  const opened = [gate(), gate()];
  const service: Service = {
    answer: ({ method }, exchange) => {
      if (method !== 'subscriptions/listen')
        return Promise.resolve({ result: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: {} } });
      opened[standing.push(exchange) - 1]?.open();
      return new Promise(() => undefined);
    },
    notice: () => undefined,
  };
  const capabilities = { elicitation: {}, sampling: {}, roots: {} };
  const endpoint = await nodeEndpoint(service);
  const session = await openSession(endpoint, '2025-11-25', {}, capabilities);
  const flight = endpoint.fly(session.get());
  await opened[0]?.opened;
  const [near, far] = memoryPipe();
  servePipe(service, far);
  const client = scriptedClient(near);
  await client.request('initialize', {
    protocolVersion: '2025-11-25',
    capabilities,
    clientInfo: { name: 'c', version: '1' },
  });
  client.notify('notifications/initialized');
  await opened[1]?.opened;
  expect(standing).toHaveLength(2);
  for (const exchange of standing) expect([exchange.standing, exchange.ask]).toEqual([true, undefined]);
  flight.leave();
});
