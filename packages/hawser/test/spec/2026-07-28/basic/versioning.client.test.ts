import { describe, expect, test } from 'vitest';
import {
  HeaderMismatchError,
  HttpStatusError,
  MethodNotFoundError,
  MissingRequiredClientCapabilityError,
  RpcError,
  TransientServerError,
  UnauthorizedError,
  UnsupportedProtocolVersionError,
} from '../../../../src/base/errors.ts';
import { connect } from '../../../../src/entry/index.node.ts';
import { connectOn } from '../../../../src/client/connect.ts';
import type { Note } from '../../../../src/ports/index.ts';
import { Server } from '../../../../src/server/server.ts';
import { steppedPair } from '../../../../src/testing/pipes.ts';
import { scriptedServer } from '../../../../src/testing/scripted.ts';
import { pipeLink } from '../../../../src/transport/pipe-client.ts';
import {
  begun,
  described,
  httpPeer,
  legacyPeer,
  modernPeer,
  numberedSessions,
  ports,
  said,
  told,
  type Answering,
  type Turn,
} from '../../../support/http-peer.ts';
import { gate } from '../../../support/http.ts';
import { everyLink, modernRevisions, openLink } from '../../../support/links.ts';

const key = (name: string): string => `io.modelcontextprotocol/${name}`;
const failing =
  (code: number, data?: unknown, status = 400): Answering =>
  (turn) =>
    turn.fail({ code, message: 'refused', ...(data !== undefined && { data }) }, status);

