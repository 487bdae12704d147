/** Doors that are closed while they are used. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { connect } from '../../src/entry/index.node.ts';
import { serveHttp } from '../../src/node/http.ts';
import type { NodeHandlerOptions } from '../../src/node/http-options.ts';
import { Server } from '../../src/server/server.ts';
import { example } from '../support/example.ts';
import {
  bareSocket,
  call,
  expectRefusal,
  gate,
  headText,
  modern,
  mountedEndpoint,
  nodeEndpoint,
  oneConnection,
  openSession,
  webEndpoint,
  type Endpoint,
} from '../support/http.ts';

const doors: readonly [string, (server: Server, options?: NodeHandlerOptions) => Promise<Endpoint>][] = [
  ['serveHttp', (server, options) => nodeEndpoint(server, options)],
  ['nodeHandler', (server, options = {}) => mountedEndpoint(server, options, () => undefined)],
  ['webDoor', (server) => Promise.resolve(webEndpoint(server))],
];

const withSessions = doors.filter(([name]) => name !== 'webDoor');

const listen = modern('subscriptions/listen', { notifications: { toolsListChanged: true } }, { id: 'sub' });
const acknowledged = { method: 'notifications/subscriptions/acknowledged' };
const drained = { drainMs: Infinity };

describe.each(doors)('%s', (name, open) => {
  test('a call that runs gets its answer; what comes meanwhile is refused', async () => {
    const { server, hold, runs } = example();
    const endpoint = await open(server);
    const held = endpoint.send(call('hold'));
    await hold.started;
    const closing = endpoint.close(drained);
    const refused = await endpoint.send(call('echo'));
    expectRefusal(refused, 503, -32603);
    expect(refused.headers).toMatchObject({ connection: 'close', 'retry-after': '1' });
    expectRefusal(await endpoint.send({ method: 'GET', headers: { accept: 'text/event-stream' } }), 503, -32603);
    hold.release();
    expect((await held).content).toBe('let go');
    await closing;
    expect(runs).toEqual(['hold']);
    if (name === 'webDoor') expectRefusal(await endpoint.send(call('echo')), 503, -32603);
    else
      await expect(endpoint.send(call('echo'))).rejects.toMatchObject({
        code: expect.stringMatching(/^ECONN(REFUSED|RESET)$/) as string,
      });
  });

  test('who listens gets the final result at once, though a call still runs', async () => {
    const { server, hold } = example();
    const endpoint = await open(server);
    const stream = await endpoint.fly(listen).head;
    expect(await stream.message()).toMatchObject(acknowledged);
    const held = endpoint.send(call('hold'));
    await hold.started;
    const closing = endpoint.close(drained);
    expect(await stream.message()).toMatchObject({ id: 'sub', result: { resultType: 'complete' } });
    expect(await stream.message()).toBe(undefined);
    hold.release();
    expect((await held).status).toBe(200);
    await closing;
  });

  test('other doors of the server go on, and so do those who listen there', async () => {
    const { server } = example();
    const endpoint = await open(server);
    const others = [await nodeEndpoint(server), webEndpoint(server)];
    const streams = await Promise.all(others.map((other) => other.fly(listen).head));
    for (const stream of streams) expect(await stream.message()).toMatchObject(acknowledged);
    const inProcess = await connect(server, { protocol: 'modern' });
    onTestFinished(() => inProcess.close());
    const heard = gate();
    await inProcess.listen({ toolsListChanged: true }, { onNotification: () => heard.open() });
    await endpoint.close();
    server.removeTool('report');
    for (const stream of streams)
      expect(await stream.message()).toMatchObject({ method: 'notifications/tools/list_changed' });
    await heard.opened;
    for (const other of others) expect((await other.send(call('echo'))).status).toBe(200);
  });

  test('when the time is up, what runs is told to stop', async () => {
    for (const drainMs of [0, 20]) {
      const { server, hold } = example();
      const endpoint = await open(server);
      const flight = endpoint.fly(call('hold'));
      flight.head.catch(() => undefined);
      await hold.started;
      await endpoint.close({ drainMs });
      expect(await hold.aborted).toMatchObject({ code: 'aborted' });
      hold.release();
    }
  });

  test('a request that is still being judged is refused, and runs nothing', async () => {
    const { server, runs } = example();
    const asked = gate();
    const known = gate();
    const authenticate = async () => {
      asked.open();
      await known.opened;
      return {};
    };
    const endpoint = name === 'webDoor' ? webEndpoint(server, { authenticate }) : await open(server, { authenticate });
    const answering = endpoint.send(call('echo'));
    await asked.opened;
    const closing = endpoint.close(drained);
    known.open();
    expectRefusal(await answering, 503, -32603);
    await closing;
    expect(runs).toEqual([]);
  });

  test.each([-1, Number.NaN, '5'])('drainMs: %j is refused, and the door stays open', async (drainMs) => {
    const endpoint = await open(example().server);
    await expect(async () => endpoint.close({ drainMs: drainMs as number })).rejects.toMatchObject({
      code: 'bad_argument',
    });
    expect((await endpoint.send(call('echo'))).status).toBe(200);
  });
});

describe.each(withSessions)('legacy sessions at %s', (_, open) => {
  /** A server with a tool that asks for a number. */
  function asking(): Server {
    const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
    return new Server({ name: 's', version: '1' }).tool('ask', {}, async (_args, ctx) => {
      const { n } = await ctx.elicit('n', { message: 'How many?', schema });
      return `got ${String(n)}`;
    });
  }

  test('what a call asks can still be answered; new calls are refused, then the session is gone', async () => {
    const endpoint = await open(asking());
    const session = await openSession(endpoint, '2025-11-25', {}, { elicitation: {} });
    const standing = await endpoint.fly(session.get()).head;
    expect(await standing.block()).toBe(': open');
    const stream = await endpoint.fly(session.call('ask')).head;
    const question = await stream.message();
    expect(question).toMatchObject({ method: 'elicitation/create' });
    const closing = endpoint.close(drained);
    expectRefusal(await endpoint.send(session.call('ask')), 503, -32603);
    expectRefusal(await endpoint.send(session.get()), 503, -32603);
    const answer = { jsonrpc: '2.0', id: question?.['id'], result: { action: 'accept', content: { n: 3 } } };
    expect((await endpoint.send(session.post(answer))).status).toBe(202);
    expect(await stream.message()).toMatchObject({ result: { content: [{ text: 'got 3' }] } });
    await closing;
    while ((await standing.block()) !== undefined);
    expect(endpoint.open).toEqual({ sessions: 0, streams: 0, calls: 0, kept: 0 });
  });

  test('a call can still be cancelled', async () => {
    const { server, hold } = example();
    const endpoint = await open(server);
    const session = await openSession(endpoint);
    const flight = endpoint.fly(session.call('hold', {}, { id: 7 }));
    await hold.started;
    const closing = endpoint.close(drained);
    expect((await endpoint.send(session.note('notifications/cancelled', { requestId: 7 }))).status).toBe(202);
    await hold.aborted;
    hold.release();
    await closing;
    await flight.head.catch(() => undefined);
  });

  test('batches are refused like the calls in them', async () => {
    const { server, hold, runs } = example();
    const endpoint = await open(server);
    const session = await openSession(endpoint, '2025-03-26');
    const held = endpoint.send(session.call('hold'));
    await hold.started;
    const closing = endpoint.close(drained);
    const batch = [{ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'echo' } }];
    expectRefusal(await endpoint.send(session.post(batch)), 503, -32603);
    hold.release();
    expect((await held).content).toBe('let go');
    await closing;
    expect(runs).toEqual(['hold']);
  });
});

