/** MCP 2025-11-25, basic/transports, "Resumability and Redelivery", and streams fetched in pieces: the client. */
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { ArgumentError, ResponseStreamClosedError, TransportError } from '../../../../src/base/errors.ts';
import type { Client } from '../../../../src/client/client.ts';
import type { ConnectOptions } from '../../../../src/client/options.ts';
import { connect } from '../../../../src/entry/index.node.ts';
import { serveHttp } from '../../../../src/node/http.ts';
import { undiciPort } from '../../../../src/node/undici.ts';
import type { Link, Service } from '../../../../src/ports/index.ts';
import { Server } from '../../../../src/server/server.ts';
import { nextTurn } from '../../../../src/testing/settle.ts';
import { httpLink } from '../../../../src/transport/http-client.ts';
import {
  legacyPeer,
  legacyPorts,
  modernPeer,
  ports,
  told,
  type Answering,
  type HttpPeer,
  type Turn,
} from '../../../support/http-peer.ts';
import { gate } from '../../../support/http.ts';
import { nobody } from '../../../support/rounds.ts';
import { failureOf } from '../../../support/stdio.ts';
import { useWorld } from '../../../support/world.ts';

const world = useWorld();

// Deadlines of 5 s and more share a timer, which is armed for a little longer than it is needed.
afterEach(() => world.advance(300));

async function open(peer: HttpPeer, options: ConnectOptions = {}): Promise<Client> {
  const client = await connect(peer.url, {
    protocol: '2025-11-25',
    clock: world.clock,
    timeoutMs: 600_000,
    ...options,
  });
  onTestFinished(() => client.close());
  return client;
}

/** Waits until a timer is armed that fires in so many milliseconds. */
async function armed(ms: number): Promise<void> {
  while (!world.clock.pendingMs.includes(ms)) await nextTurn();
}

/** Lets so many milliseconds pass, once a timer for them is armed. */
async function lapse(ms: number): Promise<void> {
  await armed(ms);
  await world.advance(ms);
}

/** A peer whose calls get these first bytes of a stream and then its end; GETs are answered one after the other. */
async function cutting(
  first: string | Answering,
  gets: readonly Answering[],
  handlers: Record<string, Answering> = {},
) {
  let calls: Turn | undefined;
  let got = 0;
  const peer = await legacyPeer({
    handlers: {
      'tools/call': async (turn) => {
        calls = turn;
        if (typeof first !== 'string') return first(turn);
        turn.stream();
        await turn.write(first);
        return turn.end();
      },
      GET: (turn) => {
        // The stream of the session comes without an id, and is not what these tests are about.
        if (turn.seen.headers['last-event-id'] === undefined) return turn.send(405);
        const answer = gets[got++];
        return answer === undefined ? turn.send(500) : answer(turn);
      },
      ...handlers,
    },
  });
  /** The answer to the call, as an event with this id. */
  const reply = (text: string, id = 'z'): string =>
    `id: ${id}\ndata: ${JSON.stringify({ jsonrpc: '2.0', id: calls?.id, result: told(text) })}\n\n`;
  const progress = (value: number, id: string): string => {
    const params = { progressToken: calls?.seen.meta['progressToken'], progress: value };
    return `id: ${id}\ndata: ${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params })}\n\n`;
  };
  /** The GETs that asked for the rest of a stream. */
  const resumed = () => peer.of('GET').filter(({ headers }) => headers['last-event-id'] !== undefined);
  /** The next of them. */
  const next = async (): Promise<Turn> => {
    const turn = await peer.next('GET');
    return turn.seen.headers['last-event-id'] === undefined ? next() : turn;
  };
  return { peer, reply, progress, resumed, next, ids: () => resumed().map(({ headers }) => headers['last-event-id']) };
}

/** Answers with these bytes of a stream and its end. */
function piece(text: () => string): Answering {
  return async (turn) => {
    turn.stream();
    await turn.write(text());
    turn.end();
  };
}

