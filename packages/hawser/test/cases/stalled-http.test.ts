/** Callers that do not read, or have vanished: nothing grows, nobody else notices, and their places get free. */
import { createGzip } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import type { Exchange } from '../../src/ports/index.ts';
import { Server } from '../../src/server/server.ts';
import { webDoor } from '../../src/transport/web.ts';
import {
  bareSocket,
  call,
  doors,
  gate,
  headText,
  modern,
  mountedEndpoint,
  nodeEndpoint,
  openSession,
  webEndpoint,
  type Endpoint,
  type Live,
  type Sent,
} from '../support/http.ts';

const listen = (id = 1): Sent => modern('subscriptions/listen', { notifications: { toolsListChanged: true } }, { id });
/** Less than what is written in one piece. */
const large = 'x'.repeat(8_000);

/** A service whose calls emit, once per turn, until there is no room or `most` were sent. */
function flood(most: number) {
  const full = gate<number>();
  const gone = gate<unknown>();
  let emitted = 0;
  const emit = async (exchange: Exchange): Promise<void> => {
    while (emitted < most && exchange.emit({ method: 'notifications/x', params: { large, n: ++emitted } }))
      await systemClock.turn();
    full.open(emitted);
  };
  const service = {
    answer: async (_: unknown, exchange: Exchange) => {
      exchange.cancel.onCancel(gone.open);
      await emit(exchange);
      return new Promise<never>(() => undefined);
    },
    notice: () => undefined,
  };
  return { service, full: full.opened, gone: gone.opened };
}

describe('a caller that does not read', () => {
  test.each(doors)('$name: there is no room, also for what comes one a turn', async ({ open }) => {
    const { service, full } = flood(5_000);
    const endpoint = await open(service);
    const flight = endpoint.fly(modern('tools/list'));
    await flight.head;
    expect(await full).toBeLessThan(5_000);
    flight.leave();
  });

  test('the web door: room is told of when it has read', async () => {
    const { service, full } = flood(5_000);
    const stream = await webEndpoint(service).fly(modern('tools/list')).head;
    const taken = await full;
    for (let n = 1; n <= taken; n++) expect(await stream.message()).toHaveProperty(['params', 'n'], n);
  });

  /** Fills the stream of a session or a listener, by changes of a resource with a long name. */
  async function fill(server: Server, closed: { readonly closed: boolean }, turns = 5_000): Promise<void> {
    const uri = `x://${'a'.repeat(8_000)}`;
    for (let turn = 0; turn < turns && !closed.closed; turn++) {
      server.changed.resource(uri);
      await systemClock.turn();
    }
  }

  /** An endpoint that tells when the response to a request with that method is closed. */
  async function watched(server: Server, stalledMs: number) {
    const closing = gate();
    const seen = { closed: false };
    let first = true;
    const endpoint = await mountedEndpoint(server, { stalledMs, keepAliveMs: Infinity }, (request, response) => {
      const one = request.headers['x-one'] !== undefined;
      if (!one || !first) return;
      first = false;
      response.once('close', () => {
        seen.closed = true;
        closing.open();
      });
    });
    return { endpoint, seen, closed: closing.opened };
  }

  const withResources = (options = {}): Server =>
    new Server({ name: 's', version: '1', ...options }).resource('x://a', { name: 'a' }, () => 'a');
  const marked = (sent: Sent): Sent => ({ ...sent, headers: { ...sent.headers, 'x-one': '1' } });

  test('[SEED-184] its stream is closed in the end and its place is free; one with nothing to say stays', async () => {
    const server = withResources({ maxSubscriptions: 2 });
    const { endpoint, seen, closed } = await watched(server, 50);
    const quiet = await endpoint.fly(listen(1)).head;
    expect(await quiet.message()).toHaveProperty('method', 'notifications/subscriptions/acknowledged');
    const uris = { notifications: { resourceSubscriptions: [`x://${'a'.repeat(8_000)}`] } };
    await endpoint.fly(marked(modern('subscriptions/listen', uris, { id: 2 }))).head;
    await fill(server, seen);
    await closed;
    const another = await endpoint.fly(listen(3)).head;
    expect(await another.message()).toHaveProperty('method', 'notifications/subscriptions/acknowledged');
    server.tool('another', {}, () => '');
    for (const stream of [quiet, another])
      expect(await stream.message()).toHaveProperty('method', 'notifications/tools/list_changed');
  });

  test('the web door: its request is cancelled', async () => {
    const { service, full, gone } = flood(5_000);
    const flight = webEndpoint(service, { stalledMs: 20 }).fly(modern('tools/list'));
    await flight.head;
    await full;
    expect(await gone).toMatchObject({ cause: 'the caller has gone' });
  });

  test('a reply that nobody reads is not kept for ever', async () => {
    const closing = gate();
    const server = new Server({ name: 's', version: '1' }).tool('large', {}, async (_, ctx) => {
      await ctx.progress(1);
      return 'x'.repeat(20_000_000);
    });
    const endpoint = await mountedEndpoint(server, { stalledMs: 20 }, (_, response) => {
      response.once('close', closing.open);
    });
    await endpoint.fly(call('large', {}, { meta: { progressToken: 1 } })).head;
    await closing.opened;
  });

  test.each(['2025-06-18', '2025-11-25'])(
    '[BUG-031] a second stream of its session of %s takes the place of the first',
    async (version) => {
      const server = withResources();
      const { endpoint } = await watched(server, Infinity);
      const session = await openSession(endpoint, version);
      const uri = `x://${'a'.repeat(8_000)}`;
      await endpoint.send(session.request('resources/subscribe', { uri }));
      const first = await endpoint.fly(session.get()).head;
      expect((await endpoint.send(session.get())).status).toBe(409);
      await fill(server, { closed: false }, 1_000);
      const second = await endpoint.fly(session.get()).head;
      expect([first.status, second.status]).toEqual([200, 200]);
      server.tool('another', {}, () => '');
      expect(await second.message()).toHaveProperty('method', 'notifications/tools/list_changed');
      expect((await endpoint.send(session.get())).status).toBe(409);
    },
  );
});

