/** The server's side of stdio (basic/transports/stdio), on streams and in a process of its own. */
import { once } from 'node:events';
import { PassThrough, Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { serveStdio, type ServeStdioOptions } from '../../../../../src/node/stdio.ts';
import type { Caller, Service } from '../../../../../src/ports/index.ts';
import { Server } from '../../../../../src/server/server.ts';
import { settle } from '../../../../../src/testing/settle.ts';
import { startFixture } from '../../../../support/commands.ts';
import { initialize, modernMeta, received, recorder, serveByHand } from '../../../../support/stdio.ts';

const call = (id: unknown, name: string, args: object = {}) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args, _meta: modernMeta },
});
const listTools = (id: unknown) => ({ jsonrpc: '2.0', id, method: 'tools/list', params: { _meta: modernMeta } });

/** Serves on streams of the test's own. */
function onStreams(service: Service, options: ServeStdioOptions = {}) {
  const stdin = new PassThrough();
  const stdout = new PassThrough();
  let text = '';
  stdout.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
  const serving = serveStdio(service, { stdin, stdout, ...options });
  const send = (message: unknown) => stdin.write(`${JSON.stringify(message)}\n`);
  const messages = () =>
    text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  return { stdin, stdout, serving, send, messages, text: () => text };
}

describe('Sending Messages', () => {
  test('[STDIO-003 BUG-009] whatever comes, nothing but messages is ever written, each whole and on its own line', async () => {
    const server = new Server({ name: 'x', version: '1' });
    server.tool('echo', { input: { type: 'object' } }, ({ text }) => String(text));
    server.tool('throws', {}, () => {
      throw new Error('a\nb');
    });
    const { stdin, send, text, messages } = onStreams(server);
    for (const line of ['noise', '', '   ', '[]', '7', '{"jsonrpc":"2.0"}', '\u0000', '{"half":'])
      stdin.write(`${line}\n`);
    send(call(1, 'echo', { text: 'a\nb\r\nc\u2028 é—读取🎉' }));
    send(call(2, 'throws'));
    send(call(3, 'nobody'));
    send({ jsonrpc: '2.0', method: 'notifications/whatever' });
    stdin.write(Buffer.from([0xff, 0xfe, 0x0a]));
    await settle();
    expect(text().endsWith('\n')).toBe(true);
    for (const message of messages()) {
      expect(message['jsonrpc']).toBe('2.0');
      expect('result' in message || 'error' in message).toBe(true);
    }
    expect(messages().filter((message) => message['id'] === 1)).toMatchObject([
      { result: { content: [{ text: 'a\nb\r\nc\u2028 é—读取🎉' }] } },
    ]);
  });

  test('[STDIO-007 BASE-023] a modern request gives no way to ask its caller, a legacy one does', async () => {
    const asks: [string, boolean][] = [];
    const served = serveByHand({
      answer({ method }, exchange) {
        asks.push([method, exchange.ask !== undefined]);
        return Promise.resolve({ result: {} });
      },
      notice: () => {},
    });
    served.client.send(listTools(1));
    await served.pair.run();
    await initialize(served, '2025-11-25');
    served.client.send({ jsonrpc: '2.0', id: 2, method: 'tools/list' });
    served.client.send(listTools(3));
    await served.pair.run();
    expect(asks.filter(([method]) => method === 'tools/list')).toEqual([
      ['tools/list', false],
      ['tools/list', true],
      ['tools/list', false],
    ]);
  });

  test('[STDIO-019] in a legacy session the server asks, and takes the answer; ids of the two sides are apart', async () => {
    const answers: unknown[] = [];
    const served = serveByHand({
      async answer({ method }, exchange) {
        if (exchange.ask !== undefined && method === 'tools/call')
          answers.push(await exchange.ask({ method: 'roots/list' }));
        return { result: { of: method } };
      },
      notice: () => {},
    });
    await initialize(served, '2025-06-18');
    const answered = served.client.request('tools/call', { name: 'x' }, 1);
    await served.pair.run();
    const asked = await served.client.expect('roots/list');
    expect(asked.id).toBe(1);
    asked.reply({ roots: [] });
    await served.pair.run();
    expect(answers).toEqual([{ result: { roots: [] } }]);
    expect(await answered).toEqual({ jsonrpc: '2.0', id: 1, result: { of: 'tools/call' } });
  });
});

