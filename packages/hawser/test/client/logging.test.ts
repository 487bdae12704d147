/** Log messages of servers: asking for them, and what becomes of them. */
import { describe, expect, test } from 'vitest';
import { ArgumentError, CapabilityError, RpcError } from '../../src/base/errors.ts';
import { isObject, type JsonObject } from '../../src/base/json.ts';
import type { Logger } from '../../src/base/logger.ts';
import { connect } from '../../src/entry/index.node.ts';
import type { LogMessage } from '../../src/model/inputs.ts';
import { metaKeys } from '../../src/model/meta.ts';
import type { LogLevel, Revision } from '../../src/model/types.ts';
import type { Note } from '../../src/ports/index.ts';
import type { ScriptedHandler, ScriptedPeer, ScriptedRequest } from '../../src/testing/scripted.ts';
import { World } from '../../src/testing/world.ts';
import { askedOf, cameTo, openDeclaring, paramsTo } from '../support/features.ts';
import {
  described,
  legacyPeer,
  listed,
  modernPeer,
  numberedSessions,
  ports,
  said,
  type Answering,
} from '../support/http-peer.ts';
import { legacyRevisions } from '../support/links.ts';
import { recorder } from '../support/stdio.ts';

const modern: Revision = '2026-07-28';
const levels: readonly LogLevel[] = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];
const logging = { logging: {}, tools: {} };
const answers: Record<string, ScriptedHandler> = {
  'logging/setLevel': () => ({}),
  'tools/list': () => ({ tools: [] }),
  'tools/call': () => ({ content: [] }),
};

/** The level that each request with this method asked for. */
const levelsOf = (server: ScriptedPeer, method: string): unknown[] =>
  cameTo(server, method).map(({ params }) => {
    const meta = isObject(params) ? params['_meta'] : undefined;
    return isObject(meta) ? meta[metaKeys.logLevel] : undefined;
  });

