/** How long calls over HTTP take, and how they are given up. Time is moved by hand. */
import { afterEach, describe, expect, test } from 'vitest';
import { AbortError, ConnectionError, RequestTimeoutError, TransportError } from '../../src/base/errors.ts';
import type { ConnectOptions } from '../../src/client/options.ts';
import { connect } from '../../src/entry/index.node.ts';
import type { Authorizer, HttpPort } from '../../src/ports/index.ts';
import { fetchPort } from '../../src/transport/fetch.ts';
import { undiciPort } from '../../src/node/undici.ts';
import { begun, legacyPeer, modernPeer, ports, said, type Answering, type HttpPeer } from '../support/http-peer.ts';
import { gate } from '../support/http.ts';
import { failureOf } from '../support/stdio.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

// Deadlines of 5 s and more share a timer, which is armed for a little longer than it is needed.
afterEach(() => world.advance(300));

/** Whether a promise has settled, after all that is due. */
async function settled(promise: Promise<unknown>): Promise<boolean> {
  let over = false;
  promise.then(
    () => (over = true),
    () => (over = true),
  );
  await world.settle();
  return over;
}

const eras: readonly [string, (handlers: Record<string, Answering>) => Promise<HttpPeer>][] = [
  ['modern', modernPeer],
  ['legacy', (handlers) => legacyPeer({ handlers })],
];
const everywhere = ports.flatMap(({ port, options }) => eras.map(([era, open]) => ({ port, options, era, open })));

