/** Messages that a transport of one's own hands over: `server.handle`, `server.handleJson`. */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { Server } from '../../src/server/server.ts';
import { ServerSession, type Session } from '../../src/server/session.ts';
import type { MessageCaller } from '../../src/server/messages.ts';
import { nextTurn, settle } from '../../src/testing/settle.ts';
import { gate, metaOf } from '../support/http.ts';
import { legacyRevisions } from '../support/links.ts';
import { recorder } from '../support/stdio.ts';

const request = (method: string, params: JsonObject = {}, id: unknown = 1): JsonObject => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});
const modern = (method: string, params: JsonObject = {}, id: unknown = 1): JsonObject =>
  request(method, { ...params, _meta: metaOf((params['_meta'] as JsonObject | undefined) ?? {}) }, id);
const call = (name: string, args: JsonObject = {}, id: unknown = 1): JsonObject =>
  request('tools/call', { name, arguments: args }, id);
const hello = (protocolVersion: string, capabilities: JsonObject = {}, name = 'c'): JsonObject =>
  request('initialize', { protocolVersion, capabilities, clientInfo: { name, version: '1' } }, 0);

const textOf = (answer: JsonObject | undefined): unknown =>
  (answer?.['result'] as { content?: { text: string }[] } | undefined)?.content?.[0]?.text;
const errorOf = (answer: JsonObject | undefined): unknown => (answer?.['error'] as JsonObject | undefined)?.['code'];

function working(logger = recorder()) {
  const sessions: (Session | undefined)[] = [];
  const held = gate<AbortSignal>();
  const server = new Server({ name: 's', version: '1', logger })
    .tool('who', {}, (_, { caller, session }) => {
      sessions.push(session);
      return JSON.stringify({ principal: caller.principal, client: caller.clientInfo?.name, level: session?.logLevel });
    })
    .tool('steps', {}, async (_, ctx) => {
      for (const step of [1, 2]) await ctx.progress(step, 2);
      ctx.log('error', 'hear');
      return 'done';
    })
    .tool('ask', {}, async (_, ctx) => {
      const schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } as const;
      return (await ctx.elicit('who', { message: 'Who?', schema })).name;
    })
    .tool('hold', {}, (_, ctx) => {
      held.open(ctx.signal);
      return new Promise((_, reject) => {
        ctx.signal.addEventListener('abort', () => reject(ctx.signal.reason as Error));
      });
    })
    .resource('x:a', { name: 'a' }, () => 'a');
  return { server, sessions, held, logger };
}

/** A session with all that it was sent. */
async function opened(server: Server, revision = '2025-11-25', capabilities: JsonObject = {}) {
  const sent: JsonObject[] = [];
  const session = new ServerSession({ send: (message) => void sent.push(message) });
  expect(await server.handle(hello(revision, capabilities), { session })).toMatchObject({
    id: 0,
    result: { protocolVersion: revision },
  });
  expect(await server.handle({ jsonrpc: '2.0', method: 'notifications/initialized' }, { session })).toBeUndefined();
  return { sent, session };
}

