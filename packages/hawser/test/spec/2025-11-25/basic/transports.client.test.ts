/** Streamable HTTP of the legacy revisions, the client's side. What holds from 2025-03-26 on runs over all of them. */
import { describe, expect, test } from 'vitest';
import {
  HttpStatusError,
  InvalidResponseError,
  McpError,
  ResponseStreamClosedError,
} from '../../../../src/base/errors.ts';
import type { ConnectOptions } from '../../../../src/client/options.ts';
import { connect } from '../../../../src/entry/index.node.ts';
import type { Revision } from '../../../../src/model/types.ts';
import { nextTurn } from '../../../../src/testing/settle.ts';
import {
  legacyPeer,
  legacyPorts,
  numberedSessions,
  told,
  type Answering,
  type HttpPeer,
  type LegacyPeerOptions,
} from '../../../support/http-peer.ts';
import { gate } from '../../../support/http.ts';

/** Connects to a legacy server by hand. */
async function open(peer: HttpPeer, revision: Revision, options: ConnectOptions = {}) {
  return connect(peer.url, { protocol: revision, ...options });
}

/** The headers a session goes by. */
function marks(headers: Readonly<Record<string, string | undefined>>): (string | undefined)[] {
  return [headers['mcp-session-id'], headers['mcp-protocol-version']];
}

