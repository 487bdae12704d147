/** MCP 2025-11-25, basic/transports "Session Management", and its like in the older revisions: how long a session lives. */
import { describe, expect, test } from 'vitest';
import { ArgumentError } from '../../../../src/base/errors.ts';
import { serveHttp } from '../../../../src/node/http.ts';
import type { ServeHttpOptions } from '../../../../src/node/http-options.ts';
import type { Service } from '../../../../src/ports/index.ts';
import { VirtualClock } from '../../../../src/testing/clock.ts';
import { doorEndpoint } from '../../../support/door.ts';
import { example } from '../../../support/example.ts';
import {
  expectRefusal,
  gate,
  initialize,
  nodeEndpoint,
  openSession,
  usual,
  type Sent,
  type Session,
} from '../../../support/http.ts';

/** The Node door, with a clock that the test moves. */
async function open(options: ServeHttpOptions = {}, service: Service = example().server) {
  const clock = new VirtualClock();
  return { clock, endpoint: await nodeEndpoint(service, { clock, ...options }) };
}

const alive = async (session: Session): Promise<boolean> =>
  (await session.endpoint.send(session.call('echo'))).status === 200;

describe.each(['2025-03-26', '2025-06-18', '2025-11-25'])('a session of %s', (version) => {
  test('[SEED-136 SEED-137 LHTTP-025] that nobody uses expires: then POST, GET and DELETE get 404', async () => {
    const { clock, endpoint } = await open({ sessionIdleMs: 50 });
    const session = await openSession(endpoint, version);
    for (let round = 0; round < 2; round++) {
      await clock.advance(49);
      expect(await alive(session)).toBe(true);
    }
    await clock.advance(50);
    for (const [sent, id] of [
      [session.call('echo', {}, { id: 9 }), 9],
      [session.note('notifications/initialized')],
      [session.post({ jsonrpc: '2.0', id: 1, result: {} })],
      [session.get()],
      [session.delete()],
      [initialize(version, { 'mcp-session-id': session.id }, 5), 5],
    ] as const) {
      const answer = await endpoint.send(sent);
      expectRefusal(answer, 404, -32600, id);
      expect(answer.error.message).toBe('Session not found');
    }
    expect(await alive(await openSession(endpoint, version))).toBe(true);
  });

  test('[SEED-138] every request begins the time anew, whatever it is', async () => {
    const { clock, endpoint } = await open({ sessionIdleMs: 50 });
    const session = await openSession(endpoint, version);
    const requests: Sent[] = [
      session.call('echo'),
      session.note('notifications/roots/list_changed'),
      session.post({ jsonrpc: '2.0', id: 's9', result: {} }),
      session.request('ping'),
      session.request('nope'),
    ];
    for (const sent of [...requests, ...requests]) {
      await clock.advance(30);
      expect((await endpoint.send(sent)).status).toBeLessThan(300);
    }
    await clock.advance(30);
    const flight = endpoint.fly(session.get());
    expect(await flight.head).toHaveProperty('status', 200);
    await clock.advance(49);
    expect(await alive(session)).toBe(true);
    flight.leave();
  });

  test('[SEED-138] a call that runs keeps it, and its answer begins the time anew', async () => {
    const { server, hold } = example();
    const { clock, endpoint } = await open({ sessionIdleMs: 50 }, server);
    const session = await openSession(endpoint, version);
    const calling = endpoint.send(session.call('hold'));
    await hold.started;
    await clock.advance(1_000);
    hold.release();
    expect((await calling).content).toBe('let go');
    await clock.advance(49);
    expect(await alive(session)).toBe(true);
    await clock.advance(50);
    expect(await alive(session)).toBe(false);
  });

  test('[SEED-142] its open stream does not keep it, and ends with it', async () => {
    const { clock, endpoint } = await open({ sessionIdleMs: 50 });
    const session = await openSession(endpoint, version);
    const stream = await endpoint.fly(session.get()).head;
    await clock.advance(50);
    expect(await stream.message()).toBe(undefined);
    expect(await alive(session)).toBe(false);
  });

  test('streamsKeepAlive: its open stream keeps it, until it is closed', async () => {
    const { server } = example();
    const { clock, endpoint } = await open({ sessionIdleMs: 50, streamsKeepAlive: true }, server);
    const session = await openSession(endpoint, version);
    const stream = await endpoint.fly(session.get()).head;
    await clock.advance(10_000);
    server.tool('another', {}, () => '');
    expect(await stream.message()).toMatchObject({ method: 'notifications/tools/list_changed' });
    expect(await alive(session)).toBe(true);
  });
});

