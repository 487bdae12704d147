/** What a client makes of the answers to its requests, good and bad. */
import { gzipSync, brotliCompressSync, deflateSync, createGzip, constants } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import {
  HttpStatusError,
  InsufficientScopeError,
  InvalidResponseError,
  ResponseStreamClosedError,
  ResponseTooLargeError,
  RpcError,
  TransientServerError,
  TransportError,
  UnauthorizedError,
} from '../../src/base/errors.ts';
import { connect } from '../../src/entry/index.node.ts';
import { legacyPeer, modernPeer, ports, said, type Answering, type Turn } from '../support/http-peer.ts';

const response = (turn: Turn, result: unknown = said('hello')): string => JSON.stringify(turn.message(result));

describe.each(ports)('content types ($port)', ({ options }) => {
  test.each([
    'application/json',
    'Application/JSON; charset=utf-8',
    'application/json;charset=UTF-8',
    ' application/json ',
    'APPLICATION/JSON ; a=b',
  ])('[SEED-100] JSON as %j is read', async (type) => {
    const peer = await modernPeer({ 'tools/call': (turn) => turn.send(200, response(turn), { 'content-type': type }) });
    const client = await connect(peer.url, options);
    expect((await client.callTool('echo')).text).toBe('hello');
    await client.close();
  });

  test.each(['text/event-stream', 'Text/Event-Stream; charset=utf-8', 'text/event-stream;x=y'])(
    '[SEED-100] a stream as %j is read',
    async (type) => {
      const peer = await modernPeer({
        'tools/call': (turn) => turn.send(200, `data: ${response(turn)}\n\n`, { 'content-type': type }),
      });
      const client = await connect(peer.url, options);
      expect((await client.callTool('echo')).text).toBe('hello');
      await client.close();
    },
  );

  test.each([
    'text/html',
    'text/html; charset=utf-8',
    'text/plain',
    'application/octet-stream',
    'application/json-seq',
    'application/jsonp',
    'text/event-streams',
    'application/xml, application/json',
    undefined,
  ])('[SEED-100] a success of type %j is an error, even with an answer in it', async (type) => {
    const peer = await modernPeer({
      'tools/call': (turn) => turn.send(200, response(turn), type === undefined ? {} : { 'content-type': type }),
    });
    const client = await connect(peer.url, options);
    const failed = await client.callTool('echo').catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(InvalidResponseError);
    expect(failed).toMatchObject({ status: 200, origin: 'peer', outcome: 'unknown' });
    expect((failed as Error).message).toContain(type?.split(';')[0] ?? 'no content type');
    expect(peer.of('tools/call').length).toBe(1);
    await client.close();
  });

  test('a byte order mark before JSON does no harm', async () => {
    const peer = await modernPeer({
      'tools/call': (turn) => turn.send(200, `\ufeff${response(turn)}`, { 'content-type': 'application/json' }),
    });
    const client = await connect(peer.url, options);
    expect((await client.callTool('echo')).text).toBe('hello');
    await client.close();
  });
});

