/** What is no good on the wire, over HTTP: refused rightly, harmless to the server and to everybody else. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { example } from '../support/example.ts';
import {
  bareSocket,
  call,
  doors,
  expectRefusal,
  flyWeb,
  gate,
  headText,
  initialize,
  metaOf,
  modern,
  mountedEndpoint,
  nodeEndpoint,
  openSession,
  usual,
  webEndpoint,
  type Answer,
  type Endpoint,
  type Sent,
} from '../support/http.ts';
import { isObject } from '../../src/base/json.ts';
import type { Exchange, Reply } from '../../src/ports/index.ts';
import { webDoor } from '../../src/transport/web.ts';

/** Codes that the protocol defines; a server may use no other below -32000. */
const codes = new Set([-32700, -32600, -32601, -32602, -32603, -32020, -32021, -32022]);
const statuses = new Set([200, 202, 400, 401, 403, 404, 405, 406, 409, 413, 415, 503]);

/** Every answer is a well-formed one, whatever was sent. */
function expectWellFormed(answer: Answer): void {
  expect(statuses, answer.text).toContain(answer.status);
  if (answer.status === 202) {
    expect(answer.text).toBe('');
    return;
  }
  for (const message of answer.messages.flat() as unknown[]) {
    if (!isObject(message)) throw new Error(`no message: ${answer.text}`);
    expect(message['jsonrpc']).toBe('2.0');
    const { error } = message;
    if (error === undefined) {
      expect(answer.status).toBe(200);
      continue;
    }
    if (!isObject(error)) throw new Error(`no error: ${answer.text}`);
    expect(codes).toContain(error['code']);
    expect(typeof error['message']).toBe('string');
    expect(message).not.toHaveProperty('result');
  }
}

/** A web request whose body is pulled piece by piece. */
function streamed(
  pull: (controller: ReadableStreamDefaultController<Uint8Array>) => void,
  cancel: () => void = () => undefined,
): Request {
  const body = new ReadableStream<Uint8Array>({ pull, cancel });
  const headers = call('echo').headers as Record<string, string>;
  return new Request('http://localhost/', { method: 'POST', headers, body, duplex: 'half' } as RequestInit);
}

/** The server is as well as before. */
async function expectWell(endpoint: Endpoint): Promise<void> {
  expect((await endpoint.send(call('echo', { text: 'well' }))).content).toBe('well');
}

const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<unknown>;
const bytes = fc.uint8Array({ maxLength: 60 });
const method = fc.constantFrom(
  'tools/call',
  'tools/list',
  'server/discover',
  'initialize',
  'ping',
  'nope',
  'notifications/x',
);
const metaArb = fc.oneof(fc.constant(metaOf()), json);
const body = fc.oneof(
  bytes,
  fc.string(),
  json.map((value) => JSON.stringify(value)),
  fc
    .record(
      {
        jsonrpc: fc.oneof({ weight: 8, arbitrary: fc.constant('2.0') }, { weight: 1, arbitrary: json }),
        id: fc.oneof(fc.integer(), fc.string(), json),
        method: fc.oneof({ weight: 8, arbitrary: method }, { weight: 1, arbitrary: json }),
        params: fc.oneof(
          fc.record(
            { name: fc.oneof(fc.constantFrom('echo', 'report'), json), arguments: json, _meta: metaArb },
            { requiredKeys: [] },
          ),
          json,
        ),
        result: json,
        error: json,
      },
      { requiredKeys: ['jsonrpc'] },
    )
    .chain((message) =>
      fc.oneof(
        { weight: 6, arbitrary: fc.constant(JSON.stringify(message)) },
        { weight: 1, arbitrary: fc.constant(JSON.stringify([message, message])) },
        { weight: 1, arbitrary: fc.nat(40).map((cut) => JSON.stringify(message).slice(0, -cut)) },
      ),
    ),
);
/** Text that both platforms let stand in a header. */
const headerText = fc
  .string({ unit: fc.constantFrom(...Array.from('aZ09=?/ ,;:*"\u00e9\u00ff')) })
  .map((text) => text.trim());
