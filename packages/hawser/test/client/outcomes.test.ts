/** What a failed call says of itself: of all its requests, not of the last one. */
import { describe, expect, test } from 'vitest';
import { AbortError, ConnectionError, McpError, RequestTimeoutError } from '../../src/base/errors.ts';
import type { Client } from '../../src/client/client.ts';
import type { ConnectOptions } from '../../src/client/options.ts';
import { connect } from '../../src/entry/index.node.ts';
import { undiciPort } from '../../src/node/undici.ts';
import type { HttpPort } from '../../src/ports/index.ts';
import { Server } from '../../src/server/server.ts';
import { VirtualClock } from '../../src/testing/clock.ts';
import { openAsker, required } from '../support/asking.ts';
import { links, openLink } from '../support/links.ts';
import { tokenOf } from '../support/stdio.ts';
import {
  begun,
  described,
  httpPeer,
  legacyPeer,
  modernPeer,
  ports,
  said,
  type Answering,
  type Turn,
} from '../support/http-peer.ts';

const form = {
  method: 'elicitation/create',
  params: { message: '?', requestedSchema: { type: 'object', properties: {} } },
};

async function failureOf(call: Promise<unknown>): Promise<McpError> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(McpError.is(error)).toBe(true);
  return error as McpError;
}

/** A port whose connections are refused once `gone` says so. */
function port(gone: () => boolean): HttpPort {
  const inner = undiciPort();
  return {
    send: (request) => inner.send(gone() ? { ...request, url: 'http://127.0.0.1:1/mcp' } : request),
    close: () => inner.close?.() ?? Promise.resolve(),
  };
}

interface Ending {
  readonly how: string;
  /** How the second request of the call is answered; undefined: it does not get through to the server. */
  readonly answer: Answering | undefined;
  readonly code: string;
}

const endings: readonly Ending[] = [
  { how: 'no connection', answer: undefined, code: 'connection' },
  { how: '401', answer: (turn) => turn.send(401), code: 'unauthorized' },
  { how: '403', answer: (turn) => turn.send(403), code: 'http_status' },
  {
    how: 'too little scope',
    answer: (turn) => turn.send(403, '', { 'www-authenticate': 'Bearer error="insufficient_scope"' }),
    code: 'insufficient_scope',
  },
  { how: '-32601', answer: (turn) => turn.fail({ code: -32601, message: 'gone' }), code: 'method_not_found' },
  { how: '-32020', answer: (turn) => turn.fail({ code: -32020, message: 'no' }, 400), code: 'header_mismatch' },
  {
    how: '-32021',
    answer: (turn) => turn.fail({ code: -32021, message: 'no' }, 400),
    code: 'missing_client_capability',
  },
  { how: '503', answer: (turn) => turn.send(503), code: 'server_error' },
];

/** A server whose first answer to a call is one thing, and every later one another. */
async function open(first: Answering, { answer }: Ending, options: ConnectOptions = {}) {
  let calls = 0;
  const peer = await modernPeer({
    'server/discover': () => ({ ...described, capabilities: { tools: {}, resources: {}, prompts: {} } }),
    'tools/call': (turn) => (++calls === 1 ? first(turn) : (answer ?? (() => said('not to be got')))(turn)),
    'resources/read': (turn) => (++calls === 1 ? first(turn) : (answer ?? (() => said('not to be got')))(turn)),
  });
  const http = port(() => answer === undefined && calls > 0);
  return {
    peer,
    client: await connect(peer.url, { http, protocol: 'modern', ...options }),
    close: () => http.close?.(),
  };
}

const calls: readonly [string, (client: Client) => Promise<unknown>][] = [
  ['callTool', (client) => client.callTool('t')],
  ['readResource', (client) => client.readResource('x:y')],
  ['sendRequest', (client) => client.sendRequest('tools/call', { name: 't' })],
];

const broken: Answering = (turn: Turn) => {
  turn.stream().end();
  return turn;
};

describe.each(endings)('after a stream that broke, the re-issue ends with $how', (ending) => {
  test.each(calls)('%s may have run', async (_, call) => {
    const { client, close } = await open(broken, ending);
    expect(await failureOf(call(client))).toMatchObject({ code: ending.code, outcome: 'unknown' });
    await client.close();
    await close();
  });
});

describe.each(endings)('after a round, the next one ends with $how', (ending) => {
  test.each(calls.slice(0, 2))('%s may have run', async (_, call) => {
    const { client, close } = await open(() => required({ e: form }), ending, { onElicit: () => ({}) });
    expect(await failureOf(call(client))).toMatchObject({ code: ending.code, outcome: 'unknown' });
    await client.close();
    await close();
  });
});

test('after a round, a resource that is not there', async () => {
  const ending: Ending = { how: '', answer: (turn) => turn.fail({ code: -32602, message: 'no' }), code: '' };
  const { client, close } = await open(() => required({ e: form }), ending, { onElicit: () => ({}) });
  const error = await failureOf(client.readResource('x:y'));
  expect(error).toMatchObject({ code: 'resource_not_found', outcome: 'unknown', uri: 'x:y' });
  await client.close();
  await close();
});