describe('without a session', () => {
  test('[SEED-147] modern requests are answered, each for itself', async () => {
    const { server, sessions } = working();
    const answer = await server.handle(modern('tools/call', { name: 'who' }, 'an id'), { principal: 'ann' });
    expect(answer).toMatchObject({ jsonrpc: '2.0', id: 'an id', result: { resultType: 'complete' } });
    expect(textOf(answer)).toBe('{"principal":"ann"}');
    expect(textOf(await server.handle(modern('tools/call', { name: 'who' })))).toBe('{}');
    expect(sessions).toEqual([undefined, undefined]);
    expect(errorOf(await server.handle(modern('nothing')))).toBe(-32601);
  });

  test('[SEED-147] so are legacy ones', async () => {
    const { server } = working();
    for (const revision of legacyRevisions)
      expect(await server.handle(hello(revision))).toMatchObject({ result: { protocolVersion: revision } });
    expect(textOf(await server.handle(call('who'), { principal: 'ann' }))).toBe('{"principal":"ann"}');
    expect(await server.handle(request('ping'))).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    expect(await server.handle({ jsonrpc: '2.0', method: 'notifications/initialized' })).toBeUndefined();
  });

  test('what belongs to the message goes to its send, and to nobody without one', async () => {
    const { server } = working();
    const sent: JsonObject[] = [];
    const meta = { progressToken: 't', 'io.modelcontextprotocol/logLevel': 'info' };
    const message = modern('tools/call', { name: 'steps', _meta: meta });
    expect(textOf(await server.handle(message, { send: (note) => void sent.push(note) }))).toBe('done');
    expect(sent.map(({ jsonrpc, method }) => [jsonrpc, method])).toEqual([
      ['2.0', 'notifications/progress'],
      ['2.0', 'notifications/progress'],
      ['2.0', 'notifications/message'],
    ]);
    expect(textOf(await server.handle(message))).toBe('done');
  });

  test('a subscription lasts until its signal aborts, and needs a send', async () => {
    const { server } = working();
    // What it tells of its beginnings is over.
    await nextTurn();
    const leaving = new AbortController();
    const sent: JsonObject[] = [];
    const message = modern('subscriptions/listen', { notifications: { toolsListChanged: true } }, 7);
    const over = server.handle(message, { send: (note) => void sent.push(note), signal: leaving.signal });
    await nextTurn();
    server.changed.tools();
    await nextTurn();
    leaving.abort();
    expect(await over).toBeUndefined();
    server.changed.tools();
    await nextTurn();
    expect(sent.map(({ method }) => method)).toEqual([
      'notifications/subscriptions/acknowledged',
      'notifications/tools/list_changed',
    ]);
    expect(errorOf(await server.handle(message))).toBe(-32600);
  });

  test('a way that is slow is waited for', async () => {
    const { server } = working();
    const ways: (() => void)[] = [];
    const message = modern('tools/call', { name: 'steps', _meta: { progressToken: 't' } });
    let answered = false;
    const over = server
      .handle(message, {
        send: () =>
          new Promise<void>((resolve) => {
            ways.push(resolve);
          }),
      })
      .then(() => (answered = true));
    for (const step of [1, 2]) {
      await settle();
      expect([ways.length, answered]).toEqual([step, false]);
      ways.at(-1)?.();
    }
    await over;
  });

  test('a signal that aborts cancels the call, which has no answer', async () => {
    const { server, held, sessions } = working();
    const deaf = gate();
    server.tool('deaf', {}, () => {
      deaf.open();
      return new Promise(() => undefined);
    });
    const leaving = new AbortController();
    const over = ['hold', 'deaf'].map((name) =>
      server.handle(modern('tools/call', { name }), { signal: leaving.signal }),
    );
    const signal = await held.opened;
    await deaf.opened;
    leaving.abort('enough');
    // Nobody waits for a handler that does not heed it.
    expect(await Promise.all(over)).toEqual([undefined, undefined]);
    expect(signal.aborted).toBe(true);
    expect(await server.handle(modern('tools/call', { name: 'who' }), { signal: leaving.signal })).toBeUndefined();
    expect(sessions).toEqual([]);
  });
});