describe.each(ports)('Protocol Version Negotiation ($port)', ({ options }) => {
  test('[VER-001 SEED-047 SEED-048] every request declares version, client and capabilities, mirrored in headers', async () => {
    const peer = await modernPeer();
    const clientInfo = { name: 'tester', version: '9.9', title: 'Tester' };
    const client = await connect(peer.url, { ...options, clientInfo });
    await client.listTools();
    await client.callTool('echo', { text: 'hi' });
    await client.ping();
    await client.sendRequest('resources/read', { uri: 'file:///x' }).catch(() => undefined);
    await client.close();
    expect(peer.methods).toEqual(['server/discover', 'tools/list', 'tools/call', 'server/discover', 'resources/read']);
    for (const { headers, meta, method } of peer.seen) {
      expect(meta, method).toMatchObject({
        [key('protocolVersion')]: '2026-07-28',
        [key('clientInfo')]: clientInfo,
        [key('clientCapabilities')]: {},
      });
      expect(headers, method).toMatchObject({ 'mcp-protocol-version': '2026-07-28', 'mcp-method': method });
    }
  });

  test('[VER-003 SEED-043 B-04] -32022 that lists our version is followed by one more try, with a new id', async () => {
    let refusals = 1;
    const peer = await modernPeer({
      'server/discover': (turn) =>
        refusals-- > 0
          ? turn.fail(
              { code: -32022, message: 'no', data: { supported: ['2026-07-28'], requested: '2026-07-28' } },
              400,
            )
          : described,
    });
    const client = await connect(peer.url, options);
    expect(client.protocolVersion).toBe('2026-07-28');
    const ids = peer.seen.map(({ message }) => message['id']);
    expect(new Set(ids).size).toBe(2);
    await client.close();
  });

  test('[B-04] a second refusal is final, and typed', async () => {
    const data = { supported: ['2026-07-28'], requested: '2026-07-28' };
    const peer = await modernPeer({ 'server/discover': failing(-32022, data) });
    const failed = await connect(peer.url, options).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(UnsupportedProtocolVersionError);
    expect(failed).toMatchObject({ data, code: 'unsupported_version', outcome: 'refused' });
    expect(peer.methods).toEqual(['server/discover', 'server/discover']);
  });

  test('a server that no longer speaks the revision is asked anew, and the call sent once more', async () => {
    let upgraded = false;
    const peer = await legacyPeer({
      handlers: {
        'server/discover': (turn) => (upgraded ? turn.fail({ code: -32601, message: 'no' }, 404) : described),
        'tools/call': (turn) =>
          turn.seen.headers['mcp-protocol-version'] === '2026-07-28'
            ? turn.fail({ code: -32022, message: 'no', data: { supported: ['2025-11-25'] } }, 400)
            : said('legacy'),
      },
    });
    const client = await connect(peer.url, options);
    expect(client.isModern).toBe(true);
    upgraded = true;
    expect((await client.callTool('echo')).text).toBe('legacy');
    expect(client.protocolVersion).toBe('2025-11-25');
    expect(peer.of('tools/call').length).toBe(2);
    await client.close();
  });

  /** A legacy server that takes no call in its first session, and tells all streams of it what it is told here. */
  async function renewed(first: Answering) {
    const streams: Turn[] = [];
    const peer = await legacyPeer({
      handlers: {
        'server/discover': (turn) => turn.fail({ code: -32601, message: 'no' }),
        initialize: numberedSessions(),
        GET: (turn) => {
          streams.push(turn.stream());
          return turn;
        },
        'tools/call': (turn) => (turn.seen.headers['mcp-session-id'] === 's-1' ? first(turn) : said('new')),
      },
    });
    return { peer, streams };
  }
  const gone = { code: -32022, message: 'no', data: { supported: ['2025-11-25'], requested: '2025-11-25' } };

  test('the session that was let go is ended, with its stream: nothing is told twice', async () => {
    const { peer, streams } = await renewed((turn) => turn.fail(gone));
    const heard: Note[] = [];
    const taken = gate();
    const onNotification = (note: Note): void => void (heard.push(note) > 1 && taken.open());
    const client = await connect(peer.url, { ...options, onNotification });
    const first = await peer.next('GET');
    expect((await client.callTool('echo')).text).toBe('new');
    await peer.next('GET');
    expect((await peer.next('DELETE')).seen.headers['mcp-session-id']).toBe('s-1');
    await first.closed;
    for (const data of ['x', 'y'])
      for (const stream of streams)
        if (!stream.response.destroyed)
          await stream.event({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data } });
    await taken.opened;
    expect(heard.map(({ params }) => params?.['data'])).toEqual(['x', 'y']);
    await client.close();
    expect(peer.of('DELETE').map(({ headers }) => headers['mcp-session-id'])).toEqual(['s-1', 's-2']);
  });

  test('it is ended only when what is under way in it is answered', async () => {
    const held = gate<Turn>();
    const { peer } = await renewed((turn) => {
      if (turn.seen.params['name'] !== 'slow') return turn.fail(gone);
      held.open(turn);
      return turn;
    });
    const client = await connect(peer.url, options);
    const slow = client.callTool('slow');
    const turn = await held.opened;
    expect((await client.callTool('echo')).text).toBe('new');
    expect(peer.of('DELETE')).toEqual([]);
    turn.reply(said('late'));
    expect((await slow).text).toBe('late');
    expect((await peer.next('DELETE')).seen.headers['mcp-session-id']).toBe('s-1');
    await client.close();
  });

  test('closing the client ends it too, with what is under way in it', async () => {
    const held = gate<Turn>();
    const { peer } = await renewed((turn) => {
      if (turn.seen.params['name'] !== 'slow') return turn.fail(gone);
      held.open(turn);
      return turn;
    });
    const client = await connect(peer.url, options);
    const slow = client.callTool('slow').catch((error: unknown) => error);
    await held.opened;
    await client.callTool('echo');
    await client.close();
    expect(await slow).toMatchObject({ outcome: 'unknown' });
    expect(new Set(peer.of('DELETE').map(({ headers }) => headers['mcp-session-id']))).toEqual(new Set(['s-1', 's-2']));
  });
});