describe.each(legacyPorts)('a response stream that ends early ($revision, $port)', ({ revision, options }) => {
  test('[LHTTP-012 LHTTP-020 LHTTP-013] the rest is fetched by GET, from the last event on, when the server wants it', async () => {
    const { peer, reply, resumed, next } = await cutting('id: 7\nretry: 500\ndata: \n\n', [
      piece(() => reply('whole')),
    ]);
    const client = await open(peer, { ...options, protocol: revision });
    const call = client.callTool('echo');
    await armed(500);
    await world.advance(499);
    expect(resumed()).toEqual([]);
    await world.advance(1);
    const { headers } = (await next()).seen;
    expect((await call).text).toBe('whole');
    expect(headers).toMatchObject({ 'last-event-id': '7', accept: 'text/event-stream', 'mcp-session-id': 's-1' });
    expect(headers['mcp-protocol-version']).toBe(revision === '2025-03-26' ? undefined : revision);
    expect([peer.of('tools/call').length, resumed().length]).toEqual([1, 1]);
  });

  test('[SEED-106] one that breaks too, a second later if the server says nothing; the call is not sent again', async () => {
    const { peer, reply, progress, ids } = await cutting(
      async (turn) => {
        turn.stream();
        await turn.write(progress(1, '7'));
        await turn.write('id: 8\ndata: {"jsonrpc":"2.0","meth');
        turn.reset();
      },
      [piece(() => progress(2, '8') + reply('whole', '9'))],
    );
    const seen: number[] = [];
    const client = await open(peer, { ...options, protocol: revision });
    const call = client.callTool('echo', {}, { onProgress: (progress) => seen.push(progress.progress) });
    await lapse(1_000);
    const result = await call;
    expect([result.text, result.reissued]).toEqual(['whole', false]);
    expect([seen, ids()]).toEqual([[1, 2], ['7']]);
    expect(peer.of('tools/call').length).toBe(1);
  });
});

describe('how often, and how long', () => {
  test('as long as anything new comes it is asked for again, each time from where it is', async () => {
    const pieces = Array.from({ length: 25 }, (_, i) => piece(() => progress(i, `e${i}`)));
    const { peer, reply, progress, ids, next } = await cutting('retry: 20\nid: p\n\n', [
      ...pieces,
      piece(() => reply('whole')),
    ]);
    const seen: number[] = [];
    const client = await open(peer);
    const call = client.callTool('echo', {}, { onProgress: (each) => seen.push(each.progress) });
    for (let round = 0; round <= pieces.length; round++) {
      await lapse(20);
      await next();
    }
    expect((await call).text).toBe('whole');
    expect(ids()).toEqual(['p', ...pieces.map((_, i) => `e${i}`)]);
    expect(seen).toEqual(pieces.map((_, i) => i));
  });

  test('with nothing new it is asked for ten times, ever more seldom', async () => {
    const nothing: readonly Answering[] = [
      piece(() => ': nothing\n\n'),
      (turn) => turn.reset(),
      (turn) => turn.send(503, 'later'),
      (turn) => turn.send(409),
      (turn) => turn.stream().reset(),
      piece(() => 'id: p\nretry: 100\ndata: \n\n'),
      (turn) => turn.stream().end(),
      (turn) => turn.send(429),
      (turn) => turn.send(408),
      (turn) => turn.send(502),
    ];
    const { peer, ids, next } = await cutting('retry: 100\nid: p\n\n', nothing);
    const client = await open(peer);
    const failed = failureOf(client.callTool('echo'));
    for (const ms of [100, 200, 400, 800, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000]) {
      await lapse(ms);
      await next();
    }
    expect(await failed).toBeInstanceOf(ResponseStreamClosedError);
    expect(await failed).toMatchObject({ code: 'stream_closed', outcome: 'unknown' });
    expect(ids()).toEqual(nothing.map(() => 'p'));
    expect(peer.of('tools/call').length).toBe(1);
  });

  test('a server that cannot be reached three times in a row has gone', async () => {
    const reset: Answering = (turn) => turn.reset();
    const { peer, ids, next } = await cutting('retry: 100\nid: p\n\n', [
      reset,
      reset,
      (turn) => turn.send(503),
      reset,
      reset,
      reset,
    ]);
    const client = await open(peer);
    const failed = failureOf(client.callTool('echo'));
    for (const ms of [100, 200, 400, 800, 1_600, 3_200]) {
      await lapse(ms);
      await next();
    }
    expect(await failed).toMatchObject({ code: 'stream_closed', outcome: 'unknown' });
    expect(((await failed) as Error).cause).toBeInstanceOf(TransportError);
    expect(ids()).toHaveLength(6);
  });

  test.each([
    ['0', 10],
    ['9', 10],
    ['45000', 45_000],
    ['soon', 1_000],
    ['-5', 1_000],
  ])('[SEED-461] a wish of “%s” is met', async (retry, ms) => {
    const { peer, reply, next } = await cutting(`id: 1\nretry: ${retry}\n\n`, [piece(() => reply('whole'))]);
    const client = await open(peer);
    const call = client.callTool('echo');
    await lapse(ms);
    await next();
    expect((await call).text).toBe('whole');
  });

  test.each(['700000', '1000000000000'])(
    '[SEED-461] a wish of “%s” is longer than the call may take: it ends when its time is up, and nothing is asked for',
    async (retry) => {
      const { peer, resumed } = await cutting(`id: 1\nretry: ${retry}\n\n`, []);
      const client = await open(peer);
      const failed = failureOf(client.callTool('echo'));
      await armed(Math.min(Number(retry), 2 ** 31 - 1));
      await world.advance(600_300);
      expect(await failed).toMatchObject({ code: 'timeout', timeoutMs: 600_000 });
      expect(resumed()).toEqual([]);
    },
  );

  test('a call that takes too long ends as ever, and so does what is under way for it', async () => {
    const { peer, resumed } = await cutting('id: 1\nretry: 5000\n\n', []);
    const client = await open(peer);
    const failed = failureOf(client.callTool('echo', {}, { timeoutMs: 2_000 }));
    await armed(5_000);
    await world.advance(2_000);
    expect(await failed).toMatchObject({ code: 'timeout', timeoutMs: 2_000 });
    expect(world.clock.pendingMs).not.toContain(3_000);
    await peer.next('notifications/cancelled');
    await world.advance(10_000);
    expect(resumed()).toEqual([]);
  });
});