describe.each(ports)('successes without an answer ($port)', ({ options }) => {
  const answers: readonly [string, Answering][] = [
    ['202', (turn) => turn.send(202)],
    ['204', (turn) => turn.send(204)],
    ['200 and nothing', (turn) => turn.send(200)],
    ['200, JSON and nothing', (turn) => turn.json('')],
    ['a page', (turn) => turn.send(200, '<html>sign in</html>', { 'content-type': 'text/html' })],
    ['half of JSON', (turn) => turn.json(response(turn).slice(0, -3))],
    ['JSON that is no object', (turn) => turn.json('"ok"')],
    ['null', (turn) => turn.json('null')],
    ['an empty object', (turn) => turn.json({})],
    ['a result without jsonrpc', (turn) => turn.json({ id: turn.id, result: {} })],
    ['jsonrpc 1.0', (turn) => turn.json({ jsonrpc: '1.0', id: turn.id, result: {} })],
    ['a result without id', (turn) => turn.json({ jsonrpc: '2.0', result: {} })],
    ['a result with id null', (turn) => turn.json({ jsonrpc: '2.0', id: null, result: {} })],
    ['a result for another id', (turn) => turn.json({ jsonrpc: '2.0', id: 4711, result: {} })],
    ['the id as text', (turn) => turn.json({ jsonrpc: '2.0', id: String(turn.id), result: {} })],
    ['an error for another id', (turn) => turn.json({ jsonrpc: '2.0', id: 4711, error: { code: 1, message: 'x' } })],
    [
      'a result and an error',
      (turn) => turn.json({ jsonrpc: '2.0', id: turn.id, result: {}, error: { code: 1, message: 'x' } }),
    ],
    ['neither', (turn) => turn.json({ jsonrpc: '2.0', id: turn.id })],
    ['a result of null', (turn) => turn.reply(null)],
    ['a result that is text', (turn) => turn.reply('ok')],
    ['a result that is a list', (turn) => turn.reply([])],
    ['an error without code', (turn) => turn.json({ jsonrpc: '2.0', id: turn.id, error: { message: 'x' } })],
    [
      'an error whose code is text',
      (turn) => turn.json({ jsonrpc: '2.0', id: turn.id, error: { code: '1', message: 'x' } }),
    ],
    ['a request', (turn) => turn.json({ jsonrpc: '2.0', id: turn.id, method: 'ping' })],
    ['a notification', (turn) => turn.json({ jsonrpc: '2.0', method: 'notifications/progress', params: {} })],
    ['a list with the answer', (turn) => turn.json([turn.message(said('x'))])],
    [
      'a broken response in a stream',
      (turn) =>
        turn
          .stream()
          .event({ jsonrpc: '2.0', id: turn.id, result: 7 })
          .then(() => turn.end()),
    ],
  ];

  test.each(answers)('%s: an error of the peer, at once, and no second try', async (_, answer) => {
    const peer = await modernPeer({ 'tools/call': answer });
    const client = await connect(peer.url, options);
    const failed = await client.callTool('echo').catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(InvalidResponseError);
    expect(failed).toMatchObject({ code: 'invalid_response', origin: 'peer', outcome: 'unknown' });
    expect((failed as Error).message).toContain('tools/call');
    expect(peer.of('tools/call').length).toBe(1);
    // The connection is as good as before.
    await client.ping();
    await client.close();
  });

  test('what a page said is in the error, without control characters and not at length', async () => {
    const peer = await modernPeer({
      'tools/call': (turn) => turn.send(200, `<b>\u001b[31mred\n${'x'.repeat(5_000)}`, { 'content-type': 'text/html' }),
    });
    const client = await connect(peer.url, options);
    const failed = (await client.callTool('echo').catch((error: unknown) => error)) as Error;
    expect(failed.message).toContain('<b>\\x1b[31mred\\x0a');
    expect(failed.message.length).toBeLessThan(500);
    await client.close();
  });
});

describe.each(ports)('results ($port)', ({ options }) => {
  test.each([undefined, 'complete'])('[B-39 SEED-063] resultType %j is a final result', async (resultType) => {
    const peer = await modernPeer({ 'tools/call': () => ({ content: [{ type: 'text', text: 'x' }], resultType }) });
    const client = await connect(peer.url, options);
    expect((await client.callTool('echo')).text).toBe('x');
    await client.close();
  });

  test.each(['foo', 'task', '', null, 7])('[SEED-063] resultType %j is none we asked for', async (resultType) => {
    const peer = await modernPeer({ 'tools/call': () => ({ content: [], resultType }) });
    const client = await connect(peer.url, options);
    await expect(client.callTool('echo')).rejects.toBeInstanceOf(InvalidResponseError);
    await expect(client.sendRequest('tools/call', { name: 'echo' })).rejects.toBeInstanceOf(InvalidResponseError);
    await client.close();
  });

  test('the first response counts, what follows is nobody’s', async () => {
    const peer = await modernPeer({
      'tools/call': async (turn) => {
        turn.stream();
        await turn.write(`data: ${response(turn, said('first'))}\n\ndata: ${response(turn, said('second'))}\n\n`);
        await turn.event({ jsonrpc: '2.0', id: turn.id, error: { code: 1, message: 'third' } });
      },
    });
    const client = await connect(peer.url, options);
    expect((await client.callTool('echo')).text).toBe('first');
    await client.ping();
    await client.close();
  });

  test('a stream that stays open after the response is let go', async () => {
    const peer = await modernPeer({
      'tools/call': async (turn) => {
        turn.stream();
        await turn.event(turn.message(said('done')));
      },
    });
    const client = await connect(peer.url, options);
    expect((await client.callTool('echo')).text).toBe('done');
    await (
      await peer.next('tools/call')
    ).closed;
    await client.close();
  });

  test('answers do not cross between calls that run side by side', async () => {
    const peer = await modernPeer({
      'tools/call': async (turn) => {
        const { text } = turn.seen.params['arguments'] as { text: string };
        turn.stream();
        // Each stream also carries an answer under the id of the next call.
        await turn.event({ jsonrpc: '2.0', id: Number(turn.id) + 1, result: said('wrong') });
        await turn.event(turn.message(said(text)));
        turn.end();
      },
    });
    const client = await connect(peer.url, options);
    const texts = Array.from({ length: 20 }, (_, i) => `call ${i}`);
    const results = await Promise.all(texts.map((text) => client.callTool('echo', { text })));
    expect(results.map((result) => result.text)).toEqual(texts);
    await client.close();
  });
});