describe('the choice of a revision', () => {
  test.each<[string, readonly string[], string]>([
    ['only ours', ['2026-07-28'], '2026-07-28'],
    ['with an unknown newer one first', ['2027-01-01', '2026-07-28'], '2026-07-28'],
    ['with legacy ones first', ['2025-06-18', '2025-11-25', '2026-07-28'], '2026-07-28'],
  ])('[VER-007] supportedVersions %s', async (_, supportedVersions, revision) => {
    const peer = await modernPeer({ 'server/discover': () => ({ ...described, supportedVersions }) });
    const client = await connect(peer.url);
    await client.listTools();
    expect(client.protocolVersion).toBe(revision);
    expect(client.supportedVersions).toEqual(supportedVersions);
    expect(peer.of('tools/list')[0]?.headers['mcp-protocol-version']).toBe(revision);
    await client.close();
  });

  test.each(everyLink())('[SEED-046] what is spoken can be read ($link, $revision)', async ({ link, revision }) => {
    const server = new Server({ name: 'it', version: '1' });
    const client = await openLink(link, revision, server);
    const modern = modernRevisions.includes(revision);
    expect(client.protocolVersion).toBe(revision);
    expect(client.isModern).toBe(modern);
    expect(client.protocolEra).toBe(modern ? 'modern' : 'legacy');
  });

  test.each(['direct', 'pipe', 'http', 'web'] as const)(
    '[SEED-040] left to itself it is the newest (%s)',
    async (link) => {
      const client = await openLink(link, '2026-07-28', new Server({ name: 'it', version: '1' }), { protocol: 'auto' });
      expect(client.protocolVersion).toBe('2026-07-28');
    },
  );

  test.each(['direct', 'pipe', 'http', 'web'] as const)(
    '[SEED-045] told to be legacy it is the newest of those (%s)',
    async (link) => {
      const client = await openLink(link, '2026-07-28', new Server({ name: 'it', version: '1' }), {
        protocol: 'legacy',
      });
      expect(client.protocolVersion).toBe('2025-11-25');
    },
  );

  test('one revision that was asked for is not exchanged for another', async () => {
    const peer = await legacyPeer({ version: '2025-11-25' });
    await expect(connect(peer.url, { protocol: '2025-03-26' })).rejects.toMatchObject({
      code: 'unsupported_version',
      message: expect.stringMatching(/2025-11-25.*2025-03-26/) as unknown,
    });
    expect(peer.methods).toEqual(['initialize', 'DELETE']);
  });
});