describe('a caller that has vanished, while comments keep streams alive', () => {
  /** Opens a stream on a bare connection. */
  async function bareStream(endpoint: Endpoint, sent: Sent) {
    const { socket, ended } = bareSocket(endpoint.port);
    const begun = new Promise<void>((resolve) => {
      socket.once('data', () => resolve());
    });
    socket.write(headText(sent) + (sent.body === undefined ? '' : JSON.stringify(sent.body)));
    await begun;
    return { socket, ended };
  }

  async function comments(stream: Live): Promise<void> {
    for (let seen = 0; seen < 3;) if ((await stream.block()) === ': keep-alive') seen++;
  }

  async function opened(endpoint: Endpoint, sent: () => Sent): Promise<Live> {
    for (;;) {
      const stream = await endpoint.fly(sent()).head;
      if (stream.status === 200) return stream;
      expect(stream.status).toBe(409);
    }
  }

  test.each(['resets', 'half closes'])(
    '[SEED-168 BUG-031] it %s the connection: the others get theirs, and its session may open another stream',
    async (how) => {
      const endpoint = await nodeEndpoint(new Server({ name: 's', version: '1' }), { keepAliveMs: 5 });
      const broken = await openSession(endpoint);
      const other = await openSession(endpoint);
      const stream = await endpoint.fly(other.get()).head;
      const { socket, ended } = await bareStream(endpoint, broken.get());
      await comments(stream);
      if (how === 'resets') socket.resetAndDestroy();
      else socket.end();
      await comments(stream);
      await ended;
      await comments(await opened(endpoint, () => broken.get()));
      await comments(stream);
    },
  );

  test.each(['resets', 'half closes'])('[SEED-184] it %s the connection: its place is free', async (how) => {
    const server = new Server({ name: 's', version: '1', maxSubscriptions: 1 });
    const closed = gate();
    const endpoint = await mountedEndpoint(server, { keepAliveMs: 5 }, (_, response) => {
      response.once('close', closed.open);
    });
    const { socket } = await bareStream(endpoint, listen());
    if (how === 'resets') socket.resetAndDestroy();
    else socket.end();
    await closed.opened;
    await comments(await endpoint.fly(listen(2)).head);
  });
});

test('[BUG-041] what compresses answers on their way leaves streams alone: each event comes when it is sent', async () => {
  const go = gate();
  const server = new Server({ name: 's', version: '1' }).tool('slow', {}, async (_, ctx) => {
    await ctx.progress(1);
    await go.opened;
    return 'slow';
  });
  // As middleware does that keeps to RFC 9111: it would gather what it compresses.
  const door = webDoor(server);
  const compressing = async (request: Request): Promise<Response> => {
    const response = await door(request);
    if (/\bno-transform\b/.test(response.headers.get('cache-control') ?? '') || response.body === null) return response;
    const gzip = createGzip();
    gzip.end(Buffer.from(await response.arrayBuffer()));
    return new Response(gzip as unknown as BodyInit, { headers: { 'content-encoding': 'gzip' } });
  };
  const sent = call('slow', {}, { meta: { progressToken: 1 } });
  const response = await compressing(
    new Request('http://localhost/mcp', {
      method: 'POST',
      headers: sent.headers as Record<string, string>,
      body: JSON.stringify(sent.body),
    }),
  );
  expect(response.headers.get('content-encoding')).toBe(null);
  const reader = response.body?.getReader();
  expect(new TextDecoder().decode((await reader?.read())?.value)).toContain('notifications/progress');
  go.open();
  expect(new TextDecoder().decode((await reader?.read())?.value)).toContain('slow');
});
