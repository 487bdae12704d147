/** Callers that go at moments when platforms do not say so: nothing of them stays. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test, vi } from 'vitest';
import { serveHttp } from '../../src/node/http.ts';
import { legacySseHandler } from '../../src/node/legacy-sse.ts';
import { streamPipe } from '../../src/node/stream-pipe.ts';
import { Server } from '../../src/server/server.ts';
import { VirtualClock } from '../../src/testing/clock.ts';
import { nextTurn } from '../../src/testing/settle.ts';
import { streamHeaders } from '../../src/transport/http-types.ts';
import { WebOutgoing } from '../../src/transport/web-outgoing.ts';
import { gate, modern, mountedEndpoint, nodeEndpoint, openSession } from '../support/http.ts';

const nobody = { sessions: 0, streams: 0, calls: 0, kept: 0 };

function socketTo(port: number): Socket {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  return socket.resume();
}

const line = (head: string, headers: object, body = ''): string =>
  `${head} HTTP/1.1\r\n${Object.entries({ host: 'localhost', 'content-length': Buffer.byteLength(body), ...headers })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n${body}`;

test('requests that wait behind another on their connection go with it', async () => {
  const serving = await serveHttp(new Server({ name: 'x', version: '1' }));
  onTestFinished(() => serving.close({ drainMs: 0 }));
  const { headers, body } = modern('subscriptions/listen', { notifications: { toolsListChanged: true } });
  const listen = line('POST /mcp', headers ?? {}, JSON.stringify(body));
  const socket = socketTo(serving.port);
  socket.write(listen.repeat(30));
  await vi.waitFor(() => expect(serving.open.streams).toBe(30));
  socket.destroy();
  await vi.waitFor(() => expect(serving.open).toEqual(nobody));
  // Nobody is waited for.
  await serving.close({ drainMs: Infinity });
});

test('so do streams of HTTP+SSE, also when the connection went while they were authenticated', async () => {
  const asked = gate();
  let waiting = 0;
  let slow = false;
  const serving = legacySseHandler(new Server({ name: 'x', version: '1' }), {
    authenticate: async () => {
      if (slow) {
        waiting++;
        await asked.opened;
      }
      return { principal: 'p' };
    },
  });
  const http = createServer(serving).listen(0, '127.0.0.1');
  onTestFinished(() => void http.close());
  await once(http, 'listening');
  const { port } = http.address() as AddressInfo;
  const get = line('GET /sse', { accept: 'text/event-stream' });
  const first = socketTo(port);
  first.write(get.repeat(5));
  await vi.waitFor(() => expect(serving.open).toMatchObject({ sessions: 5, streams: 5 }));
  first.destroy();
  await vi.waitFor(() => expect(serving.open).toEqual(nobody));
  slow = true;
  const noticed = gate();
  http.once('connection', (socket) => socket.once('close', () => noticed.open()));
  const second = socketTo(port);
  second.write(get.repeat(3));
  await vi.waitFor(() => expect(waiting).toBe(3));
  second.destroy();
  await noticed.opened;
  asked.open();
  await nextTurn();
  expect(serving.open).toEqual(nobody);
});

test('a call that tells something after its caller has gone opens no stream for nobody', async () => {
  const began = gate();
  const goOn = gate();
  const ended = gate();
  const server = new Server({ name: 'x', version: '1' });
  server.tool('late', {}, async (_, ctx) => {
    began.open();
    await goOn.opened;
    ctx.log('info', 'late');
    ended.open();
    return 'done';
  });
  // Of the last request that came.
  let noticed = gate();
  const endpoint = await mountedEndpoint(server, {}, (_, response) => {
    const closed = (noticed = gate());
    response.once('close', () => closed.open());
  });
  const session = await openSession(endpoint);
  const flight = endpoint.fly(session.request('tools/call', { name: 'late', arguments: {} }));
  flight.head.catch(() => undefined);
  await began.opened;
  flight.leave();
  await noticed.opened;
  goOn.open();
  await ended.opened;
  await vi.waitFor(() => expect(endpoint.open).toEqual({ ...nobody, sessions: 1 }));
});

test('on the web door too, where each stream has a timer', async () => {
  const clock = new VirtualClock();
  const leaving = new AbortController();
  const answered = new Promise<Response>((resolve) => {
    const out = new WebOutgoing(leaving.signal, resolve, { keepAliveMs: 1_000, stalledMs: 5_000, clock });
    out.onGone(() => undefined);
    leaving.abort();
    out.open(streamHeaders);
    expect(out.write('x')).toBe(false);
  });
  await expect((await answered).text()).rejects.toThrow('aborted');
  expect(clock.pending).toBe(0);
});

test('calls of a batch are counted among those that run', async () => {
  const goOn = gate();
  const began = gate();
  const server = new Server({ name: 'x', version: '1' });
  server.tool('wait', {}, async () => {
    began.open();
    await goOn.opened;
    return 'done';
  });
  const endpoint = await nodeEndpoint(server);
  const session = await openSession(endpoint, '2025-03-26');
  const { body } = session.call('wait');
  const answer = endpoint.send(session.post([body]));
  await began.opened;
  expect(endpoint.open.calls).toBe(1);
  goOn.open();
  expect((await answer).status).toBe(200);
  expect(endpoint.open.calls).toBe(0);
});

test('however many calls wait for a caller to read, its connection has one listener for them', async () => {
  const output = new PassThrough({ highWaterMark: 1 });
  const pipe = streamPipe(new PassThrough(), output);
  pipe.write('full');
  await nextTurn();
  const waiting = Array.from({ length: 50 }, () => pipe.drained());
  expect(output.listenerCount('drain')).toBeLessThan(5);
  output.resume();
  await Promise.all(waiting);
  expect(output.listenerCount('drain')).toBeLessThan(2);
});