describe.each(ports)('JSON-RPC errors ($port)', ({ options }) => {
  test.each<[number, string, object | undefined]>([
    [-32020, 'header_mismatch', undefined],
    [-32021, 'missing_client_capability', { requiredCapabilities: { sampling: {} } }],
    [-32022, 'unsupported_version', { supported: ['2099-01-01'], requested: '2026-07-28' }],
    [-32601, 'method_not_found', undefined],
    [-32602, 'rpc_error', { why: 'x' }],
    [42, 'rpc_error', undefined],
  ])('[SEED-055] %i is %s, with its data, in JSON and in a stream', async (code, name, data) => {
    const error = { code, message: 'no', ...(data && { data }) };
    const answers: Answering[] = [
      (turn) => turn.fail(error, 400),
      (turn) => turn.fail(error),
      async (turn) => {
        turn.stream();
        await turn.event({ jsonrpc: '2.0', id: turn.id, error });
        turn.end();
      },
    ];
    for (const answer of answers) {
      const peer = await modernPeer({ 'resources/read': answer });
      const client = await connect(peer.url, options);
      const failed = await client.sendRequest('resources/read', { uri: 'a:b' }).catch((thrown: unknown) => thrown);
      expect(failed).toBeInstanceOf(RpcError);
      expect(failed).toMatchObject({ code: name, rpc: error, data, origin: 'peer' });
      await client.close();
    }
  });

  test('an error without id ends the stream it comes on', async () => {
    const peer = await modernPeer({
      'tools/call': async (turn) => {
        turn.stream();
        await turn.event({ jsonrpc: '2.0', error: { code: -32600, message: 'what?' } });
      },
    });
    const client = await connect(peer.url, options);
    await expect(client.callTool('echo')).rejects.toMatchObject({ rpc: { code: -32600 } });
    await client.close();
  });
});