test('[LHTTP-001] methods that there are not: 405, and those that there are', async () => {
  const { endpoint } = await open();
  const session = await openSession(endpoint);
  for (const method of ['PUT', 'PATCH', 'TRACE']) {
    for (const headers of [session.headers, usual]) {
      const answer = await endpoint.send({ method, headers });
      expectRefusal(answer, 405, -32600);
      expect(answer.headers).toHaveProperty('allow', 'GET, POST, DELETE');
    }
  }
});

describe('the defaults', () => {
  const halfHourMs = 30 * 60_000;

  test('[SEED-140] a session is kept for half an hour', async () => {
    const { clock, endpoint } = await open();
    const session = await openSession(endpoint);
    await clock.advance(halfHourMs - 1);
    expect(await alive(session)).toBe(true);
    await clock.advance(halfHourMs);
    expect(await alive(session)).toBe(false);
  });

  test('[SEED-140] Infinity: for as long as the server runs', async () => {
    const { clock, endpoint } = await open({ sessionIdleMs: Infinity });
    const session = await openSession(endpoint);
    expect(clock.pending).toBe(0);
    await clock.advance(30 * 24 * 60 * 60_000);
    expect(await alive(session)).toBe(true);
  });

  test('a principal has 100 sessions, and a stranger as many as there are', async () => {
    const endpoint = doorEndpoint(example().server, {
      authenticate: ({ header }) => ({ principal: header('authorization') }),
    });
    for (let at = 0; at < 101; at++) await endpoint.send(initialize('2025-11-25', { authorization: 'ann' }));
    expect(endpoint.open.sessions).toBe(100);
    for (let at = 0; at < 101; at++) await endpoint.send(initialize());
    expect(endpoint.open.sessions).toBe(201);
  });
});

test('[SEED-139] expired sessions go without a request, and there is no timer for none', async () => {
  const clock = new VirtualClock();
  const endpoint = doorEndpoint(example().server, { clock, sessionIdleMs: 50 });
  expect(clock.pending).toBe(0);
  for (let at = 0; at < 20; at++) await openSession(endpoint);
  expect([endpoint.open.sessions, clock.pending, clock.held]).toEqual([20, 1, 0]);
  await clock.advance(50);
  expect([endpoint.open.sessions, clock.pending]).toEqual([0, 0]);
});

test('[SEED-142] after the end of the door there is neither timer nor session', async () => {
  const { clock, endpoint } = await open({ keepAliveMs: 10 });
  const sessions = [await openSession(endpoint), await openSession(endpoint)];
  const [stream] = await Promise.all(sessions.map((session) => endpoint.fly(session.get()).head));
  expect(clock.pending).toBe(2);
  await endpoint.close();
  expect(clock.pending).toBe(0);
  expect(await stream?.message()).toBe(undefined);
});

test.each<[string, ServeHttpOptions]>([
  ...[0, -1, NaN, 'x', null].map((value): [string, ServeHttpOptions] => [
    'sessionIdleMs',
    { sessionIdleMs: value as number },
  ]),
  ['sessionIdleMs', { legacy: 'stateless', sessionIdleMs: 1 }],
  ['sessionIdleMs', { legacy: 'none', sessionIdleMs: 1 }],
])('[SEED-141] %s cannot be that: %j', async (name, options) => {
  const serving = serveHttp(example().server, options);
  await expect(serving).rejects.toThrow(ArgumentError);
  await expect(serving).rejects.toThrow(name);
});

test('[SEED-143] a server alone, or told to keep no sessions: both take initialize, and nobody sees when a session was used', async () => {
  for (const options of [{}, { legacy: 'stateless' } as const]) {
    const { server } = example();
    const seen: string[] = [];
    server.tool('look', {}, (_, { caller }) => {
      for (let at: object = caller; at !== Object.prototype; at = Object.getPrototypeOf(at) as object)
        seen.push(...Object.getOwnPropertyNames(at));
      seen.push(...Object.keys(caller.session ?? {}));
      return 'looked';
    });
    const serving = await serveHttp(server, options);
    seen.push(...Object.keys(serving));
    await serving.close();
    const endpoint = await nodeEndpoint(server, options);
    const answer = await endpoint.send(initialize());
    expect(answer.result).toMatchObject({ protocolVersion: '2025-11-25' });
    const headers = { ...usual, 'mcp-session-id': answer.headers['mcp-session-id'] };
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'look' } };
    expect((await endpoint.send({ headers, body })).content).toBe('looked');
    expect(seen).toContain('capabilities');
    expect(seen.filter((name) => /last|used|active|idle|expir/i.test(name))).toEqual([]);
  }
});

