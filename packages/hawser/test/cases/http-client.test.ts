/** Faults seen in the field, on the client's side of HTTP. */
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  HeaderMismatchError,
  HttpStatusError,
  McpError,
  MissingRequiredClientCapabilityError,
  ResponseStreamClosedError,
  RpcError,
  ServerError,
  TransientServerError,
  TransportError,
  UnauthorizedError,
  UnsupportedProtocolVersionError,
} from '../../src/base/errors.ts';
import { connect } from '../../src/entry/index.node.ts';
import { nextTurn } from '../../src/testing/settle.ts';
import {
  begun,
  described,
  httpPeer,
  legacyPeer,
  modernPeer,
  ports,
  said,
  type Answering,
  type Turn,
} from '../support/http-peer.ts';

/** A server of one answer in bytes, for what no HTTP library would send; gives its URL. */
async function rawPeer(answer: (request: string, socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    let text = '';
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      text += chunk.toString('utf8');
      const head = text.indexOf('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
      if (head < 0 || text.length < head + 4 + length) return;
      const request = text;
      text = '';
      answer(request, socket);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

const legacyResult = begun({ capabilities: {} });

describe.each(ports)('BUG-022: ends of lines in streams ($port)', ({ options }) => {
  const initialized = JSON.stringify({ jsonrpc: '2.0', id: 1, result: legacyResult });
  const streams: readonly [string, string][] = [
    ['LF', `event: message\ndata: ${initialized}\n\n`],
    ['CRLF', `event: message\r\ndata: ${initialized}\r\n\r\n`],
    ['CR', `event: message\rdata: ${initialized}\r\r`],
    ['all kinds', `: hi\r\r\nevent: message\ndata: ${initialized}\r\n\r`],
    ['CRLF, then LF', `event: message\r\ndata: ${initialized}\r\n\n`],
    ['LF, then CR', `event: message\ndata: ${initialized}\n\r`],
  ];

  test.each(streams)('[BUG-022] %s: at once, while the stream stays open', async (_, stream) => {
    const peer = await legacyPeer({
      handlers: {
        initialize: async (turn) => {
          turn.stream({ 'mcp-session-id': 's' });
          await turn.write(stream);
        },
      },
    });
    const client = await connect(peer.url, { ...options, protocol: 'legacy' });
    expect(client.serverInfo).toEqual(legacyResult['serverInfo']);
    await client.close();
  });

  test.each(streams)('[BUG-022] %s: cut into packets of any size', async (_, stream) => {
    const url = await rawPeer((request, socket) => {
      const deliver = async (): Promise<void> => {
        socket.setNoDelay(true);
        socket.write('HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n');
        for (let at = 0; at < stream.length; at += 7) {
          socket.write(stream.slice(at, at + 7));
          await nextTurn();
        }
        socket.end();
      };
      if (request.includes('"initialize"')) void deliver();
      else socket.end('HTTP/1.1 202 Accepted\r\ncontent-length: 0\r\nconnection: close\r\n\r\n');
    });
    const client = await connect(url, { ...options, protocol: 'legacy' });
    expect(client.serverInfo).toEqual(legacyResult['serverInfo']);
    await client.close();
  });
});

describe.each(ports)('BUG-033: events without data ($port)', ({ options }) => {
  const primings: readonly [string, string][] = [
    ['an id and empty data', 'id: 0\nretry: 3000\ndata:\n\n'],
    ['an id alone', 'id: 0\n\n'],
    ['data without a colon', 'id: 0\ndata\n\n'],
    ['a time to wait alone', 'retry: 5\n\n'],
    ['an event of another name', 'event: ping\ndata: {}\n\n'],
    ['an event of another name, with garbage', 'event: ping\ndata: ping\n\n'],
  ];

  /** Warnings and errors of a client are collected: none of this is worth one. */
  function watch(): {
    problems: string[];
    logger: { [level in 'debug' | 'info' | 'warn' | 'error']: (m: string) => void };
  } {
    const problems: string[] = [];
    const log = (message: string): void => void problems.push(message);
    return { problems, logger: { debug() {}, info() {}, warn: log, error: log } };
  }

  test.each(primings)('[BUG-033] %s, on the stream of a request', async (_, priming) => {
    for (const open of [modernPeer, (handlers: Record<string, Answering>) => legacyPeer({ handlers })]) {
      const peer = await open({
        'tools/call': async (turn) => {
          turn.stream();
          await turn.write(priming);
          await turn.write(`event: message\nid: 1\ndata: ${JSON.stringify(turn.message(said('here')))}\n\n`);
          turn.end();
        },
      });
      const { problems, logger } = watch();
      const client = await connect(peer.url, { ...options, logger });
      expect((await client.callTool('echo')).text).toBe('here');
      await client.close();
      expect(problems).toEqual([]);
    }
  });

  test.each(primings)('[BUG-033] %s, on the stream of a session', async (_, priming) => {
    const notes: string[] = [];
    let got!: () => void;
    const note = new Promise<void>((resolve) => {
      got = resolve;
    });
    const peer = await legacyPeer({
      handlers: {
        GET: async (turn) => {
          turn.stream();
          await turn.write(priming);
          await turn.event({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
        },
      },
    });
    const { problems, logger } = watch();
    const client = await connect(peer.url, {
      ...options,
      logger,
      onNotification: ({ method }) => {
        notes.push(method);
        got();
      },
    });
    await note;
    await client.close();
    expect(notes).toEqual(['notifications/tools/list_changed']);
    expect(problems).toEqual([]);
  });
});

describe.each(ports)('BUG-043: streams that end before the response ($port)', ({ options }) => {
  const ends: readonly [string, (turn: Turn) => void | Promise<void>][] = [
    ['a clean end', (turn) => turn.end()],
    ['a reset', (turn) => turn.reset()],
    ['an error in the chunked encoding', (turn) => turn.socket.end('zz\r\nnot a chunk\r\n')],
    [
      'the response to another id',
      async (turn) => {
        await turn.event({ jsonrpc: '2.0', id: 999, result: said('x') });
        turn.end();
      },
    ],
    [
      'half of the response',
      async (turn) => {
        await turn.write(`data: ${JSON.stringify(turn.message(said('x'))).slice(0, -5)}`);
        turn.end();
      },
    ],
  ];

  test.each(ends)('[BUG-043] %s: an error at once', async (_, finish) => {
    for (const open of [modernPeer, (handlers: Record<string, Answering>) => legacyPeer({ handlers })]) {
      const peer = await open({
        'tools/call': async (turn) => {
          turn.stream();
          await turn.progress(1);
          await finish(turn);
        },
      });
      const client = await connect(peer.url, options);
      await expect(client.callTool('echo', {}, { onProgress: () => undefined })).rejects.toBeInstanceOf(
        ResponseStreamClosedError,
      );
      expect(peer.of('tools/call').length).toBe(client.isModern ? 2 : 1);
      await client.close();
    }
  });

  test('[BUG-043] a last event that lacks only its blank line counts', async () => {
    const peer = await modernPeer({
      'tools/call': async (turn) => {
        turn.stream();
        await turn.write(`data: ${JSON.stringify(turn.message(said('whole')))}`);
        turn.end();
      },
    });
    const client = await connect(peer.url, options);
    const result = await client.callTool('echo');
    expect([result.text, result.reissued]).toEqual(['whole', false]);
    await client.close();
  });
});

describe.each(ports)('BUG-028 and BUG-029: no stream behind GET ($port)', ({ options }) => {
  const answers: readonly [string, Answering][] = [
    ['200 text/plain', (turn) => turn.send(200, 'MCP endpoint, use POST', { 'content-type': 'text/plain' })],
    [
      '200 application/json',
      (turn) => turn.json({ jsonrpc: '2.0', id: null, error: { code: -32601, message: 'Method not found' } }),
    ],
    ['200 and an empty stream', (turn) => turn.stream().end()],
    ['404', (turn) => turn.send(404)],
    ['400', (turn) => turn.send(400)],
    ['501', (turn) => turn.send(501)],
    ['403', (turn) => turn.send(403)],
  ];

  test.each(answers)('[BUG-028] %s: asked for once, with no word but in the debug log', async (_, answer) => {
    const loud: string[] = [];
    const quiet: string[] = [];
    const log = (message: string): void => void loud.push(message);
    const logger = { debug: (message: string) => quiet.push(message), info: log, warn: log, error: log };
    const peer = await legacyPeer({ handlers: { GET: answer } });
    const client = await connect(peer.url, { ...options, logger });
    await (
      await peer.next('GET')
    ).closed;
    for (let i = 0; i < 5; i++) await client.callTool('echo');
    expect(peer.of('GET').length).toBe(1);
    expect(loud).toEqual([]);
    expect(quiet.filter((message) => message.includes('stream of the session')).length).toBe(1);
    await client.close();
  });

  test('[BUG-029] 405: exactly one GET, and calls meanwhile are unharmed', async () => {
    const peer = await legacyPeer();
    const client = await connect(peer.url, options);
    const results = await Promise.all(Array.from({ length: 5 }, () => client.callTool('echo')));
    expect(results.map(({ text }) => text)).toEqual(Array.from({ length: 5 }, () => 'hello'));
    await client.callTool('echo');
    expect(peer.of('GET').length).toBe(1);
    await client.close();
  });
});

describe.each(ports)('BUG-047: headers of the user ($port)', ({ options }) => {
  const containers: readonly [string, (pairs: [string, string][]) => never][] = [
    ['an object', (pairs) => Object.fromEntries(pairs) as never],
    ['a Headers', (pairs) => new Headers(pairs) as never],
    ['pairs', (pairs) => pairs as never],
    ['a Map', (pairs) => new Map(pairs) as never],
    ['a function', (pairs) => (() => new Headers(pairs)) as never],
    ['a promise', (pairs) => (() => Promise.resolve(pairs)) as never],
  ];

  test.each(containers)('[BUG-047] in %s: added, but never in the place of ours', async (_, make) => {
    const headers = make([
      ['aCCept', 'x/y'],
      ['Content-Type', 'text/plain'],
      ['X-Tenant', 'acme'],
    ]);
    const peer = await legacyPeer();
    const client = await connect(peer.url, { ...options, headers });
    await client.callTool('echo');
    await client.close();
    for (const { headers: sent, http } of peer.seen) {
      expect(sent['x-tenant']).toBe('acme');
      expect(sent['accept']).toBe(http === 'GET' ? 'text/event-stream' : 'application/json, text/event-stream');
      if (http === 'POST') expect(sent['content-type']).toBe('application/json');
    }
  });

  const bad: readonly [string, unknown][] = [
    ['a value beyond ASCII', { 'x-name': 'Zażółć-s3cret' }],
    ['a value with a line break', { 'x-name': 's3cret\r\nx-evil: 1' }],
    ['a value that is no text', { 'x-name': 7 }],
    ['a name with a space', { 'x name': 's3cret' }],
    ['an empty name', { '': 's3cret' }],
    ['text', 'x-name: s3cret'],
  ];

  test.each(bad)('[BUG-047] %s is an error before anything is sent, without the value', async (_, headers) => {
    const peer = await httpPeer((turn) => turn.send(500));
    for (const given of [headers, () => headers]) {
      const failed = await connect(peer.url, { ...options, headers: given as never }).catch((error: unknown) => error);
      expect(failed).toMatchObject({ code: 'bad_argument' });
      expect(String((failed as Error).stack)).not.toContain('s3cret');
    }
    expect(peer.seen).toEqual([]);
  });
});

describe.each(ports)('BUG-097: abandoned requests ($port)', ({ options }) => {
  const modes: readonly [string, (turn: Turn) => void][] = [
    ['before the head', () => undefined],
    ['on a stream', (turn) => turn.stream()],
    [
      'in the middle of JSON',
      (turn) => {
        turn.response.writeHead(200, { 'content-type': 'application/json' });
        turn.response.write('{"jsonrpc":');
      },
    ],
  ];
  const ways: readonly [string, (giveUp: AbortController) => { signal?: AbortSignal; timeoutMs?: number }, string][] = [
    ['aborted', (giveUp) => ({ signal: giveUp.signal }), 'aborted'],
    ['timed out', () => ({ timeoutMs: 60 }), 'timeout'],
  ];
  const all = modes.flatMap(([mode, hang]) => ways.map(([way, limit, code]) => ({ mode, hang, way, limit, code })));

  test.each(all)(
    '[BUG-097] modern, $way $mode: the connection is closed, nothing is sent',
    async ({ hang, limit, code }) => {
      const peer = await modernPeer({ 'tools/call': hang });
      const client = await connect(peer.url, options);
      const giveUp = new AbortController();
      const call = client.callTool('echo', {}, limit(giveUp));
      const turn = await peer.next('tools/call');
      giveUp.abort();
      await expect(call).rejects.toMatchObject({ code });
      await turn.closed;
      await client.ping();
      expect(peer.methods).toEqual(['server/discover', 'tools/call', 'server/discover']);
      await client.close();
    },
  );

  test.each(all)('[BUG-097] legacy, $way $mode: one cancelled with the id', async ({ hang, limit, code }) => {
    const peer = await legacyPeer({ handlers: { 'tools/call': hang } });
    const client = await connect(peer.url, { ...options, protocol: 'legacy' });
    const giveUp = new AbortController();
    const call = client.callTool('echo', {}, limit(giveUp));
    const turn = await peer.next('tools/call');
    giveUp.abort();
    await expect(call).rejects.toMatchObject({ code });
    const note = await peer.next('notifications/cancelled');
    expect(note.seen.params).toEqual({ requestId: turn.id });
    await client.ping();
    await client.close();
    expect(peer.of('notifications/cancelled').length).toBe(1);
  });

  test.each(['aborted', 'timed out'])('[BUG-097] initialize is never cancelled: %s', async (way) => {
    const peer = await legacyPeer({ handlers: { initialize: () => undefined } });
    const giveUp = new AbortController();
    const limits = way === 'aborted' ? { signal: giveUp.signal } : { connectTimeoutMs: 40 };
    const connecting = connect(peer.url, { ...options, ...limits, protocol: 'legacy' });
    connecting.catch(() => undefined);
    const turn = await peer.next('initialize');
    giveUp.abort();
    await expect(connecting).rejects.toBeInstanceOf(McpError);
    await turn.closed;
    expect(peer.methods).toEqual(['initialize']);
  });

  test('[BUG-097] nothing is sent for what was aborted before, or after its answer', async () => {
    for (const peer of [await modernPeer(), await legacyPeer()]) {
      const client = await connect(peer.url, options);
      const before = peer.seen.length;
      const early = client.callTool('echo', {}, { signal: AbortSignal.abort(new Error('early')) });
      await expect(early).rejects.toMatchObject({ code: 'aborted', outcome: 'not-sent' });
      const late = new AbortController();
      await client.callTool('echo', {}, { signal: late.signal });
      late.abort();
      await client.ping();
      const calls = peer.methods.slice(before).filter((method) => method !== 'GET');
      expect(calls).toEqual(['tools/call', client.isModern ? 'server/discover' : 'ping']);
      await client.close();
    }
  });

  test('[BUG-097] a late answer is nobody’s', async () => {
    const peer = await legacyPeer({ handlers: { 'tools/call': (turn) => turn.stream() } });
    const client = await connect(peer.url, { ...options, protocol: 'legacy' });
    const giveUp = new AbortController();
    const call = client.callTool('echo', {}, { signal: giveUp.signal });
    const turn = await peer.next('tools/call');
    giveUp.abort();
    await expect(call).rejects.toMatchObject({ code: 'aborted' });
    await turn.event(turn.message(said('late'))).catch(() => undefined);
    await client.ping();
    await client.close();
  });
});

describe.each(ports)('BUG-113: what a legacy server may answer to the probe ($port)', ({ options }) => {
  const errors: readonly [string, unknown][] = [
    ['-32601', { code: -32601, message: 'Method not found' }],
    ['-32602 with data', { code: -32602, message: 'Invalid request parameters', data: '' }],
    ['-32600', { code: -32600, message: 'Invalid Request' }],
    ['-32000', { code: -32000, message: 'not initialized' }],
    ['-32603', { code: -32603, message: 'oops' }],
    ['-32002', { code: -32002, message: 'Server not initialized' }],
    ['a code as text', { code: '-32601', message: 'Method not found' }],
    ['an error without message', { code: -32601 }],
    ['an error that is text', 'Method not found'],
  ];
  const legacyAnswers: readonly [string, Answering][] = [
    ...errors.map(([title, error]): [string, Answering] => [
      title,
      (turn) => turn.json({ jsonrpc: '2.0', id: turn.id, error }),
    ]),
    ['an error with id null', (turn) => turn.json({ jsonrpc: '2.0', id: null, error: { code: -32600, message: 'x' } })],
    ['an error without id', (turn) => turn.json({ jsonrpc: '2.0', error: { code: -32600, message: 'x' } })],
    ['an empty result', () => ({})],
    ['a result of null', (turn) => turn.json({ jsonrpc: '2.0', id: turn.id, result: null })],
    ['garbage', (turn) => turn.json('{"jsonrpc"')],
    ['JSON that is no message', (turn) => turn.json('[]')],
    ['a page', (turn) => turn.send(200, '<html></html>', { 'content-type': 'text/html' })],
    ['202 and nothing', (turn) => turn.send(202)],
    [
      '-32601 in a stream',
      async (turn) => {
        turn.stream();
        await turn.event({ jsonrpc: '2.0', id: turn.id, error: { code: -32601, message: 'x' } });
        turn.end();
      },
    ],
  ];

  test.each(legacyAnswers)('[BUG-113] %s: initialize', async (_, answer) => {
    const peer = await legacyPeer({ handlers: { 'server/discover': answer } });
    const client = await connect(peer.url, options);
    expect(client.protocolVersion).toBe('2025-11-25');
    expect(peer.methods.slice(0, 3)).toEqual(['server/discover', 'initialize', 'notifications/initialized']);
    await client.close();
  });

  const modernAnswers: readonly [string, Answering, new (...args: never[]) => Error, string][] = [
    ['-32020', (turn) => turn.fail({ code: -32020, message: 'x' }), HeaderMismatchError, 'header_mismatch'],
    [
      '-32021',
      (turn) => turn.fail({ code: -32021, message: 'x', data: { requiredCapabilities: { roots: {} } } }),
      MissingRequiredClientCapabilityError,
      'missing_client_capability',
    ],
    [
      '-32022 with unknown versions',
      (turn) => turn.fail({ code: -32022, message: 'x', data: { supported: ['2027-01-01'] } }),
      UnsupportedProtocolVersionError,
      'unsupported_version',
    ],
    [
      'a result with unknown versions',
      () => ({ ...described, supportedVersions: ['2027-01-01'] }),
      UnsupportedProtocolVersionError,
      'unsupported_version',
    ],
  ];

  test.each(modernAnswers)('[BUG-113] %s: a typed error, never initialize', async (_, answer, type, code) => {
    const peer = await legacyPeer({ handlers: { 'server/discover': answer } });
    const failed = await connect(peer.url, options).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(type);
    expect(failed).toMatchObject({ code });
    if (code === 'unsupported_version') expect((failed as Error).message).toMatch(/2027-01-01.*2026-07-28/);
    expect(peer.of('initialize')).toEqual([]);
  });

  test('[BUG-113] -32022 that lists our version: tried again', async () => {
    let first = true;
    const refusal = { code: -32022, message: 'x', data: { supported: ['2026-07-28'] } };
    const peer = await legacyPeer({
      handlers: { 'server/discover': (turn) => (first ? ((first = false), turn.fail(refusal, 400)) : described) },
    });
    const client = await connect(peer.url, options);
    expect(client.protocolVersion).toBe('2026-07-28');
    expect(peer.methods).toEqual(['server/discover', 'server/discover']);
    await client.close();
  });
});

describe.each(ports)('BUG-115: the first answer over HTTP ($port)', ({ options }) => {
  const rpc = (code: number, data?: unknown, message = 'no'): object => ({
    code,
    message,
    ...(data !== undefined && { data }),
  });
  const named =
    (status: number, error: object, headers: Record<string, string> = {}): Answering =>
    (turn) =>
      turn.fail(error as never, status, headers);

  const legacyAnswers: readonly [string, Answering][] = [
    ['400, empty', (turn) => turn.send(400)],
    ['400, a page', (turn) => turn.send(400, '<h1>Bad Request</h1>', { 'content-type': 'text/html' })],
    ['400, other JSON', (turn) => turn.json({ error: 'bad' }, 400)],
    [
      '400, not initialized',
      (turn) =>
        turn.json(
          { jsonrpc: '2.0', id: null, error: rpc(-32000, undefined, 'Bad Request: Server not initialized') },
          400,
        ),
    ],
    ['400, -32001 of a draft', named(400, rpc(-32001))],
    ['404, -32601', named(404, rpc(-32601))],
    ['404, a page', (turn) => turn.send(404, '<h1>Not Found</h1>', { 'content-type': 'text/html' })],
    ['404, empty', (turn) => turn.send(404)],
    ['405', (turn) => turn.send(405, '', { allow: 'GET' })],
    ['406', (turn) => turn.send(406)],
    ['415', (turn) => turn.send(415)],
    ['200, -32601', named(200, rpc(-32601))],
  ];

  test.each(legacyAnswers)('[BUG-115] %s: initialize', async (_, answer) => {
    const peer = await legacyPeer({ handlers: { 'server/discover': answer } });
    const client = await connect(peer.url, options);
    expect(client.protocolEra).toBe('legacy');
    expect(peer.methods.slice(0, 2)).toEqual(['server/discover', 'initialize']);
    await client.close();
  });

  const redirect = (status: number): [string, Answering, Expected] => [
    `${status} to elsewhere`,
    (turn) => turn.send(status, '', { location: '/other?token=s3cret' }),
    [HttpStatusError, { status, code: 'http_status', message: expect.stringMatching(/\/other;/) as unknown }],
  ];
  type Expected = [new (...args: never[]) => Error, object];
  const surfacing: readonly [string, Answering, Expected][] = [
    ['400, -32020', named(400, rpc(-32020)), [HeaderMismatchError, { status: 400, rpc: { code: -32020 } }]],
    [
      '400, -32022',
      named(400, rpc(-32022, { supported: ['2099-01-01'], requested: '2026-07-28' })),
      [UnsupportedProtocolVersionError, { data: { supported: ['2099-01-01'] } }],
    ],
    [
      '400, -32021',
      named(400, rpc(-32021, { requiredCapabilities: {} })),
      [MissingRequiredClientCapabilityError, { status: 400, rpc: { data: { requiredCapabilities: {} } } }],
    ],
    [
      '401',
      (turn) => turn.send(401, '', { 'www-authenticate': 'Bearer' }),
      [UnauthorizedError, { status: 401, outcome: 'refused' }],
    ],
    [
      '401, a JSON-RPC error',
      named(401, rpc(-32001, { hint: 'log in' })),
      [UnauthorizedError, { status: 401, rpc: { code: -32001, data: { hint: 'log in' } } }],
    ],
    [
      '403',
      (turn) => turn.send(403, 'Forbidden'),
      [HttpStatusError, { status: 403, outcome: 'refused', message: expect.stringContaining('Forbidden') as unknown }],
    ],
    [
      '403, a JSON-RPC error',
      named(403, rpc(-32600, undefined, 'Origin is not allowed')),
      [RpcError, { status: 403, rpc: { code: -32600 } }],
    ],
    ['408', (turn) => turn.send(408), [HttpStatusError, { status: 408 }]],
    [
      '429',
      (turn) => turn.send(429, 'slow down', { 'retry-after': '12' }),
      [TransientServerError, { status: 429, retryAfterMs: 12_000 }],
    ],
    [
      '429, a JSON-RPC error',
      named(429, rpc(-32000, { limit: 5 }), { 'retry-after': '1' }),
      [TransientServerError, { status: 429, retryAfterMs: 1_000, rpc: { data: { limit: 5 } } }],
    ],
    [
      '500',
      (turn) => turn.send(500, 'oops'),
      [ServerError, { status: 500, code: 'server_error', message: expect.stringContaining('oops') as unknown }],
    ],
    ['500, a JSON-RPC error', named(500, rpc(-32603)), [RpcError, { status: 500, rpc: { code: -32603 } }]],
    ['502', (turn) => turn.send(502), [TransientServerError, { status: 502 }]],
    ['503', (turn) => turn.send(503), [TransientServerError, { status: 503, retryAfterMs: undefined }]],
    ['504', (turn) => turn.send(504), [TransientServerError, { status: 504 }]],
    ['a reset', (turn) => turn.reset(), [TransportError, { code: 'transport', outcome: 'unknown' }]],
    redirect(301),
    redirect(302),
    redirect(303),
    redirect(307),
    redirect(308),
  ];

  test.each(surfacing)(
    '[BUG-115] %s: an error that says so, and nothing else is tried',
    async (_, answer, [type, members]) => {
      const peer = await legacyPeer({ handlers: { 'server/discover': answer } });
      const failed = await connect(peer.url, options).catch((error: unknown) => error);
      expect(failed).toBeInstanceOf(type);
      expect(failed).toMatchObject(members);
      expect(String(failed)).not.toContain('s3cret');
      expect(peer.methods).toEqual(['server/discover']);
    },
  );

  test('[BUG-115] 407: the same; fetch hides the status, but takes it for no verdict either', async () => {
    const peer = await legacyPeer({ handlers: { 'server/discover': (turn) => turn.send(407) } });
    const told = options.fetch === undefined ? { code: 'http_status', status: 407 } : { code: 'transport' };
    await expect(connect(peer.url, options)).rejects.toMatchObject(told);
    expect(peer.methods).toEqual(['server/discover']);
  });

  test('[BUG-115] connection refused: provably not sent', async () => {
    const peer = await httpPeer(() => undefined);
    const { url } = peer;
    await peer.close();
    const failed = await connect(url, options).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(TransportError);
    expect(failed).toMatchObject({ outcome: 'not-sent', message: expect.stringContaining('ECONNREFUSED') as unknown });
  });

  test('[BUG-115] what both attempts came to is told by the last', async () => {
    const peer = await httpPeer((turn) => turn.send(404, 'nobody here', { 'content-type': 'text/plain' }));
    await expect(connect(peer.url, options)).rejects.toMatchObject({
      status: 404,
      message: expect.stringMatching(/initialize.*404.*nobody here/) as unknown,
    });
    expect(peer.methods).toEqual(['server/discover', 'initialize']);
  });

  test('[BUG-115] a verdict that failed to come is no verdict: the next attempt asks again', async () => {
    let down = true;
    const peer = await modernPeer({ 'server/discover': (turn) => (down ? turn.send(503) : described) });
    await expect(connect(peer.url, options)).rejects.toBeInstanceOf(TransientServerError);
    down = false;
    const client = await connect(peer.url, options);
    expect(client.isModern).toBe(true);
    await client.close();
  });
});

describe.each(ports)('BUG-121: mirrored headers on every path ($port)', ({ options }) => {
  const tool = (owner: string): object => ({
    name: 'open',
    inputSchema: {
      type: 'object',
      properties: {
        owner: { type: 'string', 'x-mcp-header': owner },
        repo: { type: 'object', properties: { name: { type: 'string', 'x-mcp-header': 'Repo' } } },
      },
    },
  });
  const page = (...tools: object[]): object => ({ resultType: 'complete', ttlMs: 0, cacheScope: 'private', tools });
  const args = { owner: 'me', repo: { name: 'it' } };

  /** A server that refuses calls without the headers of its list. */
  const refusing = (current: { owner: string }): Record<string, Answering> => ({
    'tools/list': () => page(tool(current.owner)),
    'tools/call': (turn) => {
      const { headers } = turn.seen;
      const agrees = headers[`mcp-param-${current.owner.toLowerCase()}`] === 'me' && headers['mcp-param-repo'] === 'it';
      return agrees ? said('opened') : turn.fail({ code: -32020, message: 'header mismatch' }, 400);
    },
  });

  test('[BUG-121] after a list', async () => {
    const peer = await modernPeer(refusing({ owner: 'Owner' }));
    const client = await connect(peer.url, options);
    await client.listTools();
    expect((await client.callTool('open', args)).text).toBe('opened');
    expect(peer.methods).toEqual(['server/discover', 'tools/list', 'tools/call']);
    await client.close();
  });

  test('[BUG-121] by the general way, after a list', async () => {
    const peer = await modernPeer(refusing({ owner: 'Owner' }));
    const client = await connect(peer.url, options);
    await client.listTools();
    expect(await client.sendRequest('tools/call', { name: 'open', arguments: args })).toEqual(said('opened'));
    expect(peer.methods).toEqual(['server/discover', 'tools/list', 'tools/call']);
    await client.close();
  });

  const calls: readonly [string, (client: Awaited<ReturnType<typeof connect>>) => Promise<unknown>][] = [
    ['callTool', (client) => client.callTool('open', args)],
    ['request', (client) => client.sendRequest('tools/call', { name: 'open', arguments: args })],
  ];

  test.each(calls)('[BUG-121] without a list: one list and one more try, with a new id (%s)', async (_, call) => {
    const peer = await modernPeer(refusing({ owner: 'Owner' }));
    const client = await connect(peer.url, options);
    await call(client);
    expect(peer.methods).toEqual(['server/discover', 'tools/call', 'tools/list', 'tools/call']);
    const [first, second] = peer.of('tools/call');
    expect(second?.message['id']).not.toBe(first?.message['id']);
    await client.close();
  });

  test.each(calls)('[BUG-121] with a list that is out of date: the same (%s)', async (_, call) => {
    const current = { owner: 'Owner' };
    const peer = await modernPeer(refusing(current));
    const client = await connect(peer.url, options);
    await client.listTools();
    current.owner = 'Proprietor';
    await call(client);
    expect(peer.methods).toEqual(['server/discover', 'tools/list', 'tools/call', 'tools/list', 'tools/call']);
    expect(peer.of('tools/call').at(-1)?.headers['mcp-param-proprietor']).toBe('me');
    await client.close();
  });

  test.each(calls)('[BUG-121] a server that is never content: two calls, then the error (%s)', async (_, call) => {
    const peer = await modernPeer({
      ...refusing({ owner: 'Owner' }),
      'tools/call': (turn) => turn.fail({ code: -32020, message: 'never' }, 400),
    });
    const client = await connect(peer.url, options);
    await expect(call(client)).rejects.toBeInstanceOf(HeaderMismatchError);
    expect(peer.of('tools/call').length).toBe(2);
    await client.close();
  });
});

describe.each(ports)('BUG-136: version lists of the two eras ($port)', ({ options }) => {
  const refused =
    (data: unknown): Answering =>
    (turn) =>
      turn.fail({ code: -32022, message: 'no', ...(data !== undefined && { data }) }, 400);

  test.each<[string, unknown, string]>([
    ['one legacy version', { supported: ['2025-11-25'] }, '2025-11-25'],
    ['an old one', { supported: ['2024-11-05'] }, '2024-11-05'],
    ['several, unsorted', { supported: ['2025-03-26', '2025-11-25', '2025-06-18'] }, '2025-11-25'],
    ['one, many times', { supported: ['2025-06-18', '2025-06-18'] }, '2025-06-18'],
  ])('[BUG-136 B-02] -32022 with %s: one initialize, with exactly that', async (_, data, version) => {
    const peer = await legacyPeer({ handlers: { 'server/discover': refused(data) } });
    const client = await connect(peer.url, options);
    expect(client.protocolVersion).toBe(version);
    expect(peer.of('initialize').map(({ params }) => params['protocolVersion'])).toEqual([version]);
    expect(peer.of('server/discover').length).toBe(1);
    await client.close();
  });

  test.each<[string, unknown, number]>([
    ['an empty list', { supported: [] }, 1],
    ['no list', {}, 1],
    ['no data', undefined, 1],
    ['a list of something else', { supported: [1, null] }, 1],
    ['the version just refused', { supported: ['2026-07-28'] }, 2],
    ['the version just refused, and a legacy one', { supported: ['2025-11-25', '2026-07-28'] }, 2],
  ])('[BUG-136] -32022 with %s: one typed error', async (_, data, probes) => {
    const peer = await legacyPeer({ handlers: { 'server/discover': refused(data) } });
    const failed = await connect(peer.url, options).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(UnsupportedProtocolVersionError);
    expect(peer.methods).toEqual(Array.from({ length: probes }, () => 'server/discover'));
  });

  test.each<[string, Answering, number]>([
    ['a result that lists a legacy version only', () => ({ ...described, supportedVersions: ['2025-06-18'] }), 1],
    ['a result with an empty list', () => ({ ...described, supportedVersions: [] }), 0],
  ])('[BUG-136] %s', async (_, answer, handshakes) => {
    const peer = await legacyPeer({ handlers: { 'server/discover': answer } });
    const outcome = await connect(peer.url, options).catch((error: unknown) => error);
    if (outcome instanceof Error) expect(outcome).toBeInstanceOf(UnsupportedProtocolVersionError);
    else await (outcome as Awaited<ReturnType<typeof connect>>).close();
    expect(peer.of('initialize').map(({ params }) => params['protocolVersion'])).toEqual(
      handshakes === 0 ? [] : ['2025-06-18'],
    );
  });

  test('[BUG-136] initialize answered with a modern version: one error, no going round', async () => {
    const peer = await legacyPeer({ version: '2026-07-28' });
    const failed = await connect(peer.url, options).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(UnsupportedProtocolVersionError);
    expect(peer.methods).toEqual(['server/discover', 'initialize', 'DELETE']);
  });

  test('[BUG-136] the eras refuse each other in turn: the client ends', async () => {
    const peer = await legacyPeer({
      handlers: {
        'server/discover': refused({ supported: ['2025-11-25'] }),
        initialize: refused({ supported: ['2026-07-28'] }),
      },
    });
    await expect(connect(peer.url, options)).rejects.toBeInstanceOf(UnsupportedProtocolVersionError);
    expect(peer.methods).toEqual(['server/discover', 'initialize', 'server/discover']);
  });
});