describe.each(endings.filter(({ how }) => how !== '503'))('the only request of a call ends with $how', (ending) => {
  test('it did not run', async () => {
    let began = false;
    const http = port(() => began && ending.answer === undefined);
    const peer = await modernPeer({ 'tools/call': ending.answer ?? (() => said('not to be got')) });
    const client = await connect(peer.url, { http, protocol: 'modern' });
    began = true;
    const { code, outcome } = await failureOf(client.callTool('t'));
    expect(code).toBe(ending.code);
    expect(outcome).toBe(ending.answer === undefined ? 'not-sent' : 'refused');
    await client.close();
    await http.close?.();
  });
});

describe('a server that cannot be reached', () => {
  /** An address that nobody listens at any more. */
  const closedPort = async (): Promise<string> => {
    const peer = await httpPeer(() => undefined);
    const { url } = peer;
    await peer.close();
    return url;
  };
  const nowhere = [
    { where: 'a closed port', find: closedPort },
    { where: 'an unknown host', find: () => Promise.resolve('http://nowhere.invalid/mcp') },
  ];
  const cases = ports.flatMap(({ port: name, options }) => nowhere.map((place) => ({ name, options, ...place })));

  test.each(cases)('is a ConnectionError ($name, $where)', async ({ options, find }) => {
    const url = await find();
    for (const protocol of ['auto', 'modern', 'legacy'] as const) {
      const error = await failureOf(connect(url, { ...options, protocol }));
      expect(error).toBeInstanceOf(ConnectionError);
      expect(error).toMatchObject({ code: 'connection', origin: 'transport', outcome: 'not-sent' });
    }
  });

  test('for a moment costs no session, and nothing is sent twice', async () => {
    const peer = await legacyPeer();
    let gone = false;
    const http = port(() => gone);
    const client = await connect(peer.url, { http, protocol: 'legacy' });
    gone = true;
    expect(await failureOf(client.callTool('echo'))).toMatchObject({ code: 'connection', outcome: 'not-sent' });
    gone = false;
    expect((await client.callTool('echo')).text).toBe('hello');
    expect(peer.of('initialize')).toHaveLength(1);
    expect(peer.of('tools/call')).toHaveLength(1);
    await client.close();
    await http.close?.();
  });
});

test('a call that was refused with its session, and finds no new one, did not run', async () => {
  let lost = false;
  const peer = await httpPeer((turn) => {
    const { method, http } = turn.seen;
    if (http === 'GET') return turn.send(405);
    if (lost) return turn.send(method === 'initialize' ? 500 : 404);
    if (method === 'initialize') return turn.reply(begun(), { 'mcp-session-id': 's' });
    return turn.send(202);
  });
  const client = await connect(peer.url, { protocol: 'legacy' });
  lost = true;
  expect(await failureOf(client.callTool('t'))).toMatchObject({ code: 'server_error', outcome: 'not-sent' });
  await client.close();
});

describe('a call that is given up', () => {
  const ready = () => {
    let asked!: () => void;
    const question = new Promise<void>((resolve) => (asked = resolve));
    let signal: AbortSignal | undefined;
    const onElicit: NonNullable<ConnectOptions['onElicit']> = (_question, context) => {
      ({ signal } = context);
      asked();
      return new Promise<never>(() => undefined);
    };
    return { onElicit, question, signal: () => signal };
  };

  test('while somebody is asked', async () => {
    const { onElicit, question } = ready();
    const { client, server } = await openAsker('2026-07-28', { onElicit });
    const control = new AbortController();
    const failed = failureOf(client.callTool('t', {}, { signal: control.signal }));
    (await server.expect('tools/call')).reply(required({ e: form }));
    await question;
    control.abort('bored');
    const error = await failed;
    expect(error).toBeInstanceOf(AbortError);
    expect(error).toMatchObject({ outcome: 'unknown', cause: 'bored' });
  });

  test('for the failure of another call says what is known of itself', async () => {
    const { client, server } = await openAsker('2026-07-28');
    const control = new AbortController();
    const failed = failureOf(client.callTool('t', {}, { signal: control.signal }));
    await server.expect('tools/call');
    const other = new ConnectionError('of another call', { outcome: 'not-sent' });
    control.abort(other);
    expect(await failed).toMatchObject({ message: 'of another call', outcome: 'unknown' });
    expect(other.outcome).toBe('not-sent');
    const signal = AbortSignal.abort(new ConnectionError('of another call', { outcome: 'unknown' }));
    expect(await failureOf(client.callTool('t', {}, { signal }))).toMatchObject({ outcome: 'not-sent' });
  });

  test.each(['a question', 'a pause'])('by closing the client during %s', async (during) => {
    const clock = new VirtualClock();
    const { onElicit, question, signal } = ready();
    const { client, server } = await openAsker('2026-07-28', { onElicit, clock });
    const failed = failureOf(client.callTool('t'));
    (await server.expect('tools/call')).reply(during === 'a pause' ? required(undefined, 's') : required({ e: form }));
    if (during === 'a question') await question;
    else await clock.settle();
    const closing = client.close();
    const error = await failed;
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ message: 'the client is closed', outcome: 'unknown', origin: 'local' });
    if (during === 'a question') expect(signal()?.aborted).toBe(true);
    await closing;
    await clock.advance(0);
    expect(clock.held).toBe(0);
    expect(await failureOf(client.callTool('t'))).toMatchObject({ code: 'connection', outcome: 'not-sent' });
  });

  test('by closing the client while its first answer is on its way: nobody is asked any more', async () => {
    let asked = 0;
    const onElicit = (): object => ({ asked: ++asked });
    const { client, server } = await openAsker('2026-07-28', { onElicit: onElicit as () => Record<string, unknown> });
    const failed = failureOf(client.callTool('t'));
    const request = await server.expect('tools/call');
    request.reply(required({ e: form }));
    const closing = client.close();
    expect(await failed).toMatchObject({ code: 'connection', outcome: 'unknown' });
    await closing;
    expect(asked).toBe(0);
  });
});