describe('two at the same moment', () => {
  /** A door that keeps back what is asked of it while the gate is closed: all have passed it before one goes on. */
  async function gated(method: string) {
    const { server } = example();
    const waiting: (() => void)[] = [];
    const arrived = [gate(), gate()] as const;
    // Over real connections: of a stream there the first bytes have left before a second one is asked for.
    const endpoint = await nodeEndpoint(server, {
      authenticate: async (request) => {
        if (request.method !== method) return {};
        await new Promise<void>((resolve) => {
          waiting.push(resolve);
          arrived[waiting.length - 1]?.open();
        });
        return {};
      },
    });
    const session = await openSession(endpoint);
    /** Lets them go on, in the order they came or the other way round. */
    const release = async (order: 'first' | 'last'): Promise<void> => {
      await arrived[1].opened;
      for (const resolve of order === 'first' ? waiting : waiting.toReversed()) resolve();
    };
    /** Sends two, the second when the first has come. */
    const two = async <T>(send: () => T): Promise<[T, T]> => {
      const first = send();
      await arrived[0].opened;
      return [first, send()];
    };
    return { server, session, endpoint, two, release };
  }

  test.each(['first', 'last'] as const)(
    '[SEED-155] of two streams that were both let in one is opened, and is not replaced (%s goes first)',
    async (order) => {
      const { server, endpoint, session, two, release } = await gated('GET');
      const flights = await two(() => endpoint.fly(session.get()));
      await release(order);
      const streams = await Promise.all(flights.map(({ head }) => head));
      const [won, lost] = order === 'first' ? [0, 1] : [1, 0];
      expect([streams[won]?.status, streams[lost]?.status]).toEqual([200, 409]);
      server.tool('another', {}, () => '');
      expect(await streams[won]?.message()).toMatchObject({ method: 'notifications/tools/list_changed' });
    },
  );

  test.each(['first', 'last'] as const)('of two that end the session one does (%s goes first)', async (order) => {
    const { endpoint, session, two, release } = await gated('DELETE');
    const answers = await two(() => endpoint.fly(session.delete()));
    await release(order);
    const statuses = (await Promise.all(answers.map(({ head }) => head))).map(({ status }) => status);
    expect(statuses).toEqual(order === 'first' ? [200, 404] : [404, 200]);
  });
});

describe('whose a session is', () => {
  test('[SEED-183] another principal gets 404, whatever it sends, and answers nothing that it was not asked', async () => {
    const { server } = example();
    const service: Service = {
      answer: async (call, exchange) => {
        if (call.method !== 'tools/call') return server.answer(call, exchange);
        const reply = await exchange.ask?.({ method: 'elicitation/create', params: {} });
        return { result: { from: reply?.result?.['from'] } };
      },
      notice: () => undefined,
    };
    const endpoint = doorEndpoint(service, { authenticate: ({ header }) => ({ principal: header('authorization') }) });
    const ann = await openSession(endpoint, '2025-11-25', { authorization: 'ann' });
    const bob = await openSession(endpoint, '2025-11-25', { authorization: 'bob' });
    const old = await openSession(endpoint, '2025-03-26', { authorization: 'ann' });
    const stream = await endpoint.fly(ann.request('tools/call')).head;
    const id = (await stream.message())?.['id'];
    const answer = (from: string) => ({ jsonrpc: '2.0', id, result: { from } });
    const asBob = (sent: Sent): Sent => ({ ...sent, headers: { ...sent.headers, authorization: 'bob' } });
    for (const sent of [
      ann.post(answer('bob')),
      ann.call('echo'),
      ann.note('notifications/x'),
      ann.get(),
      ann.delete(),
      old.post([old.note('notifications/x').body]),
    ])
      expect((await endpoint.send(asBob(sent))).status).toBe(404);
    expect((await endpoint.send(bob.post(answer('bob')))).status).toBe(202);
    expect((await endpoint.send(ann.post(answer('ann')))).status).toBe(202);
    expect(await stream.message()).toMatchObject({ result: { from: 'ann' } });
  });

  test('[SEED-183] authenticate sees the id, and may refuse with 403 by rules of its own', async () => {
    const banned = new Set<string>();
    const endpoint = await nodeEndpoint(example().server, {
      authenticate: ({ header }) =>
        banned.has(header('mcp-session-id') ?? '') ? { status: 403 } : { principal: undefined },
    });
    const session = await openSession(endpoint);
    banned.add(session.id);
    for (const sent of [
      session.call('echo'),
      session.note('notifications/x'),
      session.post({ jsonrpc: '2.0', id: 's1', result: {} }),
      session.get(),
      session.delete(),
    ])
      expectRefusal(await endpoint.send(sent), 403, -32600);
    banned.clear();
    expect(await alive(session)).toBe(true);
  });
});