describe('ids', () => {
  test.each([
    ['too long', 'x'.repeat(1_025)],
    ['not ASCII', 'é'],
  ])('[SEED-462] one that is %s: what came with it would come again, so nothing is asked for', async (_, id) => {
    for (const pieces of [1, 2]) {
      const marked = `id: good\nretry: 10\n\nid: ${id}\n\n`;
      const { peer, ids, next } = await cutting(pieces === 1 ? marked : 'id: first\nretry: 10\n\n', [
        piece(() => marked),
      ]);
      const client = await open(peer);
      const failed = failureOf(client.callTool('echo'));
      if (pieces === 2) {
        await lapse(10);
        await next();
      }
      expect(await failed).toBeInstanceOf(ResponseStreamClosedError);
      expect(ids()).toEqual(pieces === 1 ? [] : ['first']);
    }
  });

  test('[SEED-462] half of one in two lines is one', async () => {
    const { peer, reply, ids, next } = await cutting(`id: good\nretry: 10\n\nid: a\nb\n\n`, [
      piece(() => reply('whole')),
    ]);
    const client = await open(peer);
    const call = client.callTool('echo');
    await lapse(10);
    await next();
    expect((await call).text).toBe('whole');
    expect(ids()).toEqual(['a']);
  });

  test.each([
    ['none', 'retry: 10\ndata: \n\n'],
    ['one that cannot be sent back', `id: ${'x'.repeat(1_025)}\nretry: 10\n\n`],
    ['one that was taken back', 'id: 1\nretry: 10\n\nid:\n\n'],
  ])('with %s there is nothing to ask for', async (_, first) => {
    const { peer } = await cutting(first, []);
    const client = await open(peer);
    expect(await failureOf(client.callTool('echo'))).toBeInstanceOf(ResponseStreamClosedError);
    expect(peer.of('GET').filter(({ headers }) => headers['last-event-id'] !== undefined)).toEqual([]);
  });

  test('[HTTP-017] in the modern era they mean nothing: the request is sent anew, as that era has it', async () => {
    let calls = 0;
    const peer = await modernPeer({
      'tools/call': async (turn) => {
        if (++calls === 2) return { resultType: 'complete', content: [] };
        turn.stream();
        await turn.write('id: 1\nretry: 10\n\n');
        return turn.end();
      },
    });
    const client = await open(peer, { protocol: '2026-07-28' });
    expect(await client.callTool('echo')).toMatchObject({ reissued: true });
    expect(peer.of('GET')).toEqual([]);
  });
});