describe.each(ports)('Backward Compatibility: the first request over HTTP ($port)', ({ options }) => {
  test('[VER-005 VER-020 B-55] it is server/discover, whatever is called afterwards', async () => {
    const peer = await legacyPeer();
    const client = await connect(peer.url, options);
    await client.callTool('echo');
    await client.close();
    expect(peer.methods).toEqual([
      'server/discover',
      'initialize',
      'notifications/initialized',
      'GET',
      'tools/call',
      'DELETE',
    ]);
    expect(peer.of('tools/call').length).toBe(1);
  });

  test('[SEED-040] a DiscoverResult: modern, without handshake, session or stream', async () => {
    const peer = await modernPeer();
    const client = await connect(peer.url, options);
    await client.callTool('echo');
    await client.close();
    expect(peer.methods).toEqual(['server/discover', 'tools/call']);
    for (const { headers } of peer.seen) expect(headers['mcp-session-id']).toBeUndefined();
  });

  test.each<[string, Answering]>([
    ['200 and -32601', failing(-32601, undefined, 200)],
    ['200 and -32602', failing(-32602, undefined, 200)],
    ['200 and a result of something else', () => ({})],
  ])('[B-54 SEED-041] %s: legacy', async (_, answer) => {
    const peer = await legacyPeer({ handlers: { 'server/discover': answer } });
    const client = await connect(peer.url, options);
    expect(client.protocolVersion).toBe('2025-11-25');
    expect(peer.methods.slice(0, 3)).toEqual(['server/discover', 'initialize', 'notifications/initialized']);
    await client.close();
  });

  test.each<[string, Answering]>([
    ['400 and nothing', (turn) => turn.send(400)],
    ['400 and a page', (turn) => turn.send(400, '<html>bad request</html>', { 'content-type': 'text/html' })],
    ['400 and other JSON', (turn) => turn.json({ error: 'bad' }, 400)],
    [
      '400 and an error without id',
      (turn) =>
        turn.json(
          { jsonrpc: '2.0', id: null, error: { code: -32000, message: 'Bad Request: Server not initialized' } },
          400,
        ),
    ],
    ['400 and -32602', failing(-32602)],
    ['400 and -32600', failing(-32600)],
  ])('[VER-021 SEED-041] %s: legacy', async (_, answer) => {
    const peer = await legacyPeer({ handlers: { 'server/discover': answer } });
    const client = await connect(peer.url, options);
    expect(client.protocolEra).toBe('legacy');
    await client.close();
  });

  test.each<[string, Answering, new (...args: never[]) => Error]>([
    ['-32020', failing(-32020), HeaderMismatchError],
    ['-32021', failing(-32021, { requiredCapabilities: { sampling: {} } }), MissingRequiredClientCapabilityError],
    [
      '-32022 of unknown versions',
      failing(-32022, { supported: ['2099-01-01'], requested: '2026-07-28' }),
      UnsupportedProtocolVersionError,
    ],
  ])('[VER-021 SEED-043 B-01] 400 and %s: modern, so never a handshake', async (_, answer, type) => {
    const peer = await legacyPeer({ handlers: { 'server/discover': answer } });
    await expect(connect(peer.url, options)).rejects.toBeInstanceOf(type);
    expect(peer.methods).toEqual(['server/discover']);
  });

  test.each([404, 405, 406, 409, 415, 422])('[VER-022] %i without a modern error: legacy', async (status) => {
    for (const body of ['', 'not here', '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"no"}}']) {
      const peer = await legacyPeer({ handlers: { 'server/discover': (turn) => turn.send(status, body) } });
      const client = await connect(peer.url, options);
      expect(client.protocolEra).toBe('legacy');
      await client.close();
    }
  });

  test('[VER-024] 404 and -32601 to server/discover itself proves that the server is not modern', async () => {
    const peer = await legacyPeer({ handlers: { 'server/discover': failing(-32601, undefined, 404) } });
    const client = await connect(peer.url, options);
    expect(client.protocolEra).toBe('legacy');
    await client.close();
  });

  test.each<[number, Answering, new (...args: never[]) => Error]>([
    [401, (turn) => turn.send(401, '', { 'www-authenticate': 'Bearer' }), UnauthorizedError],
    [401, failing(-32001, undefined, 401), UnauthorizedError],
    [403, (turn) => turn.send(403, 'Origin'), HttpStatusError],
    [429, (turn) => turn.send(429, '', { 'retry-after': '7' }), TransientServerError],
    [500, (turn) => turn.send(500, 'oops'), HttpStatusError],
    [500, failing(-32603, undefined, 500), RpcError],
    [503, failing(-32000, undefined, 503), TransientServerError],
  ])('[VER-023] %i tells nothing of an era: it surfaces, and nothing else is tried', async (status, answer, type) => {
    const peer = await legacyPeer({ handlers: { 'server/discover': answer } });
    const failed = await connect(peer.url, options).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(type);
    expect(failed).toMatchObject({ status });
    expect(peer.methods).toEqual(['server/discover']);
  });

  test('[SEED-045] told to be modern: a legacy server is an error that says what came, without a handshake', async () => {
    const peer = await legacyPeer();
    const failed = await connect(peer.url, { ...options, protocol: 'modern' }).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(MethodNotFoundError);
    expect(failed).toMatchObject({ rpc: { code: -32601 }, status: 200 });
    expect(peer.methods).toEqual(['server/discover']);
  });

  test('[SEED-045] told to be modern: what a page at 400 said is in the error', async () => {
    const peer = await httpPeer((turn) => turn.send(400, 'no such endpoint', { 'content-type': 'text/plain' }));
    await expect(connect(peer.url, { ...options, protocol: 'modern' })).rejects.toMatchObject({
      code: 'http_status',
      status: 400,
      message: expect.stringContaining('no such endpoint') as unknown,
    });
    expect(peer.methods).toEqual(['server/discover']);
  });

  test('[SEED-045] told to be legacy: no probe', async () => {
    const peer = await legacyPeer();
    const client = await connect(peer.url, { ...options, protocol: 'legacy' });
    expect(peer.methods[0]).toBe('initialize');
    await client.close();
  });

  test('[B-46] serverInfo is read from _meta, and a stray one is shown as well', async () => {
    const { _meta: _, ...bare } = described;
    const info = { name: 'stray', version: '0' };
    const stray = await modernPeer({ 'server/discover': () => ({ ...bare, serverInfo: info }) });
    const client = await connect(stray.url, options);
    expect(client.serverInfo).toEqual(info);
    await client.close();
    const both = await modernPeer({ 'server/discover': () => ({ ...described, serverInfo: info }) });
    const second = await connect(both.url, options);
    expect(second.serverInfo).toEqual({ name: 'peer', version: '1' });
    await second.close();
  });

  test('a stream that ends without an answer is asked once more, then taken for the answer of a legacy server', async () => {
    const peer = await legacyPeer({ handlers: { 'server/discover': (turn) => turn.stream().end() } });
    const client = await connect(peer.url, options);
    expect(client.protocolEra).toBe('legacy');
    expect(peer.methods.slice(0, 3)).toEqual(['server/discover', 'server/discover', 'initialize']);
    await client.close();
  });

  test('a stream that breaks once is no verdict', async () => {
    let breaks = 1;
    const peer = await modernPeer({
      'server/discover': (turn) => (breaks-- > 0 ? turn.stream().reset() : described),
    });
    const client = await connect(peer.url, options);
    expect(client.protocolEra).toBe('modern');
    await client.close();
  });
});