describe.each(everywhere)('timeouts ($era, $port)', ({ options, open, era }) => {
  const hang: Answering = (turn) => turn.stream();

  test('[SEED-279] a limit for one call, exact below 5 s', async () => {
    const peer = await open({ 'tools/call': hang });
    const client = await connect(peer.url, { ...options, clock: world.clock });
    const call = failureOf(client.callTool('slow', {}, { timeoutMs: 50 }));
    const turn = await peer.next('tools/call');
    await world.advance(49);
    expect(await settled(call)).toBe(false);
    await world.advance(1);
    const failed = await call;
    expect(failed).toBeInstanceOf(RequestTimeoutError);
    expect(failed).toBeInstanceOf(TransportError);
    expect(failed).toMatchObject({ code: 'timeout', timeoutMs: 50, outcome: 'unknown', origin: 'transport' });
    expect((failed as Error).message).toContain('tools/call');
    await turn.closed;
    await client.close();
  });

  test.each(era === 'modern' && options.fetch === undefined ? [undefined, 7_000] : [7_000])(
    'the limit of the connection, else a minute: %s',
    async (timeoutMs) => {
      const peer = await open({ 'tools/call': hang });
      const client = await connect(peer.url, { ...options, clock: world.clock, timeoutMs });
      const call = failureOf(client.callTool('slow'));
      await peer.next('tools/call');
      await world.advance((timeoutMs ?? 60_000) - 1);
      expect(await settled(call)).toBe(false);
      // Long limits share their timers and may be late by a quarter of a second.
      await world.advance(251);
      expect(await call).toMatchObject({ code: 'timeout', timeoutMs: timeoutMs ?? 60_000 });
      await client.close();
    },
  );

  test('[SEED-280] a call that timed out is not sent again; a legacy server is told, a modern one sees the stream close', async () => {
    const peer = await open({ 'tools/call': hang });
    const client = await connect(peer.url, { ...options, clock: world.clock });
    const call = failureOf(client.callTool('slow', {}, { timeoutMs: 50 }));
    const turn = await peer.next('tools/call');
    await world.advance(50);
    await call;
    await turn.closed;
    if (era === 'legacy')
      expect((await peer.next('notifications/cancelled')).seen.params).toEqual({ requestId: turn.id });
    await client.ping();
    expect(peer.of('tools/call').length).toBe(1);
    expect(peer.of('notifications/cancelled').length).toBe(era === 'legacy' ? 1 : 0);
    await client.close();
  });

  test('[SEED-286] a late answer is nobody’s', async () => {
    const peer = await open({ 'tools/call': hang });
    const client = await connect(peer.url, { ...options, clock: world.clock });
    const call = failureOf(client.callTool('slow', {}, { timeoutMs: 50 }));
    const turn = await peer.next('tools/call');
    await world.advance(50);
    await call;
    await turn.event(turn.message(said('late'))).catch(() => undefined);
    turn.end();
    await client.ping();
    await client.close();
  });

  const wait = async (onProgress: boolean, limits: { timeoutMs: number; maxTimeoutMs: number }, times: number) => {
    const peer = await open({ 'tools/call': hang });
    let heard = gate();
    const client = await connect(peer.url, {
      ...options,
      clock: world.clock,
      onFrame: ({ direction, text }) => {
        if (direction === 'in' && text.includes('notifications/progress')) heard.open();
      },
    });
    const call = client.callTool('slow', {}, { ...limits, ...(onProgress && { onProgress: () => undefined }) });
    const outcome = call.then(
      ({ text }) => text,
      (error: unknown) => error,
    );
    const turn = await peer.next('tools/call');
    for (let i = 0; i < times; i++) {
      await world.advance(100);
      if (await settled(outcome)) break;
      heard = gate();
      await turn.progress(i);
      await heard.opened;
    }
    return { client, turn, outcome };
  };

  test.each([true, false])('[BUG-095] progress starts the wait anew (with a callback: %s)', async (onProgress) => {
    const { client, turn, outcome } = await wait(onProgress, { timeoutMs: 200, maxTimeoutMs: 100_000 }, 10);
    expect(await settled(outcome)).toBe(false);
    await turn.event(turn.message(said('at last')));
    turn.end();
    expect(await outcome).toBe('at last');
    await client.close();
  });

  test.each([true, false])('[BUG-095] but not past the hard limit (with a callback: %s)', async (onProgress) => {
    const { client, outcome } = await wait(onProgress, { timeoutMs: 200, maxTimeoutMs: 600 }, 20);
    expect(world.clock.now()).toBe(600);
    expect(await outcome).toMatchObject({ code: 'timeout', timeoutMs: 600 });
    await client.close();
  });

  test('[BUG-095] without progress it ends as told', async () => {
    const { client, outcome } = await wait(false, { timeoutMs: 200, maxTimeoutMs: 600 }, 0);
    await world.advance(199);
    expect(await settled(outcome)).toBe(false);
    await world.advance(1);
    expect(await outcome).toMatchObject({ timeoutMs: 200 });
    await client.close();
  });

  test('[BUG-095] a limit beyond what timers can take is a long one, zero is refused', async () => {
    const peer = await open({ 'tools/call': hang });
    const client = await connect(peer.url, { ...options, clock: world.clock });
    for (const long of [3e9, Infinity]) {
      const giveUp = new AbortController();
      const call = failureOf(
        client.callTool('slow', {}, { timeoutMs: long, maxTimeoutMs: long, signal: giveUp.signal }),
      );
      await peer.next('tools/call');
      await world.advance(20_000);
      expect(await settled(call)).toBe(false);
      giveUp.abort();
      await call;
    }
    const before = peer.of('tools/call').length;
    for (const limits of [{ timeoutMs: 0 }, { timeoutMs: -1 }, { timeoutMs: NaN }, { maxTimeoutMs: 0 }])
      expect(await failureOf(client.callTool('slow', {}, limits))).toMatchObject({ code: 'bad_argument' });
    expect(peer.of('tools/call').length).toBe(before);
    await client.close();
  });
});