test("[STDIO-020] nobody is authenticated on stdio, whatever a message claims: credentials are the environment's", async () => {
  const callers: Caller[] = [];
  const served = serveByHand({
    answer(_, { caller, standing }) {
      if (standing !== true) callers.push(caller);
      return Promise.resolve({ result: {} });
    },
    notice: () => {},
  });
  const claims = { authorization: 'Bearer of-ada', principal: 'ada' };
  const params = { ...claims, _meta: { ...modernMeta, ...claims } };
  served.client.send({ jsonrpc: '2.0', id: 'modern', method: 'tools/list', params });
  await initialize(served, '2025-11-25');
  served.client.send({ jsonrpc: '2.0', id: 'legacy', method: 'tools/list', params: { ...claims, _meta: claims } });
  await served.pair.run();
  expect(callers.map(({ revision }) => revision)).toEqual(['2026-07-28', '2025-11-25', '2025-11-25']);
  for (const { principal, header } of callers)
    expect([principal, header?.('authorization')]).toEqual([undefined, undefined]);
});

describe('side by side', () => {
  test('[BUG-017] a slow call keeps nobody waiting, a ping or a cancellation neither', async () => {
    const server = new Server({ name: 'x', version: '1' });
    const aborted: string[] = [];
    server.tool('slow', {}, (_, ctx) => {
      ctx.signal.addEventListener('abort', () => aborted.push('slow'));
      return new Promise(() => {});
    });
    server.tool('quick', {}, () => 'quick');
    const served = serveByHand(server);
    await initialize(served, '2025-11-25');
    const from = served.client.lines.length;
    served.client.send({ jsonrpc: '2.0', id: 'slow', method: 'tools/call', params: { name: 'slow' } });
    served.client.send({ jsonrpc: '2.0', id: 'ping', method: 'ping' });
    served.client.send(listTools('list'));
    served.client.send(call('quick', 'quick'));
    served.client.notify('notifications/cancelled', { requestId: 'slow' });
    await served.pair.run();
    expect(received(served.client, from).map((message) => message['id'])).toEqual(['ping', 'list', 'quick']);
    expect(aborted).toEqual(['slow']);
  });

  test('[BUG-017] to a slow reader 1,000 notices and large results come whole, in order and all', async () => {
    const server = new Server({ name: 'x', version: '1' });
    server.tool('large', {}, () => '读'.repeat(500_000));
    server.tool('count', {}, async (_, ctx) => {
      for (let n = 1; n <= 1_000; n++) await ctx.progress(n);
      return 'counted';
    });
    const stdin = new PassThrough();
    const pieces: Buffer[] = [];
    const stdout = new Writable({
      highWaterMark: 1_024,
      write(chunk: Buffer, _, callback) {
        pieces.push(chunk);
        setImmediate(callback);
      },
    });
    serveStdio(server, { stdin, stdout });
    const count = call('count', 'count');
    Object.assign(count.params, { _meta: { ...modernMeta, progressToken: 'n' } });
    for (const message of [count, call(1, 'large'), call(2, 'large'), call(3, 'large')])
      stdin.write(`${JSON.stringify(message)}\n`);
    await settle(() => stdout.writableLength === 0);
    const lines = Buffer.concat(pieces).toString('utf8').split('\n').slice(0, -1);
    const messages = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    const counted = messages.filter((message) => message['method'] === 'notifications/progress');
    expect(counted.map((message) => (message['params'] as { progress: number }).progress)).toEqual(
      Array.from({ length: 1_000 }, (_, n) => n + 1),
    );
    expect(messages.filter((message) => 'result' in message)).toHaveLength(4);
  });

  test('a client that asks and never reads: no more is served than it may leave unread; when it reads, all is answered', async () => {
    let calls = 0;
    const server = new Server({ name: 'x', version: '1' });
    server.tool('text', {}, () => {
      calls++;
      return 'x'.repeat(1_000);
    });
    const stdin = new PassThrough();
    let text = '';
    let release = (): void => {};
    const stdout = new Writable({
      write(chunk: Buffer, _, callback) {
        text += chunk.toString('utf8');
        release = callback;
      },
    });
    serveStdio(server, { stdin, stdout, maxUnreadBytes: 10_000 });
    for (let id = 0; id < 500; id++) {
      stdin.write(`${JSON.stringify(call(id, 'text'))}\n`);
      if (id % 10 === 9) await settle();
    }
    expect(calls).toBeLessThan(100);
    expect(stdin.isPaused()).toBe(true);
    await settle(() => {
      release();
      return calls === 500 && stdout.writableLength === 0;
    });
    release();
    expect(text.split('\n').filter((line) => line.includes('"result"'))).toHaveLength(500);
  });
});