describe('what a legacy handshake can still bring up', () => {
  test.each<[string, Answering]>([
    ['-32020', failing(-32020)],
    ['-32022', failing(-32022, { supported: ['2026-07-28'], requested: '2025-11-25' })],
  ])('initialize refused with %s: the server is modern after all', async (_, refusal) => {
    let probes = 0;
    const peer = await modernPeer({
      // A proxy in the way spoils the first probe.
      'server/discover': (turn) => (probes++ === 0 ? turn.send(400, 'proxy') : described),
      initialize: refusal,
    });
    const client = await connect(peer.url);
    expect(client.protocolEra).toBe('modern');
    expect(peer.methods).toEqual(['server/discover', 'initialize', 'server/discover']);
    await client.close();
  });

  test('it is not tried for ever', async () => {
    const peer = await httpPeer((turn) =>
      turn.seen.method === 'initialize' ? failing(-32020)(turn) : turn.send(400, 'proxy'),
    );
    await expect(connect(peer.url)).rejects.toMatchObject({ status: 400 });
    expect(peer.methods).toEqual(['server/discover', 'initialize', 'server/discover']);
  });
});

describe('the verdict is kept', () => {
  test('[VER-014 SEED-062] later sessions of one client begin with what was found', async () => {
    const peer = await legacyPeer({
      handlers: {
        initialize: numberedSessions({ capabilities: {} }),
        'tools/call': (turn) => (turn.seen.headers['mcp-session-id'] === 's-1' ? turn.send(404) : told('ok')),
      },
    });
    const client = await connect(peer.url);
    expect((await client.callTool('echo')).text).toBe('ok');
    expect(peer.of('server/discover').length).toBe(1);
    expect(peer.of('initialize').length).toBe(2);
    await client.close();
  });

  test('[SEED-062] one that does not hold any more is found anew', async () => {
    let modern = false;
    const peer = await legacyPeer({
      handlers: {
        'server/discover': (turn) => (modern ? described : turn.fail({ code: -32601, message: 'no' })),
        initialize: (turn) =>
          modern ? turn.send(404, 'gone') : turn.reply(begun({ capabilities: {} }), { 'mcp-session-id': 's-1' }),
        'tools/call': (turn) => (turn.seen.headers['mcp-session-id'] === undefined ? said('modern') : turn.send(404)),
      },
    });
    const client = await connect(peer.url);
    expect(client.protocolEra).toBe('legacy');
    modern = true;
    expect((await client.callTool('echo')).text).toBe('modern');
    expect(client.protocolEra).toBe('modern');
    await client.close();
  });

  test('[B-53] clients of two endpoints of one origin have nothing in common', async () => {
    const peer = await httpPeer((turn) => {
      if (turn.seen.path === '/modern') return turn.seen.method === 'server/discover' ? described : said('modern');
      if (turn.seen.method === 'initialize') return begun({ protocolVersion: '2025-06-18', capabilities: {} });
      if (turn.id === undefined) return turn.send(turn.seen.http === 'POST' ? 202 : 405);
      return turn.seen.method === 'tools/call' ? told('legacy') : turn.send(404);
    });
    const origin = new URL(peer.url).origin;
    const [modern, legacy] = await Promise.all([connect(`${origin}/modern`), connect(`${origin}/legacy`)]);
    expect([modern.protocolVersion, legacy.protocolVersion]).toEqual(['2026-07-28', '2025-06-18']);
    expect((await modern.callTool('x')).text).toBe('modern');
    expect((await legacy.callTool('x')).text).toBe('legacy');
    await Promise.all([modern.close(), legacy.close()]);
  });
});