describe('asking for log messages', () => {
  test.each(legacyRevisions)(
    '[SEED-275 LOG-006] of a legacy server, by every level there is (%s)',
    async (revision) => {
      const { client, server } = await openDeclaring(revision, logging, answers);
      expect(client.logLevel).toBeUndefined();
      for (const level of levels) await client.setLogLevel(level);
      expect(paramsTo(server, 'logging/setLevel')).toEqual(levels.map((level) => ({ level })));
      expect(client.logLevel).toBe('emergency');
    },
  );

  test('[SEED-275] of a modern server, in every later request', async () => {
    const { client, server } = await openDeclaring(modern, logging, answers);
    await client.listTools();
    for (const level of levels) {
      await client.setLogLevel(level);
      await client.listTools();
    }
    expect(levelsOf(server, 'tools/list')).toEqual([undefined, ...levels]);
    await client.callTool('t', {}, { onProgress: () => undefined });
    expect(levelsOf(server, 'tools/call')).toEqual(['emergency']);
    expect(cameTo(server, 'tools/call')[0]?.['params']).toMatchObject({
      _meta: { progressToken: expect.anything(), [metaKeys.protocolVersion]: modern },
    });
    expect(askedOf(server)).not.toContain('logging/setLevel');
  });

  test('a request may ask for a level of its own', async () => {
    const { client, server } = await openDeclaring(modern, logging, answers, { logLevel: 'error' });
    await client.sendRequest('tools/list', { _meta: { [metaKeys.logLevel]: 'debug' } });
    await client.listTools();
    expect(levelsOf(server, 'tools/list')).toEqual(['debug', 'error']);
  });

  test.each(['loud', '', 'WARNING', 5, null, undefined])('[SEED-275] %j is no level', async (level) => {
    const { client, server } = await openDeclaring('2025-11-25', logging, answers);
    await expect(client.setLogLevel(level as LogLevel)).rejects.toBeInstanceOf(ArgumentError);
    expect([client.logLevel, askedOf(server)]).toEqual([undefined, []]);
    if (level === undefined) return;
    const connecting = openDeclaring(modern, logging, answers, { logLevel: level as LogLevel });
    await expect(connecting).rejects.toBeInstanceOf(ArgumentError);
  });

  test('[BUG-107] a legacy server that declares no logging is not asked', async () => {
    const { client, server } = await openDeclaring('2025-11-25', { tools: {} }, answers, { logLevel: 'info' });
    await expect(client.setLogLevel('debug')).rejects.toBeInstanceOf(CapabilityError);
    expect(askedOf(server)).toEqual([]);
    expect(client.logLevel).toBe('info');
  });

  test('the refusal of the server is the caller’s, and leaves the level as it was', async () => {
    let refuses = false;
    const { client } = await openDeclaring('2025-11-25', logging, {
      'logging/setLevel': (request) => (refuses ? request.fail({ code: -32602, message: 'no such level' }) : {}),
    });
    await client.setLogLevel('error');
    refuses = true;
    await expect(client.setLogLevel('debug')).rejects.toBeInstanceOf(RpcError);
    expect(client.logLevel).toBe('error');
  });

  test('a level that is refused does not take back one that was set after it', async () => {
    const { client, server } = await openDeclaring('2025-11-25', logging);
    const refused = client.setLogLevel('debug');
    const first = await server.expect('logging/setLevel');
    const taken = client.setLogLevel('alert');
    (await server.expect('logging/setLevel')).reply({});
    await taken;
    first.fail({ code: -32603, message: 'no' });
    await expect(refused).rejects.toBeInstanceOf(RpcError);
    expect(client.logLevel).toBe('alert');
  });

  test('from the start, by an option', async () => {
    const legacy = await openDeclaring('2025-11-25', logging, answers, { logLevel: 'notice' });
    await legacy.client.listTools();
    expect(askedOf(legacy.server)).toEqual(['logging/setLevel', 'tools/list']);
    expect(paramsTo(legacy.server, 'logging/setLevel')).toEqual([{ level: 'notice' }]);
    const now = await openDeclaring(modern, logging, answers, { logLevel: 'notice' });
    await now.client.listTools();
    expect(levelsOf(now.server, 'tools/list')).toEqual(['notice']);
  });

  test('a server that refuses the level is connected to all the same', async () => {
    const logger = recorder();
    const refuses: ScriptedHandler = (request) => request.fail({ code: -32603, message: 'no\nlevel' });
    const handlers = { ...answers, 'logging/setLevel': refuses };
    const { client } = await openDeclaring('2025-11-25', logging, handlers, { logLevel: 'notice', logger });
    expect(await client.listTools()).toEqual([]);
    expect(logger.of('warn')).toEqual(['logging/setLevel: the server refused: no\\x0alevel']);
  });

  test('the connection is there when the server has answered, and nothing is left waiting', async () => {
    const world = new World();
    let take: (request: ScriptedRequest) => void = () => undefined;
    const asked = new Promise<ScriptedRequest>((resolve) => {
      take = resolve;
    });
    let connected = false;
    const connecting = openDeclaring(
      '2025-11-25',
      logging,
      { ...answers, 'logging/setLevel': (request) => take(request) },
      { logLevel: 'notice', clock: world.clock },
    ).then((opened) => {
      connected = true;
      return opened;
    });
    const request = await asked;
    await world.settle();
    expect(connected).toBe(false);
    request.reply({});
    await connecting;
    expect(world.clock.pendingMs).toEqual([]);
  });

  test('a server that does not answer it is connected to after discoverTimeoutMs', async () => {
    const world = new World();
    let tell: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => {
      tell = resolve;
    });
    const handlers = { ...answers, 'logging/setLevel': () => tell() };
    const connecting = openDeclaring('2025-11-25', logging, handlers, {
      logLevel: 'notice',
      clock: world.clock,
      discoverTimeoutMs: 300,
    });
    await asked;
    await world.clock.advance(300);
    const { client } = await connecting;
    expect(await client.listTools()).toEqual([]);
  });

  test.each(ports)('later sessions begin with it ($port)', async ({ options }) => {
    let lose = false;
    const peer = await legacyPeer({
      handlers: {
        initialize: numberedSessions({ capabilities: logging }),
        'logging/setLevel': () => ({}),
        'tools/list': (turn) => {
          if (!lose) return listed('a');
          lose = false;
          return turn.send(404);
        },
      },
    });
    const client = await connect(peer.url, { ...options, logLevel: 'info' });
    await client.setLogLevel('error');
    lose = true;
    expect(await client.listTools()).toHaveLength(1);
    const set = peer.of('logging/setLevel').map(({ params, headers }) => [headers['mcp-session-id'], params['level']]);
    expect(set).toEqual([
      ['s-1', 'info'],
      ['s-1', 'error'],
      ['s-2', 'error'],
    ]);
    await client.close();
  });
});

