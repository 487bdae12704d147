import { describe, expect, test } from 'vitest';
import {
  HeaderMismatchError,
  HttpStatusError,
  MethodNotFoundError,
  ResponseStreamClosedError,
  RpcError,
} from '../../../../../src/base/errors.ts';
import { connect } from '../../../../../src/entry/index.node.ts';
import { Server } from '../../../../../src/server/server.ts';
import { encodeHeader } from '../../../../../src/wire/index.ts';
import {
  described,
  listed,
  modernPeer,
  ports,
  said,
  type Answering,
  type HttpPeer,
  type Turn,
} from '../../../../support/http-peer.ts';
import { nodeEndpoint, usual } from '../../../../support/http.ts';

const version = '2026-07-28';

/** Messages a server must not send or need not send, before the answer. */
const noise: readonly [string, (turn: Turn) => string][] = [
  ['comments', () => ':\r\n: keep alive\n\n'],
  ['an event of another name', () => 'event: ping\ndata: {"jsonrpc":"2.0"}\n\n'],
  ['ids and times to wait', () => 'id: 1\nretry: 10\ndata:\n\n'],
  ['garbage', () => 'data: {"jsonrpc":\n\ndata: 7\n\ndata: null\n\n'],
  [
    'a response to somebody else',
    ({ id }) => `data: {"jsonrpc":"2.0","id":${Number(id) + 1},"result":{"content":[]}}\n\n`,
  ],
  ['the id as text', ({ id }) => `data: {"jsonrpc":"2.0","id":"${String(id)}","result":{"content":[]}}\n\n`],
  ['a request', () => 'data: {"jsonrpc":"2.0","id":1,"method":"ping"}\n\n'],
  ['an array with the answer', ({ id }) => `data: [{"jsonrpc":"2.0","id":${String(id)},"result":{"content":[]}}]\n\n`],
];

describe.each(ports)('Sending Messages to the Server ($port)', ({ options }) => {
  test('[HTTP-005 SEED-123] each message is a POST of its own, a single object', async () => {
    const peer = await modernPeer();
    const client = await connect(peer.url, options);
    await Promise.all([client.callTool('echo'), client.callTool('echo'), client.listTools(), client.ping()]);
    await client.close();
    expect(peer.seen.length).toBe(5);
    for (const { http, text, message } of peer.seen) {
      expect(http).toBe('POST');
      expect(text.startsWith('{')).toBe(true);
      expect(message).toMatchObject({ jsonrpc: '2.0', id: expect.any(Number) as unknown });
      expect(Object.keys(message).sort()).toEqual(['id', 'jsonrpc', 'method', 'params']);
    }
  });

  test('[HTTP-006 SEED-099] Accept lists both types, and the content is JSON', async () => {
    const peer = await modernPeer();
    const client = await connect(peer.url, { ...options, headers: { Accept: 'text/plain', 'Content-Type': 'text/x' } });
    await client.callTool('echo');
    await client.close();
    for (const { headers } of peer.seen) {
      expect(headers).toMatchObject({
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
      });
    }
  });

  test('[HTTP-007 HTTP-021 HTTP-025] version and method are repeated in headers', async () => {
    const peer = await modernPeer();
    const client = await connect(peer.url, options);
    await client.listTools();
    await client.callTool('echo');
    await client.sendRequest('prompts/list').catch(() => undefined);
    await client.sendRequest('vendor/odd', { name: 'x' }).catch(() => undefined);
    await client.close();
    expect(peer.methods).toEqual(['server/discover', 'tools/list', 'tools/call', 'prompts/list', 'vendor/odd']);
    for (const { headers, meta, message } of peer.seen) {
      expect(headers['mcp-method']).toBe(message['method']);
      expect(headers['mcp-protocol-version']).toBe(version);
      expect(meta['io.modelcontextprotocol/protocolVersion']).toBe(version);
    }
  });

  test('[HTTP-010] no notification travels: a cancelled call is a closed stream', async () => {
    const peer = await modernPeer({ 'tools/call': (turn) => turn.stream() });
    const client = await connect(peer.url, options);
    const giveUp = new AbortController();
    const call = client.callTool('echo', {}, { signal: giveUp.signal });
    const turn = await peer.next('tools/call');
    giveUp.abort();
    await expect(call).rejects.toMatchObject({ code: 'aborted' });
    await turn.closed;
    await client.ping();
    await client.close();
    expect(peer.methods).toEqual(['server/discover', 'tools/call', 'server/discover']);
  });

  test('[HTTP-055] no Mcp-Session-Id, not even when a server gives one or the user sets one', async () => {
    const session = { 'mcp-session-id': 'stray' };
    const peer = await modernPeer({ 'server/discover': (turn) => turn.reply(described, session) });
    const client = await connect(peer.url, { ...options, headers: { 'Mcp-Session-Id': 'mine', 'Last-Event-ID': '4' } });
    await client.callTool('echo');
    await client.close();
    expect(peer.methods).toEqual(['server/discover', 'tools/call']);
    for (const { headers } of peer.seen) {
      expect(headers['mcp-session-id']).toBeUndefined();
      expect(headers['last-event-id']).toBeUndefined();
    }
  });

  test('[HTTP-062] credentials go with every request, asked for anew each time', async () => {
    const peer = await modernPeer();
    let token = 0;
    const headers = (): Record<string, string> => ({ authorization: `Bearer token-${++token}` });
    const client = await connect(peer.url, { ...options, headers });
    await client.listTools();
    await client.callTool('echo');
    await client.close();
    expect(peer.seen.map((seen) => seen.headers['authorization'])).toEqual([
      'Bearer token-1',
      'Bearer token-2',
      'Bearer token-3',
    ]);
  });
});