test('what is open can be counted, and nothing is at the end', async () => {
  const { server, hold } = example();
  const endpoint = await nodeEndpoint(server);
  const none = { sessions: 0, streams: 0, calls: 0, kept: 0 };
  expect(endpoint.open).toEqual(none);
  const stream = await endpoint.fly(listen).head;
  expect(await stream.message()).toMatchObject(acknowledged);
  const session = await openSession(endpoint);
  const standing = await endpoint.fly(session.get()).head;
  expect(await standing.block()).toBe(': open');
  expect(endpoint.open).toEqual({ ...none, sessions: 1, streams: 2 });
  server.removeTool('report');
  expect(await stream.message()).toMatchObject({ method: 'notifications/tools/list_changed' });
  const held = endpoint.send(call('hold'));
  await hold.started;
  expect(endpoint.open).toEqual({ sessions: 1, streams: 2, calls: 1, kept: 1 });
  const closing = endpoint.close(drained);
  hold.release();
  expect((await held).status).toBe(200);
  await closing;
  expect(endpoint.open).toEqual(none);
});

describe('serveHttp and its connections', () => {
  test('a second close hastens the first', async () => {
    const { server, hold } = example();
    const serving = await serveHttp(server);
    const { socket, ended } = bareSocket(serving.port);
    const sent = call('hold');
    socket.write(headText(sent) + JSON.stringify(sent.body));
    await hold.started;
    const first = serving.close(drained);
    await Promise.all([first, serving.close({ drainMs: 0 })]);
    expect(await ended).not.toContain('let go');
    hold.release();
  });

  test('a long answer reaches a slow reader whole', async () => {
    const size = 8 * 1024 * 1024;
    const server = new Server({ name: 's', version: '1' }).tool('long', {}, () => 'x'.repeat(size));
    const endpoint = await nodeEndpoint(server);
    const { socket, ended } = bareSocket(endpoint.port);
    const sent = call('long');
    const begun = new Promise((resolve) => {
      socket.once('data', resolve);
    });
    socket.write(headText(sent) + JSON.stringify(sent.body));
    await begun;
    socket.pause();
    const closing = endpoint.close({ drainMs: 5_000 });
    expect(endpoint.open.calls).toBe(0);
    socket.resume();
    expect((await ended).match(/x{1000}/g)).toHaveLength(Math.floor(size / 1_000));
    await closing;
  });

  test('who reads nothing cannot hold it up for longer than it may take', async () => {
    const server = new Server({ name: 's', version: '1' }).tool('long', {}, () => 'x'.repeat(8 * 1024 * 1024));
    const endpoint = await nodeEndpoint(server);
    const { socket } = bareSocket(endpoint.port);
    const sent = call('long');
    const begun = new Promise((resolve) => {
      socket.once('data', resolve);
    });
    socket.write(headText(sent) + JSON.stringify(sent.body));
    await begun;
    socket.pause();
    await endpoint.close({ drainMs: 50 });
  });

  test('connections that wait for their next request are let go, and a body that never comes waits in vain', async () => {
    const { server } = example();
    const endpoint = await nodeEndpoint(server);
    const idle = oneConnection(endpoint);
    expect((await idle(call('echo'))).status).toBe(200);
    const { socket, ended } = bareSocket(endpoint.port);
    await new Promise<void>((resolve) => {
      socket.write(`${headText({ headers: call('echo').headers }, { 'content-length': 100 })}{`, () => resolve());
    });
    expect((await endpoint.send(call('echo'))).status).toBe(200);
    await endpoint.close({ drainMs: 50 });
    await ended;
  });
});