describe('Shutdown', () => {
  test('[STDIO-012 BUG-001] the end of stdin ends the service, stops what runs, and is told once', async () => {
    let closes = 0;
    const aborted: unknown[] = [];
    const service = {
      answer: (_: unknown, exchange: Parameters<Service['answer']>[1]) => {
        exchange.cancel.onCancel((reason) => aborted.push(reason));
        return new Promise<never>(() => {});
      },
      notice: () => {},
      close: () => Promise.resolve(void closes++),
    };
    const { stdin, serving, send } = onStreams(service);
    send(listTools(1));
    await settle();
    stdin.end();
    await serving.closed;
    expect([closes, aborted.length]).toEqual([1, 1]);
    await serving.close();
  });

  test.each(['stdin', 'stdout'] as const)(
    'so does an error of %s; it is logged, and thrown at nobody',
    async (which) => {
      const logger = recorder();
      const { serving, ...streams } = onStreams(new Server({ name: 'x', version: '1' }), { logger });
      streams[which].destroy(new Error('EPIPE'));
      await serving.closed;
      expect(logger.of('warn')).toEqual(['stdio broke']);
    },
  );

  test('a service that cannot be closed is logged, and closed all the same', async () => {
    const logger = recorder();
    const service = {
      answer: () => Promise.resolve({ result: {} }),
      notice: () => {},
      close: () => Promise.reject(new Error('no')),
    };
    const { serving, stdin } = onStreams(service, { logger });
    stdin.end();
    await serving.closed;
    expect(logger.of('error')).toHaveLength(1);
  });

  test('[STDIO-013 SUB-010] the server may end it: subscriptions get their result, stdout ends after it', async () => {
    const server = new Server({ name: 'x', version: '1' });
    // A service in front of it, as a gateway would be: its replies take some promises more.
    const gateway = {
      async answer(...args: Parameters<Service['answer']>) {
        const reply = await server.answer(...args);
        for (let n = 0; n < 50; n++) await Promise.resolve();
        return reply;
      },
      notice: () => {},
      close: () => server.close(),
    };
    const { stdout, serving, send, messages } = onStreams(gateway);
    send({ jsonrpc: '2.0', id: 's', method: 'subscriptions/listen', params: { notifications: {}, _meta: modernMeta } });
    await settle();
    await Promise.all([serving.close(), serving.close()]);
    expect(messages().slice(1)).toMatchObject([
      { method: 'notifications/cancelled', params: { requestId: 's' } },
      { id: 's', result: { resultType: 'complete' } },
    ]);
    expect(stdout.writableEnded).toBe(true);
    await serving.closed;
  });

  test('[STDIO-012 BUG-001 STDIO-003] a busy process of ours answers, and ends with code 0 when its client goes; stdout holds messages only', async () => {
    const { child, text, send, ended, lines } = startFixture('ours.ts', 'busy');
    child.stdin.write('noise\n');
    send(call(1, 'echo', { text: 'é—读取🎉' }));
    send(call(2, 'hold'));
    const messages = await lines(2);
    expect(messages).toMatchObject([
      { error: { code: -32_700 } },
      { id: 1, result: { content: [{ text: 'é—读取🎉' }] } },
    ]);
    child.stdin.end();
    expect(await ended).toEqual([0, null]);
    expect(text.out.split('\n')).toHaveLength(3);
    expect(text.err.split('\n').toSorted()).toEqual(['', 'aborted', 'closed']);
  });
});

