/** MCP 2026-07-28, basic/versioning over HTTP: what a dual-era server has to do. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { connect } from '../../../../src/entry/index.node.ts';
import { serveHttp } from '../../../../src/node/http.ts';
import { Server } from '../../../../src/server/server.ts';
import { example } from '../../../support/example.ts';
import {
  call,
  doors,
  expectRefusal,
  initialize,
  metaOf,
  modern,
  modernVersion,
  nodeEndpoint,
  openSession,
  usual,
  webEndpoint,
} from '../../../support/http.ts';

const everyVersion = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];
const legacyVersions = everyVersion.slice(1);
const key = (name: string): string => `io.modelcontextprotocol/${name}`;

describe.each(doors)('$name', ({ open }) => {
  describe('Protocol Version Negotiation', () => {
    test('[B-03] the list of an unsupported version names all that is served, modern and newest first', async () => {
      const endpoint = await open(example().server);
      for (const version of ['2099-01-01', ...legacyVersions]) {
        const answer = await endpoint.send(
          modern(
            'tools/list',
            {},
            {
              headers: { 'mcp-protocol-version': version },
              meta: { [key('protocolVersion')]: version },
            },
          ),
        );
        expectRefusal(answer, 400, -32022, 1);
        expect(answer.error.data).toEqual({ supported: everyVersion, requested: version });
      }
    });

    test('[B-09] an unknown version is told so before anything else that is wrong with the request', async () => {
      const endpoint = await open(example().server);
      const answer = await endpoint.send({
        headers: { ...usual, 'mcp-protocol-version': '2099-01-01' },
        body: { jsonrpc: '2.0', id: 1, method: 'x', params: { _meta: { [key('protocolVersion')]: '2099-01-01' } } },
      });
      expectRefusal(answer, 400, -32022, 1);
      const unlike = await endpoint.send({
        headers: { ...usual, 'mcp-protocol-version': '2099-01-01' },
        body: { jsonrpc: '2.0', id: 1, method: 'x', params: { _meta: { [key('protocolVersion')]: '2098-01-01' } } },
      });
      expectRefusal(unlike, 400, -32020, 1);
    });
  });

  describe('server/discover', () => {
    test('[VER-004] it is there, and subject to every rule', async () => {
      const endpoint = await open(example().server);
      expect((await endpoint.send(modern('server/discover'))).status).toBe(200);
      const header = { headers: { 'mcp-protocol-version': undefined } };
      expectRefusal(await endpoint.send(modern('server/discover', {}, header)), 400, -32020, 1);
      const capabilities = { meta: { [key('clientCapabilities')]: undefined } };
      expectRefusal(await endpoint.send(modern('server/discover', {}, capabilities)), 400, -32602, 1);
      const version = { headers: { 'mcp-protocol-version': 'x' }, meta: { [key('protocolVersion')]: 'x' } };
      expectRefusal(await endpoint.send(modern('server/discover', {}, version)), 400, -32022, 1);
    });
  });

  describe('Compatibility Matrix', () => {
    test('[VER-010 VER-011] both eras at one address, told apart by each request', async () => {
      const endpoint = await open(example().server);
      const [discovered, initialized] = await Promise.all([
        endpoint.send(modern('server/discover')),
        endpoint.send(initialize()),
      ]);
      expect(discovered.result).toHaveProperty('supportedVersions');
      expect(discovered.headers).not.toHaveProperty('mcp-session-id');
      expect(initialized.result).toMatchObject({ protocolVersion: '2025-11-25' });
      expect(initialized.result).not.toHaveProperty('resultType');
    });

    test('[B-06] initialize in modern dress is a modern request, for a method that is not there', async () => {
      const endpoint = await open(example().server);
      const { params } = initialize().body as { params: Record<string, unknown> };
      const answer = await endpoint.send(modern('initialize', params));
      expectRefusal(answer, 404, -32601, 1);
      expect(answer.headers).not.toHaveProperty('mcp-session-id');
      expect((await endpoint.send(initialize())).result).toMatchObject({ protocolVersion: '2025-11-25' });
    });

    test('[VER-027] initialize is answered with its own version if it is a legacy one, else with our newest', async () => {
      const endpoint = await open(example().server);
      const negotiated = async (version: unknown) =>
        (await endpoint.send(initialize(version))).result['protocolVersion'];
      for (const version of legacyVersions) expect(await negotiated(version)).toBe(version);
      for (const version of [modernVersion, '2099-01-01', '1999-01-01', ''])
        expect(await negotiated(version)).toBe('2025-11-25');
      for (const version of [null, 5]) expectRefusal(await endpoint.send(initialize(version)), 400, -32602, 0);
    });
  });

  test('[VER-008] instructions come with the discovery and with the handshake, and with nothing else', async () => {
    const endpoint = await open(example().server);
    const instructions = 'Ask for an echo.';
    expect((await endpoint.send(modern('server/discover'))).result).toMatchObject({ instructions });
    expect((await endpoint.send(initialize())).result).toMatchObject({ instructions });
    expect((await endpoint.send(modern('tools/list'))).text).not.toContain(instructions);
    const silent = await open(new Server({ name: 's', version: '1' }));
    expect((await silent.send(modern('server/discover'))).result).not.toHaveProperty('instructions');
  });
});

describe('What each opening is answered with: legacy callers in sessions', () => {
  test('[VER-011] modern headers and _meta are served, a session id beside them is not looked at', async () => {
    const endpoint = await nodeEndpoint(example().server);
    const session = await openSession(endpoint);
    const answer = await endpoint.send(call('echo', { text: 'x' }, { headers: { 'mcp-session-id': session.id } }));
    expect(answer.result).toMatchObject({ resultType: 'complete' });
  });

  test('a session id, or a legacy version, without modern _meta: legacy rules', async () => {
    const endpoint = await nodeEndpoint(example().server);
    const session = await openSession(endpoint);
    expect((await endpoint.send(session.call('echo'))).result).not.toHaveProperty('resultType');
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const version = { ...usual, 'mcp-protocol-version': '2025-11-25' };
    expectRefusal(await endpoint.send({ headers: version, body }), 400, -32600, 1);
    expectRefusal(await endpoint.send({ headers: { ...usual, 'mcp-session-id': 'none' }, body }), 404, -32600, 1);
    expectRefusal(await endpoint.send({ headers: usual, body }), 400, -32600, 1);
  });

  test('GET and DELETE follow the legacy rules', async () => {
    const endpoint = await nodeEndpoint(example().server);
    const session = await openSession(endpoint);
    const flight = endpoint.fly(session.get());
    expect(await flight.head).toMatchObject({ status: 200, headers: { 'content-type': 'text/event-stream' } });
    expect((await endpoint.send(session.delete())).status).toBe(200);
    await (await flight.head).complete();
  });
});

describe('What each opening is answered with: legacy callers without sessions', () => {
  const stateless = () => nodeEndpoint(example().server, { legacy: 'stateless' });

  test('[VER-025 LHTTP-029] a request that names no version is taken for one of 2025-03-26', async () => {
    const endpoint = await stateless();
    const body = call('caller', {}).body as { params: Record<string, unknown> };
    const { _meta: _, ...params } = body.params;
    const send = async (headers: Record<string, string>) =>
      JSON.parse(
        (await endpoint.send({ headers: { ...usual, ...headers }, body: { ...body, params } })).content,
      ) as object;
    expect(await send({})).toMatchObject({ revision: '2025-03-26' });
    for (const version of legacyVersions)
      expect(await send({ 'mcp-protocol-version': version })).toMatchObject({ revision: version });
  });

  test('[LHTTP-036 SEED-170] no session is given, none is needed, and there is nothing to GET or DELETE', async () => {
    const endpoint = await stateless();
    const answer = await endpoint.send(initialize());
    expect(answer.result).toMatchObject({ protocolVersion: '2025-11-25' });
    expect(answer.headers).not.toHaveProperty('mcp-session-id');
    const headers = { ...usual, 'mcp-protocol-version': '2025-11-25', 'mcp-session-id': 'whatever' };
    const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
    expect(await endpoint.send({ headers, body: initialized })).toMatchObject({ status: 202, text: '' });
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'echo', arguments: { text: 'x' } } };
    expect((await endpoint.send({ headers, body })).content).toBe('x');
    for (const method of ['GET', 'DELETE'])
      expect(await endpoint.send({ method, headers })).toMatchObject({ status: 405, headers: { allow: 'POST' } });
  });

  test('modern requests are served as anywhere', async () => {
    const endpoint = await stateless();
    expect((await endpoint.send(call('echo'))).result).toMatchObject({ resultType: 'complete' });
    const { headers } = modern('tools/list');
    const bare = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: metaOf() } };
    expectRefusal(
      await endpoint.send({ headers: { ...headers, 'mcp-protocol-version': undefined }, body: bare }),
      400,
      -32020,
      1,
    );
  });

  test('[SEED-170] what only a session can keep is neither declared nor there', async () => {
    const server = new Server({ name: 's', version: '1' })
      .resource('x://a', { name: 'a' }, () => 'a')
      .prompt('p', {}, () => 'p');
    for (const endpoint of [await nodeEndpoint(server, { legacy: 'stateless' }), webEndpoint(server)])
      for (const version of legacyVersions) {
        const { result } = await endpoint.send(initialize(version));
        expect(result['capabilities']).toStrictEqual({ tools: {}, prompts: {}, resources: {} });
        const headers = { ...usual, 'mcp-protocol-version': version };
        for (const [method, params] of [
          ['logging/setLevel', { level: 'debug' }],
          ['resources/subscribe', { uri: 'x://a' }],
          ['resources/unsubscribe', { uri: 'x://a' }],
        ]) {
          const answer = await endpoint.send({ headers, body: { jsonrpc: '2.0', id: 1, method, params } });
          expectRefusal(answer, 200, -32601, 1);
        }
        const list = { jsonrpc: '2.0', id: 1, method: 'resources/list' };
        expect((await endpoint.send({ headers, body: list })).result).toMatchObject({ resources: [{ name: 'a' }] });
      }
    const { capabilities } = (await webEndpoint(server).send(modern('server/discover'))).result;
    expect(capabilities).toMatchObject({ logging: {}, resources: { subscribe: true } });
  });

  test('[SEED-170] a call may stream what belongs to it: progress, but no log messages, which were not declared', async () => {
    const server = new Server({ name: 's', version: '1' }).tool('speak', {}, async (_, ctx) => {
      ctx.log('emergency', 'fire');
      await ctx.progress(1);
      return typeof ctx.caller.session;
    });
    const params = { name: 'speak', _meta: { progressToken: 'p' } };
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    for (const endpoint of [await nodeEndpoint(server, { legacy: 'stateless' }), webEndpoint(server)]) {
      const answer = await endpoint.send({ headers: usual, body });
      expect(answer.messages.map(({ method, id }) => method ?? id)).toEqual(['notifications/progress', 1]);
      expect(answer.content).toBe('undefined');
    }
  });
});

describe('What each opening is answered with: a server of the modern era alone', () => {
  const alone = [
    { name: 'Node door', open: () => nodeEndpoint(example().server, { legacy: 'none' }) },
    { name: 'web door', open: () => Promise.resolve(webEndpoint(example().server, { legacy: 'none' })) },
  ];

  describe.each(alone)('$name', ({ open }) => {
    test('[VER-013 B-05] initialize gets 400, and is told of what is spoken: nothing legacy', async () => {
      const endpoint = await open();
      for (const version of everyVersion) {
        const answer = await endpoint.send(initialize(version));
        expectRefusal(answer, 400, -32020, 0);
        expect(answer.error.data).toEqual({ supported: [modernVersion] });
        expect(answer.error.message).toMatch(/this server speaks 2026-07-28$/);
        expect(answer.headers).not.toHaveProperty('mcp-session-id');
      }
      const { params } = initialize().body as { params: Record<string, unknown> };
      expectRefusal(await endpoint.send(modern('initialize', params)), 404, -32601, 1);
    });

    test('[VER-013] so does whatever else a legacy caller sends, and it is told why', async () => {
      const endpoint = await open();
      const headers = { ...usual, 'mcp-protocol-version': '2025-11-25' };
      const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
      expectRefusal(await endpoint.send({ headers: usual, body: list }), 400, -32020, 1);
      expectRefusal(await endpoint.send({ headers, body: list }), 400, -32602, 1);
      expectRefusal(await endpoint.send({ headers: usual, body: [list] }), 400, -32600);
      expectRefusal(await endpoint.send({ headers: usual, body: '{' }), 400, -32700);
      expectRefusal(await endpoint.send({ headers: usual, body: { jsonrpc: '2.0', id: 1, result: {} } }), 400, -32600);
      const note = await endpoint.send({ headers, body: { jsonrpc: '2.0', method: 'notifications/initialized' } });
      expectRefusal(note, 400, -32022);
      expect(note.error.data).toEqual({ supported: [modernVersion], requested: '2025-11-25' });
      const meta = { meta: { [key('protocolVersion')]: '2025-11-25' }, headers };
      const dressed = await endpoint.send(modern('tools/list', {}, meta));
      expectRefusal(dressed, 400, -32022, 1);
      expect(dressed.error.data).toEqual({ supported: [modernVersion], requested: '2025-11-25' });
    });

    test('[SEED-185] GET and DELETE get 405, with a session id as well', async () => {
      const endpoint = await open();
      for (const method of ['GET', 'DELETE', 'PUT'])
        for (const more of [{}, { 'mcp-session-id': 'x' }, { 'mcp-protocol-version': '2025-11-25' }]) {
          const answer = await endpoint.send({ method, headers: { ...usual, accept: 'text/event-stream', ...more } });
          expectRefusal(answer, 405, -32600);
          expect(answer.headers).toHaveProperty('allow', 'POST');
        }
    });

    test('modern requests are served, and the discovery names what is', async () => {
      const endpoint = await open();
      expect((await endpoint.send(call('echo', { text: 'x' }))).content).toBe('x');
      const discovered = await endpoint.send(modern('server/discover'));
      expect(discovered.result).toMatchObject({ supportedVersions: [modernVersion] });
    });
  });

  test('[SEED-185] clients: one that finds out speaks modern, one that insists on a legacy revision is told', async () => {
    const { server } = example();
    const serving = { legacy: 'none' } as const;
    const http = await serveHttp(server, serving);
    onTestFinished(() => http.close());
    const client = await connect(http.url);
    expect(client.protocolVersion).toBe(modernVersion);
    await client.close();
    for (const protocol of ['legacy', '2025-06-18'] as const)
      await expect(connect(http.url, { protocol })).rejects.toMatchObject({ origin: 'peer', rpc: { code: -32020 } });
  });
});
