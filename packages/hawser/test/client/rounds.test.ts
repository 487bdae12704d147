/** Waits, limits and aborts of calls that need answers of this side, in both eras. */
import { describe, expect, test, vi } from 'vitest';
import { AbortError, RequestTimeoutError } from '../../src/base/errors.ts';
import type { JsonObject } from '../../src/base/json.ts';
import { connect } from '../../src/entry/index.node.ts';
import type { FormHandler } from '../../src/client/elicitation.ts';
import type { ConnectOptions } from '../../src/client/options.ts';
import { VirtualClock } from '../../src/testing/clock.ts';
import type { ScriptedPeer, ScriptedRequest } from '../../src/testing/scripted.ts';
import { nextTurn } from '../../src/testing/settle.ts';
import { answering, openAsker, opening, required } from '../support/asking.ts';
import { legacyPeer, said, told } from '../support/http-peer.ts';
import { gate } from '../support/http.ts';
import { beginScripted } from '../support/links.ts';

const method = 'elicitation/create';
const params = { message: '?', requestedSchema: { type: 'object', properties: {} } };
const confirm = { method, params };
const legacyResult = told('done');

/** A call's outcome, kept from being unhandled while time is moved. */
function watched<T>(call: Promise<T>): { outcome: T | Error | undefined; settled: Promise<T | Error> } {
  const watch: { outcome: T | Error | undefined; settled: Promise<T | Error> } = {
    outcome: undefined,
    settled: call.catch((error: unknown) => error as Error).then((outcome) => (watch.outcome = outcome)),
  };
  return watch;
}

async function open(revision: '2025-11-25' | '2026-07-28', options: ConnectOptions = {}) {
  const clock = new VirtualClock();
  const opened = await openAsker(revision, { clock, ...options });
  return { ...opened, clock };
}

/** Answers calls with a state only, `times` times, and then with a final result; gives when they came. */
function patient(
  server: ScriptedPeer,
  clock: VirtualClock,
  times: number,
): { came: ScriptedRequest[]; atMs: number[] } {
  const atMs: number[] = [];
  const came = answering(server, () => {
    atMs.push(clock.now());
    return came.length > times ? said('done') : required(undefined, `s${came.length}`);
  });
  return { came, atMs };
}

describe('a server that asks for patience', () => {
  test('[SEED-235 MRTR-009] is asked again after pauses that grow to ten seconds', async () => {
    const { client, server, clock } = await open('2026-07-28');
    const { came, atMs } = patient(server, clock, 8);
    const call = watched(client.callTool('t', {}, { timeoutMs: 600_000 }));
    await clock.advance(60_000);
    expect(call.outcome).toMatchObject({ text: 'done' });
    const pauses = atMs.slice(1).map((at, before) => at - (atMs[before] ?? 0));
    expect(pauses).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
    const states = Array.from({ length: 8 }, (_, at) => `s${at + 1}`);
    expect(came.map(({ params: sent }) => sent?.['requestState'])).toEqual([undefined, ...states]);
    expect(came.some(({ params: sent }) => Object.hasOwn(sent ?? {}, 'inputResponses'))).toBe(false);
    expect(new Set(came.map(({ id }) => id)).size).toBe(9);
    expect(clock.pending).toBeLessThanOrEqual(1);
  });

  test('[SEED-236] may do so more often than there may be rounds', async () => {
    const { client, server, clock } = await open('2026-07-28');
    patient(server, clock, 15);
    const call = watched(client.callTool('t', {}, { timeoutMs: 600_000 }));
    await clock.advance(200_000);
    expect(call.outcome).toMatchObject({ text: 'done' });
  });

  test('[SEED-256] is not asked earlier for a notice that modern servers do not have', async () => {
    const { client, server, clock } = await open('2026-07-28');
    const { came } = patient(server, clock, 1);
    const call = watched(client.callTool('t'));
    await clock.settle();
    server.notify('notifications/elicitation/complete', { elicitationId: 'e-1' });
    await clock.advance(249);
    expect(came).toHaveLength(1);
    await clock.advance(1);
    expect(came).toHaveLength(2);
    expect(call.outcome).toMatchObject({ text: 'done' });
  });

  test('an empty set of questions is such a round', async () => {
    const { client, server, clock } = await open('2026-07-28');
    const call = watched(client.callTool('t'));
    (await server.expect('tools/call')).reply(required({}, 's'));
    await clock.advance(249);
    expect(server.unread).toEqual([]);
    await clock.advance(1);
    const retry = await server.expect('tools/call');
    expect(retry.params).not.toHaveProperty('inputResponses');
    retry.reply(said('done'));
    await call.settled;
  });

  test('a question in between begins the pauses anew', async () => {
    const { client, server, clock } = await open('2026-07-28', { onElicit: () => ({}) });
    const call = watched(client.callTool('t'));
    for (const ms of [250, 500]) {
      (await server.expect('tools/call')).reply(required(undefined, 's'));
      await clock.advance(ms);
    }
    (await server.expect('tools/call')).reply(required({ e: confirm }, 's'));
    (await server.expect('tools/call')).reply(required(undefined, 's'));
    await clock.advance(250);
    (await server.expect('tools/call')).reply(said('done'));
    expect(await call.settled).toMatchObject({ text: 'done' });
  });

  test('[BUG-128] is waited for no longer than for an answer', async () => {
    const { client, server, clock } = await open('2026-07-28');
    const { came } = patient(server, clock, Infinity);
    const call = watched(client.callTool('t', {}, { timeoutMs: 3_000 }));
    await clock.advance(2_999);
    expect(call.outcome).toBeUndefined();
    await clock.advance(1);
    expect(call.outcome).toBeInstanceOf(RequestTimeoutError);
    const sent = came.length;
    await clock.advance(60_000);
    expect(came).toHaveLength(sent);
  });

  test('[MRTR-022] the call can be given up in a pause', async () => {
    const { client, server, clock } = await open('2026-07-28');
    const { came } = patient(server, clock, Infinity);
    const abort = new AbortController();
    const call = watched(client.callTool('t', {}, { signal: abort.signal, timeoutMs: 4_000 }));
    await clock.advance(300);
    abort.abort('enough');
    expect(await call.settled).toMatchObject({ code: 'aborted', cause: 'enough' });
    expect(clock.pending).toBe(0);
    const sent = came.length;
    await clock.advance(60_000);
    expect(came).toHaveLength(sent);
  });
});