describe('asking while there is no session', () => {
  test.each(ports)('the next one begins with the level ($port)', async ({ options }) => {
    const begin = numberedSessions({ capabilities: logging });
    let down = false;
    const peer = await legacyPeer({
      handlers: {
        initialize: (turn) => (down ? turn.send(500) : begin(turn)),
        'tools/list': (turn) => (turn.seen.headers['mcp-session-id'] === 's-1' ? turn.send(404) : listed('a')),
        'logging/setLevel': () => ({}),
      },
    });
    const client = await connect(peer.url, { ...options, protocol: 'legacy' });
    down = true;
    await expect(client.listTools()).rejects.toMatchObject({ status: 500 });
    await client.setLogLevel('error');
    expect(peer.of('logging/setLevel')).toEqual([]);
    down = false;
    expect(await client.listTools()).toHaveLength(1);
    expect(peer.of('logging/setLevel').map(({ params }) => params['level'])).toEqual(['error']);
    await client.close();
  });

  test.each(ports)('a level that is changed while the next one begins is told too ($port)', async ({ options }) => {
    const peer = await legacyPeer({
      handlers: {
        initialize: numberedSessions({ capabilities: logging }),
        'tools/list': (turn) => (turn.seen.headers['mcp-session-id'] === 's-1' ? turn.send(404) : listed('a')),
        'logging/setLevel': (turn) => (peer.of('logging/setLevel').length === 2 ? turn : {}),
      },
    });
    const client = await connect(peer.url, { ...options, protocol: 'legacy', logLevel: 'info' });
    await peer.next('logging/setLevel');
    const listing = client.listTools();
    const held = await peer.next('logging/setLevel');
    await client.setLogLevel('error');
    held.reply({});
    expect(await listing).toHaveLength(1);
    const told = peer.of('logging/setLevel').map(({ headers, params }) => [headers['mcp-session-id'], params['level']]);
    expect(told).toEqual([
      ['s-1', 'info'],
      ['s-2', 'info'],
      ['s-2', 'error'],
    ]);
    await client.close();
  });
});