describe.each(ports)('limits over several requests ($port)', ({ options }) => {
  test('a call and its second try share the hard limit', async () => {
    const peer = await modernPeer({ 'tools/call': (turn) => turn.stream() });
    const client = await connect(peer.url, { ...options, clock: world.clock });
    const call = failureOf(client.callTool('slow', {}, { timeoutMs: 300, maxTimeoutMs: 400 }));
    const first = await peer.next('tools/call');
    await world.advance(250);
    first.end();
    await peer.next('tools/call');
    await world.advance(149);
    expect(await settled(call)).toBe(false);
    await world.advance(1);
    expect(await call).toMatchObject({ code: 'timeout', timeoutMs: 400 });
    await client.close();
  });

  test('the wait for a new session counts, and is a call that was not sent', async () => {
    let session = 0;
    const peer = await legacyPeer({
      handlers: {
        initialize: (turn) => (++session === 1 ? turn.reply(begun(), { 'mcp-session-id': 's-1' }) : undefined),
        'tools/list': (turn) => turn.send(404),
      },
    });
    const client = await connect(peer.url, { ...options, clock: world.clock });
    const list = failureOf(client.listTools({ timeoutMs: 1_000 }));
    await peer.next('initialize');
    await peer.next('initialize');
    const other = failureOf(client.callTool('echo', {}, { timeoutMs: 300 }));
    const giveUp = new AbortController();
    const aborted = failureOf(client.callTool('echo', {}, { signal: giveUp.signal }));
    giveUp.abort();
    expect(await aborted).toMatchObject({ code: 'aborted', outcome: 'not-sent' });
    await world.advance(300);
    expect(await other).toMatchObject({ code: 'timeout', timeoutMs: 300, outcome: 'not-sent' });
    expect(await settled(list)).toBe(false);
    await world.advance(700);
    expect(await list).toMatchObject({ code: 'timeout', timeoutMs: 1_000 });
    expect(peer.of('tools/call')).toEqual([]);
    await client.close();
  });

  test('headers that do not come cannot hold a call', async () => {
    const peer = await modernPeer();
    let hang = false;
    const headers = (): Promise<Record<string, string>> => (hang ? new Promise(() => undefined) : Promise.resolve({}));
    const client = await connect(peer.url, { ...options, clock: world.clock, headers });
    hang = true;
    const call = failureOf(client.callTool('echo', {}, { timeoutMs: 100 }));
    const giveUp = new AbortController();
    const other = failureOf(client.callTool('echo', {}, { signal: giveUp.signal }));
    await world.settle();
    giveUp.abort(new Error('enough'));
    expect(await other).toMatchObject({ code: 'aborted', outcome: 'not-sent' });
    await world.advance(100);
    expect(await call).toMatchObject({ code: 'timeout' });
    const closed = failureOf(client.callTool('echo'));
    await world.settle();
    await client.close();
    expect(await closed).toMatchObject({ code: 'connection', outcome: 'not-sent' });
    expect(peer.of('tools/call')).toEqual([]);
  });

  test('[SEED-104] connecting is bounded: no answer is an error, and no second attempt', async () => {
    const peer = await modernPeer({ 'server/discover': () => undefined });
    const failed = failureOf(connect(peer.url, { ...options, clock: world.clock }));
    const turn = await peer.next('server/discover');
    await world.advance(29_999);
    expect(await settled(failed)).toBe(false);
    await world.advance(1);
    const error = await failed;
    expect(error).toMatchObject({ code: 'timeout', timeoutMs: 30_000, outcome: 'not-sent' });
    expect((error as Error).message).toContain(peer.url);
    await turn.closed;
    expect(peer.methods).toEqual(['server/discover']);
  });

  test('[SEED-044] over HTTP silence on the probe tells nothing: discoverTimeoutMs is for pipes', async () => {
    const peer = await legacyPeer({ handlers: { 'server/discover': () => undefined } });
    const limits = { discoverTimeoutMs: 10, connectTimeoutMs: 1_000 };
    const failed = failureOf(connect(peer.url, { ...options, ...limits, clock: world.clock }));
    await peer.next('server/discover');
    await world.advance(999);
    expect(await settled(failed)).toBe(false);
    await world.advance(1);
    expect(await failed).toBeInstanceOf(RequestTimeoutError);
    expect(peer.of('initialize')).toEqual([]);
  });
});