describe('servers that do not give the rest', () => {
  test.each<[number | string, Answering]>([
    [400, (turn) => turn.send(400, JSON.stringify({ jsonrpc: '2.0', error: { code: -32600, message: 'no' } }))],
    [401, (turn) => turn.send(401)],
    [405, (turn) => turn.send(405)],
    [410, (turn) => turn.send(410)],
    [204, (turn) => turn.send(204)],
    ['JSON', (turn) => turn.json({ jsonrpc: '2.0', id: turn.id, result: {} })],
  ])('%s: the call has failed, and is not sent again', async (_, answer) => {
    const { peer, resumed } = await cutting('id: 1\nretry: 10\n\n', [answer]);
    const client = await open(peer);
    const failed = failureOf(client.callTool('echo'));
    await lapse(10);
    expect(await failed).toBeInstanceOf(ResponseStreamClosedError);
    expect(await failed).toMatchObject({ code: 'stream_closed', outcome: 'unknown' });
    expect([resumed().length, peer.of('tools/call').length]).toEqual([1, 1]);
    expect((await client.listTools()).length).toBe(1);
  });

  test('404 ends the session, as anywhere; the call is not sent again, the next one finds a new session', async () => {
    const { peer } = await cutting('id: 1\nretry: 10\n\n', [(turn) => turn.send(404)]);
    const client = await open(peer);
    const failed = failureOf(client.callTool('echo'));
    await lapse(10);
    expect(await failed).toMatchObject({ code: 'stream_closed', outcome: 'unknown' });
    expect(peer.of('tools/call').length).toBe(1);
    expect((await client.listTools()).length).toBe(1);
    expect(peer.of('initialize').length).toBe(2);
  });

  test('a session that ends while a call waits: it has failed, and is not sent again', async () => {
    const { peer, resumed } = await cutting('id: 1\nretry: 5000\n\n', [], { 'tools/list': (turn) => turn.send(404) });
    const client = await open(peer);
    const failed = failureOf(client.callTool('echo'));
    await armed(5_000);
    await failureOf(client.listTools());
    expect(await failed).toMatchObject({ code: 'connection', outcome: 'unknown' });
    await world.advance(5_000);
    expect([resumed().length, peer.of('tools/call').length]).toEqual([0, 1]);
  });
});

test('a GET that fails before it leaves: the call has failed, with that for a reason, and is not sent again', async () => {
  const refused = new ArgumentError('no credentials');
  let refuse = false;
  const { peer, resumed } = await cutting('id: 1\nretry: 10\n\n', []);
  const client = await open(peer, { headers: () => (refuse ? Promise.reject(refused) : {}) });
  const failed = failureOf(client.callTool('echo'));
  await armed(10);
  refuse = true;
  await world.advance(10);
  expect(await failed).toBeInstanceOf(ResponseStreamClosedError);
  expect(await failed).toMatchObject({ outcome: 'unknown', cause: refused });
  refuse = false;
  expect([resumed().length, peer.of('tools/call').length]).toEqual([0, 1]);
});

test('a session that ends before the rest was asked for: that the GET never left says nothing of the call', async () => {
  const held = gate<Record<string, string>>();
  let hold = false;
  const { peer } = await cutting('id: 1\nretry: 10\n\n', [], { 'tools/list': () => undefined });
  const client = await open(peer, { headers: () => (hold ? held.opened : {}) });
  const failed = failureOf(client.callTool('echo'));
  const list = failureOf(client.listTools());
  const listing = await peer.next('tools/list');
  await armed(10);
  hold = true;
  await world.advance(10);
  listing.send(404);
  expect(await failed).toMatchObject({ code: 'connection', outcome: 'unknown' });
  hold = false;
  held.open({});
  expect(peer.of('tools/call').length).toBe(1);
  await client.close();
  await list;
});