describe.each(legacyPorts)('Sending Messages to the Server ($revision, $port)', ({ revision, options }) => {
  test('[LHTTP-002] requests, notifications and responses are POSTs that accept both types', async () => {
    const asked = gate();
    const peer = await legacyPeer({
      handlers: {
        'tools/call': async (turn) => {
          turn.stream();
          await turn.event({ jsonrpc: '2.0', id: 'of the server', method: 'ping' });
          await asked.opened;
          await turn.event(turn.message(told('answered')));
          turn.end();
        },
        response: (turn) => {
          turn.send(202);
          asked.open();
        },
      },
    });
    const client = await open(peer, revision, options);
    expect((await client.callTool('echo')).text).toBe('answered');
    await client.close();
    const posts = peer.seen.filter(({ http }) => http === 'POST');
    expect(posts.map(({ method }) => method)).toEqual([
      'initialize',
      'notifications/initialized',
      'tools/call',
      'response',
    ]);
    for (const { headers, text } of posts) {
      expect(headers['accept']).toBe('application/json, text/event-stream');
      expect(headers['content-type']).toBe('application/json');
      expect(text.startsWith('{')).toBe(true);
    }
  });

  test('[LHTTP-006 VER-035] what the server asks on a stream is answered by a POST of its own', async () => {
    const answer = gate<unknown>();
    const peer = await legacyPeer({
      handlers: {
        'tools/call': async (turn) => {
          turn.stream();
          await turn.event({ jsonrpc: '2.0', id: 'p-1', method: 'ping' });
          const pong = await answer.opened;
          await turn.event(turn.message(told(JSON.stringify(pong))));
          turn.end();
        },
        response: (turn) => {
          turn.send(202);
          answer.open(turn.seen.message);
        },
      },
    });
    const client = await open(peer, revision, options);
    const { text } = await client.callTool('echo');
    expect(JSON.parse(text)).toEqual({ jsonrpc: '2.0', id: 'p-1', result: {} });
    expect(marks(peer.of('response')[0]?.headers ?? {})[0]).toBe('s-1');
    await client.close();
  });

  test('what a client does not have is refused with -32601', async () => {
    const answer = gate<unknown>();
    const peer = await legacyPeer({
      handlers: {
        'tools/call': async (turn) => {
          turn.stream();
          await turn.event({ jsonrpc: '2.0', id: 5, method: 'sampling/createMessage', params: {} });
          await turn.event(turn.message(told(JSON.stringify(await answer.opened))));
          turn.end();
        },
        response: (turn) => {
          turn.send(202);
          answer.open(turn.seen.message['error']);
        },
      },
    });
    const client = await open(peer, revision, options);
    expect(JSON.parse((await client.callTool('echo')).text)).toMatchObject({ code: -32601 });
    await client.close();
  });

  test('[LHTTP-008 SEED-281] to abort is told with notifications/cancelled, under the id', async () => {
    const told = gate<unknown>();
    const peer = await legacyPeer({
      handlers: {
        'tools/call': (turn) => turn.stream(),
        'notifications/cancelled': (turn) => {
          turn.send(202);
          told.open(turn.seen.params);
        },
      },
    });
    const client = await open(peer, revision, options);
    const giveUp = new AbortController();
    const call = client.callTool('echo', {}, { signal: giveUp.signal });
    const turn = await peer.next('tools/call');
    giveUp.abort();
    await expect(call).rejects.toMatchObject({ code: 'aborted', outcome: 'unknown' });
    expect(await told.opened).toEqual({ requestId: turn.id });
    expect(marks(peer.of('notifications/cancelled')[0]?.headers ?? {})[0]).toBe('s-1');
    await client.close();
    expect(peer.of('notifications/cancelled').length).toBe(1);
  });

  test('[LHTTP-013] events without data are no messages', async () => {
    const peer = await legacyPeer({
      handlers: {
        'tools/call': async (turn) => {
          turn.stream();
          await turn.write('id: 0\nretry: 3000\ndata:\n\nid: 1\n\ndata\n\n');
          await turn.event(turn.message(told('after')));
          turn.end();
        },
      },
    });
    const client = await open(peer, revision, options);
    expect((await client.callTool('echo')).text).toBe('after');
    await client.close();
  });

  test.each<[string, Answering]>([
    ['202 and nothing', (turn) => turn.send(202)],
    ['204', (turn) => turn.send(204)],
    ['200 and text', (turn) => turn.send(200, 'ok', { 'content-type': 'text/plain' })],
    ['200 and JSON', (turn) => turn.json({})],
    ['200 and a stream that stays open', (turn) => turn.stream()],
  ])('[SEED-123] a notification is taken: %s', async (_, answer) => {
    const peer = await legacyPeer({ handlers: { 'notifications/initialized': answer } });
    const client = await open(peer, revision, options);
    expect((await client.callTool('echo')).text).toBe('hello');
    await client.close();
  });

  test('[SEED-123] a notification is refused', async () => {
    const peer = await legacyPeer({
      handlers: {
        'notifications/initialized': (turn) =>
          turn.json({ jsonrpc: '2.0', error: { code: -32600, message: 'x' } }, 400),
      },
    });
    await expect(open(peer, revision, options)).rejects.toMatchObject({ code: 'http_status', status: 400 });
  });

  test('a broken stream is an error and the call is not sent again', async () => {
    const peer = await legacyPeer({ handlers: { 'tools/call': (turn) => turn.stream().end() } });
    const client = await open(peer, revision, options);
    await expect(client.callTool('echo')).rejects.toBeInstanceOf(ResponseStreamClosedError);
    expect(peer.of('tools/call').length).toBe(1);
    await client.close();
  });
});

describe('2025-03-26', () => {
  const batch: readonly [string, Answering][] = [
    [
      'as JSON',
      (turn) =>
        turn.json([
          { jsonrpc: '2.0', method: 'notifications/tools/list_changed' },
          { jsonrpc: '2.0', id: 'other', result: { content: [] } },
          turn.message(told('in a batch')),
        ]),
    ],
    [
      'in a stream',
      async (turn) => {
        turn.stream();
        await turn.event([{ jsonrpc: '2.0', method: 'notifications/tools/list_changed' }]);
        await turn.event([{ jsonrpc: '2.0', id: 'other', result: { content: [] } }, turn.message(told('in a batch'))]);
        turn.end();
      },
    ],
  ];

  test.each(batch)('[LHTTP-003] a batch of responses is read, one is never sent: %s', async (_, answer) => {
    const notes: string[] = [];
    const peer = await legacyPeer({ handlers: { 'tools/call': answer } });
    const client = await open(peer, '2025-03-26', { onNotification: ({ method }) => notes.push(method) });
    expect((await client.callTool('echo')).text).toBe('in a batch');
    expect(notes).toEqual(['notifications/tools/list_changed']);
    for (const { text } of peer.seen) expect(text.startsWith('[')).toBe(false);
    await client.close();
  });
});