describe('Backward Compatibility on pipes', () => {
  /** A server by hand at the other end of a pipe that delivers by itself. */
  function piped(handlers: Parameters<typeof scriptedServer>[1]) {
    const pair = steppedPair();
    const server = scriptedServer(pair.server, handlers);
    const over = connectOn({ spawn: () => (inbound) => Promise.resolve(pipeLink(pair.client, inbound)) });
    const connecting = over({ command: ['server'] });
    connecting.catch(() => undefined);
    return { pair, server, connecting };
  }

  const requests = (lines: readonly { direction: string; text: string }[]): unknown[] =>
    lines
      .filter(({ direction }) => direction === 'in')
      .map(({ text }) => (JSON.parse(text) as { method: unknown }).method);

  test('[VER-017] the first line is server/discover with the newest version in _meta', async () => {
    const { pair, server, connecting } = piped({ 'server/discover': () => described });
    await pair.run();
    const client = await connecting;
    expect(client.protocolVersion).toBe('2026-07-28');
    expect(JSON.parse(server.lines[0]?.text ?? '')).toMatchObject({
      method: 'server/discover',
      params: { _meta: { [key('protocolVersion')]: '2026-07-28' } },
    });
  });

  test('[VER-018] another error: initialize, with another id, then initialized', async () => {
    const { pair, server, connecting } = piped({
      'server/discover': (request) => request.fail({ code: -32603, message: 'what?' }),
      initialize: ({ params }) => ({ ...params, serverInfo: { name: 'x', version: '1' } }),
    });
    await pair.run();
    expect((await connecting).protocolVersion).toBe('2025-11-25');
    expect(requests(server.lines)).toEqual(['server/discover', 'initialize', 'notifications/initialized']);
  });
});

describe('ids', () => {
  test.each(ports)('[B-57] go on counting over probe, handshake and calls ($port)', async ({ options }) => {
    const peer = await legacyPeer();
    const client = await connect(peer.url, options);
    await Promise.all([client.callTool('echo'), client.callTool('echo'), client.ping(), client.listTools()]);
    await client.close();
    const ids = peer.seen.map(({ message }) => message['id']).filter((id) => id !== undefined);
    expect(ids).toEqual([1, 2, 3, 4, 5, 6]);
  });
});

describe('what is sent again after a refusal', () => {
  test.each<[string, Answering]>([
    ['400 and -32602', failing(-32602)],
    ['400 and -32000', failing(-32000)],
    ['400 and -32021', failing(-32021, { requiredCapabilities: {} })],
    ['404 and -32601', failing(-32601, undefined, 404)],
    ['400 and nothing', (turn) => turn.send(400)],
    ['404 and nothing', (turn) => turn.send(404)],
    ['500', (turn) => turn.send(500)],
    ['503', (turn) => turn.send(503)],
    ['a reset', (turn) => turn.reset()],
  ])('[VER-037] not a call that may have run: %s', async (_, answer) => {
    const peer = await modernPeer({ 'tools/call': answer });
    const client = await connect(peer.url);
    await expect(client.callTool('echo')).rejects.toThrow();
    expect(peer.methods).toEqual(['server/discover', 'tools/call']);
    await client.close();
  });
});