describe.each(ports)('Receiving Messages from the Server ($port)', ({ options }) => {
  const content = { content: [{ type: 'text', text: 'żółw 🐢' }], structuredContent: { a: [1] } };
  const json: Answering = (turn) => turn.reply(content);
  const stream: Answering = (turn) => turn.streamed(content);

  test('[HTTP-008 SEED-101] an object and a stream give the same, for every request', async () => {
    const results: unknown[] = [];
    for (const answer of [json, stream]) {
      const handlers: Record<string, Answering> = {
        'tools/call': answer,
        'server/discover': (turn) => (answer === json ? turn.reply(described) : turn.streamed(described)),
        'tools/list': (turn) => (answer === json ? turn.reply(listed('a')) : turn.streamed(listed('a'))),
        'resources/read': answer,
      };
      const client = await connect((await modernPeer(handlers)).url, options);
      const { raw } = await client.callTool('echo');
      results.push([
        client.capabilities,
        await client.listTools(),
        raw,
        await client.sendRequest('resources/read', { uri: 'a:b' }),
      ]);
      await client.ping();
      await client.close();
    }
    expect(results[0]).toEqual([{ tools: {} }, listed('a')['tools'], content, content]);
    expect(results[1]).toEqual(results[0]);
  });

  test.each(noise)('[HTTP-015 HTTP-017] before the answer is passed over: %s', async (_, before) => {
    const peer = await modernPeer({
      'tools/call': async (turn) => {
        turn.stream();
        await turn.write(before(turn));
        await turn.event(turn.message(said('the answer')));
        turn.end();
      },
    });
    const client = await connect(peer.url, options);
    expect((await client.callTool('echo')).text).toBe('the answer');
    await client.close();
    expect(peer.methods).toEqual(['server/discover', 'tools/call']);
  });

  test('[HTTP-017] a stream that broke is not resumed: no GET, no Last-Event-ID', async () => {
    const peer = await modernPeer({
      'tools/call': async (turn) => {
        turn.stream();
        await turn.write('id: 7\nretry: 1\ndata: {"jsonrpc":"2.0","method":"notifications/message","params":{}}\n\n');
        turn.end();
      },
    });
    const client = await connect(peer.url, options);
    await expect(client.callTool('echo')).rejects.toBeInstanceOf(ResponseStreamClosedError);
    await client.close();
    for (const { http, headers } of peer.seen) {
      expect(http).toBe('POST');
      expect(headers['last-event-id']).toBeUndefined();
    }
  });

  test('[HTTP-018] a request whose stream broke is lost: it is issued anew, with a new id', async () => {
    let breaks = 1;
    const peer = await modernPeer({
      'tools/call': (turn) => (breaks-- > 0 ? turn.stream().reset() : said('second')),
    });
    const client = await connect(peer.url, options);
    const result = await client.callTool('echo', { text: 'x' });
    expect(result.text).toBe('second');
    expect(result.reissued).toBe(true);
    const [first, second] = peer.of('tools/call');
    expect(second?.message['id']).not.toBe(first?.message['id']);
    expect(second?.params['arguments']).toEqual({ text: 'x' });
    await client.close();
  });

  test.each<[string, number, Answering, object]>([
    [
      '400',
      400,
      (turn) => turn.fail({ code: -32602, message: 'bad', data: { a: 1 } }, 400),
      { code: 'rpc_error', rpc: { code: -32602, message: 'bad', data: { a: 1 } } },
    ],
    [
      '404',
      404,
      (turn) => turn.fail({ code: -32601, message: 'no' }, 404),
      { code: 'method_not_found', outcome: 'refused' },
    ],
    [
      '409 without id',
      409,
      (turn) => turn.json({ jsonrpc: '2.0', id: null, error: { code: -32000, message: 'x' } }, 409),
      { rpc: { code: -32000 } },
    ],
    [
      '403',
      403,
      (turn) => turn.json({ jsonrpc: '2.0', error: { code: -32600, message: 'Origin' } }, 403),
      { rpc: { code: -32600 } },
    ],
    ['500', 500, (turn) => turn.fail({ code: -32603, message: 'oops' }, 500), { rpc: { code: -32603 } }],
    ['200', 200, (turn) => turn.fail({ code: -32602, message: 'unknown tool' }), { rpc: { code: -32602 } }],
    ['418', 418, (turn) => turn.fail({ code: 7, message: 'teapot' }, 418), { rpc: { code: 7 } }],
    [
      '400 in odd letters',
      400,
      (turn) => turn.fail({ code: -32602, message: 'x' }, 400, { 'content-type': 'Application/JSON; charset=UTF-8' }),
      { rpc: { code: -32602 } },
    ],
    [
      '400 in a mislabelled body',
      400,
      (turn) => turn.fail({ code: -32602, message: 'x' }, 400, { 'content-type': 'text/html' }),
      { rpc: { code: -32602 } },
    ],
  ])('[HTTP-059 B-10] a JSON-RPC error counts at any status: %s', async (_, status, answer, expected) => {
    const peer = await modernPeer({ 'tools/call': answer });
    const client = await connect(peer.url, options);
    const failed = await client.callTool('echo').catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(RpcError);
    expect(failed).toMatchObject({ status, origin: 'peer', ...expected });
    expect(peer.of('tools/call').length).toBe(1);
    await client.close();
  });

  test('[HTTP-059] a failure whose error is somebody else’s is a failure of the transport', async () => {
    const peer = await modernPeer({
      'tools/call': (turn) => turn.json({ jsonrpc: '2.0', id: 'other', error: { code: -32602, message: 'x' } }, 400),
    });
    const client = await connect(peer.url, options);
    await expect(client.callTool('echo')).rejects.toBeInstanceOf(HttpStatusError);
    await client.close();
  });

  test('[B-51 SEED-061] 404 means that the method is missing, never that a session is gone', async () => {
    const peer = await modernPeer();
    const client = await connect(peer.url, options);
    await expect(client.sendRequest('prompts/list')).rejects.toBeInstanceOf(MethodNotFoundError);
    expect(peer.methods).toEqual(['server/discover', 'prompts/list']);
    await client.close();
  });

  test.each([413, 431])('[HTTP-052] %i is a typed error', async (status) => {
    const peer = await modernPeer({ 'tools/call': (turn) => turn.send(status, 'too large') });
    const client = await connect(peer.url, options);
    await expect(client.callTool('echo')).rejects.toMatchObject({ code: 'http_status', status, origin: 'peer' });
    await client.close();
  });
});