describe('in a session', () => {
  test.each(legacyRevisions)(
    '[SEED-147 SEED-146 SEED-148] handlers see the session that was given (%s)',
    async (revision) => {
      const { server, sessions } = working();
      const [a, b] = [await opened(server, revision), await opened(server, revision)];
      expect(a.session.clientInfo).toEqual({ name: 'c', version: '1' });
      expect([a.session.revision, a.session.logLevel]).toEqual([revision, 'info']);
      expect(await server.handle(request('logging/setLevel', { level: 'alert' }), { session: a.session })).toEqual({
        jsonrpc: '2.0',
        id: 1,
        result: {},
      });
      expect(textOf(await server.handle(call('who'), { session: a.session }))).toBe('{"client":"c","level":"alert"}');
      expect(textOf(await server.handle(call('who'), { session: b.session }))).toBe('{"client":"c","level":"info"}');
      expect([sessions[0] === a.session, sessions[1] === b.session]).toEqual([true, true]);
    },
  );

  test('[SEED-151] what is told goes to the session alone, by its send', async () => {
    const { server } = working();
    await nextTurn();
    const [a, b] = [await opened(server), await opened(server)];
    expect(await server.handle(request('resources/subscribe', { uri: 'x:a' }), { session: a.session })).toBeDefined();
    server.changed.resource('x:a');
    server.changed.tools();
    a.session.notify('notifications/own');
    await nextTurn();
    const steps = call('steps');
    (steps['params'] as JsonObject)['_meta'] = { progressToken: 5 };
    await server.handle(steps, { session: a.session });
    expect(a.sent.map(({ method }) => method)).toEqual([
      'notifications/resources/updated',
      'notifications/own',
      'notifications/tools/list_changed',
      'notifications/progress',
      'notifications/progress',
      'notifications/message',
    ]);
    expect(b.sent.map(({ method }) => method)).toEqual(['notifications/tools/list_changed']);
  });

  test('the client is asked by send, and its answer comes as a message', async () => {
    const { server } = working();
    const { sent, session } = await opened(server, '2025-11-25', { elicitation: {} });
    const other = await opened(server, '2025-11-25', { elicitation: {} });
    const over = server.handle(call('ask'), { session });
    await settle();
    expect(sent).toMatchObject([{ method: 'elicitation/create', params: { message: 'Who?' } }]);
    const answer = { jsonrpc: '2.0', id: sent[0]?.['id'], result: { action: 'accept', content: { name: 'Ann' } } };
    // Only from the session that was asked.
    expect(await server.handle(answer, { session: other.session })).toBeUndefined();
    expect(await server.handle(answer, { session })).toBeUndefined();
    expect(textOf(await over)).toBe('Ann');
  });

  test('without a send nothing is told, and nobody asked', async () => {
    const { server } = working();
    const session = new ServerSession();
    await server.handle(hello('2025-11-25', { elicitation: {} }), { session });
    await server.handle({ jsonrpc: '2.0', method: 'notifications/initialized' }, { session });
    expect(textOf(await server.handle(call('steps'), { session }))).toBe('done');
    expect(await server.handle(call('ask'), { session })).toMatchObject({ result: { isError: true } });
    expect(session.notify('notifications/own')).toBe(false);
  });

  test('modern requests are served as well, and have none', async () => {
    const { server, sessions } = working();
    const { session } = await opened(server);
    await server.handle(modern('tools/call', { name: 'who' }), { session });
    await server.handle(call('who'), { session });
    expect([sessions[0], sessions[1] === session]).toEqual([undefined, true]);
  });

  test('a request is cancelled by the notification, and its id is taken while it runs', async () => {
    const { server, held } = working();
    const { session } = await opened(server);
    const over = server.handle(call('hold', {}, 9), { session });
    const signal = await held.opened;
    expect(await server.handle(call('who', {}, 9), { session })).toEqual({
      jsonrpc: '2.0',
      error: { code: -32600, message: 'id 9 is still in use' },
    });
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 9 } };
    expect(await server.handle(cancelled, { session: (await opened(server)).session })).toBeUndefined();
    expect(signal.aborted).toBe(false);
    expect(await server.handle(cancelled, { session })).toBeUndefined();
    expect([await over, signal.aborted]).toEqual([undefined, true]);
    expect(textOf(await server.handle(call('who', {}, 9), { session }))).toBeDefined();
  });

  test('it belongs to its principal: for another it does not exist', async () => {
    const { server } = working();
    const session = new ServerSession();
    await server.handle(hello('2025-11-25'), { session, principal: 'ann' });
    for (const principal of ['bob', undefined]) {
      expect(await server.handle(call('who', {}, 3), { session, principal })).toEqual({
        jsonrpc: '2.0',
        id: 3,
        error: { code: -32600, message: 'Session not found' },
      });
      expect(await server.handleJson('[]', { session, principal })).toContain('Session not found');
    }
    expect(textOf(await server.handle(call('who'), { session, principal: 'ann' }))).toContain('"principal":"ann"');
  });

  test('of what another principal sends to it only requests are answered, under their id', async () => {
    const { server } = working();
    const session = new ServerSession();
    await server.handle(hello('2025-11-25'), { session, principal: 'ann' });
    const bob = { session, principal: 'bob' };
    expect(await server.handleJson(JSON.stringify(call('who', {}, 3)), bob)).toContain('"id":3,"error"');
    for (const message of [
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 3, result: {} },
      { jsonrpc: '2.0', id: 3, error: { code: 1, message: 'no' } },
    ]) {
      expect(await server.handle(message, bob)).toBeUndefined();
      expect(await server.handleJson(JSON.stringify(message), bob)).toBeUndefined();
    }
  });

  test('what waits for room goes out in its order, as it was when it was said', async () => {
    const { server } = working();
    const room = gate();
    const sent: JsonObject[] = [];
    const session = new ServerSession({
      send: (message) => {
        sent.push(message);
        return sent.length === 1 ? room.opened : undefined;
      },
    });
    await server.handle(hello('2025-11-25'), { session });
    await server.handle({ jsonrpc: '2.0', method: 'notifications/initialized' }, { session });
    const params: JsonObject = { n: 1 };
    const text = 'x'.repeat(1024 * 1024 + 1);
    session.notify('notifications/first');
    session.notify('notifications/second', params);
    session.notify('notifications/third', { text });
    session.notify('notifications/fourth');
    params['n'] = params;
    room.open();
    await settle();
    expect(sent.map((message) => message['method'])).toEqual(
      ['first', 'second', 'third', 'fourth'].map((name) => `notifications/${name}`),
    );
    expect(sent[1]?.['params']).toEqual({ n: 1 });
  });

  test('a caller that can be told nothing hears no progress, and the handler is told so', async () => {
    const { server } = working();
    server.tool('heard', {}, async (_, ctx) => `${await ctx.progress(1)}`);
    const params = { name: 'heard', _meta: { progressToken: 1 } };
    const session = new ServerSession();
    await server.handle(hello('2025-11-25'), { session });
    expect(textOf(await server.handle(request('tools/call', params), { session }))).toBe('false');
    expect(textOf(await server.handle(modern('tools/call', params)))).toBe('false');
    expect(textOf(await server.handle(modern('tools/call', params), { send: () => undefined }))).toBe('true');
  });

  test('when it is closed what runs is cancelled, and nothing more is answered or told', async () => {
    const { server, held } = working();
    const { session, sent } = await opened(server);
    const over = server.handle(call('hold'), { session });
    const signal = await held.opened;
    session.close();
    session.close();
    expect([await over, signal.aborted]).toEqual([undefined, true]);
    expect(await server.handle(call('who'), { session })).toBeUndefined();
    server.changed.tools();
    await nextTurn();
    expect([sent, session.notify('notifications/own')]).toEqual([[], false]);
    const early = new ServerSession();
    early.close();
    expect(await server.handle(hello('2025-11-25'), { session: early })).toBeUndefined();
  });

  test('one that was initialized is not initialized again, nor used with another server', async () => {
    const { server } = working();
    const { session } = await opened(server);
    expect(errorOf(await server.handle(hello('2025-11-25'), { session }))).toBe(-32600);
    await expect(working().server.handle(call('who'), { session })).rejects.toThrow('another server');
  });
});