describe.each(ports)('failures by status ($port)', ({ options }) => {
  const bearer = (more: string): Record<string, string> => ({ 'www-authenticate': `Bearer ${more}` });

  test('[SEED-121] 403 for want of scope says which', async () => {
    const challenge = bearer('error="insufficient_scope", scope="files:write", error_description="x"');
    for (const body of ['', 'no', JSON.stringify({ jsonrpc: '2.0', id: 2, error: { code: -32000, message: 'no' } })]) {
      const peer = await modernPeer({ 'tools/call': (turn) => turn.send(403, body, challenge) });
      const client = await connect(peer.url, options);
      const failed = await client.callTool('echo').catch((error: unknown) => error);
      expect(failed).toBeInstanceOf(InsufficientScopeError);
      expect(failed).toMatchObject({
        scope: 'files:write',
        errorDescription: 'x',
        status: 403,
        code: 'insufficient_scope',
        outcome: 'refused',
      });
      expect(peer.of('tools/call').length).toBe(1);
      await client.close();
    }
  });

  test.each([
    ['another error', bearer('error="invalid_token"')],
    ['no challenge', {}],
    ['the words elsewhere', { 'x-error': 'insufficient_scope' }],
  ])('[SEED-121] any other 403 is final: %s', async (_, headers) => {
    const peer = await modernPeer({ 'tools/call': (turn) => turn.send(403, 'no', headers) });
    const client = await connect(peer.url, options);
    const failed = await client.callTool('echo').catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(HttpStatusError);
    expect(failed).not.toBeInstanceOf(InsufficientScopeError);
    await client.close();
  });

  test('[SEED-122] 401: the authorizer is asked once for new credentials, then it is an error', async () => {
    let token = 1;
    let asked = 0;
    const authorizer = {
      apply: ({ headers }: { headers: Record<string, string> }) => {
        headers['authorization'] = `Bearer token-${token}`;
        return Promise.resolve();
      },
      challenged: ({ status, header }: { status: number; header(name: string): string | undefined }) => {
        asked++;
        expect([status, header('www-authenticate')]).toEqual([401, 'Bearer']);
        token++;
        return Promise.resolve('retry' as const);
      },
    };
    const good = new Set(['Bearer token-2']);
    const peer = await modernPeer({
      'server/discover': (turn) => turn.reply({ supportedVersions: ['2026-07-28'], capabilities: {} }),
      'tools/call': (turn) =>
        good.has(turn.seen.headers['authorization'] ?? '')
          ? said('in')
          : turn.send(401, 'who?', { 'www-authenticate': 'Bearer' }),
    });
    const client = await connect(peer.url, { ...options, authorizer });
    expect((await client.callTool('echo')).text).toBe('in');
    expect(peer.of('tools/call').map(({ headers }) => headers['authorization'])).toEqual([
      'Bearer token-1',
      'Bearer token-2',
    ]);
    good.clear();
    await expect(client.callTool('echo')).rejects.toBeInstanceOf(UnauthorizedError);
    expect(peer.of('tools/call').length).toBe(4);
    expect(asked).toBe(2);
    await client.close();
  });

  test('an authorizer that gives up is asked once', async () => {
    let asked = 0;
    const authorizer = {
      apply: () => Promise.resolve(),
      challenged: () => Promise.resolve((asked++, 'give-up' as const)),
    };
    const peer = await modernPeer({ 'tools/call': (turn) => turn.send(401) });
    const client = await connect(peer.url, { ...options, authorizer });
    await expect(client.callTool('echo')).rejects.toBeInstanceOf(UnauthorizedError);
    expect([asked, peer.of('tools/call').length]).toEqual([1, 1]);
    await client.close();
  });

  const date = 'Tue, 01 Dec 2026 04:00:00 GMT';
  test.each<[string | undefined, number | undefined]>([
    ['7', 7_000],
    ['0', 0],
    ['Tue, 01 Dec 2026 04:01:30 GMT', 90_000],
    ['Tue, 01 Dec 2026 03:00:00 GMT', undefined],
    ['soon', undefined],
    ['-5', undefined],
    ['99999999999', undefined],
    [undefined, undefined],
  ])('Retry-After of %j', async (after, retryAfterMs) => {
    const peer = await modernPeer({
      'tools/call': (turn) => turn.send(503, '', { date, ...(after !== undefined && { 'retry-after': after }) }),
    });
    const client = await connect(peer.url, options);
    const failed = await client.callTool('echo').catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(TransientServerError);
    expect(failed).toMatchObject({ retryAfterMs });
    await client.close();
  });

  test('redirects are not followed: nothing goes to where they lead', async () => {
    const elsewhere = await modernPeer();
    for (const status of [301, 302, 303, 307, 308]) {
      const location = `${elsewhere.url}?ticket=s3cret`;
      const peer = await modernPeer({ 'tools/call': (turn) => turn.send(status, 'moved', { location }) });
      const client = await connect(peer.url, { ...options, headers: { authorization: 'Bearer abc' } });
      const failed = await client.callTool('echo').catch((error: unknown) => error);
      expect(failed).toBeInstanceOf(HttpStatusError);
      expect(failed).toMatchObject({ status, code: 'http_status' });
      expect((failed as Error).message).toContain(elsewhere.url);
      expect((failed as Error).message).not.toContain('s3cret');
      await client.close();
    }
    expect(elsewhere.seen).toEqual([]);
  });

  test('the body of a failure need not be readable for its status to count', async () => {
    const answers: Answering[] = [
      (turn) => turn.send(503, 'x'.repeat(5_000)),
      (turn) => {
        turn.response.writeHead(503, { 'content-length': '100' });
        turn.response.write('x', () => turn.reset());
      },
    ];
    for (const answer of answers) {
      const peer = await modernPeer({ 'tools/call': answer });
      const client = await connect(peer.url, { ...options, maxResponseBytes: 1_000 });
      await expect(client.callTool('echo')).rejects.toMatchObject({ code: 'server_error', status: 503 });
      await client.close();
    }
  });
});