describe('what goes on meanwhile', () => {
  test('what the server asks on the rest of a stream is answered', async () => {
    const { peer, reply, next } = await cutting('id: 1\nretry: 10\n\n', [
      async (turn) => {
        turn.stream();
        await turn.write('id: 2\ndata: {"jsonrpc":"2.0","id":"s","method":"ping"}\n\n');
        await peer.next('response');
        await turn.write(reply('whole'));
        turn.end();
      },
    ]);
    const client = await open(peer);
    const call = client.callTool('echo');
    await lapse(10);
    await next();
    expect((await call).text).toBe('whole');
    expect(peer.of('response').map(({ message }) => message)).toEqual([{ jsonrpc: '2.0', id: 's', result: {} }]);
  });

  test('the answer to another call on that stream is nobody’s', async () => {
    const { peer, reply, next } = await cutting('id: 1\nretry: 10\n\n', [
      piece(() => 'id: 2\ndata: {"jsonrpc":"2.0","id":999,"result":{}}\n\n' + reply('whole', '3')),
    ]);
    const client = await open(peer);
    const call = client.callTool('echo');
    await lapse(10);
    await next();
    expect((await call).text).toBe('whole');
  });

  test.each(['while waiting', 'while it is fetched'])('[SEED-281] to abort, %s, is told, and ends it', async (when) => {
    const { peer, next, resumed } = await cutting('id: 1\nretry: 10\n\n', [(turn) => turn.stream()]);
    const client = await open(peer);
    const giveUp = new AbortController();
    const failed = failureOf(client.callTool('echo', {}, { signal: giveUp.signal }));
    await armed(10);
    let get: Turn | undefined;
    if (when === 'while it is fetched') {
      await world.advance(10);
      get = await next();
    }
    giveUp.abort();
    expect(await failed).toMatchObject({ code: 'aborted', outcome: 'unknown' });
    expect((await peer.next('notifications/cancelled')).seen.params).toEqual({
      requestId: peer.of('tools/call')[0]?.message['id'],
    });
    await get?.closed;
    await world.advance(60_000);
    expect(resumed().length).toBe(get === undefined ? 0 : 1);
  });
});

describe('the end of the link', () => {
  test.each(['while waiting', 'while it is fetched'])('%s: nothing is left behind', async (when) => {
    const { peer, next } = await cutting('id: 1\nretry: 10\n\n', [(turn) => turn.stream()]);
    const port = undiciPort();
    onTestFinished(() => port.close?.());
    const link = httpLink(peer.url, nobody, {
      port,
      clock: world.clock,
      maxResponseBytes: 1_000,
      maxEventBytes: 1_000,
    }) as Link & { readonly open: number };
    const failed = failureOf(link.request({ method: 'tools/call' }));
    await armed(10);
    if (when === 'while it is fetched') {
      await world.advance(10);
      await next();
      expect(link.open).toBe(2);
    } else expect(link.open).toBe(1);
    await link.close();
    expect(await failed).toMatchObject({ code: 'connection', outcome: 'unknown' });
    await nextTurn();
    expect([link.open, world.clock.pending]).toEqual([0, 0]);
  });
});