const headers = fc.record(
  {
    'content-type': fc.oneof(
      { weight: 8, arbitrary: fc.constant('application/json') },
      { weight: 1, arbitrary: headerText },
    ),
    accept: fc.oneof({ weight: 8, arbitrary: fc.constant(usual.accept) }, { weight: 1, arbitrary: headerText }),
    'mcp-protocol-version': fc.oneof(fc.constantFrom('2026-07-28', '2025-11-25', '2099-01-01', ''), headerText),
    'mcp-method': fc.oneof(method, headerText),
    'mcp-name': fc.oneof(fc.constantFrom('echo', '=?base64?ZWNobw==?=', '=?base64?%?='), headerText),
    'mcp-session-id': headerText,
    'last-event-id': headerText,
  },
  { requiredKeys: ['content-type', 'accept'] },
);
const verb = fc.oneof(
  { weight: 12, arbitrary: fc.constant('POST') },
  { weight: 1, arbitrary: fc.constantFrom('GET', 'DELETE', 'PUT', 'OPTIONS', 'PATCH') },
);
const request: fc.Arbitrary<Sent> = fc.record({ verb, headers, body }).map(({ verb, ...rest }) => ({
  method: verb,
  headers: rest.headers,
  ...(verb !== 'GET' && { body: rest.body }),
}));

describe.each(doors)('$name', ({ open }) => {
  test('[BASE-015 BASE-016 BASE-018] whatever is sent, the answer is well-formed, and its code one of the protocol’s', async () => {
    const endpoint = await open(example().server);
    await fc.assert(
      fc.asyncProperty(request, async (sent) => {
        expectWellFormed(await endpoint.send(sent));
      }),
      { numRuns: 150 },
    );
    await expectWell(endpoint);
  });

  test.each([
    ['nothing', ''],
    ['white space', ' \r\n\t'],
    ['no JSON', 'hello'],
    ['half a message', '{"jsonrpc":"2.0","id":1,"method":"tools/li'],
    ['two messages', '{"jsonrpc":"2.0","method":"a"}{"jsonrpc":"2.0","method":"b"}'],
    ['two lines', '{"jsonrpc":"2.0","method":"a"}\n{"jsonrpc":"2.0","method":"b"}'],
    ['a form', 'jsonrpc=2.0&id=1'],
    ['an event', 'data: {"jsonrpc":"2.0","id":1,"method":"tools/list"}\n\n'],
    ['JSON with comments', '{"jsonrpc":"2.0" /* x */}'],
    ['NaN', '{"jsonrpc":"2.0","id":NaN,"method":"x"}'],
    ['bytes', new Uint8Array([0, 1, 2, 0xff, 0xfe])],
    ['text of UTF-16', new Uint8Array([0x7b, 0, 0x7d, 0])],
    ['a byte order mark', '\ufeff{}'],
    ['a cut character', new Uint8Array([0x22, 0xe2, 0x82])],
    ['an overlong character', new Uint8Array([0x22, 0xc0, 0x80, 0x22])],
    ['a surrogate in UTF-8', new Uint8Array([0x22, 0xed, 0xa0, 0x80, 0x22])],
    ['gzip', new Uint8Array([0x1f, 0x8b, 8, 0, 0, 0, 0, 0])],
  ])('%s: 400 and -32700 in either era', async (_, body) => {
    const endpoint = await open(example().server);
    expectRefusal(await endpoint.send({ headers: modern('tools/list').headers, body }), 400, -32700);
    expectRefusal(
      await endpoint.send({ headers: { ...usual, 'mcp-protocol-version': '2025-11-25' }, body }),
      400,
      -32700,
    );
    expectRefusal(
      await endpoint.send({ headers: { ...usual, 'mcp-protocol-version': '2025-06-18' }, body }),
      400,
      -32700,
      null,
    );
    expectRefusal(await endpoint.send({ headers: usual, body }), 400, -32700, null);
  });

  test('[SEED-181] nested 64 levels deep is served, one more is not', async () => {
    const endpoint = await open(example().server);
    // The message, its params and the arguments are three of the levels.
    const deep = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels)) as unknown;
    const fits = await endpoint.send(call('echo', { text: deep(61) }));
    expect(fits.content).toBe('['.repeat(61) + ']'.repeat(61));
    expectRefusal(await endpoint.send(call('echo', { text: deep(62) })), 400, -32700);
    expectRefusal(await endpoint.send({ headers: usual, body: '['.repeat(1_000_000) }), 400, -32700, null);
    await expectWell(endpoint);
  });

  test('[SEED-181] another content type: 415, before anything is read into it', async () => {
    const { server, runs } = example();
    const endpoint = await open(server);
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/jsonl',
    ])
      expectRefusal(await endpoint.send(call('echo', {}, { headers: { 'content-type': type } })), 415, -32600);
    expect(runs).toEqual([]);
  });

  test('members that occur twice count once', async () => {
    const endpoint = await open(example().server);
    const { headers, body } = call('echo');
    const twice = JSON.stringify(body).replace('"id":1', '"id":1,"id":2');
    expect((await endpoint.send({ headers, body: twice })).json).toHaveProperty('id', 2);
  });

  test('a result that is no JSON is an internal error', async () => {
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    for (const result of [{ big: 1n }, cycle]) {
      const endpoint = await open({ answer: () => Promise.resolve({ result }), notice: () => undefined });
      expectRefusal(await endpoint.send(modern('tools/list', {}, { id: 'x' })), 200, -32603, 'x');
    }
  });

  test('a service that breaks is an internal error, without its text', async () => {
    for (const handle of [
      () => Promise.reject(new Error('password')),
      () => {
        throw new Error('password');
      },
    ]) {
      const endpoint = await open({ answer: handle, notice: () => undefined });
      const answer = await endpoint.send(modern('tools/list', {}, { id: 'x' }));
      expectRefusal(answer, 200, -32603, 'x');
      expect(answer.text).not.toContain('password');
    }
  });
});