describe.each(ports)('streams that break ($port)', ({ options }) => {
  const breaks: readonly [string, (turn: Turn) => unknown][] = [
    ['ends', (turn) => turn.stream().end()],
    ['is reset', (turn) => turn.stream().reset()],
    [
      'ends after progress',
      (turn) =>
        turn
          .stream()
          .progress(1)
          .then(() => turn.end()),
    ],
    [
      'is reset after progress',
      (turn) =>
        turn
          .stream()
          .progress(1)
          .then(() => turn.reset()),
    ],
  ];

  test.each(breaks)(
    '[SEED-102 B-23] one that %s: sent again once, with a new id, and the result says so',
    async (_, broken) => {
      let first = true;
      const peer = await modernPeer({
        'tools/call': async (turn) => {
          if (!first) return said('second');
          first = false;
          await broken(turn);
          return undefined;
        },
      });
      const client = await connect(peer.url, options);
      const result = await client.callTool('echo', { text: 'x' });
      expect([result.text, result.reissued]).toEqual(['second', true]);
      const calls = peer.of('tools/call');
      expect(calls.length).toBe(2);
      expect(calls[0]?.message['id']).not.toBe(calls[1]?.message['id']);
      expect((await client.callTool('echo')).reissued).toBe(false);
      await client.close();
    },
  );

  test.each(breaks)('[SEED-103] twice: an error, and no third try (%s)', async (_, broken) => {
    const peer = await modernPeer({
      'tools/call': async (turn) => {
        await broken(turn);
        return undefined;
      },
    });
    const client = await connect(peer.url, options);
    const failed = await client.callTool('echo').catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(ResponseStreamClosedError);
    expect(failed).toMatchObject({ code: 'stream_closed', outcome: 'unknown' });
    expect(peer.of('tools/call').length).toBe(2);
    await client.close();
  });

  const ambiguous: readonly [string, Answering, new (...args: never[]) => Error][] = [
    ['503', (turn) => turn.send(503), TransientServerError],
    ['500', (turn) => turn.send(500), HttpStatusError],
    ['a reset before the head', (turn) => turn.reset(), TransportError],
    [
      'a reset in the middle of JSON',
      (turn) => {
        turn.response.writeHead(200, { 'content-type': 'application/json' });
        turn.response.write('{"jsonrpc":', () => turn.reset());
      },
      TransportError,
    ],
    [
      'an end in the middle of JSON',
      (turn) => {
        turn.response.writeHead(200, { 'content-type': 'application/json', 'content-length': '99' });
        turn.response.write('{"jsonrpc":', () => turn.socket.end());
      },
      TransportError,
    ],
  ];

  test.each(ambiguous)(
    '[SEED-104 SEED-284] every other failure that leaves doubt: one POST (%s)',
    async (_, answer, type) => {
      for (const open of [modernPeer, (handlers: Record<string, Answering>) => legacyPeer({ handlers })]) {
        const peer = await open({ 'tools/call': answer });
        const client = await connect(peer.url, options);
        const failed = await client.callTool('echo').catch((error: unknown) => error);
        expect(failed).toBeInstanceOf(type);
        expect(failed).toMatchObject({ outcome: 'unknown' });
        expect(peer.of('tools/call').length).toBe(1);
        await client.close();
      }
    },
  );

  test('[SEED-104 SEED-285] a timeout: one POST', async () => {
    for (const method of ['tools/call', 'tools/list']) {
      const peer = await modernPeer({ [method]: (turn) => turn.stream() });
      const client = await connect(peer.url, { ...options, timeoutMs: 40 });
      const call = method === 'tools/call' ? client.callTool('echo') : client.listTools();
      await expect(call).rejects.toMatchObject({ code: 'timeout', timeoutMs: 40 });
      await (
        await peer.next(method)
      ).closed;
      expect(peer.of(method).length).toBe(1);
      await client.close();
    }
  });

  const arrived: readonly [string, (turn: Turn) => Promise<void>][] = [
    ['the response', (turn) => turn.event(turn.message(said('arrived')))],
    ['the response without its blank line', (turn) => turn.write(`data: ${response(turn, said('arrived'))}`)],
  ];

  test.each(arrived)('[SEED-105] after %s: the result stands, and one POST', async (_, write) => {
    for (const open of [modernPeer, (handlers: Record<string, Answering>) => legacyPeer({ handlers })]) {
      const peer = await open({
        'tools/call': async (turn) => {
          turn.stream();
          await write(turn);
          turn.reset();
        },
      });
      const client = await connect(peer.url, options);
      const result = await client.callTool('echo');
      expect([result.text, result.reissued]).toEqual(['arrived', false]);
      expect(peer.of('tools/call').length).toBe(1);
      await client.close();
    }
  });

  test('lists are issued anew as well', async () => {
    let first = true;
    const peer = await modernPeer({
      'tools/list': (turn) => {
        if (!first) return { resultType: 'complete', tools: [], ttlMs: 0, cacheScope: 'private' };
        first = false;
        return turn.stream().reset();
      },
    });
    const client = await connect(peer.url, options);
    expect(await client.listTools()).toEqual([]);
    expect(peer.of('tools/list').length).toBe(2);
    await client.close();
  });

  test('a caller that gave up meanwhile gets no second try', async () => {
    const giveUp = new AbortController();
    const peer = await modernPeer({
      'tools/call': (turn) => {
        turn.stream();
        giveUp.abort();
        turn.reset();
      },
    });
    const client = await connect(peer.url, options);
    await expect(client.callTool('echo', {}, { signal: giveUp.signal })).rejects.toMatchObject({ code: 'aborted' });
    await client.ping();
    expect(peer.of('tools/call').length).toBe(1);
    await client.close();
  });
});