describe.each(everywhere)('giving up ($era, $port)', ({ options, open }) => {
  test('[SEED-282] a hundred calls at once: all end, nothing is left', async () => {
    const peer = await open({ 'tools/call': (turn) => turn.stream() });
    const client = await connect(peer.url, { ...options, clock: world.clock });
    const giveUp = world.abortController();
    const { signal } = giveUp;
    const calls = Array.from({ length: 100 }, () => failureOf(client.callTool('slow', {}, { signal })));
    for (let i = 0; i < 50; i++) await peer.next('tools/call');
    const reason = new Error('enough');
    giveUp.abort(reason);
    for (const error of await Promise.all(calls)) {
      expect(error).toBeInstanceOf(AbortError);
      expect(error).toMatchObject({ code: 'aborted', cause: reason });
    }
    expect(world.clock.pending).toBeLessThanOrEqual(1);
    await client.ping();
    await client.close();
  });

  test('[SEED-282] each point of a call', async () => {
    const points: readonly [string, Answering][] = [
      ['before the head', () => undefined],
      ['after the head of a stream', (turn) => turn.stream()],
      ['within an event', (turn) => turn.stream().write('data: {"jsonrpc"')],
      [
        'within JSON',
        (turn) => {
          turn.response.writeHead(200, { 'content-type': 'application/json' });
          turn.response.write('{');
        },
      ],
      [
        'within the body of a failure',
        (turn) => {
          turn.response.writeHead(500);
          turn.response.write('oo');
        },
      ],
    ];
    for (const [title, answer] of points) {
      const peer = await open({
        'tools/call': async (turn) => {
          await answer(turn);
        },
      });
      const client = await connect(peer.url, { ...options, clock: world.clock });
      const giveUp = world.abortController();
      const call = failureOf(client.callTool('slow', {}, { signal: giveUp.signal }));
      const turn = await peer.next('tools/call');
      await world.settle();
      giveUp.abort();
      expect(await call, title).toMatchObject({ code: 'aborted', outcome: 'unknown' });
      await turn.closed;
      await client.ping();
      await client.close();
    }
  });

  test('before anything: nothing is sent', async () => {
    const peer = await open({});
    const client = await connect(peer.url, { ...options, clock: world.clock });
    const before = peer.of('tools/call').length;
    const gone = AbortSignal.abort();
    for (const call of [
      client.callTool('echo', {}, { signal: gone }),
      client.listTools({ signal: gone }),
      client.ping({ signal: gone }),
      client.sendRequest('x/y', {}, { signal: gone }),
    ])
      expect(await failureOf(call)).toMatchObject({ code: 'aborted', outcome: 'not-sent' });
    expect(peer.of('tools/call').length).toBe(before);
    expect(peer.of('x/y')).toEqual([]);
    await client.close();
  });

  test('a signal that has already been aborted opens nothing', async () => {
    const peer = await open({});
    const opening = connect(peer.url, { ...options, clock: world.clock, signal: AbortSignal.abort(new Error('no')) });
    expect(await failureOf(opening)).toMatchObject({ code: 'aborted', outcome: 'not-sent' });
    expect(peer.seen).toEqual([]);
  });

  test('[SEED-277] progress arrives while the call runs, under a token of its own, and not afterwards', async () => {
    const heard: unknown[] = [];
    const peer = await open({
      'tools/call': async (turn) => {
        turn.stream();
        const { progressToken } = turn.seen.meta;
        const note = (params: object): Promise<void> =>
          turn.event({ jsonrpc: '2.0', method: 'notifications/progress', params });
        await note({ progressToken, progress: 0.5, total: 1, message: 'half' });
        await note({ progressToken: 'another', progress: 9 });
        await note({ progressToken: String(progressToken), progress: 9 });
        await note({ progress: 9 });
        await note({ progressToken, progress: 'much' });
        await note({ progressToken, progress: 1 });
        const late = JSON.stringify({
          jsonrpc: '2.0',
          method: 'notifications/progress',
          params: { progressToken, progress: 2 },
        });
        await turn.write(`data: ${JSON.stringify(turn.message(said('done')))}\n\ndata: ${late}\n\n`);
        turn.end();
      },
    });
    const client = await connect(peer.url, { ...options, clock: world.clock });
    await client.callTool('slow', {}, { onProgress: (progress) => heard.push(progress) });
    await client.callTool('slow', {}, { onProgress: () => undefined });
    expect(heard).toEqual([{ progress: 0.5, total: 1, message: 'half' }, { progress: 1 }]);
    const tokens = peer.of('tools/call').map(({ meta }) => meta['progressToken']);
    expect(new Set(tokens).size).toBe(2);
    await client.close();
  });

  test('[SEED-278] a server cannot drive the callback of another', async () => {
    const heard: string[] = [];
    const go = gate();
    const first = await open({
      'tools/call': async (turn) => {
        turn.stream();
        await go.opened;
        await turn.event(turn.message(said('done')));
        turn.end();
      },
    });
    const second = await open({
      'tools/call': async (turn) => {
        turn.stream();
        for (const progressToken of [1, 2, 3, '1'])
          await turn.event({
            jsonrpc: '2.0',
            method: 'notifications/progress',
            params: { progressToken, progress: 1 },
          });
        await turn.event(turn.message(said('done')));
        turn.end();
      },
    });
    const [one, two] = await Promise.all([
      connect(first.url, { ...options, clock: world.clock }),
      connect(second.url, { ...options, clock: world.clock }),
    ]);
    const call = one.callTool('slow', {}, { onProgress: () => heard.push('first') });
    await first.next('tools/call');
    await two.callTool('slow');
    go.open();
    await call;
    expect(heard).toEqual([]);
    await Promise.all([one.close(), two.close()]);
  });

  test('callbacks that throw are reported, and harm nobody', async () => {
    const errors: string[] = [];
    const logger = { debug() {}, info() {}, warn() {}, error: (message: string) => errors.push(message) };
    const broken = (): never => {
      throw new Error('callback');
    };
    const peer = await open({
      'tools/call': async (turn) => {
        turn.stream();
        await turn.progress(1);
        await turn.event({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
        await turn.event(turn.message(said('fine')));
        turn.end();
      },
    });
    const client = await connect(peer.url, {
      ...options,
      clock: world.clock,
      logger,
      onFrame: broken,
      onNotification: broken,
    });
    expect((await client.callTool('slow', {}, { onProgress: broken })).text).toBe('fine');
    expect(errors).toContain('onProgress threw');
    expect(errors).toContain('onFrame threw');
    await client.close();
  });

  test('a log that throws harms nobody: a tool is not run again for it', async () => {
    const broken = (): never => {
      throw new Error('disk full');
    };
    const logger = { debug: broken, info: broken, warn: broken, error: broken };
    const handlers: Record<string, Answering> = {
      'tools/call': async (turn) => {
        turn.stream();
        await turn.event({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'x' } });
        await turn.progress(1);
        await turn.event(turn.message(said('fine')));
        turn.end();
      },
    };
    for (const protocol of ['2026-07-28', '2025-11-25'] as const) {
      const peer = await (protocol === '2026-07-28' ? modernPeer(handlers) : legacyPeer({ handlers }));
      const client = await connect(peer.url, { ...options, clock: world.clock, protocol, logger, logLevel: 'debug' });
      expect((await client.callTool('slow', {}, { onProgress: broken })).text).toBe('fine');
      expect(peer.of('tools/call')).toHaveLength(1);
      await client.close();
    }
  });

  test('arguments that are no JSON are an error before anything is sent', async () => {
    const peer = await open({});
    const client = await connect(peer.url, { ...options, clock: world.clock });
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    for (const args of [cycle, { big: 1n }])
      expect(await failureOf(client.callTool('echo', args))).toMatchObject({
        code: 'bad_argument',
        outcome: 'not-sent',
      });
    expect(peer.of('tools/call')).toEqual([]);
    await client.close();
  });
});

describe.each(everywhere)('closing ($era, $port)', ({ options, open, era }) => {
  test('[SEED-119] a request that is being opened when the client closes is refused, never sent', async () => {
    const peer = await open({});
    const go = gate();
    let hold = false;
    const headers = async (): Promise<Record<string, string>> => {
      if (hold) await go.opened;
      return {};
    };
    const client = await connect(peer.url, { ...options, clock: world.clock, headers });
    hold = true;
    const call = failureOf(client.callTool('echo'));
    await world.settle();
    const closing = client.close();
    await world.settle();
    go.open();
    const failed = await call;
    await closing;
    expect(failed).toBeInstanceOf(ConnectionError);
    expect(failed).toMatchObject({ code: 'connection', outcome: 'not-sent' });
    await world.settle();
    expect(peer.of('tools/call')).toEqual([]);
  });

  test('what is under way fails, and what comes later is refused', async () => {
    const peer = await open({ 'tools/call': (turn) => turn.stream() });
    const client = await connect(peer.url, { ...options, clock: world.clock });
    const call = failureOf(client.callTool('slow'));
    const turn = await peer.next('tools/call');
    await client.close();
    expect(await call).toMatchObject({ code: 'connection', outcome: 'unknown' });
    await turn.closed;
    for (const later of [client.callTool('echo'), client.listTools(), client.ping()])
      expect(await failureOf(later)).toMatchObject({ code: 'connection', origin: 'local', outcome: 'not-sent' });
    await client.close();
  });

  test('every socket is closed, as the server sees it', async () => {
    const peer = await open({ 'tools/call': (turn) => turn.stream(), GET: (turn) => turn.stream() });
    const client = await connect(peer.url, { ...options, clock: world.clock });
    const calls = Array.from({ length: 5 }, () => failureOf(client.callTool('slow')));
    for (let i = 0; i < 5; i++) await peer.next('tools/call');
    expect(peer.open).toBeGreaterThanOrEqual(5);
    await client.close();
    await Promise.all(calls);
    // The sockets of fetch are the platform's: those that idle stay for a while, those in use are closed.
    if (options.fetch === undefined) await peer.quiet;
    else for (const turn of peer.turns) await turn.closed;
  });

  test('after a failed attempt to connect too', async () => {
    const answers: Answering[] = [
      (turn) => turn.send(503),
      (turn) => turn.stream().reset(),
      (turn) => turn.fail({ code: -32020, message: 'x' }, 400),
    ];
    for (const answer of answers) {
      const peer = await open({ 'server/discover': answer });
      await failureOf(connect(peer.url, { ...options, clock: world.clock }));
      if (options.fetch === undefined) await peer.quiet;
    }
  });

  if (era === 'legacy')
    test('a server that does not answer DELETE holds nobody up for more than 5 s', async () => {
      const peer = await open({ DELETE: () => undefined });
      const client = await connect(peer.url, { ...options, clock: world.clock });
      const closing = client.close();
      await peer.next('DELETE');
      await world.advance(4_999);
      expect(await settled(closing)).toBe(false);
      await world.advance(1);
      await closing;
    });

  if (era === 'legacy')
    test('nor do headers that do not come', async () => {
      const peer = await open({});
      let hang = false;
      const headers = (): Promise<Record<string, string>> =>
        hang ? new Promise(() => undefined) : Promise.resolve({});
      const client = await connect(peer.url, { ...options, clock: world.clock, headers });
      hang = true;
      const closing = client.close();
      await world.advance(5_000);
      await closing;
      expect(peer.of('DELETE')).toEqual([]);
    });
});

describe('closing while a new session is opened', () => {
  test.each(ports)('the attempt is given up, and nothing is left open ($port)', async ({ options }) => {
    let session = 0;
    const peer = await legacyPeer({
      handlers: {
        initialize: (turn) => (++session === 1 ? turn.reply(begun(), { 'mcp-session-id': 's-1' }) : undefined),
        'tools/call': (turn) => turn.send(404),
      },
    });
    const client = await connect(peer.url, { ...options, clock: world.clock });
    const calls = [failureOf(client.callTool('a')), failureOf(client.callTool('b'))];
    await peer.next('initialize');
    const again = await peer.next('initialize');
    await client.close();
    for (const call of calls) expect(await call).toMatchObject({ code: 'connection', origin: 'local' });
    await again.closed;
    if (options.fetch === undefined) await peer.quiet;
  });
});

describe('a port of the user’s own', () => {
  const made: readonly [string, () => HttpPort][] = [
    ['undici', undiciPort],
    ['fetch', () => fetchPort()],
  ];

  test.each(made)('is used for everything, and outlives the client (%s)', async (_, make) => {
    const peer = await legacyPeer();
    const port = make();
    const sent: string[] = [];
    const http: HttpPort = {
      send: (request) => {
        sent.push(request.method);
        return port.send(request);
      },
      close: () => {
        sent.push('close');
        return Promise.resolve();
      },
    };
    for (let i = 0; i < 2; i++) {
      const client = await connect(peer.url, { http, clock: world.clock });
      await client.callTool('echo');
      await client.close();
    }
    expect(sent).toEqual([...sent.slice(0, 6), ...sent.slice(0, 6)]);
    expect(sent.slice(0, 6).sort()).toEqual(['DELETE', 'GET', 'POST', 'POST', 'POST', 'POST']);
    await port.close?.();
  });

  test('[SEED-117] a fetch of the user’s own sees every request', async () => {
    const seen: string[] = [];
    const peer = await legacyPeer();
    const options: ConnectOptions = {
      clock: world.clock,
      fetch: (input, init) => {
        seen.push(`${init?.method ?? 'GET'} ${new Headers(init?.headers).get('mcp-session-id') ?? 'none'}`);
        return fetch(input, init);
      },
    };
    const client = await connect(peer.url, options);
    await client.callTool('echo');
    await client.close();
    expect(seen.sort()).toEqual(['DELETE s-1', 'GET s-1', 'POST none', 'POST none', 'POST s-1', 'POST s-1']);
  });

  test('an authorizer is asked before each request, GET and DELETE too', async () => {
    const peer = await legacyPeer();
    let last = 0;
    const authorizer: Authorizer = {
      apply: ({ url, headers }) => {
        expect(url).toBe(peer.url);
        headers['authorization'] = `Bearer ${++last}`;
        return Promise.resolve();
      },
      challenged: () => Promise.resolve('give-up'),
    };
    const client = await connect(peer.url, { clock: world.clock, authorizer });
    await (
      await peer.next('GET')
    ).closed;
    await client.callTool('echo');
    await client.close();
    expect(peer.seen.map(({ headers }) => headers['authorization'])).toEqual(
      [1, 2, 3, 4, 5, 6].map((n) => `Bearer ${n}`),
    );
  });
});