describe('sizes', () => {
  const limit = 2_000;
  const sized = (bytes: number): string => {
    const empty = JSON.stringify(call('echo', { text: '' }).body).length;
    return JSON.stringify(call('echo', { text: 'x'.repeat(bytes - empty) }).body);
  };
  const { headers } = call('echo');
  const both: [string, () => Promise<Endpoint>][] = [
    ['Node door', () => nodeEndpoint(example().server, { maxBodyBytes: limit })],
    ['web door', () => Promise.resolve(webEndpoint(example().server, { maxBodyBytes: limit }))],
  ];

  test.each(both)('[SEED-181 SEC-014] %s: a body at the bound is served, one past it gets 413', async (_, open) => {
    const endpoint = await open();
    expect((await endpoint.send({ headers, body: sized(limit) })).status).toBe(200);
    expectRefusal(await endpoint.send({ headers, body: sized(limit + 1) }), 413, -32600);
    const announced = { headers: { ...headers, 'content-length': `${limit + 1}` }, body: sized(limit + 1) };
    expectRefusal(await endpoint.send(announced), 413, -32600);
    await expectWell(endpoint);
  });

  test('bytes count, not characters', async () => {
    const endpoint = await nodeEndpoint(example().server, { maxBodyBytes: limit });
    const wide = sized(limit).replace('xx', 'é');
    expect((await endpoint.send({ headers, body: wide })).status).toBe(200);
    expectRefusal(await endpoint.send({ headers, body: sized(limit).replace('x', 'é') }), 413, -32600);
  });

  test.each([1, 7, 1_000])(
    '[SEED-181 SEC-014] a body in pieces of %i bytes, without a length, is bounded as well',
    async (piece) => {
      const endpoint = await nodeEndpoint(example().server, { maxBodyBytes: limit });
      const chunked = (text: string): string => {
        let chunks = '';
        for (let at = 0; at < text.length; at += piece) {
          const part = text.slice(at, at + piece);
          chunks += `${part.length.toString(16)}\r\n${part}\r\n`;
        }
        return `${headText({ headers }, { connection: 'close', 'transfer-encoding': 'chunked' })}${chunks}0\r\n\r\n`;
      };
      for (const [size, status] of [
        [limit, 200],
        [limit + 1, 413],
      ] as const) {
        const { socket, ended } = bareSocket(endpoint.port);
        socket.write(chunked(sized(size)));
        expect(await ended).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
      }
      const door = webDoor(example().server, { maxBodyBytes: limit });
      for (const [size, status] of [
        [limit, 200],
        [limit + 1, 413],
      ] as const) {
        const bytes = new TextEncoder().encode(sized(size));
        let at = 0;
        const response = await door(
          streamed((controller) => {
            if (at >= bytes.length) return controller.close();
            controller.enqueue(bytes.slice(at, at + piece));
            at += piece;
          }),
        );
        expect(response.status).toBe(status);
      }
    },
  );

  test('the web door lets go of an endless body', async () => {
    const cancelled = gate();
    const endless = streamed((controller) => controller.enqueue(new Uint8Array(500)), cancelled.open);
    const response = await webDoor(example().server, { maxBodyBytes: limit })(endless);
    expect(response.status).toBe(413);
    await cancelled.opened;
  });

  test('the rest of an endless body is not read', async () => {
    const endpoint = await nodeEndpoint(example().server, { maxBodyBytes: limit });
    const { socket, ended } = bareSocket(endpoint.port);
    socket.write(headText({ headers }, { 'transfer-encoding': 'chunked' }));
    // The connection is closed on us, though we would go on for ever.
    const more = (): void => {
      if (socket.writable) socket.write(`400\r\n${'x'.repeat(1024)}\r\n`, () => more());
    };
    more();
    expect(await ended).toMatch(/^HTTP\/1\.1 413 /);
    await expectWell(endpoint);
  });
});