describe.each(ports)('limits ($port)', ({ options }) => {
  const limit = 4_000;

  /** A result that makes the whole response `bytes` bytes long. */
  function sized(turn: Turn, bytes: number, fill: string): string {
    const empty = response(turn, said(''));
    const room = bytes - empty.length;
    const wide = Buffer.byteLength(fill);
    return response(turn, said(fill.repeat(Math.floor(room / wide)) + 'x'.repeat(room % wide)));
  }

  const bodies: readonly [string, (turn: Turn, text: string) => unknown][] = [
    ['JSON', (turn, text) => turn.json(text)],
    [
      'JSON in pieces',
      async (turn, text) => {
        turn.response.writeHead(200, { 'content-type': 'application/json' });
        for (let at = 0; at < text.length; at += 999) await turn.write(text.slice(at, at + 999));
        turn.end();
      },
    ],
    ['JSON with a length', (turn, text) => turn.json(text, 200, { 'content-length': String(Buffer.byteLength(text)) })],
    ['an event', (turn, text) => turn.send(200, `data: ${text}\n\n`, { 'content-type': 'text/event-stream' })],
    [
      'an event in pieces',
      async (turn, text) => {
        turn.stream();
        for (let at = 0; at < text.length; at += 999)
          await turn.write((at === 0 ? 'data: ' : '') + text.slice(at, at + 999));
        await turn.write('\n\n');
        turn.end();
      },
    ],
  ];
  const all = bodies.flatMap(([title, send]) => ['x', '€'].map((fill) => ({ title, send, fill })));

  test.each(all)(
    '[SEED-116] $title of "$fill": exactly the limit is taken, a byte more is not',
    async ({ send, fill }) => {
      let bytes = limit;
      const peer = await modernPeer({
        'tools/call': async (turn) => {
          await send(turn, sized(turn, bytes, fill));
        },
      });
      const client = await connect(peer.url, { ...options, maxResponseBytes: limit });
      expect((await client.callTool('echo')).text.length).toBeGreaterThan(1_000);
      bytes = limit + 1;
      const failed = await client.callTool('echo').catch((error: unknown) => error);
      expect(failed).toBeInstanceOf(ResponseTooLargeError);
      expect(failed).toMatchObject({
        limitBytes: limit,
        code: 'response_too_large',
        origin: 'peer',
        outcome: 'unknown',
      });
      expect(peer.of('tools/call').length).toBe(2);
      await client.ping();
      await client.close();
    },
  );

  test('[SEED-285] too large a list is not asked for again', async () => {
    const peer = await modernPeer({ 'tools/list': (turn) => turn.json(sized(turn, limit + 1, 'x')) });
    const client = await connect(peer.url, { ...options, maxResponseBytes: limit });
    await expect(client.listTools()).rejects.toBeInstanceOf(ResponseTooLargeError);
    expect(peer.of('tools/list').length).toBe(1);
    await client.close();
  });

  test('a body without end is given up, and the server sees it', async () => {
    const peer = await modernPeer({
      'tools/call': async (turn) => {
        turn.response.writeHead(200, { 'content-type': 'application/json' });
        while (!turn.socket.destroyed) await Promise.race([turn.write('x'.repeat(10_000)), turn.closed]);
      },
    });
    const client = await connect(peer.url, { ...options, maxResponseBytes: 100_000 });
    await expect(client.callTool('echo')).rejects.toBeInstanceOf(ResponseTooLargeError);
    await (
      await peer.next('tools/call')
    ).closed;
    await client.close();
  });

  test('the limit need not be finite, and has to be a number', async () => {
    const peer = await modernPeer({ 'tools/call': (turn) => turn.json(sized(turn, 3_000_000, 'x')) });
    const client = await connect(peer.url, { ...options, maxResponseBytes: Infinity });
    expect((await client.callTool('echo')).text.length).toBeGreaterThan(2_900_000);
    await client.close();
    for (const maxResponseBytes of [0, -1, NaN])
      await expect(connect(peer.url, { ...options, maxResponseBytes })).rejects.toMatchObject({ code: 'bad_argument' });
  });

  if (options.fetch === undefined)
    test('by default 16 MiB are taken', async () => {
      const peer = await modernPeer({ 'tools/call': (turn) => turn.json(sized(turn, 16 * 1024 * 1024, 'x')) });
      const client = await connect(peer.url, options);
      expect((await client.callTool('echo')).text.length).toBeGreaterThan(16_000_000);
      await client.close();
      const over = await modernPeer({ 'tools/call': (turn) => turn.json(sized(turn, 16 * 1024 * 1024 + 1, 'x')) });
      const second = await connect(over.url, options);
      await expect(second.callTool('echo')).rejects.toMatchObject({ limitBytes: 16 * 1024 * 1024 });
      await second.close();
    });
});