describe.each(legacyPorts)('Listening for Messages from the Server ($revision, $port)', ({ revision, options }) => {
  test('[LHTTP-014] after the handshake a stream is asked for, and what comes on it is taken', async () => {
    const got = gate<unknown>();
    const pong = gate<unknown>();
    const peer = await legacyPeer({
      handlers: {
        GET: async (turn) => {
          turn.stream();
          await turn.event({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
          await turn.event({ jsonrpc: '2.0', id: 's', method: 'ping' });
        },
        response: (turn) => {
          turn.send(202);
          pong.open(turn.seen.message);
        },
      },
    });
    const client = await open(peer, revision, { ...options, onNotification: (note) => got.open(note.method) });
    expect(await got.opened).toBe('notifications/tools/list_changed');
    expect(await pong.opened).toEqual({ jsonrpc: '2.0', id: 's', result: {} });
    const [get] = peer.of('GET');
    expect(get?.headers['accept']).toBe('text/event-stream');
    expect(get?.headers['content-type']).toBeUndefined();
    await client.close();
    await (
      await peer.next('GET')
    ).closed;
  });

  test.each<[string, Answering]>([
    ['405', (turn) => turn.send(405, '', { allow: 'POST' })],
    ['404', (turn) => turn.send(404, 'no')],
    ['400', (turn) => turn.send(400)],
    ['403', (turn) => turn.send(403)],
    ['501', (turn) => turn.send(501)],
    ['200 and text', (turn) => turn.send(200, 'MCP endpoint, use POST', { 'content-type': 'text/plain' })],
    ['200 and JSON', (turn) => turn.json({ jsonrpc: '2.0', id: null, error: { code: -32601, message: 'x' } })],
    ['a stream that ends', (turn) => turn.stream().end()],
    ['a stream that breaks', (turn) => turn.stream().reset()],
    ['nothing but a reset', (turn) => turn.reset()],
  ])('a server without such a stream is asked once, and nothing fails: %s', async (_, answer) => {
    const problems: string[] = [];
    const logger = {
      debug() {},
      info() {},
      warn: (m: string) => problems.push(m),
      error: (m: string) => problems.push(m),
    };
    const peer = await legacyPeer({ handlers: { GET: answer } });
    const client = await open(peer, revision, { ...options, logger });
    await (
      await peer.next('GET')
    ).closed;
    for (let i = 0; i < 3; i++) expect((await client.callTool('echo')).text).toBe('hello');
    expect(peer.of('GET').length).toBe(1);
    await client.close();
    expect(problems).toEqual([]);
  });
});

describe.each(legacyPorts)('Session Management ($revision, $port)', ({ revision, options }) => {
  test('[LHTTP-023 LHTTP-027 SEED-065] the id goes with every later request, DELETE ends the session', async () => {
    const peer = await legacyPeer({ session: '~visible!ASCII~' });
    const client = await open(peer, revision, options);
    await client.callTool('echo');
    await client.ping();
    await client.close();
    expect(peer.methods).toEqual(['initialize', 'notifications/initialized', 'GET', 'tools/call', 'ping', 'DELETE']);
    expect(peer.seen.map(({ headers }) => headers['mcp-session-id'])).toEqual([
      undefined,
      ...Array.from({ length: 5 }, () => '~visible!ASCII~'),
    ]);
  });

  test('[LHTTP-028 SEED-077] the version goes with every later request, from 2025-06-18 on', async () => {
    const peer = await legacyPeer();
    const client = await open(peer, revision, options);
    await client.callTool('echo');
    await client.close();
    const version = revision === '2025-03-26' ? undefined : revision;
    expect(peer.methods).toEqual(['initialize', 'notifications/initialized', 'GET', 'tools/call', 'DELETE']);
    expect(peer.seen.map(({ headers }) => headers['mcp-protocol-version'])).toEqual([
      undefined,
      ...Array.from({ length: 4 }, () => version),
    ]);
  });

  test('it is the negotiated version, not the one proposed', async () => {
    const peer = await legacyPeer({ version: '2025-06-18' });
    const client = await connect(peer.url, { protocol: 'legacy', ...options });
    await client.ping();
    expect(peer.of('initialize')[0]?.params['protocolVersion']).toBe('2025-11-25');
    expect(peer.of('ping')[0]?.headers['mcp-protocol-version']).toBe('2025-06-18');
    await client.close();
  });

  test('[LHTTP-036] a server without sessions is spoken to without', async () => {
    const peer = await legacyPeer({ session: null });
    const client = await open(peer, revision, options);
    expect((await client.callTool('echo')).text).toBe('hello');
    await client.close();
    expect(peer.methods).toEqual(['initialize', 'notifications/initialized', 'GET', 'tools/call']);
    for (const { headers } of peer.seen) expect(headers['mcp-session-id']).toBeUndefined();
  });

  test.each<[string, Answering]>([
    ['405', (turn) => turn.send(405)],
    ['404', (turn) => turn.send(404)],
    ['500', (turn) => turn.send(500)],
    ['a reset', (turn) => turn.reset()],
  ])('[SEED-066] DELETE answered by %s does no harm', async (_, answer) => {
    const peer = await legacyPeer({ handlers: { DELETE: answer } });
    const client = await open(peer, revision, options);
    await client.close();
    expect(peer.of('DELETE').length).toBe(1);
  });

  /** Sessions s-1, s-2, …; those in `gone` answer 404. */
  function sessions(more: Record<string, Answering> = {}): LegacyPeerOptions & { gone: Set<string> } {
    const gone = new Set<string>();
    const live =
      (answer: Answering): Answering =>
      (turn) =>
        gone.has(turn.seen.headers['mcp-session-id'] ?? '')
          ? turn.fail({ code: -32001, message: 'Session not found' }, 404)
          : answer(turn);
    const handlers: Record<string, Answering> = {
      initialize: numberedSessions({ protocolVersion: revision, capabilities: {} }),
      'tools/call': live((turn) => told(String(turn.seen.headers['mcp-session-id']))),
      'tools/list': live(() => ({ tools: [] })),
    };
    for (const [method, answer] of Object.entries(more)) handlers[method] = live(answer);
    return { handlers, gone };
  }

  test('[LHTTP-026 LHTTP-034 B-51] 404 to a request in a session: a new one is begun without the id, and the call sent again', async () => {
    const server = sessions();
    const peer = await legacyPeer(server);
    const client = await open(peer, revision, options);
    server.gone.add('s-1');
    expect((await client.callTool('echo')).text).toBe('s-2');
    expect(peer.of('initialize').map(({ headers }) => headers['mcp-session-id'])).toEqual([undefined, undefined]);
    expect(peer.of('tools/call').map(({ headers }) => headers['mcp-session-id'])).toEqual(['s-1', 's-2']);
    await client.close();
    expect(peer.of('DELETE').map(({ headers }) => headers['mcp-session-id'])).toEqual(['s-2']);
  });

  test('[SEED-068] two calls that find it gone begin one new session, and both succeed', async () => {
    const both = gate();
    let waiting = 0;
    const server = sessions();
    const call: Answering = async (turn) => {
      const id = turn.seen.headers['mcp-session-id'];
      if (id !== 's-1') return told(String(id));
      if (++waiting === 2) both.open();
      await both.opened;
      if (turn.seen.params['name'] === 'second') await nextTurn();
      return turn.send(404);
    };
    const peer = await legacyPeer({ ...server, handlers: { ...server.handlers, 'tools/call': call } });
    const client = await open(peer, revision, options);
    const results = await Promise.all([client.callTool('first'), client.callTool('second')]);
    expect(results.map(({ text }) => text)).toEqual(['s-2', 's-2']);
    expect(peer.of('initialize').length).toBe(2);
    await client.close();
  });

  test('a call that the server took before the session went keeps its answer', async () => {
    const go = gate();
    const server = sessions();
    const call: Answering = async (turn) => {
      const id = String(turn.seen.headers['mcp-session-id']);
      if (turn.seen.params['name'] === 'slow') await go.opened;
      else if (id === 's-1') return turn.send(404);
      return told(id);
    };
    const peer = await legacyPeer({ ...server, handlers: { ...server.handlers, 'tools/call': call } });
    const client = await open(peer, revision, options);
    const slow = client.callTool('slow');
    await peer.next('tools/call');
    expect((await client.callTool('quick')).text).toBe('s-2');
    go.open();
    expect((await slow).text).toBe('s-1');
    await client.close();
  });

  test('[SEED-074] a session that is gone again is an error: no loop', async () => {
    const peer = await legacyPeer({ handlers: { 'tools/call': (turn) => turn.send(404) } });
    const client = await open(peer, revision, options);
    const failed = await client.callTool('echo').catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(HttpStatusError);
    expect(failed).toMatchObject({ code: 'session_lost', status: 404, outcome: 'refused' });
    expect(peer.of('initialize').length).toBe(2);
    expect(peer.of('tools/call').length).toBe(2);
    await client.close();
  });

  test('a failed attempt at a new session does not spoil the next', async () => {
    let down = false;
    const server = sessions();
    const { initialize } = server.handlers ?? {};
    const peer = await legacyPeer({
      ...server,
      handlers: {
        ...server.handlers,
        initialize: (turn) => (down ? turn.send(503) : initialize?.(turn)),
      },
    });
    const client = await open(peer, revision, options);
    server.gone.add('s-1');
    down = true;
    await expect(client.callTool('echo')).rejects.toMatchObject({ status: 503 });
    await expect(client.callTool('echo')).rejects.toMatchObject({ status: 503 });
    down = false;
    expect((await client.callTool('echo')).text).toBe('s-2');
    await client.close();
  });

  test.each(['', 'with space', 'ctl\u0080'])(
    'a session id that is no visible ASCII is refused: %j',
    async (session) => {
      const peer = await legacyPeer({ session });
      const opening = open(peer, revision, options);
      await expect(opening).rejects.toBeInstanceOf(InvalidResponseError);
      expect(peer.methods).toEqual(['initialize']);
    },
  );

  test('[LHTTP-032] the session id is a secret: it is in no frame, error or log, whoever says it', async () => {
    const session = 'sess-3f9a1c77e2';
    const said: string[] = [];
    const log = (message: string, details?: unknown): void => void said.push(`${message} ${show(details)}`);
    const peer = await legacyPeer({
      session,
      handlers: {
        'tools/call': (turn) => turn.fail({ code: -32000, message: `in ${session}`, data: { session } }, 400),
        'prompts/list': (turn) => turn.fail({ code: -32000, message: `in ${session}`, data: { session } }),
        'tools/list': (turn) => turn.send(500, `session ${session} is broken`),
        ping: (turn) => turn.send(200, `<html>${session}</html>`, { 'content-type': 'text/html' }),
        DELETE: (turn) => turn.reset(),
      },
    });
    const client = await open(peer, revision, {
      ...options,
      logger: { debug: log, info: log, warn: log, error: log },
      onFrame: (frame) => said.push(JSON.stringify(frame)),
    });
    for (const call of [client.callTool('echo'), client.sendRequest('prompts/list'), client.listTools(), client.ping()])
      said.push(show(await call.catch((error: unknown) => error)));
    await client.close();
    expect(said.join('\n')).not.toContain(session);
    expect(said.join('\n')).toContain('[secret]');
    expect(peer.of('tools/call')[0]?.headers['mcp-session-id']).toBe(session);
  });
});

/** All of a value that a log could show. */
function show(value: unknown): string {
  if (!(value instanceof Error)) return JSON.stringify(value) ?? '';
  const { message, stack = '', cause } = value;
  const rpc = McpError.is(value) ? JSON.stringify(value.rpc) : '';
  return [message, stack, rpc, cause === undefined ? '' : show(cause)].join('\n');
}
