/** Faults seen in the field in how a stream of bytes becomes messages: cuts, noise, floods, lines without end. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { Server } from '../../src/server/server.ts';
import { settle } from '../../src/testing/settle.ts';
import { memoryPipe } from '../../src/transport/memory.ts';
import { pipeLink } from '../../src/transport/pipe-client.ts';
import { servePipe } from '../../src/transport/pipe-server.ts';
import {
  connectByHand,
  eras,
  failureOf,
  linkByHand,
  modernMeta,
  opening,
  received,
  recorder,
  serveByHand,
  start,
} from '../support/stdio.ts';

const encoder = new TextEncoder();

/** Each place where a cut falls inside a character. */
function insideCharacters(text: string): number[] {
  const bytes = encoder.encode(text);
  return Array.from(bytes.keys()).filter((at) => ((bytes[at] ?? 0) & 0xc0) === 0x80);
}

const mixed = 'é—读取🎉';

function echoing(): Server {
  const server = new Server({ name: 'echo', version: '1' });
  return server.tool('echo', { input: { type: 'object' } }, ({ text }) => String(text));
}

describe('characters of several bytes', () => {
  const answer = (id: number) =>
    `{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"${mixed}"}]}}\n`;

  test('[BUG-010 STDIO-002] an answer that comes one byte at a time, or is cut inside each character, is whole', async () => {
    const cuts = insideCharacters(answer(1));
    expect(cuts.length).toBeGreaterThan(8);
    const { pair, server, link } = linkByHand();
    for (const [n, at] of [...cuts, undefined].entries()) {
      const asked = link.request({ method: 'a' });
      server.raw(answer(n + 1));
      if (at === undefined) while (pair.cut('client', 1)) void 0;
      else {
        pair.cut('client', at);
        pair.deliver('client');
      }
      expect(await asked).toEqual({ result: { content: [{ type: 'text', text: mixed }] } });
    }
  });

  test('[BUG-010 STDIO-002] so is a request', async () => {
    const { pair, client } = serveByHand(echoing());
    const params = { name: 'echo', arguments: { text: mixed }, _meta: modernMeta };
    const line = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })}\n`;
    const cuts = insideCharacters(line);
    expect(cuts.length).toBeGreaterThan(8);
    for (const at of [...cuts, undefined]) {
      client.raw(line);
      if (at === undefined) while (pair.cut('server', 1)) void 0;
      else {
        pair.cut('server', at);
        pair.deliver('server');
      }
      await pair.run();
    }
    const answers = received(client);
    expect(answers).toHaveLength(cuts.length + 1);
    for (const message of answers) expect(message).toMatchObject({ result: { content: [{ text: mixed }] } });
  });
});

describe('large messages', () => {
  test.each(eras)(
    '[BUG-012] a %s program lists 500 tools in 3 MiB on one line, and gives an image of 9 MiB',
    async (era) => {
      const client = await start({ era, tools: 500 });
      const tools = await client.listTools();
      expect(tools).toHaveLength(500);
      expect(tools[499]?.description).toBe('é'.repeat(3_250));
      const { content } = await client.callTool('image', { bytes: 9 * 1024 * 1024 });
      expect(content).toEqual([{ type: 'image', mimeType: 'image/png', data: expect.any(String) }]);
      expect((content[0] as { data: string }).data).toHaveLength(9 * 1024 * 1024);
    },
  );

  test('[BUG-012] the default bound is 16 MiB, for requests as well', async () => {
    const [near, far] = memoryPipe();
    servePipe(echoing(), far);
    const link = pipeLink(near, { answer: () => Promise.reject(new Error('not asked')), notice: () => {} });
    onTestFinished(() => link.close());
    const call = (bytes: number) =>
      link.request({
        method: 'tools/call',
        params: { name: 'echo', arguments: { text: 'x'.repeat(bytes) }, _meta: modernMeta },
      });
    const limit = 16 * 1024 * 1024;
    const reply = await call(limit - 1_024);
    expect(reply.result).toMatchObject({ content: [{ type: 'text' }] });
    expect(await call(limit)).toEqual({ error: { code: -32_600, message: expect.stringContaining('16777216 bytes') } });
    expect((await call(1)).result).toMatchObject({ content: [{ text: 'x' }] });
  });
});

describe('lines past the bound', () => {
  const padded = (head: string, bytes: number): string => `${head}${'x'.repeat(bytes - head.length - 2)}"}`;
  const answer = (id: unknown, bytes: number) =>
    padded(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"a":"`, bytes - 1) + '}';

  test('an answer at the bound is taken, one past it fails its request only', async () => {
    const { pair, server, link } = linkByHand({ maxLineBytes: 1_000 });
    const calls = [1, 2, 3].map(() => link.request({ method: 'a' }));
    const tooLarge = failureOf(calls[1] as Promise<unknown>);
    server.raw(`${answer(1, 1_000)}\n${answer(2, 1_001)}\n`);
    await pair.run();
    expect((await calls[0])?.result).toBeDefined();
    expect(await tooLarge).toMatchObject({ code: 'response_too_large', limitBytes: 1_000 });
    server.send({ jsonrpc: '2.0', id: 3, result: {} });
    await pair.run();
    expect(await calls[2]).toEqual({ result: {} });
    expect(link.open).toBe(0);
  });

  test('[SEED-089] an answer without end that nobody can place ends the connection; memory stays bounded', async () => {
    const { pair, server, link, notes } = linkByHand({ maxLineBytes: 100_000 });
    const failed = [1, 2].map(() => failureOf(link.request({ method: 'a' })));
    server.raw('{"result":"');
    for (let n = 0; n < 101; n++) server.raw('x'.repeat(1_000));
    // What follows, in the same chunk too, is read by nobody.
    server.raw('\n{"jsonrpc":"2.0","method":"notifications/x"}\n');
    await settle();
    pair.deliverJoined('client');
    await pair.run();
    for (const error of await Promise.all(failed)) expect(error).toMatchObject({ code: 'response_too_large' });
    expect(await link.closed).toMatchObject({ by: 'fault', error: { code: 'response_too_large' } });
    expect(notes).toEqual([]);
    expect(await failureOf(link.request({ method: 'b' }))).toMatchObject({ code: 'connection', outcome: 'not-sent' });
    expect(link.open).toBe(0);
  });

  test('a line past the bound while nobody waits is noise', async () => {
    const logger = recorder();
    const { pair, server, link } = linkByHand({ maxLineBytes: 100, logger });
    server.raw(`${'x'.repeat(1_000)}\n`);
    await pair.run();
    expect(logger.of('warn')).toEqual(['the peer sent a line longer than 100 bytes']);
    const asked = link.request({ method: 'a' });
    server.send({ jsonrpc: '2.0', id: 1, result: {} });
    await pair.run();
    expect(await asked).toEqual({ result: {} });
  });

  test('a request of a server that is too large is not taken for the answer with its id', async () => {
    const { pair, server, link } = linkByHand({ maxLineBytes: 100 });
    const asked = link.request({ method: 'initialize' });
    server.raw(`${padded('{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":"', 200)}}\n`);
    server.send({ jsonrpc: '2.0', id: 1, result: {} });
    await pair.run();
    expect(await asked).toEqual({ result: {} });
  });

  test.each([
    ['at the bound it is served', 0, { id: 7, result: expect.anything() }],
    [
      'one past it is refused under its id',
      1,
      { jsonrpc: '2.0', id: 7, error: { code: -32_600, message: expect.any(String) } },
    ],
  ])('a request: %s', async (_, more, wanted) => {
    const head = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"_meta":${JSON.stringify(modernMeta)},"name":"echo","arguments":{"text":"`;
    const { pair, client } = serveByHand(echoing(), { maxLineBytes: 1_000 });
    client.raw(`${head}${'x'.repeat(1_000 - head.length - 4 + more)}"}}}\n`);
    client.send({ jsonrpc: '2.0', id: 8, method: 'tools/list', params: { _meta: modernMeta } });
    await pair.run();
    const answers = received(client);
    expect(answers).toHaveLength(2);
    expect(answers.find((message) => message['id'] === 7)).toMatchObject(wanted);
    expect(answers.find((message) => message['id'] === 8)).toMatchObject({ result: expect.anything() });
  });

  test('a request whose id nobody can read is refused without one', async () => {
    const { pair, client } = serveByHand(echoing(), { maxLineBytes: 100 });
    client.raw(`${'x'.repeat(200)}\n`);
    await pair.run();
    expect(received(client)).toEqual([{ jsonrpc: '2.0', error: { code: -32_600, message: expect.any(String) } }]);
  });
});

describe('half messages', () => {
  test('what has no end when the pipe ends is never served', async () => {
    const runs: string[] = [];
    const server = new Server({ name: 'x', version: '1' }).tool('run', {}, () => void runs.push('run'));
    const { pair, client, served } = serveByHand(server);
    client.raw(
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'run', _meta: modernMeta } }),
    );
    const closed = client.close();
    await pair.run();
    await closed;
    expect(await served.closed).toBe(undefined);
    expect([runs, received(client)]).toEqual([[], []]);
  });

  test('half an answer is no answer', async () => {
    const { pair, server, link } = linkByHand();
    const failed = failureOf(link.request({ method: 'a' }));
    server.raw('{"jsonrpc":"2.0","id":1,"result":{}}');
    const closed = server.close();
    await pair.run();
    await closed;
    expect(await failed).toMatchObject({ code: 'connection', outcome: 'unknown' });
    expect(await link.closed).toMatchObject({ by: 'peer' });
    expect(link.open).toBe(0);
  });
});