describe.each(ports)('compressed answers ($port)', ({ options }) => {
  const encodings: readonly [string, (text: string) => Uint8Array][] = [
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['GZIP', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['identity', (text) => Buffer.from(text)],
  ];

  test.each(encodings)('[BUG-041] %s: JSON and a stream are decoded', async (encoding, encode) => {
    for (const type of ['application/json', 'text/event-stream']) {
      const peer = await modernPeer({
        'tools/call': (turn) => {
          const text = type === 'application/json' ? response(turn) : `data: ${response(turn)}\n\n`;
          turn.send(200, encode(text), { 'content-type': type, 'content-encoding': encoding });
        },
      });
      const client = await connect(peer.url, options);
      expect((await client.callTool('echo')).text).toBe('hello');
      await client.close();
    }
  });

  test('[BUG-041] events come through as they are flushed', async () => {
    const heard: number[] = [];
    let flush!: () => void;
    const peer = await modernPeer({
      'tools/call': async (turn) => {
        turn.stream({ 'content-encoding': 'gzip' });
        const gzip = createGzip();
        gzip.on('data', (chunk: Buffer) => void turn.write(chunk));
        const progressToken = turn.seen.meta['progressToken'];
        for (let progress = 1; progress <= 3; progress++) {
          const next = new Promise<void>((resolve) => {
            flush = resolve;
          });
          const note = { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken, progress } };
          gzip.write(`data: ${JSON.stringify(note)}\n\n`);
          gzip.flush(constants.Z_SYNC_FLUSH);
          await next;
        }
        gzip.on('end', () => turn.end());
        gzip.end(`data: ${response(turn, said('flushed'))}\n\n`);
      },
    });
    const client = await connect(peer.url, options);
    const result = await client.callTool(
      'echo',
      {},
      {
        onProgress: ({ progress }) => {
          heard.push(progress);
          flush();
        },
      },
    );
    expect([heard, result.text]).toEqual([[1, 2, 3], 'flushed']);
    await client.close();
  });

  test('[BUG-041] a damaged body is a typed error', async () => {
    const whole = gzipSync('{"jsonrpc":"2.0"}'.repeat(100));
    for (const bytes of [whole.subarray(0, -6), Buffer.from('not gzip at all')]) {
      const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
      const peer = await modernPeer({ 'tools/call': (turn) => turn.send(200, bytes, headers) });
      const client = await connect(peer.url, options);
      await expect(client.callTool('echo')).rejects.toMatchObject({
        origin: expect.stringMatching(/peer|transport/) as unknown,
      });
      expect(peer.of('tools/call').length).toBe(1);
      await client.ping();
      await client.close();
    }
  });

  test('an empty body may say that it is compressed', async () => {
    const peer = await legacyPeer({
      handlers: { 'notifications/initialized': (turn) => turn.send(202, '', { 'content-encoding': 'gzip' }) },
    });
    const client = await connect(peer.url, options);
    expect((await client.callTool('echo')).text).toBe('hello');
    await client.close();
  });

  test('[SEED-115 BUG-041] a small body that grows is given up at the limit', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, 'x'));
    expect(bomb.length).toBeLessThan(100_000);
    for (const type of ['application/json', 'text/event-stream']) {
      const headers = { 'content-type': type, 'content-encoding': 'gzip' };
      const peer = await modernPeer({ 'tools/call': (turn) => turn.send(200, bomb, headers) });
      const client = await connect(peer.url, { ...options, maxResponseBytes: 1024 * 1024 });
      await expect(client.callTool('echo')).rejects.toBeInstanceOf(ResponseTooLargeError);
      expect(peer.of('tools/call').length).toBe(1);
      await client.close();
    }
  });
});