describe('log messages', () => {
  /** A client that keeps all it hears. */
  async function heard(revision: Revision, more: object = {}) {
    const messages: LogMessage[] = [];
    const notes: Note[] = [];
    const logger = recorder();
    const opened = await openDeclaring(revision, logging, answers, {
      logger,
      onLog: (message) => messages.push(message),
      onNotification: (note) => notes.push(note),
      ...more,
    });
    return { ...opened, messages, notes, logger };
  }

  test.each(legacyRevisions)(
    '[SEED-275 LOG-006] of a legacy server come at any time: to onLog, the listeners and the logger (%s)',
    async (revision) => {
      const { client, server, messages, notes, logger } = await heard(revision);
      const message = { level: 'warning', logger: 'db', data: { full: true } };
      server.notify('notifications/message', message);
      await client.listTools();
      expect(messages).toEqual([message]);
      expect(notes).toEqual([{ method: 'notifications/message', params: message }]);
      expect(logger.entries).toEqual([{ level: 'warn', message: 'server log: db: {"full":true}', details: undefined }]);
    },
  );

  test.each(ports)(
    '[SEED-275] of a modern server come on the stream of the request that asked ($port)',
    async ({ options }) => {
      const messages: LogMessage[] = [];
      const notes: Note[] = [];
      const peer = await modernPeer({
        'tools/call': async (turn) => {
          turn.stream();
          await turn.event({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'hi' } });
          await turn.event(turn.message(said('done')));
          turn.end();
        },
      });
      const client = await connect(peer.url, {
        ...options,
        logLevel: 'info',
        onLog: (message) => messages.push(message),
        onNotification: (note) => notes.push(note),
      });
      expect((await client.callTool('echo')).text).toBe('done');
      expect(peer.of('tools/call')[0]?.meta[metaKeys.logLevel]).toBe('info');
      expect(messages).toEqual([{ level: 'info', data: 'hi' }]);
      expect(notes).toMatchObject([{ method: 'notifications/message', params: { level: 'info', data: 'hi' } }]);
      await client.close();
    },
  );

  test('[SEED-275] of a modern server on a pipe come while a request is open that asked', async () => {
    let reach: () => void = () => undefined;
    const { client, server, messages } = await heard(modern, { logLevel: 'debug', onNotification: () => reach() });
    /** Resolves when the client has taken all that was sent so far. */
    const taken = (): Promise<void> =>
      new Promise((resolve) => {
        reach = resolve;
        server.notify('x/marker');
      });
    server.notify('notifications/message', { level: 'info', data: 'before' });
    await taken();
    const listing = client.sendRequest('x/wait');
    const request = await server.expect('x/wait');
    server.notify('notifications/message', { level: 'debug', data: 'meanwhile' });
    request.reply({});
    await listing;
    server.notify('notifications/message', { level: 'info', data: 'after' });
    await taken();
    expect(messages).toEqual([{ level: 'debug', data: 'meanwhile' }]);
  });

  test.each<[LogLevel, keyof Logger]>([
    ['debug', 'debug'],
    ['info', 'info'],
    ['notice', 'info'],
    ['warning', 'warn'],
    ['error', 'error'],
    ['critical', 'error'],
    ['alert', 'error'],
    ['emergency', 'error'],
  ])('[LOG-005] %s goes to the logger as %s', async (level, at) => {
    const { client, server, messages, logger } = await heard('2025-11-25');
    server.notify('notifications/message', { level, data: 'x' });
    await client.listTools();
    expect(messages).toEqual([{ level, data: 'x' }]);
    expect(logger.of(at)).toEqual(['server log: x']);
  });

  test.each<[JsonObject | undefined, LogMessage]>([
    [
      { level: 'loud', data: 'x' },
      { level: 'info', data: 'x' },
    ],
    [
      { level: 5, logger: 5, data: 'x' },
      { level: 'info', data: 'x' },
    ],
    [{ data: null }, { level: 'info', data: null }],
    [undefined, { level: 'info', data: undefined }],
  ])('one that is malformed is not lost: %j', async (params, expected) => {
    const { client, server, messages } = await heard('2025-11-25');
    server.notify('notifications/message', params);
    await client.listTools();
    expect(messages).toEqual([expected]);
  });

  test('[SEED-276] the logger gets one line, whatever was written', async () => {
    const { client, server, messages, logger } = await heard('2025-11-25');
    const data = 'a\nERROR fake\u001b[2J\u2028\u202e';
    server.notify('notifications/message', { level: 'info', logger: 'l\r\n', data });
    server.notify('notifications/message', { level: 'info', data: [data] });
    await client.listTools();
    expect(logger.of('info')).toEqual([
      'server log: l\\x0d\\x0a: a\\x0aERROR fake\\x1b[2J\\u{2028}\\u{202e}',
      'server log: ["a\\nERROR fake\\u001b[2J\\u{2028}\\u{202e}"]',
    ]);
    expect(messages[0]?.data).toBe(data);
  });

  test('[SEED-276] the logger gets 10,000 characters at most', async () => {
    const { client, server, messages, logger } = await heard('2025-11-25');
    const shown = 'server log: '.length;
    for (const data of ['a'.repeat(10_000 - shown), 'a'.repeat(1_000_000), '\n'.repeat(9_000)])
      server.notify('notifications/message', { level: 'info', data });
    await client.listTools();
    const lines = logger.of('info');
    expect(lines.map((line) => line.length)).toEqual([10_000, 10_000, 10_000]);
    expect(lines[0]?.endsWith('a')).toBe(true);
    expect(lines[1]?.endsWith('…')).toBe(true);
    expect(lines[2]).not.toContain('\n');
    expect(messages[1]?.data).toHaveLength(1_000_000);
  });

  test('an onLog that throws harms nobody', async () => {
    const { client, server, notes, logger } = await heard('2025-11-25', {
      onLog: () => {
        throw new Error('oops');
      },
    });
    server.notify('notifications/message', { level: 'info', data: 'x' });
    expect(await client.listTools()).toEqual([]);
    expect(notes).toHaveLength(1);
    expect(logger.of('error')).toEqual(['onLog threw']);
  });

  describe('a logger that throws', () => {
    const full = (): never => {
      throw new Error('disk full');
    };
    const logger: Logger = { debug: full, info: full, warn: full, error: full };

    test.each<Revision>(['2025-11-25', modern])('keeps nothing from anybody (%s)', async (revision) => {
      const { client, server, messages, notes } = await heard(revision, { logger, onLog: undefined, logLevel: 'info' });
      const listing = client.callTool('t');
      server.notify('notifications/message', { level: 'info', data: 'x' });
      expect((await listing).content).toEqual([]);
      expect(messages).toEqual([]);
      expect(notes).toHaveLength(1);
    });

    test('nor does an onLog that throws with it', async () => {
      const { client, server, notes } = await heard('2025-11-25', { logger, onLog: full });
      server.notify('notifications/message', { level: 'info', data: 'x' });
      expect(await client.listTools()).toEqual([]);
      expect(notes).toHaveLength(1);
    });

    test.each(ports)('breaks no stream, so that nothing is sent twice ($port)', async ({ options }) => {
      const answer: Answering = async (turn) => {
        turn.stream();
        await turn.event({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'x' } });
        await turn.event(turn.message(said('done')));
        turn.end();
      };
      const peers = [
        await modernPeer({ 'tools/call': answer }),
        await legacyPeer({ handlers: { 'tools/call': answer } }),
      ];
      for (const peer of peers) {
        const client = await connect(peer.url, { ...options, logger });
        expect(await client.callTool('echo')).toMatchObject({ text: 'done', reissued: false });
        expect(peer.of('tools/call')).toHaveLength(1);
        await client.close();
      }
    });
  });

  test('a modern server that was not asked is heard no less, where it speaks on a stream of its own', async () => {
    const messages: LogMessage[] = [];
    const peer = await modernPeer({
      'server/discover': () => described,
      'tools/list': async (turn) => {
        turn.stream();
        await turn.event({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'hi' } });
        await turn.event(turn.message(listed('a')));
        turn.end();
      },
    });
    const client = await connect(peer.url, { onLog: (message) => messages.push(message) });
    expect(await client.listTools()).toHaveLength(1);
    expect(messages).toEqual([{ level: 'info', data: 'hi' }]);
    await client.close();
  });
});