describe.each(links)('subscriptions of a client that is closed (%s)', (link) => {
  test('are closed, not lost', async () => {
    const client = await openLink(link, '2026-07-28', new Server({ name: 's', version: '1' }));
    const subscription = await client.listen({ toolsListChanged: true }, { onNotification: () => undefined });
    await client.close();
    expect(await subscription.closed).toBe('closed');
  });
});

test('a subscription that is being opened fails with its client', async () => {
  const { client, server } = await openAsker('2026-07-28');
  const failed = failureOf(client.listen({ toolsListChanged: true }, { onNotification: () => undefined }));
  await server.expect('subscriptions/listen');
  const closing = client.close();
  expect(await failed).toMatchObject({ code: 'connection', message: 'the client is closed' });
  await closing;
});

describe('the limit that was hit is named', () => {
  test.each([
    [{ timeoutMs: 100, maxTimeoutMs: 400 }, [], 100],
    [{ timeoutMs: 100, maxTimeoutMs: 250 }, [60, 60, 60, 60], 250],
    [{ timeoutMs: 400, maxTimeoutMs: 100 }, [], 100],
    [{ timeoutMs: 10_000, maxTimeoutMs: 6_000 }, [], 6_000],
    [{ timeoutMs: 6_000, maxTimeoutMs: 6_001 }, [], 6_000],
  ])('%j, progress after %j ms: %d', async (limits, progressMs, named) => {
    const clock = new VirtualClock();
    const { client, server } = await openAsker('2026-07-28', { clock });
    const failed = failureOf(client.callTool('t', {}, { ...limits, onProgress: () => undefined }));
    const { params } = await server.expect('tools/call');
    const progressToken = tokenOf({ params });
    for (const [at, ms] of progressMs.entries()) {
      await clock.advance(ms);
      server.notify('notifications/progress', { progressToken, progress: at + 1 });
      await clock.settle();
    }
    await clock.advance(12_000);
    const error = await failed;
    expect(error).toBeInstanceOf(RequestTimeoutError);
    expect(error).toMatchObject({ timeoutMs: named, outcome: 'unknown' });
    expect(error.message).toContain(`${named} ms`);
  });

  test('on a clock whose timers are early', async () => {
    const clock = new VirtualClock();
    // As timers of the platform may be, measured by its clock of high resolution.
    const early = Object.assign(Object.create(clock) as VirtualClock, {
      now: () => clock.now() * 0.999,
      after: (ms: number, run: () => void) => clock.after(ms, run),
      turn: () => clock.turn(),
    });
    const { client, server } = await openAsker('2026-07-28', { clock: early });
    const failed = failureOf(client.callTool('t', {}, { timeoutMs: 400, maxTimeoutMs: 100 }));
    await server.expect('tools/call');
    await clock.advance(100);
    expect(await failed).toMatchObject({ timeoutMs: 100 });
  });
});

test('progress never goes back within one call, and starts the wait anew all the same', async () => {
  const clock = new VirtualClock();
  const { client, server } = await openAsker('2026-07-28', { clock, onElicit: () => ({}) });
  const seen: number[] = [];
  const calling = client.callTool('t', {}, { timeoutMs: 100, onProgress: ({ progress }) => seen.push(progress) });
  const tell = async (request: { params: Record<string, unknown> | undefined }, ...values: number[]): Promise<void> => {
    const progressToken = tokenOf(request);
    for (const progress of values) {
      server.notify('notifications/progress', { progressToken, progress });
      await clock.advance(60);
    }
  };
  const first = await server.expect('tools/call');
  await tell(first, 1, 2, 2, 1);
  first.reply(required({ e: form }));
  const second = await server.expect('tools/call');
  await tell(second, 1, 2, 3);
  second.reply(said('done'));
  expect((await calling).text).toBe('done');
  expect(seen).toEqual([1, 2, 3]);
});