describe('undici', () => {
  test('an encoding nobody knows is an error that names it', async () => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'x-secret' };
    const peer = await modernPeer({ 'tools/call': (turn) => turn.send(200, 'abc', headers) });
    const client = await connect(peer.url);
    await expect(client.callTool('echo')).rejects.toMatchObject({
      code: 'invalid_response',
      message: expect.stringContaining('x-secret') as unknown,
    });
    await client.ping();
    await client.close();
  });

  test('early hints are not the response', async () => {
    const peer = await modernPeer({
      'tools/call': (turn) => {
        turn.response.writeEarlyHints({ link: '</style.css>; rel=preload' });
        turn.response.writeProcessing();
        return said('after the hints');
      },
    });
    const client = await connect(peer.url);
    expect((await client.callTool('echo')).text).toBe('after the hints');
    await client.close();
  });

  // undici rests a connection for a turn of the event loop before it uses it again: two take turns.
  test('calls one after the other share connections, answered by JSON or by a stream', async () => {
    for (const answer of [() => said('x'), (turn: Turn) => turn.streamed(said('x'))]) {
      const peer = await modernPeer({ 'tools/call': answer });
      const client = await connect(peer.url);
      for (let i = 0; i < 10; i++) await client.callTool('echo');
      expect(peer.connections).toBeLessThanOrEqual(2);
      await client.close();
    }
  });

  test('a failure that is read to its end costs no connection', async () => {
    const peer = await legacyPeer({ handlers: { 'tools/call': (turn) => turn.send(500, 'oops') } });
    const client = await connect(peer.url);
    for (let i = 0; i < 10; i++) await client.callTool('echo').catch(() => undefined);
    // The GET of the session runs beside the calls.
    expect(peer.connections).toBeLessThanOrEqual(3);
    await client.close();
  });
});