describe('callers that go away in the middle of their body', () => {
  const text = JSON.stringify(call('echo').body);
  const head = headText(call('echo'));

  test.each([
    ['closed', (socket: ReturnType<typeof bareSocket>['socket']) => void socket.destroy()],
    ['reset', (socket: ReturnType<typeof bareSocket>['socket']) => void socket.resetAndDestroy()],
    ['ended', (socket: ReturnType<typeof bareSocket>['socket']) => void socket.end()],
  ])('the connection is %s: nothing runs, nothing is left', async (_, leave) => {
    const { server, runs } = example();
    for (const sent of [0, 1, text.length - 1]) {
      const arrived = gate();
      const gone = gate();
      const endpoint = await mountedEndpoint(server, {}, (_, response) => {
        response.once('close', () => gone.open());
        arrived.open();
      });
      const { socket } = bareSocket(endpoint.port);
      socket.write(head + text.slice(0, sent));
      await arrived.opened;
      leave(socket);
      await gone.opened;
      expect(runs).toEqual([]);
      await expectWell(endpoint);
      runs.length = 0;
    }
  });

  test('gone while it is found out who calls: nothing runs', async () => {
    const { server, runs } = example();
    const asked = gate();
    const known = gate();
    const gone = gate();
    let first = true;
    const authenticate = async (): Promise<object> => {
      if (!first) return {};
      first = false;
      asked.open();
      await known.opened;
      return {};
    };
    const endpoint = await mountedEndpoint(server, { authenticate }, (_, response) => {
      response.once('close', () => gone.open());
    });
    const { socket } = bareSocket(endpoint.port);
    socket.write(head + text.slice(0, 10));
    await asked.opened;
    socket.resetAndDestroy();
    await gone.opened;
    known.open();
    await expectWell(endpoint);
    expect(runs).toEqual(['echo']);
  });

  test('the web door: a body that breaks off', async () => {
    const { server, runs } = example();
    let pulls = 0;
    const response = await webDoor(server)(
      streamed((controller) => {
        if (pulls++ > 0) throw new Error('connection reset');
        controller.enqueue(new TextEncoder().encode(text.slice(0, 10)));
      }),
    );
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: -32700 } });
    expect(runs).toEqual([]);
  });

  test('the web door: gone before the request was looked at', async () => {
    const { server, hold } = example();
    const leaving = new AbortController();
    const sent = call('hold');
    const request = new Request('http://localhost/', {
      method: 'POST',
      headers: sent.headers as Record<string, string>,
      body: JSON.stringify(sent.body),
      signal: leaving.signal,
    });
    leaving.abort();
    const answering = webDoor(server)(request);
    // Either nothing runs at all, or what runs is told at once.
    const outcome = await Promise.race([answering.then(({ status }) => status), hold.aborted]);
    hold.release();
    if (typeof outcome === 'number') expect(outcome).toBe(400);
    else expect(outcome).toMatchObject({ code: 'aborted' });
  });
});