/** A handler that answers when it is told to. */
function slow(): { onElicit: FormHandler; asked: Promise<AbortSignal>; answer(): void } {
  const asked = gate<AbortSignal>();
  const answered = gate<JsonObject>();
  return {
    asked: asked.opened,
    answer: () => answered.open({}),
    onElicit: (_, { signal }) => {
      asked.open(signal);
      return answered.opened;
    },
  };
}

/** Has the server ask in the midst of a call, in the way of its era. */
async function asking(server: ScriptedPeer): Promise<ScriptedRequest> {
  const request = await server.expect('tools/call');
  if (request.params?.['_meta'] !== undefined && JSON.stringify(request.params).includes('protocolVersion'))
    request.reply(required({ e: confirm }, 's'));
  else server.request(method, params).catch(() => undefined);
  return request;
}

/** Lets the call end once the question has been answered. */
async function finish(server: ScriptedPeer, request: ScriptedRequest, modern: boolean): Promise<void> {
  if (modern) (await server.expect('tools/call')).reply(said('done'));
  else request.reply(legacyResult);
}

describe.each(['2025-11-25', '2026-07-28'] as const)('while a person is asked (%s)', (revision) => {
  const modern = revision === '2026-07-28';

  test('the call does not time out, and has all its time again afterwards', async () => {
    const { onElicit, asked, answer } = slow();
    const { client, server, clock } = await open(revision, { onElicit, timeoutMs: 1_000 });
    const call = watched(client.callTool('t'));
    await clock.advance(900);
    const request = await asking(server);
    await asked;
    await clock.advance(100_000);
    expect(call.outcome).toBeUndefined();
    answer();
    await clock.settle();
    await clock.advance(999);
    expect(call.outcome).toBeUndefined();
    await finish(server, request, modern);
    await clock.settle();
    expect(call.outcome).toMatchObject({ text: 'done' });
  });

  test('and times out afterwards as ever', async () => {
    const { onElicit, asked, answer } = slow();
    const { client, server, clock } = await open(revision, { onElicit, timeoutMs: 1_000 });
    const call = watched(client.callTool('t'));
    await asking(server);
    await asked;
    await clock.advance(100_000);
    answer();
    await clock.settle();
    await clock.advance(1_000);
    expect(call.outcome).toBeInstanceOf(RequestTimeoutError);
    expect(call.outcome).toMatchObject({ timeoutMs: 1_000 });
  });

  test('the hard limit stays, and the handler hears of it', async () => {
    const { onElicit, asked } = slow();
    const { client, server, clock } = await open(revision, { onElicit, timeoutMs: 1_000, maxTimeoutMs: 4_000 });
    const call = watched(client.callTool('t'));
    await clock.advance(500);
    await asking(server);
    const signal = await asked;
    await clock.advance(3_499);
    expect(call.outcome).toBeUndefined();
    expect(signal.aborted).toBe(false);
    await clock.advance(1);
    expect(call.outcome).toMatchObject({ code: 'timeout', timeoutMs: 4_000 });
    await clock.settle();
    expect(signal.aborted).toBe(true);
    expect(clock.pending).toBe(0);
  });

  test('[BUG-128] giving the call up gives the question up', async () => {
    const { onElicit, asked, answer } = slow();
    const { client, server, clock } = await open(revision, { onElicit });
    // A call that is over is none that the question could be for.
    const before = client.callTool('before');
    const request = await server.expect('tools/call');
    request.reply(modern ? said('done') : legacyResult);
    await before;
    const abort = new AbortController();
    const call = watched(client.callTool('t', {}, { signal: abort.signal }));
    await asking(server);
    const signal = await asked;
    abort.abort('enough');
    expect(await call.settled).toBeInstanceOf(AbortError);
    await clock.settle();
    expect(signal.aborted).toBe(true);
    answer();
    await clock.settle();
    expect(server.unread).toEqual([]);
  });
});