describe('what the process says to its console', () => {
  const why = /^hawser: stdout belongs to the protocol/gm;
  const said = ['log', 'info', 'debug', 'table', 'group', 'count', 'dir', 'a kept log', 'the library'];

  test('[STDIO-003 BUG-009] goes to stderr while it serves, after one word on why; the console is put back at the end', async () => {
    const { text, send, ended, lines, child } = startFixture('noisy.ts');
    send(call(1, 'talk'));
    expect(await lines(1)).toMatchObject([{ id: 1, result: { content: [{ text: 'talked' }] } }]);
    send(call(2, 'close'));
    await lines(2);
    child.stdin.end();
    expect(await ended).toEqual([0, null]);
    expect(text.out.trim().split('\n')).toHaveLength(2);
    for (const by of said) expect(text.err).toContain(by);
    expect(text.err.match(why)).toHaveLength(1);
    expect(text.err.search(why)).toBeLessThan(text.err.indexOf('said by log'));
    expect(text.err.endsWith('true')).toBe(true);
  });

  test('is put back too when nothing was said', async () => {
    const { text, send, ended, lines, child } = startFixture('noisy.ts');
    send(call(1, 'close'));
    await lines(1);
    child.stdin.end();
    expect(await ended).toEqual([0, null]);
    expect(text.err).toBe('true');
  });

  test('goes there from a console that is not of Node as well', async () => {
    const { text, send, lines } = startFixture('noisy.ts', 'other');
    send(call(1, 'talk'));
    expect(await lines(1)).toMatchObject([{ id: 1 }]);
    for (const by of said.filter((each) => each !== 'a kept log')) expect(text.err).toContain(by);
    expect(text.err.match(why)).toHaveLength(1);
  });

  test('stays where it is when that is asked for', async () => {
    const { text, send, child } = startFixture('noisy.ts', 'leave');
    send(call(1, 'talk'));
    while (!text.out.includes('talked')) await once(child.stdout, 'data');
    expect(text.out).toContain('said by log');
    expect(text.err).not.toMatch(why);
  });

  test('[STDIO-005] what goes to stderr by itself needs no word: a logger, of any level, in UTF-8', async () => {
    const { text, send, lines, child, ended } = startFixture('noisy.ts', 'logger');
    send(call(1, 'log'));
    expect(await lines(1)).toMatchObject([{ id: 1, result: { content: [{ text: 'logged' }] } }]);
    child.stdin.end();
    expect(await ended).toEqual([0, null]);
    expect(text.err).toBe(['debug', 'info', 'warn', 'error'].map((level) => `${level}: é—读取🎉\n`).join(''));
  });

  test('is left alone by a server on streams of its own; an option that there is not is refused', async () => {
    const before = console.log;
    const stream = Reflect.get(console, '_stdout') as unknown;
    const { serving } = onStreams(new Server({ name: 'x', version: '1' }));
    expect([console.log, Reflect.get(console, '_stdout')]).toEqual([before, stream]);
    await serving.close();
    expect(() => onStreams(new Server({ name: 'x', version: '1' }), { console: 'stdout' as never })).toThrow(
      "console is 'stderr' or 'leave'",
    );
  });
});

test('a server without a logger has it said once that there is something to know', async () => {
  const { text, send, lines, child, ended } = startFixture('ours.ts');
  for (const id of [1, 2]) send(call(id, 'fault'));
  const told = 'tool "fault" gave an invalid result: the server\'s log says why';
  expect(await lines(2)).toMatchObject([1, 2].map((id) => ({ id, error: { code: -32_603, message: told } })));
  child.stdin.end();
  await ended;
  expect(text.err.match(/^hawser: tool "fault": .* \(give the server a logger/gm)).toHaveLength(1);
  expect(text.err).not.toContain('hunter2');
});

test('[SEED-150] stdio has one legacy session: that of its client, for all that it sends', async () => {
  const seen: [string, unknown, unknown][] = [];
  const server = new Server({ name: 's', version: '1' }).tool('who', {}, (_, { caller }) => {
    seen.push([caller.revision, caller.session, caller.clientInfo]);
    return '';
  });
  const { send, messages } = onStreams(server);
  const legacyCall = (id: number) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'who' } });
  const clientInfo = { name: 'the client', version: '7' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  send({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
  send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  send(legacyCall(1));
  send({ jsonrpc: '2.0', id: 2, method: 'initialize', params: { ...params, clientInfo: { name: 'x', version: '0' } } });
  send(call(3, 'who'));
  send(legacyCall(4));
  await settle();
  const [, first] = seen[0] ?? [];
  expect(first).toBeTypeOf('object');
  expect(seen).toEqual([
    ['2025-11-25', first, clientInfo],
    ['2026-07-28', undefined, undefined],
    ['2025-11-25', first, clientInfo],
  ]);
  expect(seen[2]?.[1]).toBe(first);
  expect(messages().find(({ id }) => id === 2)).toMatchObject({ error: { code: -32600 } });
});