describe('noise', () => {
  const noise = [
    'Server v1.2 ready 🖥️',
    '[INFO] loading',
    '{',
    '"just a string"',
    '42',
    'null',
    'true',
    '[]',
    '[1,"x",null,{}]',
    '{}',
    '{"level":"info","msg":"json log"}',
    '{"jsonrpc":"2.0"}',
    '{"jsonrpc":"2.0","method":7}',
    '{"jsonrpc":"1.0","method":"x"}',
    '{"jsonrpc":"2.0","id":{},"result":{}}',
    '{"jsonrpc":"2.0","result":{}}',
    '{"__proto__":{"jsonrpc":"2.0"}}',
    '\u0000\u0001',
    '\uFFFD',
  ];

  test.each(noise)('[BUG-009 SEED-096] %j is skipped and reported, and the answer behind it arrives', async (line) => {
    const logger = recorder();
    const { pair, server, link, notes } = linkByHand({ logger });
    const asked = link.request({ method: 'a' });
    server.raw(`\n  \n${line}\n{"jsonrpc":"2.0","id":1,"result":{"ok":true}}\r\n`);
    await pair.run();
    expect(await asked).toEqual({ result: { ok: true } });
    expect(logger.of('warn')).toHaveLength(line === '[]' ? 0 : line.startsWith('[1') ? 4 : 1);
    expect(received(server).map((message) => message['method'])).toEqual(['a']);
    expect(notes).toEqual([]);
  });

  test('[BUG-009 SEED-090] what a peer wrote is shown to those who debug only, cut and without control characters', async () => {
    const logger = recorder();
    const { pair, server } = linkByHand({ logger });
    server.raw(`hunter2\u001B[31m${'x'.repeat(5_000)}\n`);
    await pair.run();
    expect(logger.entries.filter(({ level }) => level === 'warn')).toEqual([
      { level: 'warn', message: 'the peer sent a line that is no JSON', details: { seen: 1, characters: 5_012 } },
    ]);
    const [shown] = logger.of('debug');
    expect(shown).toMatch(/^it began: hunter2\\x1b\[31mx+… \(5012 characters\)$/);
    expect(shown?.length).toBeLessThan(300);
  });

  test('[BUG-009] 10,000 lines of noise are a hundred reports, and the session lives on', async () => {
    const logger = recorder();
    const { pair, server, client } = await connectByHand(
      { ...opening.modern, 'tools/list': () => ({ tools: [] }) },
      { logger },
    );
    server.raw('noise\n'.repeat(10_000));
    const listed = client.listTools();
    await pair.run();
    expect(await listed).toEqual([]);
    expect(logger.of('warn')).toHaveLength(105);
  });

  test('10,000 lines of noise to a server: each is refused, the log stays readable, and it serves on', async () => {
    const logger = recorder();
    const { pair, client } = serveByHand(echoing(), { logger });
    client.raw('noise\n'.repeat(10_000));
    client.send({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: modernMeta } });
    await pair.run();
    const answers = received(client);
    expect(answers).toHaveLength(10_001);
    expect(answers.at(-1)).toMatchObject({ id: 1, result: expect.anything() });
    expect(logger.of('warn')).toHaveLength(105);
  });
});

