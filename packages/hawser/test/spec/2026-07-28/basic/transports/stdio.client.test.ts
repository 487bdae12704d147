/** The client's side of stdio (basic/transports/stdio): real programs, and pipes moved by hand. */
import { connect as connectSocket, createServer, type AddressInfo } from 'node:net';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { realpathSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { connectOn } from '../../../../../src/client/connect.ts';
import { connect } from '../../../../../src/entry/index.node.ts';
import { StreamPipe } from '../../../../../src/node/stream-pipe.ts';
import { Server } from '../../../../../src/server/server.ts';
import { VirtualClock } from '../../../../../src/testing/clock.ts';
import { nextTurn } from '../../../../../src/testing/settle.ts';
import { pipeLink } from '../../../../../src/transport/pipe-client.ts';
import { servePipe } from '../../../../../src/transport/pipe-server.ts';
import { inTypeScript, root } from '../../../../support/commands.ts';
import {
  byHand,
  connectByHand,
  eras,
  failureOf,
  isAlive,
  linkByHand,
  opening,
  received,
  recorder,
  seenBy,
  start,
  textOf,
  tokenOf,
} from '../../../../support/stdio.ts';

describe('stdio', () => {
  test.each(eras)('[STDIO-001 STDIO-021 SEED-078] a %s server is started, written to and read from', async (era) => {
    const client = await start({ era });
    expect(client.protocolEra).toBe(era);
    expect(await textOf(client, 'echo', { text: 'é—读取🎉' })).toBe('é—读取🎉');
    const seen = await seenBy(client);
    expect(seen.map((message) => message['method'])).toEqual(
      era === 'modern'
        ? ['server/discover', 'tools/call', 'tools/call']
        : ['server/discover', 'initialize', 'notifications/initialized', 'tools/call', 'tools/call'],
    );
  });

  test('[STDIO-001] the program gets exactly its arguments, whatever a shell would make of them', async () => {
    const args = ['{"era":"dual"}', '$HOME', '*', 'a b', '"', '; echo x', ''];
    const client = await connect({ command: [...byHand().slice(0, 2), ...args] as [string, ...string[]] });
    onTestFinished(() => client.close());
    expect(JSON.parse(await textOf(client, 'argv'))).toEqual(args);
  });

  test('it runs in the folder it is given', async () => {
    const client = await connect({ command: byHand(), cwd: tmpdir() });
    onTestFinished(() => client.close());
    expect(await textOf(client, 'cwd')).toBe(realpathSync(tmpdir()));
  });

  test.each(eras)('[STDIO-002 BASE-001] each message to a %s server is one line, whatever is in it', async (era) => {
    const { pair, server, client } = await connectByHand({ ...opening[era], 'tools/call': () => ({ content: [] }) });
    const text = 'a\nb\r\nc\u2028d\u2029e\u0085f\0g\u001Bh 🎉 "\\';
    const call = client.callTool('x', { text, [text]: [text] }, { onProgress: () => {} });
    const raw = pair.peek('server');
    expect(raw.endsWith('\n')).toBe(true);
    const line = raw.slice(0, -1);
    expect(line).not.toMatch(/[\n\r]/);
    expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0', params: { arguments: { text, [text]: [text] } } });
    await pair.run();
    await call;
    for (const message of received(server))
      expect(message).toMatchObject({ jsonrpc: '2.0', method: expect.any(String) });
  });

  test('[STDIO-002] answers whose lines end in CRLF are taken', async () => {
    const { pair, server, link } = linkByHand();
    const asked = link.request({ method: 'a' });
    server.raw('{"jsonrpc":"2.0","id":1,"result":{"text":"x\\r\\n"}}\r\n');
    await pair.run();
    expect(await asked).toEqual({ result: { text: 'x\r\n' } });
  });

  test.each([
    [256 * 1024, 1_024],
    [1_024 * 1_024, 1_024 * 1_024],
  ])(
    '[STDIO-005 SEED-088 BUG-007] %d bytes on stderr within a call, in lines of %d, block nothing and are no error',
    async (bytes, lineBytes) => {
      const logger = recorder();
      const client = await start({ stderr: '\n50%', times: 64 * 1024 }, { logger });
      expect(await textOf(client, 'stderr', { bytes, lineBytes })).toBe('written');
      expect(await textOf(client, 'echo', { text: 'after' })).toBe('after');
      expect([logger.of('warn'), logger.of('error')]).toEqual([[], []]);
      const shown = logger.of('debug').filter((message) => message.includes('on stderr'));
      expect(shown[0]).toMatch(/on stderr: 50%$/);
      expect(shown.every((message) => message.length < 2_000)).toBe(true);
    },
  );

  test('[STDIO-016 STDIO-017] any two-way stream of bytes carries the same: a socket', async () => {
    const server = new Server({ name: 'on a socket', version: '1' });
    server.tool('echo', { input: { type: 'object' } }, ({ text }) => String(text));
    const listener = createServer((socket) => void servePipe(server, new StreamPipe(socket, socket)));
    listener.listen(0, '127.0.0.1');
    await once(listener, 'listening');
    onTestFinished(() => void listener.close());
    const { port } = listener.address() as AddressInfo;
    for (const protocol of ['modern', '2024-11-05'] as const) {
      const over = connectOn({
        spawn: () => async (inbound) => {
          const socket = connectSocket(port, '127.0.0.1');
          await once(socket, 'connect');
          return pipeLink(new StreamPipe(socket, socket), inbound);
        },
      });
      const client = await over({ command: ['a socket'] }, { protocol });
      const large = '读'.repeat(200_000);
      expect(await textOf(client, 'echo', { text: large })).toBe(large);
      await client.close();
    }
  });
});

describe('Sending Messages', () => {
  test('[STDIO-004 STDIO-006 BASE-024] to a modern server nothing but requests and notifications is ever written', async () => {
    const logger = recorder();
    const { pair, server, client, link } = await connectByHand(opening.modern, { logger });
    const asked = [
      { jsonrpc: '2.0', id: 1, method: 'ping' },
      { jsonrpc: '2.0', id: 'a', method: 'roots/list' },
      { jsonrpc: '2.0', id: 2, method: 'sampling/createMessage', params: {} },
      { jsonrpc: '2.0', id: null, method: 'ping' },
      { jsonrpc: '2.0', id: 3, method: 'ping', params: [] },
    ];
    for (const message of asked) server.send(message);
    server.send([asked[0]]);
    server.raw('noise\n{}\n7\n');
    const call = failureOf(client.sendRequest('x', {}, { signal: AbortSignal.abort() }));
    const held = failureOf(client.sendRequest('y'));
    await pair.run();
    await call;
    const written = received(server);
    expect(written.map((message) => message['method'])).toEqual(['server/discover', 'y']);
    expect(logger.of('warn').filter((message) => message.includes('does not answer'))).not.toEqual([]);
    expect(link.open).toBe(1);
    const closed = client.close();
    await pair.run();
    await Promise.all([closed, held]);
  });

  test('[STDIO-019 SEED-095] a legacy server may ask: ping is answered, within the handshake too; what is unknown is refused', async () => {
    const { pair, server } = await connectByHand({
      ...opening.legacy,
      initialize(request) {
        request.raw('{"jsonrpc":"2.0","id":"early","method":"ping"}\n');
        return opening.legacy['initialize']?.(request);
      },
    });
    const [ping, unknown] = [server.request('ping'), server.request('x/y')];
    await pair.run();
    expect(await ping).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    expect(await unknown).toEqual({ jsonrpc: '2.0', id: 2, error: { code: -32_601, message: expect.any(String) } });
    expect(received(server)).toContainEqual({ jsonrpc: '2.0', id: 'early', result: {} });
  });

  test('[SEED-095] a program of a modern server that asks gets no line back, one of a legacy server does', async () => {
    for (const era of eras) {
      const client = await start({ era });
      await client.callTool('ask', { method: 'ping' });
      const answers = (await seenBy(client)).filter((message) => message['method'] === undefined);
      expect(answers).toEqual(era === 'modern' ? [] : [{ jsonrpc: '2.0', id: 'asked', result: {} }]);
    }
  });
});

describe('Receiving Messages', () => {
  test('[STDIO-008] responses by id, progress by token, changes by subscription, the rest to the client', async () => {
    const { pair, server, client } = await connectByHand(opening.modern);
    const progress: [string, number][] = [];
    const changes: [string, string][] = [];
    const calls = ['a', 'b'].map((name) =>
      client.callTool(name, {}, { onProgress: ({ progress: value }) => progress.push([name, value]) }),
    );
    const listens = ['x', 'y'].map((name) =>
      client.listen({ toolsListChanged: true }, { onNotification: ({ method }) => changes.push([name, method]) }),
    );
    await pair.run();
    const [a, b] = [await server.expect('tools/call'), await server.expect('tools/call')];
    const [x, y] = [await server.expect('subscriptions/listen'), await server.expect('subscriptions/listen')];
    const subscription = (id: unknown) => ({ 'io.modelcontextprotocol/subscriptionId': id });
    for (const { id } of [y, x])
      server.notify('notifications/subscriptions/acknowledged', { notifications: {}, _meta: subscription(id) });
    server.notify('notifications/progress', { progressToken: tokenOf(b), progress: 1 });
    server.notify('notifications/tools/list_changed', { _meta: subscription(y.id) });
    server.notify('notifications/progress', { progressToken: tokenOf(a), progress: 2 });
    server.notify('notifications/prompts/list_changed', { _meta: subscription(x.id) });
    b.reply({ content: [{ type: 'text', text: 'for b' }] });
    a.reply({ content: [{ type: 'text', text: 'for a' }] });
    await pair.run();
    expect((await Promise.all(calls)).map((result) => result.text)).toEqual(['for a', 'for b']);
    await Promise.all(listens);
    expect(progress).toEqual([
      ['b', 1],
      ['a', 2],
    ]);
    expect(changes).toEqual([
      ['y', 'notifications/tools/list_changed'],
      ['x', 'notifications/prompts/list_changed'],
    ]);
  });

  test('[B-48] log messages of a modern server are taken while a request is open that asked for them, and only then', async () => {
    const notes: unknown[] = [];
    const { pair, server, client } = await connectByHand(opening.modern, {
      onNotification: (note) => notes.push(note),
    });
    const log = (data: string) => server.notify('notifications/message', { level: 'info', data });
    log('before');
    await pair.run();
    const logLevel = { 'io.modelcontextprotocol/logLevel': 'info' };
    const asks = client.sendRequest('tools/call', { name: 'a', _meta: logLevel });
    const does = client.sendRequest('tools/call', { name: 'b' });
    await pair.run();
    log('meanwhile');
    await pair.run();
    (await server.expect('tools/call')).reply({});
    await pair.run();
    await asks;
    log('after');
    (await server.expect('tools/call')).reply({});
    await pair.run();
    await does;
    expect(notes).toEqual([{ method: 'notifications/message', params: { level: 'info', data: 'meanwhile' } }]);
  });

  test('log messages of a legacy server are taken at any time', async () => {
    const notes: unknown[] = [];
    const { pair, server } = await connectByHand(opening.legacy, { onNotification: (note) => notes.push(note) });
    server.notify('notifications/message', { level: 'info', data: 'x' });
    await pair.run();
    expect(notes).toEqual([{ method: 'notifications/message', params: { level: 'info', data: 'x' } }]);
  });

  test('[SEED-093] a listener may make requests on the same connection, and one that throws harms nobody', async () => {
    const logger = recorder();
    const results: unknown[] = [];
    const connecting = connectByHand(
      { ...opening.legacy, 'tools/list': () => ({ tools: [] }) },
      {
        logger,
        async onNotification({ method }) {
          if (method === 'throw') throw new Error('oops');
          results.push(await (await connecting).client.listTools());
        },
      },
    );
    const { pair, server, client } = await connecting;
    server.notify('notifications/x');
    await pair.run();
    expect(results).toEqual([[]]);
    const listed = client.listTools();
    await pair.run();
    expect(await listed).toEqual([]);
  });
});

describe('Shutdown', () => {
  test.each(eras)('[STDIO-011] a %s server that heeds the end of its input is ended by nothing else', async (era) => {
    const client = await connect({ command: byHand({ era }) }, { clock: new VirtualClock() });
    const pid = Number(await textOf(client, 'pid'));
    expect(isAlive(pid)).toBe(true);
    // Time stands still: no signal is due.
    await client.close();
    expect(isAlive(pid)).toBe(false);
  });

  test('[STDIO-011 SEED-087] end of input, SIGTERM 2 s later, SIGKILL after 2 s more; pending calls reject', async () => {
    const clock = new VirtualClock();
    const logger = recorder();
    const client = await connect({ command: byHand({ stubborn: true }) }, { clock, logger });
    const pid = Number(await textOf(client, 'pid'));
    const call = failureOf(client.callTool('hang'));
    const closed = client.close();
    const again = client.close();
    await clock.advance(1_999);
    expect(clock.pendingMs).toContain(1);
    await clock.advance(1);
    await logger.seen(/SIGTERM came$/);
    await clock.advance(1_999);
    expect(isAlive(pid)).toBe(true);
    await clock.advance(1);
    await Promise.all([closed, again]);
    expect(isAlive(pid)).toBe(false);
    expect(await call).toMatchObject({ code: 'connection', outcome: 'unknown' });
  });

  test('[BUG-013 STDIO-011] behind a wrapper that ends at once, the server itself has its time, and ends as well', async () => {
    const clock = new VirtualClock();
    const logger = recorder();
    const [program, ...args] = byHand({ stubborn: true });
    // What runs in the background would have no input otherwise.
    const script = `exec 3<&0; ${[program, ...args].map((word) => `'${word}'`).join(' ')} <&3 & wait`;
    const client = await connect({ command: ['sh', '-c', script] }, { clock, logger });
    const pid = Number(await textOf(client, 'pid'));
    const wrapper = Number(await textOf(client, 'parent'));
    const closed = client.close();
    await clock.advance(2_000);
    await logger.seen(/SIGTERM came$/);
    await gone(wrapper);
    await clock.advance(1_999);
    expect([isAlive(pid), clock.pendingMs]).toEqual([true, [1]]);
    await clock.advance(1);
    await closed;
    await gone(pid);
  });

  test('[BUG-013] what a wrapper leaves behind when it ends on its own is ended too', async () => {
    const client = await connect({
      command: [
        'sh',
        '-c',
        `sleep 600 >/dev/null 2>&1 </dev/null & echo "left $!" >&2; exec '${byHand().join("' '")}'`,
      ],
    });
    const failed = (await failureOf(client.callTool('exit', { stderr: '' }))) as Error;
    const pid = Number(/left (\d+)/.exec(failed.message)?.[1]);
    expect(pid).toBeGreaterThan(1);
    await gone(pid);
    await client.close();
  });

  test('a connection given up while it opens ends the program', async () => {
    const logger = recorder();
    const controller = new AbortController();
    const command = byHand({ stderr: 'started\n', deaf: true, era: 'legacy', exitUnless: 'server/discover' });
    const failed = failureOf(connect({ command }, { signal: controller.signal, logger, clock: new VirtualClock() }));
    await logger.seen(/started$/);
    controller.abort(new Error('enough'));
    expect(await failed).toMatchObject({ code: 'aborted', cause: { message: 'enough' } });
  });

  test('[STDIO-013] a server may end on its own: that is an end, with its reason', async () => {
    const client = await start();
    const failed = failureOf(client.callTool('exit', { code: 0 }));
    expect(await failed).toMatchObject({
      code: 'connection',
      message: expect.stringMatching(/ended with exit code 0$/),
    });
  });

  test('[STDIO-013] a server that closes its output and stays is ended', async () => {
    const clock = new VirtualClock();
    const listeners = process.listenerCount('exit');
    const client = await connect({ command: byHand({ stubborn: true }) }, { clock });
    const pid = Number(await textOf(client, 'pid'));
    const failed = failureOf(client.callTool('closeOutput'));
    const open = clock.pending;
    while (clock.pending === open) await clock.turn();
    await clock.advance(2_000);
    expect(await failed).toMatchObject({ code: 'connection', message: expect.stringMatching(/closed its output$/) });
    const closed = client.close();
    await clock.advance(4_000);
    await closed;
    await gone(pid);
    while (process.listenerCount('exit') > listeners) await nextTurn();
  });
});

describe('the process that starts them', () => {
  test('has one listener for all its programs, and none when they have ended', async () => {
    const before = process.listenerCount('exit');
    const clients = await Promise.all([1, 2, 3].map(() => connect({ command: byHand() })));
    expect(process.listenerCount('exit')).toBe(before + 1);
    await Promise.all(clients.map((client) => client.close()));
    expect(process.listenerCount('exit')).toBe(before);
  });

  test('leaves none of them behind when it ends without closing', async () => {
    const [program, ...args] = inTypeScript('leaves.ts');
    const parent = spawn(program, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
    const [out] = (await once(parent.stdout, 'data')) as [Buffer];
    const pid = Number(out.toString('utf8'));
    expect(pid).toBeGreaterThan(1);
    expect(await once(parent, 'close')).toEqual([0, null]);
    await gone(pid);
  });
});

describe('Unexpected Termination', () => {
  test('[STDIO-014 SEED-085] the next call starts the program again, and finds out anew what it speaks', async () => {
    const client = await start();
    const first = await textOf(client, 'pid');
    await failureOf(client.callTool('exit'));
    const second = await textOf(client, 'pid');
    expect(second).not.toBe(first);
    expect((await seenBy(client)).map((message) => message['method'])).toEqual([
      'server/discover',
      'tools/call',
      'tools/call',
    ]);
  });

  test('[SEED-085 SEED-086] two calls that lose their process start one new process between them', async () => {
    const client = await start();
    const first = await textOf(client, 'pid');
    const lost = [failureOf(client.callTool('hang')), failureOf(client.callTool('exit'))];
    for (const error of await Promise.all(lost))
      expect(error).toMatchObject({ code: 'connection', outcome: 'unknown' });
    const pids = await Promise.all([1, 2, 3].map(() => textOf(client, 'pid')));
    expect(new Set(pids).size).toBe(1);
    expect(pids[0]).not.toBe(first);
  });

  test.each([
    [
      'an exit code',
      'exit',
      { code: 3, stderr: 'the disk\u001B[31m is full é🎉\n' },
      /ended with exit code 3; .*the disk\\x1b\[31m is full é🎉$/,
    ],
    ['no word', 'exit', { code: 7 }, /ended with exit code 7$/],
    ['a signal', 'kill', { signal: 'SIGKILL' }, /was ended by SIGKILL$/],
    ['long last words', 'exit', { stderr: `${'x'.repeat(100_000)}the end` }, /stderr: x{493}the end$/],
  ])('[BUG-003] %s: calls reject with how it ended and its last words', async (_, tool, args, message) => {
    const client = await start();
    const calls = [client.callTool('hang'), client.callTool(tool, args)];
    const later = failureOf(calls[0] as Promise<unknown>);
    expect(await failureOf(calls[1] as Promise<unknown>)).toMatchObject({
      code: 'connection',
      origin: 'transport',
      outcome: 'unknown',
      message: expect.stringMatching(message),
    });
    expect(await later).toMatchObject({ message: expect.stringMatching(message) });
  });

  test('[BUG-003] a program that ends at the first line: connect rejects with both of its ends', async () => {
    const failed = failureOf(connect({ command: byHand({ exitUnless: 'never' }) }));
    const error = (await failed) as Error;
    expect(error).toMatchObject({ code: 'connection', outcome: 'not-sent' });
    expect(error.message).toMatch(/got initialize.*\(before that, on server\/discover: .*got server\/discover\)$/);
  });

  test('after close, calls fail at once and nothing is started', async () => {
    const client = await start();
    await client.close();
    expect(await failureOf(client.callTool('echo'))).toMatchObject({
      code: 'connection',
      outcome: 'not-sent',
      origin: 'local',
    });
  });

  test('[SEED-094] what was written to the pipe of a program that ended never reaches the next one', async () => {
    const client = await start();
    const exits = failureOf(client.callTool('kill', { signal: 'SIGKILL' }));
    // These are written behind it, to the pipe of the same program.
    const lost = ['a', 'b'].map((text) => failureOf(client.callTool('echo', { text })));
    for (const error of [await exits, ...(await Promise.all(lost))])
      expect(error).toMatchObject({ code: 'connection' });
    const seen = await seenBy(client);
    expect(JSON.stringify(seen)).not.toContain('"echo"');
  });
});

/** Resolves when there is no such process: it was ended, and somebody reaps it. */
async function gone(pid: number): Promise<void> {
  while (isAlive(pid)) await nextTurn();
}