describe('readers that are slow, or read nothing', () => {
  const piece = 'x'.repeat(8_000);

  /** A service that sends as fast as its caller takes it, and counts. */
  function flood(pieces: number) {
    const counts = { sent: 0, waits: 0 };
    const waiting = gate();
    const over = gate<'aborted' | 'done'>();
    return {
      counts,
      waiting: waiting.opened,
      over: over.opened,
      service: {
        answer: async ({ method }: { method: string }, exchange: Exchange): Promise<Reply> => {
          if (method !== 'tools/list') return { result: { well: true } };
          while (counts.sent < pieces && !exchange.cancel.cancelled) {
            counts.sent++;
            if (exchange.emit({ method: 'notifications/progress', params: { piece } })) continue;
            counts.waits++;
            waiting.open();
            await exchange.drained();
          }
          over.open(exchange.cancel.cancelled ? 'aborted' : 'done');
          return { result: {} };
        },
        notice: () => undefined,
      },
    };
  }

  const lots = 20_000;

  test.each(doors)('$name: the sender waits, others are served, and leaving sets it free', async ({ open }) => {
    const { service, counts, waiting, over } = flood(lots);
    const endpoint = await open(service);
    const flight = endpoint.fly(modern('tools/list'));
    const stream = await flight.head;
    await waiting;
    const before = counts.sent;
    expect((await endpoint.send(modern('server/discover'))).result).toEqual({ well: true });
    expect(before).toBeLessThan(lots);
    expect(await stream.message()).toHaveProperty(['params', 'piece'], piece);
    flight.leave();
    expect(await over).toBe('aborted');
    expect(counts.sent).toBeLessThan(lots);
  });

  test.each(doors)('$name: a slow reader gets everything, in order', async ({ open }) => {
    const { service, counts } = flood(200);
    const endpoint = await open(service);
    const stream = await endpoint.fly(modern('tools/list')).head;
    let messages = 0;
    for (let message = await stream.message(); message !== undefined; message = await stream.message()) {
      messages++;
      if ('id' in message) expect(messages).toBe(201);
    }
    expect(messages).toBe(201);
    expect(counts.waits).toBeGreaterThan(0);
  });

  test('the web door: a reader that gives up the body cancels the request', async () => {
    const { service, waiting, over } = flood(lots);
    const sent = modern('tools/list');
    const response = await webDoor(service)(
      new Request('http://localhost/', {
        method: 'POST',
        headers: sent.headers as Record<string, string>,
        body: JSON.stringify(sent.body),
      }),
    );
    await waiting;
    await response.body?.cancel();
    expect(await over).toBe('aborted');
  });
});

describe('what is not even HTTP', () => {
  test.each([
    ['text', 'hello\r\n\r\n'],
    ['JSON', '{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n\n'],
    ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['a header without a name', 'POST /mcp HTTP/1.1\r\nHost: localhost\r\n: x\r\n\r\n'],
    ['a header with a line feed', 'POST /mcp HTTP/1.1\r\nHost: localhost\r\nMcp-Method: a\nb\r\n\r\n'],
    ['two lengths', 'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx'],
    ['a negative length', 'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\nx'],
    [
      'length and chunks',
      'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['no host', 'POST /mcp HTTP/1.1\r\n\r\n'],
  ])('%s: 400 by the platform, and the server lives on', async (_, text) => {
    const endpoint = await nodeEndpoint(example().server);
    const { socket, ended } = bareSocket(endpoint.port);
    socket.write(Buffer.from(text, 'latin1'));
    expect(await ended).toMatch(/^HTTP\/1\.1 400 /);
    await expectWell(endpoint);
  });
});

test('a session is untouched by the garbage of others, and by its own', async () => {
  const { server, hold } = example();
  const endpoint = await nodeEndpoint(server);
  const session = await openSession(endpoint);
  const stream = await endpoint.fly(session.get()).head;
  const held = endpoint.send(session.call('hold', {}, { id: 1, meta: { progressToken: 1 } }));
  await hold.started;
  for (const body of ['{', '5', '[]', { jsonrpc: '2.0', id: null, method: 'x' }, { jsonrpc: '2.0', id: 1 }]) {
    expect((await endpoint.send(session.post(body))).status).toBe(400);
    expect((await endpoint.send({ headers: usual, body })).status).toBe(400);
  }
  expectRefusal(await endpoint.send(session.call('echo', {}, { id: 1 })), 409, -32600, 1);
  expect((await endpoint.send(initialize())).status).toBe(200);
  hold.release();
  expect((await held).content).toBe('let go');
  server.tool('another', {}, () => '');
  expect(await stream.message()).toMatchObject({ method: 'notifications/tools/list_changed' });
});

test('the web door and flight: an answer after its caller has gone goes nowhere', async () => {
  const { server, hold } = example();
  const flight = flyWeb(webDoor(server), call('hold'));
  await hold.started;
  flight.leave();
  await hold.aborted;
  hold.release();
  // The handler could have ended rightly all the same, so there is an answer, for whoever may still look.
  expect((await (await flight.head).complete()).status).toBe(200);
});