describe('legacy questions', () => {
  test('of which nobody can tell the call are kept while any call is left', async () => {
    const { onElicit, asked, answer } = slow();
    const { client, server, clock } = await open('2025-11-25', { onElicit });
    const abort = new AbortController();
    const one = watched(client.callTool('one', {}, { signal: abort.signal }));
    const two = watched(client.callTool('two'));
    const requests = [await server.expect('tools/call'), await server.expect('tools/call')];
    const replying = server.request(method, params);
    const signal = await asked;
    abort.abort();
    await one.settled;
    expect(signal.aborted).toBe(false);
    answer();
    expect((await replying)['result']).toEqual({ action: 'accept', content: {} });
    requests[1]?.reply(legacyResult);
    expect(await two.settled).toMatchObject({ text: 'done' });
    await clock.settle();
  });

  test('outlive a call that ended without the answer, and no call at all', async () => {
    const { onElicit, asked, answer } = slow();
    const { client, server } = await open('2025-11-25', { onElicit });
    const call = client.callTool('t');
    const request = await server.expect('tools/call');
    const replying = server.request(method, params);
    const signal = await asked;
    request.reply(legacyResult);
    await call;
    expect(signal.aborted).toBe(false);
    answer();
    expect((await replying)['result']).toEqual({ action: 'accept', content: {} });
    expect((await server.request(method, params))['result']).toEqual({ action: 'accept', content: {} });
  });

  test('that the server takes back are given up, and not answered', async () => {
    const { onElicit, asked } = slow();
    const { server } = await open('2025-11-25', { onElicit });
    server.request(method, params, 'q-1').catch(() => undefined);
    const signal = await asked;
    server.notify('notifications/cancelled', { requestId: 'q-1' });
    await nextTurn();
    expect(signal.aborted).toBe(true);
    expect(server.lines.some(({ direction, text }) => direction === 'in' && text.includes('q-1'))).toBe(false);
  });

  test('a call made while a question is open has its own time', async () => {
    const { onElicit, asked } = slow();
    const { client, server, clock } = await open('2025-11-25', { onElicit, timeoutMs: 1_000 });
    const first = watched(client.callTool('first'));
    await asking(server);
    await asked;
    const second = watched(client.callTool('second'));
    await clock.advance(1_000);
    expect(second.outcome).toBeInstanceOf(RequestTimeoutError);
    expect(first.outcome).toBeUndefined();
  });

  test('two at a time hold a call until both are answered', async () => {
    const [one, two] = [gate(), gate()];
    const waits = [one, two];
    const onElicit = vi.fn(async () => {
      await waits.shift()?.opened;
      return {};
    });
    const { client, server, clock } = await open('2025-11-25', { onElicit, timeoutMs: 1_000 });
    const call = watched(client.callTool('t'));
    await server.expect('tools/call');
    const replies = [server.request(method, params), server.request(method, params)];
    await clock.settle();
    one.open();
    await replies[0];
    await clock.advance(50_000);
    expect(call.outcome).toBeUndefined();
    two.open();
    await replies[1];
    await clock.advance(1_000);
    expect(call.outcome).toBeInstanceOf(RequestTimeoutError);
  });

  test('progress does not end the hold', async () => {
    const { onElicit, asked } = slow();
    const { client, server, clock } = await open('2025-11-25', { onElicit, timeoutMs: 1_000 });
    const call = watched(client.callTool('t', {}, { onProgress: () => undefined }));
    const request = await asking(server);
    await asked;
    const meta = request.params?.['_meta'] as JsonObject | undefined;
    server.notify('notifications/progress', { progressToken: meta?.['progressToken'], progress: 1 });
    await clock.advance(50_000);
    expect(call.outcome).toBeUndefined();
  });

  test('before the session has begun only ping is answered, and all with the first words', async () => {
    const { connecting, server } = beginScripted({}, { protocol: '2025-11-25', onElicit: () => ({}) });
    const initialize = await server.expect('initialize');
    expect(await server.request('ping')).toMatchObject({ result: {} });
    expect(await server.request(method, params)).toMatchObject({ error: { code: -32600 } });
    initialize.reply(opening.initialize(initialize));
    await server.expectNote('notifications/initialized');
    expect(await server.request(method, params)).toMatchObject({ result: { action: 'accept' } });
    await (await connecting).close();
  });

  test('[CAN-005] that the server takes back over HTTP are given up too, and not answered', async () => {
    const { onElicit, asked } = slow();
    const onNotification = vi.fn();
    const peer = await legacyPeer({ handlers: { GET: (turn) => turn.stream() } });
    const client = await connect(peer.url, { protocol: 'legacy', onElicit, onNotification });
    const stream = await peer.next('GET');
    await stream.event({ jsonrpc: '2.0', id: 'q', method, params });
    const signal = await asked;
    const stopped = gate();
    signal.addEventListener('abort', () => stopped.open());
    for (const requestId of ['other', 'q'])
      await stream.event({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });
    await stopped.opened;
    expect(onNotification).not.toHaveBeenCalled();
    // What is asked later is answered: the one before would have been by then.
    await stream.event({ jsonrpc: '2.0', id: 'later', method: 'ping' });
    await peer.next('response');
    await client.callTool('echo');
    expect(peer.of('response').map(({ message }) => message['id'])).toEqual(['later']);
    await client.close();
  });

  test('one under the id of another that is open does not keep that from being taken back', async () => {
    const signals: AbortSignal[] = [];
    const [first, both, second] = [gate(), gate(), gate()];
    const onElicit: FormHandler = async (_question, { signal }) => {
      signals.push(signal);
      const nth = signals.length;
      if (nth === 2) {
        signal.addEventListener('abort', () => second.open());
        both.open();
      }
      await (nth === 1 ? first : gate()).opened;
      return {};
    };
    const peer = await legacyPeer({ handlers: { GET: (turn) => turn.stream() } });
    const client = await connect(peer.url, { protocol: 'legacy', onElicit });
    const stream = await peer.next('GET');
    for (const _ of [1, 2]) await stream.event({ jsonrpc: '2.0', id: 'q', method, params });
    await both.opened;
    first.open();
    await peer.next('response');
    await stream.event({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'q' } });
    await second.opened;
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, true]);
    await client.close();
  });

  test('a hundred may be open at a time; more are refused until one is answered', async () => {
    const answers: (() => void)[] = [];
    const onElicit: FormHandler = () => new Promise((resolve) => answers.push(() => resolve({})));
    const { client, server, clock } = await open('2025-11-25', { onElicit });
    const replies = Array.from({ length: 100 }, () => server.request(method, params));
    await clock.settle();
    expect(answers).toHaveLength(100);
    const refusal = { error: { code: -32603, message: 'there are 100 questions open already' } };
    expect(await server.request(method, params)).toMatchObject(refusal);
    expect(await server.request('roots/list')).toMatchObject(refusal);
    expect(await server.request('ping')).toMatchObject({ result: {} });
    answers.shift()?.();
    await Promise.race(replies);
    const more = server.request(method, params);
    await clock.settle();
    expect(answers).toHaveLength(100);
    for (const answer of answers) answer();
    for (const reply of [...replies, more]) expect(await reply).toMatchObject({ result: { action: 'accept' } });
    await client.close();
  });

  test('the end of the session gives them up, over HTTP too', async () => {
    const { onElicit, asked } = slow();
    const peer = await legacyPeer({ handlers: { GET: (turn) => turn.stream() } });
    const client = await connect(peer.url, { protocol: 'legacy', onElicit });
    await (await peer.next('GET')).event({ jsonrpc: '2.0', id: 'q', method, params });
    const signal = await asked;
    await client.close();
    await nextTurn();
    expect(signal.aborted).toBe(true);
  });

  test('the end of the connection gives them up', async () => {
    const { onElicit, asked } = slow();
    const { client, server } = await open('2025-11-25', { onElicit });
    const call = watched(client.callTool('t'));
    await asking(server);
    const signal = await asked;
    await server.close();
    expect(await call.settled).toMatchObject({ code: 'connection' });
    await nextTurn();
    expect(signal.aborted).toBe(true);
  });
});