describe('floods of requests', () => {
  function waiting() {
    const releases: (() => void)[] = [];
    const server = new Server({ name: 'waiting', version: '1' }).tool(
      'wait',
      {},
      () => new Promise((resolve) => releases.push(() => resolve('done'))),
    );
    return { server, releases };
  }
  const call = (id: number) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: 'wait', _meta: modernMeta },
  });

  test('at the bound all run, one past it is refused; when one has ended there is room again', async () => {
    const { server, releases } = waiting();
    const { pair, client } = serveByHand(server, { maxInFlight: 3 });
    for (const id of [1, 2, 3, 4]) client.send(call(id));
    await pair.run();
    expect(releases).toHaveLength(3);
    expect(received(client)).toEqual([
      { jsonrpc: '2.0', id: 4, error: { code: -32_603, message: 'too many requests at a time' } },
    ]);
    releases[0]?.();
    await pair.run();
    client.send(call(4));
    await pair.run();
    expect(releases).toHaveLength(4);
  });

  test('of 20,000 at once, 10,000 run and 10,000 are refused', async () => {
    const { server, releases } = waiting();
    const { pair, client } = serveByHand(server);
    client.raw(Array.from({ length: 20_000 }, (_, id) => `${JSON.stringify(call(id))}\n`).join(''));
    await pair.run();
    expect(releases).toHaveLength(10_000);
    const refused = received(client);
    expect(refused).toHaveLength(10_000);
    expect(new Set(refused.map((message) => message['id'])).size).toBe(10_000);
    for (const release of releases) release();
    await pair.run();
    expect(received(client)).toHaveLength(20_000);
  });

  test('a server that asks and does not read: what the client keeps for it is bounded', async () => {
    let answers = 0;
    const inbound = { answer: () => Promise.resolve({ result: { n: ++answers } }) };
    const { pair, server, link } = linkByHand({ maxInFlight: 5 }, inbound);
    void failureOf(link.request({ method: 'initialize' }));
    pair.deliver('server');
    pair.full('server', true);
    for (let id = 0; id < 1_000; id++) server.send({ jsonrpc: '2.0', id, method: 'ping' });
    await pair.run();
    expect(answers).toBe(5);
    expect(pair.pending('server')).toBe(0);
    pair.full('server', false);
    await pair.run();
    expect(received(server).filter((message) => 'result' in message)).toHaveLength(5);
    server.send({ jsonrpc: '2.0', id: 'later', method: 'ping' });
    await pair.run();
    expect(received(server).at(-1)).toEqual({ jsonrpc: '2.0', id: 'later', result: { n: 6 } });
  });
});