describe('handleJson', () => {
  test('takes and gives text', async () => {
    const { server } = working();
    const text = JSON.stringify(modern('tools/call', { name: 'who' }, 'ä'));
    expect(await server.handleJson(text, { principal: 'ann' })).toMatch(/^\{"jsonrpc":"2\.0","id":"ä","result":/);
    expect(await server.handleJson('{"jsonrpc":"2.0","method":"notifications/x"}')).toBeUndefined();
  });

  test.each(['', '{', 'nothing', '['.repeat(100_000)])('what is no JSON is -32700 (%#)', async (text) => {
    const answer = JSON.parse((await working().server.handleJson(text)) ?? '') as JsonObject;
    expect([errorOf(answer), 'id' in answer]).toEqual([-32700, false]);
  });

  test.each([null, 5, 'x', [], {}, { jsonrpc: '2.0' }, { jsonrpc: '2.0', id: 1, method: 5 }])(
    'what is no message is -32600: %j',
    async (message) => {
      const { server } = working();
      expect(errorOf(JSON.parse((await server.handleJson(JSON.stringify(message))) ?? '') as JsonObject)).toBe(-32600);
      expect(errorOf(await server.handle(message as JsonObject))).toBe(-32600);
    },
  );

  test('a batch is answered as one, in the sessions that have them', async () => {
    const { server } = working();
    const { session } = await opened(server, '2025-03-26');
    const note = { jsonrpc: '2.0', method: 'notifications/x' };
    const batch = JSON.stringify([call('who', {}, 1), note, request('ping', {}, 2), { broken: true }]);
    const answers = JSON.parse((await server.handleJson(batch, { session })) ?? '') as JsonObject[];
    expect(new Set(answers.map(({ id }) => id))).toEqual(new Set([1, 2, null]));
    expect(await server.handleJson(JSON.stringify([note, note]), { session })).toBeUndefined();
    for (const other of [undefined, (await opened(server, '2025-11-25')).session])
      expect(errorOf(JSON.parse((await server.handleJson(batch, { session: other })) ?? '') as JsonObject)).toBe(
        -32600,
      );
  });

  test('a batch of calls that are all cancelled has no answer', async () => {
    const { server, held } = working();
    const { session } = await opened(server, '2025-03-26');
    const over = server.handleJson(JSON.stringify([call('hold', {}, 'a')]), { session });
    await held.opened;
    await server.handle({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'a' } }, { session });
    expect(await over).toBeUndefined();
  });
});