describe('the stream of the session', () => {
  const hold: Answering = (turn) => turn.stream();
  const changed = '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}';

  /** A peer whose streams are answered one after the other; then with 405. */
  async function streaming(...answers: readonly Answering[]) {
    let got = 0;
    const peer = await legacyPeer({
      handlers: { GET: (turn) => (answers[got++] ?? ((each) => each.send(405)))(turn) },
    });
    return { peer, ids: () => peer.of('GET').map(({ headers }) => headers['last-event-id']) };
  }

  test.each(ports)('[LHTTP-012 LHTTP-020] is asked for again, from the last event on ($port)', async ({ options }) => {
    const notes: string[] = [];
    const { peer, ids } = await streaming(
      piece(() => 'id: 1\nretry: 500\ndata: \n\n'),
      piece(() => `id: 2\ndata: ${changed}\n\n`),
      (turn) => turn.stream(),
    );
    await open(peer, { ...options, onNotification: ({ method }) => notes.push(method) });
    // The first time nothing came but the id.
    for (const [round, ms] of [1_000, 500].entries()) {
      await armed(ms);
      await world.advance(ms - 1);
      expect(peer.of('GET').length).toBe(round + 1);
      await world.advance(1);
      await peer.next('GET');
    }
    await peer.next('GET');
    expect([ids(), notes]).toEqual([[undefined, '1', '2'], ['notifications/tools/list_changed']]);
  });

  test('without ids too; a server that has none any more is not asked again', async () => {
    const { peer, ids } = await streaming(
      piece(() => `data: ${changed}\n\n`),
      (turn) => turn.stream().reset(),
    );
    await open(peer);
    await lapse(1_000);
    await lapse(2_000);
    for (let round = 0; round < 3; round++) await peer.next('GET');
    await world.advance(600_000);
    expect(ids()).toEqual([undefined, undefined, undefined]);
  });

  test('a server that has forgotten the event is asked without it', async () => {
    const { peer, ids } = await streaming(
      piece(() => 'id: 1\n\n'),
      (turn) => turn.send(400),
      (turn) => turn.send(503),
      (turn) => turn.stream(),
    );
    await open(peer);
    for (const ms of [2_000, 4_000, 8_000]) {
      await lapse(ms);
    }
    for (let round = 0; round < 4; round++) await peer.next('GET');
    expect(ids()).toEqual([undefined, '1', undefined, undefined]);
  });

  test('a stream on which nothing ever comes is given up, one that lasted is not', async () => {
    const { peer } = await streaming(
      ...Array.from({ length: 9 }, (): Answering => (turn) => turn.stream().end()),
      (turn) => turn.stream(),
      ...Array.from({ length: 9 }, (): Answering => (turn) => turn.stream().end()),
      (turn) => turn.stream().end(),
      (turn) => turn.stream(),
    );
    await open(peer);
    // The first try counts as one in vain.
    for (const ms of [2, 4, 8, 16, 30, 30, 30, 30, 30].map((seconds) => seconds * 1_000)) {
      await lapse(ms);
      await peer.next('GET');
    }
    const lasting = await peer.next('GET');
    await world.advance(30_000);
    lasting.end();
    for (const ms of [1, 2, 4, 8, 16, 30, 30, 30, 30, 30].map((seconds) => seconds * 1_000)) {
      await lapse(ms);
      await peer.next('GET');
    }
    await world.advance(600_000);
    expect(peer.of('GET').length).toBe(20);
  });

  test('ids without anything else slow it down, but are never enough of it', async () => {
    let got = 0;
    const { peer } = await streaming(
      ...Array.from({ length: 14 }, () => piece(() => `id: ${++got}\nretry: 0\ndata: \n\n`)),
      (turn) => turn.stream(),
    );
    await open(peer);
    for (const ms of [20, 40, 80, 160, 320, 640, 1_280, 2_560, 5_120, 10_240, 20_480, 30_000, 30_000, 30_000]) {
      await lapse(ms);
      await peer.next('GET');
    }
  });

  test.each([
    ['404 says that the session is over, once there was a stream', [(turn: Turn) => turn.stream().end()], 's-1', true],
    ['not at first: the server may just have none', [], 's-1', false],
    ['nor without a session', [(turn: Turn) => turn.stream().end()], null, false],
  ] as const)('[LHTTP-026] %s', async (_, before, session, lost) => {
    const answers: Answering[] = [...before, (turn) => turn.send(404)];
    const peer = await legacyPeer({ session, handlers: { GET: (turn) => (answers.shift() ?? hold)(turn) } });
    const client = await open(peer);
    if (before.length > 0) {
      await lapse(2_000);
      await peer.next('GET');
    }
    await peer.next('GET').then((turn) => turn.closed);
    await client.listTools();
    await client.listTools();
    expect(peer.of('initialize').map(({ headers }) => headers['mcp-session-id'])).toEqual(
      lost ? [undefined, undefined] : [undefined],
    );
  });

  test('is forgotten when the session ends', async () => {
    const { peer } = await streaming(piece(() => 'id: 1\n\n'));
    const client = await open(peer);
    await armed(2_000);
    await client.close();
    expect(world.clock.pendingMs).not.toContain(2_000);
    await world.advance(600_000);
    expect(peer.of('GET').length).toBe(1);
  });
});

describe('both sides of the library', () => {
  test.each(ports)(
    '[LHTTP-011 LHTTP-021] calls whose streams are cut get their own results ($port)',
    async ({ options }) => {
      const server = new Server({ name: 'cutting', version: '1' });
      const service: Service = {
        notice: (note, from) => server.notice(note, from),
        answer: async (call, exchange) => {
          if (call.method !== 'tools/call') return server.answer(call, exchange);
          const text = String(call.params?.['name']);
          const progressToken = (call.params?.['_meta'] as { progressToken?: string } | undefined)?.progressToken;
          for (let progress = 1; progress <= 3; progress++) {
            exchange.closeStream?.(10);
            exchange.emit({ method: 'notifications/progress', params: { progressToken, progress } });
            await nextTurn();
          }
          return { result: told(text) };
        },
      };
      server.tool('any', {}, () => '');
      const serving = await serveHttp(service);
      onTestFinished(() => serving.close());
      const client = await connect(serving.url, { ...options, protocol: '2025-11-25' });
      const seen: Record<string, number[]> = {};
      const names = ['a', 'b', 'c', 'd'];
      const results = await Promise.all(
        names.map((name) =>
          client.callTool(name, {}, { onProgress: (each) => (seen[name] ??= []).push(each.progress) }),
        ),
      );
      expect(results.map(({ text }) => text)).toEqual(names);
      expect(seen).toEqual(Object.fromEntries(names.map((name) => [name, [1, 2, 3]])));
      await client.close();
    },
  );
});