describe.each(ports)('Cancellation ($port)', ({ options }) => {
  test('[HTTP-020 SEED-109] to abort closes the stream and sends nothing', async () => {
    const peer = await modernPeer({
      'tools/call': async (turn) => {
        turn.stream();
        await turn.progress(1);
      },
    });
    const client = await connect(peer.url, options);
    const giveUp = new AbortController();
    const call = client.callTool(
      'echo',
      {},
      { signal: giveUp.signal, onProgress: () => giveUp.abort(new Error('enough')) },
    );
    await expect(call).rejects.toMatchObject({ code: 'aborted', outcome: 'unknown' });
    await (
      await peer.next('tools/call')
    ).closed;
    await client.ping();
    expect(peer.methods).toEqual(['server/discover', 'tools/call', 'server/discover']);
    await client.close();
  });

  test('[HTTP-020] so does a timeout', async () => {
    const peer = await modernPeer({ 'tools/call': (turn) => turn.stream() });
    const client = await connect(peer.url, options);
    await expect(client.callTool('echo', {}, { timeoutMs: 30 })).rejects.toMatchObject({ code: 'timeout' });
    await (
      await peer.next('tools/call')
    ).closed;
    await client.ping();
    expect(peer.methods).toEqual(['server/discover', 'tools/call', 'server/discover']);
    await client.close();
  });

  test('[B-22] before the head of the answer it closes the connection, which cancels as well', async () => {
    const server = new Server({ name: 'it', version: '1' });
    let aborted!: () => void;
    const gone = new Promise<void>((resolve) => {
      aborted = resolve;
    });
    let started!: () => void;
    const running = new Promise<void>((resolve) => {
      started = resolve;
    });
    server.tool('hold', {}, async (_, { signal }) => {
      signal.addEventListener('abort', () => aborted());
      started();
      await gone;
      return 'x';
    });
    const endpoint = await nodeEndpoint(server);
    const client = await connect(`http://127.0.0.1:${endpoint.port}/mcp`, options);
    const giveUp = new AbortController();
    const call = client.callTool('hold', {}, { signal: giveUp.signal });
    await running;
    giveUp.abort();
    await expect(call).rejects.toMatchObject({ code: 'aborted' });
    await gone;
    await client.close();
  });

  test('[B-21] our server takes a cancelled notification and does nothing about it', async () => {
    const endpoint = await nodeEndpoint(new Server({ name: 'it', version: '1' }));
    const answer = await endpoint.send({
      headers: { ...usual, 'mcp-protocol-version': version, 'mcp-method': 'notifications/cancelled' },
      body: { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
    });
    expect([answer.status, answer.text]).toEqual([202, '']);
  });
});

describe('Standard Request Headers', () => {
  const unsafe: readonly [string, string][] = [
    ['echo', 'echo'],
    ['with space', 'with space'],
    ['', ''],
    ['Hello, 世界', '=?base64?SGVsbG8sIOS4lueVjA==?='],
    [' padded ', '=?base64?IHBhZGRlZCA=?='],
    ['tab\tin', '=?base64?dGFiCWlu?='],
    ['line\nbreak', '=?base64?bGluZQpicmVhaw==?='],
    ['=?base64?eA==?=', '=?base64?PT9iYXNlNjQ/ZUE9PT89?='],
    ['=?base64?', '=?base64?'],
    ['\x7f', '=?base64?fw==?='],
  ];

  test.each(unsafe)('[HTTP-027 HTTP-045 SEED-049] Mcp-Name of %j', async (name, header) => {
    for (const { options } of ports) {
      const peer = await modernPeer();
      const client = await connect(peer.url, options);
      await client.callTool(name);
      expect(peer.of('tools/call')[0]?.headers['mcp-name']).toBe(header);
      await client.close();
    }
  });

  test('[HTTP-026] Mcp-Name repeats the name, the uri or the task, and other methods have none', async () => {
    const peer = await modernPeer();
    const client = await connect(peer.url);
    const params = { name: 'n', uri: 'u:v', taskId: 't', cursor: 'c' };
    const methods = ['tools/call', 'prompts/get', 'resources/read', 'tasks/get', 'tasks/update', 'tasks/cancel'];
    const nameless = ['tools/list', 'completion/complete', 'resources/list', 'prompts/list', 'server/discover', 'x/y'];
    for (const method of [...methods, ...nameless]) await client.sendRequest(method, params).catch(() => undefined);
    await client.close();
    const names = peer.seen.slice(1).map(({ headers }) => headers['mcp-name']);
    expect(names).toEqual(['n', 'n', 'u:v', 't', 't', 't', ...nameless.map(() => undefined)]);
  });
});

/** A tool with a parameter of each kind mirrored. */
const mirrored = {
  name: 'deploy',
  inputSchema: {
    type: 'object',
    properties: {
      region: { type: 'string', 'x-mcp-header': 'Region' },
      count: { type: 'integer', 'x-mcp-header': 'Count' },
      dry: { type: 'boolean', 'x-mcp-header': 'Dry-Run' },
      repo: { type: 'object', properties: { name: { type: 'string', 'x-mcp-header': 'Repo' } } },
      plain: { type: 'string' },
    },
  },
};

const page = (...tools: unknown[]) => ({ resultType: 'complete', ttlMs: 0, cacheScope: 'private', tools });

/** The mirrored headers of the last call. */
function mirrorOf(peer: HttpPeer): Record<string, string | undefined> {
  const headers = peer.of('tools/call').at(-1)?.headers ?? {};
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('mcp-param-')));
}