describe('mistakes', () => {
  test.each<[string, unknown]>([
    ['caller', null],
    ['caller', 'ann'],
    ['principal', { principal: 5 }],
    ['principle', { principle: 'ann' }],
    ['session', { session: {} }],
    ['signal', { signal: {} }],
    ['signal', { signal: null }],
    ['send', { send: 'x' }],
    ['send', { send: () => undefined, session: new ServerSession() }],
  ])('a %s that is none is refused (%#)', async (what, caller) => {
    const { server } = working();
    await expect(server.handle(call('who'), caller as MessageCaller)).rejects.toMatchObject({ code: 'bad_argument' });
    await expect(server.handle(call('who'), caller as MessageCaller)).rejects.toThrow(what);
  });

  test('handleJson takes text only, a session a function only', async () => {
    await expect(working().server.handleJson({} as string)).rejects.toThrow('handleJson');
    expect(() => new ServerSession({ send: 5 as never })).toThrow('send');
  });

  test('a send that fails is in the log, and the call goes on', async () => {
    const { server, logger } = working();
    const message = modern('tools/call', { name: 'steps', _meta: { progressToken: 't' } });
    const throwing = (): never => {
      throw new Error('broken');
    };
    expect(textOf(await server.handle(message, { send: throwing }))).toBe('done');
    expect(textOf(await server.handle(message, { send: () => Promise.reject(new Error('broken')) }))).toBe('done');
    expect(logger.of('error')).toEqual(Array(4).fill('send failed'));
  });
});