describe.each(ports)('Custom Headers from Tool Parameters ($port)', ({ options }) => {
  const values: readonly [string, Record<string, unknown>, Record<string, string>][] = [
    [
      'each kind',
      { region: 'eu', count: 42, dry: false, repo: { name: 'x' }, plain: 'p' },
      { region: 'eu', count: '42', 'dry-run': 'false', repo: 'x' },
    ],
    ['true, zero and less', { dry: true, count: -7 }, { 'dry-run': 'true', count: '-7' }],
    ['the largest integer', { count: 9007199254740991 }, { count: '9007199254740991' }],
    ['an empty text', { region: '' }, { region: '' }],
    ['nothing', {}, {}],
    ['null', { region: null, repo: null }, {}],
    ['null within', { repo: { name: null } }, {}],
    ['a branch that is no object', { repo: 'x' }, {}],
    ['an inherited name', { repo: Object.create({ name: 'no' }) as object }, {}],
    ['text beyond ASCII', { region: 'Kraków' }, { region: '=?base64?S3Jha8Ozdw==?=' }],
    ['text with spaces around', { region: ' eu' }, { region: '=?base64?IGV1?=' }],
    ['a line break', { region: 'a\r\nX-Evil: 1' }, { region: encodeHeader('a\r\nX-Evil: 1') }],
    ['what looks encoded', { region: '=?base64?eA==?=' }, { region: '=?base64?PT9iYXNlNjQ/ZUE9PT89?=' }],
  ];

  test.each(values)('[HTTP-036 HTTP-042 SEED-110] %s', async (_, args, headers) => {
    const peer = await modernPeer({ 'tools/list': () => page(mirrored) });
    const client = await connect(peer.url, options);
    await client.listTools();
    await client.callTool('deploy', args);
    const expected = Object.entries(headers).map(([name, value]) => [`mcp-param-${name}`, value]);
    expect(mirrorOf(peer)).toEqual(Object.fromEntries(expected));
    await client.close();
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['text as it is', { region: 'us west-1' }, 'us west-1'],
    ['an integer in decimal', { region: 12 }, '12'],
    ['a boolean as a word', { region: true }, 'true'],
  ])('[HTTP-043 HTTP-044] %s', async (_, args, header) => {
    const peer = await modernPeer({ 'tools/list': () => page(mirrored) });
    const client = await connect(peer.url, options);
    await client.listTools();
    await client.callTool('deploy', args);
    expect(mirrorOf(peer)['mcp-param-region']).toBe(header);
    await client.close();
  });

  test.each<[string, string]>([
    ['ends in a tab', 'eu\t'],
    ['a delete character', 'a\x7f'],
    ['a lone surrogate', 'a\ud800'],
  ])('[HTTP-044 HTTP-045] %s is sent encoded', async (_, region) => {
    const peer = await modernPeer({ 'tools/list': () => page(mirrored) });
    const client = await connect(peer.url, options);
    await client.listTools();
    await client.callTool('deploy', { region });
    expect(mirrorOf(peer)['mcp-param-region']).toMatch(/^=\?base64\?[A-Za-z0-9+/]+=*\?=$/);
    await client.close();
  });

  test('[HTTP-046] plain text that has the form of encoded text is encoded', async () => {
    const peer = await modernPeer({ 'tools/list': () => page(mirrored) });
    const client = await connect(peer.url, options);
    await client.listTools();
    await client.callTool('deploy', { region: '=?base64??=' });
    expect(mirrorOf(peer)['mcp-param-region']).toBe('=?base64?PT9iYXNlNjQ/Pz0=?=');
    await client.close();
  });

  test.each<[string, Record<string, unknown>]>([
    ['a fraction', { count: 1.5 }],
    ['an integer that loses its value', { count: 2 ** 53 }],
    ['an object', { region: {} }],
    ['a list', { region: ['eu'] }],
  ])('[HTTP-042] %s cannot be mirrored: an error before anything is sent', async (_, args) => {
    const peer = await modernPeer({ 'tools/list': () => page(mirrored) });
    const client = await connect(peer.url, options);
    await client.listTools();
    await expect(client.callTool('deploy', args)).rejects.toMatchObject({ code: 'bad_argument' });
    expect(peer.of('tools/call')).toEqual([]);
    await client.close();
  });

  const schema = (properties: object, more: object = {}): object => ({ type: 'object', properties, ...more });
  const annotated = (type: unknown, header: unknown): object => ({ type, 'x-mcp-header': header });
  const invalid: readonly [string, object][] = [
    ['an empty name', schema({ a: annotated('string', '') })],
    ['a name that is no token', schema({ a: annotated('string', 'a b') })],
    ['a name with a line break', schema({ a: annotated('string', 'a\r\nb') })],
    ['a name that is no text', schema({ a: annotated('string', 7) })],
    ['two names that differ in case only', schema({ a: annotated('string', 'X'), b: annotated('string', 'x') })],
    [
      'the same name in two branches',
      schema({ a: annotated('string', 'X'), b: schema({ c: annotated('string', 'X') }) }),
    ],
    ['type number', schema({ a: annotated('number', 'A') })],
    ['type object', schema({ a: annotated('object', 'A') })],
    ['type array', schema({ a: annotated('array', 'A') })],
    ['type null', schema({ a: annotated('null', 'A') })],
    ['no type', schema({ a: { 'x-mcp-header': 'A' } })],
    ['several types', schema({ a: annotated(['string', 'null'], 'A') })],
    ['the root', { ...schema({}), 'x-mcp-header': 'A' }],
    ['under items', schema({ a: { type: 'array', items: annotated('string', 'A') } })],
    ['under prefixItems', schema({ a: { prefixItems: [annotated('string', 'A')] } })],
    ...['oneOf', 'anyOf', 'allOf'].map((keyword): [string, object] => [
      `under ${keyword}`,
      schema({}, { [keyword]: [schema({ a: annotated('string', 'A') })] }),
    ]),
    ...['not', 'if', 'then', 'else', 'additionalProperties', 'contains', 'propertyNames', 'unevaluatedProperties'].map(
      (keyword): [string, object] => [
        `under ${keyword}`,
        schema({}, { [keyword]: schema({ a: annotated('string', 'A') }) }),
      ],
    ),
    ['under patternProperties', schema({}, { patternProperties: { '^a': annotated('string', 'A') } })],
    ['under $defs', schema({}, { $defs: { a: annotated('string', 'A') } })],
    ['under definitions', schema({}, { definitions: { a: annotated('string', 'A') } })],
    ['under dependentSchemas', schema({}, { dependentSchemas: { a: schema({ a: annotated('string', 'A') }) } })],
  ];

  test.each(invalid)(
    '[HTTP-041 SEED-112] a tool is left out, with a word in the log, the others stay: %s',
    async (_, inputSchema) => {
      const warnings: string[] = [];
      const logger = { debug() {}, info() {}, error() {}, warn: (message: string) => warnings.push(message) };
      const peer = await modernPeer({ 'tools/list': () => page({ name: 'bad', inputSchema }, mirrored) });
      const client = await connect(peer.url, { ...options, logger });
      expect((await client.listTools()).map((tool) => tool.name)).toEqual(['deploy']);
      expect(warnings.length).toBe(1);
      expect(warnings[0]).toMatch(/"bad".*x-mcp-header/);
      await client.close();
    },
  );

  test('annotations that are data are none', async () => {
    const data = {
      type: 'object',
      properties: { a: { type: 'object', default: { 'x-mcp-header': '' }, const: { 'x-mcp-header': 7 } } },
    };
    const named = schema({ 'x-mcp-header': { type: 'string' } });
    const peer = await modernPeer({
      'tools/list': () => page({ name: 'data', inputSchema: data }, { name: 'named', inputSchema: named }),
    });
    const client = await connect(peer.url, options);
    expect((await client.listTools()).map((tool) => tool.name)).toEqual(['data', 'named']);
    await client.close();
  });

  test('[HTTP-050 B-33] a tool that was never listed is called without', async () => {
    const peer = await modernPeer({ 'tools/list': () => page(mirrored) });
    const client = await connect(peer.url, options);
    await client.callTool('deploy', { region: 'eu' });
    expect(mirrorOf(peer)).toEqual({});
    expect(peer.of('tools/list')).toEqual([]);
    await client.close();
  });

  test('[HTTP-050] the last list counts', async () => {
    let header = 'Old';
    const peer = await modernPeer({
      'tools/list': () => page({ name: 'deploy', inputSchema: schema({ region: annotated('string', header) }) }),
    });
    const client = await connect(peer.url, options);
    await client.listTools();
    header = 'New';
    await client.listTools();
    await client.callTool('deploy', { region: 'eu' });
    expect(mirrorOf(peer)).toEqual({ 'mcp-param-new': 'eu' });
    await client.close();
  });

  /** Refuses a call whose headers are not those of the list, as a server does. */
  const strict = (header: () => string): Record<string, Answering> => ({
    'tools/list': () => page({ name: 'deploy', inputSchema: schema({ region: annotated('string', header()) }) }),
    'tools/call': (turn) =>
      turn.seen.headers[`mcp-param-${header().toLowerCase()}`] === 'eu'
        ? said('deployed')
        : turn.fail({ code: -32020, message: 'header mismatch' }, 400),
  });

  test('[HTTP-049 SEED-111] after -32020 the list is read again and the call sent once more, with a new id', async () => {
    const peer = await modernPeer(strict(() => 'Region'));
    const client = await connect(peer.url, options);
    const progress: unknown[] = [];
    const result = await client.callTool('deploy', { region: 'eu' }, { onProgress: (each) => progress.push(each) });
    expect(result.text).toBe('deployed');
    expect(peer.methods).toEqual(['server/discover', 'tools/call', 'tools/list', 'tools/call']);
    const [first, second] = peer.of('tools/call');
    expect(second?.message['id']).not.toBe(first?.message['id']);
    await client.close();
  });

  test('[SEED-111] a second mismatch surfaces', async () => {
    const peer = await modernPeer({
      ...strict(() => 'Region'),
      'tools/call': (turn) => turn.fail({ code: -32020, message: 'never' }, 400),
    });
    const client = await connect(peer.url, options);
    const failed = await client.callTool('deploy', { region: 'eu' }).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(HeaderMismatchError);
    expect(failed).toMatchObject({ outcome: 'refused', rpc: { code: -32020 } });
    expect(peer.of('tools/call').length).toBe(2);
    expect(peer.of('tools/list').length).toBe(1);
    await client.close();
  });

  test('a fresh look that a change overtakes is good for the call it was had for, and is not kept', async () => {
    const region = strict(() => 'Region');
    const peer = await modernPeer({
      ...region,
      'tools/list': async (turn) => {
        turn.stream();
        await turn.event({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
        await turn.event(turn.message(await region['tools/list']?.(turn)));
        turn.end();
        return turn;
      },
    });
    const client = await connect(peer.url, options);
    for (const lists of [1, 2]) {
      expect((await client.callTool('deploy', { region: 'eu' })).text).toBe('deployed');
      expect(peer.of('tools/list')).toHaveLength(lists);
    }
    await client.close();
  });

  test('[HTTP-049 MRTR-010] after -32020 on a later round nobody is asked again, and the answers go out with it', async () => {
    let header = 'Old';
    let asked = 0;
    const confirm = { method: 'elicitation/create', params: { message: '?', requestedSchema: schema({}) } };
    const peer = await modernPeer({
      ...strict(() => header),
      'tools/call': (turn) => {
        if (turn.seen.headers[`mcp-param-${header.toLowerCase()}`] !== 'eu')
          return turn.fail({ code: -32020, message: 'header mismatch' }, 400);
        if (turn.seen.params['requestState'] !== undefined) return said('deployed');
        header = 'New';
        return { resultType: 'input_required', inputRequests: { e: confirm }, requestState: 's' };
      },
    });
    const client = await connect(peer.url, { ...options, onElicit: () => ({ asked: ++asked }) });
    await client.listTools();
    const result = await client.callTool('deploy', { region: 'eu' });
    expect(result).toMatchObject({ text: 'deployed', rounds: 1 });
    expect(asked).toBe(1);
    const [first, refused, again] = peer.of('tools/call').map(({ params }) => params);
    expect(first).not.toHaveProperty('inputResponses');
    expect(again).toMatchObject({
      requestState: 's',
      inputResponses: { e: { action: 'accept', content: { asked: 1 } } },
    });
    expect(refused?.['inputResponses']).toEqual(again?.['inputResponses']);
    await client.close();
  });
});
