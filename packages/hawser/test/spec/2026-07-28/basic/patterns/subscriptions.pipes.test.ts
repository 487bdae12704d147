/** Subscriptions (basic/patterns/subscriptions) on pipes, where all of them share one way. */
import { describe, expect, test } from 'vitest';
import { Server } from '../../../../../src/server/server.ts';
import { legacyRevisions } from '../../../../support/links.ts';
import {
  connectByHand,
  failureOf,
  initialize,
  modernMeta,
  opening,
  received,
  recorder,
  serveByHand,
  type ByHandClient,
} from '../../../../support/stdio.ts';
import { useWorld } from '../../../../support/world.ts';

const world = useWorld();
const subscriptionId = 'io.modelcontextprotocol/subscriptionId';

const listen = (id: number | string, notifications: object, meta: object = {}) => ({
  jsonrpc: '2.0',
  id,
  method: 'subscriptions/listen',
  params: { notifications, _meta: { ...modernMeta, ...meta } },
});

/** A server whose tools change when told, with a client by hand that has sent some messages. */
async function serving(...messages: object[]) {
  const server = new Server({ name: 'changing', version: '1' });
  const served = serveByHand(server);
  for (const message of messages) served.client.send(message);
  await served.pair.run();
  let changes = 0;
  const change = async () => {
    server.tool(`tool-${++changes}`, {}, () => 'x');
    await served.pair.run();
  };
  return { ...served, server, change };
}

const acknowledged = (id: unknown, notifications: object) => ({
  jsonrpc: '2.0',
  method: 'notifications/subscriptions/acknowledged',
  params: { notifications, _meta: { [subscriptionId]: id } },
});
const changed = (id: unknown) => ({
  jsonrpc: '2.0',
  method: 'notifications/tools/list_changed',
  params: { _meta: { [subscriptionId]: id } },
});

describe('Opening a stream, Acknowledgment: a server of ours', () => {
  test.each([7, 0, 'seven', '7', ''])(
    '[SUB-003 SUB-006 B-16] the acknowledgement comes first, and all carries the id %j as it is',
    async (id) => {
      const { client, change } = await serving(listen(id, { toolsListChanged: true }));
      await change();
      expect(received(client)).toEqual([acknowledged(id, { toolsListChanged: true }), changed(id)]);
    },
  );

  test.each([
    [
      { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true, resourceSubscriptions: ['a:b'] },
      { toolsListChanged: true },
    ],
    [{ promptsListChanged: true }, {}],
    [{ resourceSubscriptions: ['a:b'] }, {}],
    [{ toolsListChanged: false }, {}],
    [{ toolsListChanged: 'yes' }, {}],
    [{ 'com.example/x': true }, {}],
    [{}, {}],
  ])('[SUB-004 SUB-002 B-17] of %j it grants %j, and sends nothing else', async (wanted, honored) => {
    const { client, change } = await serving(listen(1, wanted));
    await change();
    const [first, ...more] = received(client);
    expect(first).toEqual(acknowledged(1, honored));
    expect(more).toEqual('toolsListChanged' in honored ? [changed(1)] : []);
  });

  test.each([undefined, null, [], 'all', 1])(
    '[SUB-001] notifications that are %j are refused',
    async (notifications) => {
      const { client, change } = await serving({
        jsonrpc: '2.0',
        id: 1,
        method: 'subscriptions/listen',
        params: { notifications, _meta: modernMeta },
      });
      await change();
      expect(received(client)).toEqual([
        { jsonrpc: '2.0', id: 1, error: { code: -32_602, message: expect.any(String) } },
      ]);
    },
  );
});

describe('Receiving notifications: a server of ours', () => {
  test('[SUB-008 SUB-013] each subscription on the pipe gets the change once, under its own id, those only that asked', async () => {
    const { client, change } = await serving(
      listen(1, { toolsListChanged: true }),
      listen('1', { toolsListChanged: true }),
      listen(2, { promptsListChanged: true }),
    );
    const from = client.lines.length;
    await change();
    expect(received(client, from)).toEqual([changed(1), changed('1')]);
  });

  test('[SUB-013] who does not listen is told nothing', async () => {
    const { client, change } = await serving({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/list',
      params: { _meta: modernMeta },
    });
    const from = client.lines.length;
    await change();
    expect(received(client, from)).toEqual([]);
  });

  test('[SUB-015] neither progress nor log messages are sent on it, though asked for', async () => {
    const meta = { progressToken: 'p', 'io.modelcontextprotocol/logLevel': 'debug' };
    const { client, change } = await serving(listen(1, { toolsListChanged: true }, meta));
    await change();
    expect(received(client)).toEqual([acknowledged(1, { toolsListChanged: true }), changed(1)]);
  });

  test.each(legacyRevisions)(
    '[B-72] a session of %s is told plainly, a modern subscription on the same pipe under its id',
    async (version) => {
      const { client, change, pair, served } = await serving(listen(1, { toolsListChanged: true }));
      const byHand: ByHandClient = { client, pair, served };
      const hello = { protocolVersion: version, capabilities: {}, clientInfo: { name: 'x', version: '1' } };
      client.send({ jsonrpc: '2.0', id: 'hello', method: 'initialize', params: hello });
      await pair.run();
      let from = client.lines.length;
      await change();
      // Before the handshake is over the session is told nothing.
      expect(received(client, from)).toEqual([changed(1)]);
      client.notify('notifications/initialized');
      client.notify('notifications/initialized');
      await byHand.pair.run();
      from = client.lines.length;
      await change();
      expect(received(client, from)).toEqual([
        changed(1),
        { jsonrpc: '2.0', method: 'notifications/tools/list_changed' },
      ]);
    },
  );
});

describe('Cancellation and graceful closure: a server of ours', () => {
  test('[SUB-009 B-15] cancelled by the client: not a word more under that id, and others go on', async () => {
    const { client, change, pair, server } = await serving(
      listen(1, { toolsListChanged: true }),
      listen(2, { toolsListChanged: true }),
    );
    const from = client.lines.length;
    client.notify('notifications/cancelled', { requestId: 1 });
    await pair.run();
    await change();
    expect(received(client, from)).toEqual([changed(2)]);
    await server.close();
    await pair.run();
    expect(JSON.stringify(received(client, from))).not.toContain(`"${subscriptionId}":1`);
  });

  test('[SUB-010 SUB-011 B-14] ended by the server: announced, then the final result, and nothing after it', async () => {
    const { client, change, pair, server } = await serving(listen(1, { toolsListChanged: true }), listen('two', {}), {
      jsonrpc: '2.0',
      id: 3,
      method: 'tools/list',
      params: { _meta: modernMeta },
    });
    const from = client.lines.length;
    await server.close();
    await change();
    const serverInfo = { name: 'changing', version: '1' };
    const ended = (id: unknown) => [
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } },
      {
        jsonrpc: '2.0',
        id,
        result: {
          resultType: 'complete',
          _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo, [subscriptionId]: id },
        },
      },
    ];
    const messages = received(client, from);
    expect(messages).toHaveLength(4);
    for (const id of [1, 'two'])
      expect(
        messages.filter((message) =>
          [message['id'], (message['params'] as { requestId?: unknown })?.requestId].includes(id),
        ),
      ).toEqual(ended(id));
    await pair.run();
  });

  test('[CAN-004 SUB-011] nothing but a subscription is ever ended like that', async () => {
    const server = new Server({ name: 'x', version: '1' });
    server.tool('hold', {}, () => new Promise(() => {}));
    const { client, pair, served } = serveByHand(server);
    await initialize({ client, pair, served }, '2025-11-25');
    const from = client.lines.length;
    for (const [id, meta] of [
      ['modern', { _meta: modernMeta }],
      ['legacy', {}],
    ] as const)
      client.send({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'hold', ...meta } });
    await pair.run();
    await server.close();
    const closed = served.close();
    await pair.run();
    await closed;
    expect(received(client, from)).toEqual([]);
  });
});

describe('a client of ours', () => {
  async function listening(filter = { toolsListChanged: true }) {
    const logger = recorder();
    const stray: string[] = [];
    const byHand = await connectByHand(opening.modern, {
      clock: world.clock,
      logger,
      onNotification: ({ method }) => stray.push(method),
    });
    const heard: string[] = [];
    const listens = byHand.client.listen(filter, { onNotification: ({ method }) => heard.push(method) });
    listens.catch(() => undefined);
    await byHand.pair.run();
    const request = await byHand.server.expect('subscriptions/listen');
    const say = (method: string, id: unknown = request.id, params: object = {}) =>
      byHand.server.notify(method, { ...params, _meta: { [subscriptionId]: id } });
    const acknowledge = async (notifications: object = filter) => {
      say('notifications/subscriptions/acknowledged', request.id, { notifications });
      await byHand.pair.run();
      return listens;
    };
    return { ...byHand, logger, stray, heard, listens, request, say, acknowledge };
  }

  test('[SUB-001] asks for what is wanted, with all that a modern request says', async () => {
    const { request, acknowledge, client, pair } = await listening({ toolsListChanged: true });
    expect(request.params).toMatchObject({ notifications: { toolsListChanged: true }, _meta: modernMeta });
    await acknowledge();
    const closed = client.close();
    await pair.run();
    await closed;
  });

  test('[SUB-005] resolves with what was granted, which may be less', async () => {
    const { acknowledge } = await listening({ toolsListChanged: true });
    expect((await acknowledge({})).honored).toEqual({});
  });

  test('[SUB-003] what comes before the acknowledgement is not for us, what comes after is', async () => {
    const { say, acknowledge, heard, stray, pair } = await listening();
    say('notifications/tools/list_changed');
    await pair.run();
    await acknowledge();
    say('notifications/tools/list_changed');
    await pair.run();
    expect([heard, stray]).toEqual([['notifications/tools/list_changed'], []]);
  });

  test('[SUB-007 B-16] a notice belongs to the subscription whose id it has, in type as well; others are nobody’s', async () => {
    const { say, acknowledge, heard, stray, pair, request } = await listening();
    await acknowledge();
    for (const id of [String(request.id), 77, null, {}, 1]) say('notifications/tools/list_changed', id);
    await pair.run();
    expect([heard, stray]).toEqual([[], []]);
  });

  const result = { resultType: 'complete', _meta: {} };
  const ends: [name: string, messages: (id: unknown) => object[]][] = [
    ['the result', (id) => [{ id, result }]],
    ['the announcement', (id) => [{ method: 'notifications/cancelled', params: { requestId: id } }]],
    [
      'the announcement, then the result',
      (id) => [
        { method: 'notifications/cancelled', params: { requestId: id } },
        { id, result },
      ],
    ],
    [
      'the result, then the announcement',
      (id) => [
        { id, result },
        { method: 'notifications/cancelled', params: { requestId: id } },
      ],
    ],
  ];

  test.each(ends)('[B-14 SUB-010 SEED-315] ended by the server with %s: that is its clean end', async (_, messages) => {
    const { server, acknowledge, request, pair, heard, stray, logger, link, say } = await listening();
    const subscription = await acknowledge();
    for (const message of messages(request.id)) server.send({ jsonrpc: '2.0', ...message });
    say('notifications/tools/list_changed');
    await pair.run();
    expect(await subscription.closed).toBe('completed');
    expect([heard, stray, logger.of('warn')]).toEqual([[], [], []]);
    expect(link.open).toBe(0);
    // We say nothing of what the server has ended.
    await subscription.close();
    await pair.run();
    expect(received(server).some((message) => message['method'] === 'notifications/cancelled')).toBe(false);
  });

  test.each(ends)('[B-14] before the acknowledgement, %s is a refusal', async (_, messages) => {
    const { server, listens, request, pair, link } = await listening();
    for (const message of messages(request.id)) server.send({ jsonrpc: '2.0', ...message });
    await pair.run();
    expect(await failureOf(listens)).toMatchObject({ code: 'invalid_response' });
    expect(link.open).toBe(0);
  });

  test('an error is a refusal, with its code', async () => {
    const { listens, request, pair } = await listening();
    request.fail({ code: -32_601, message: 'not here' });
    await pair.run();
    expect(await failureOf(listens)).toMatchObject({ code: 'method_not_found', rpc: { code: -32_601 } });
  });

  test('[SUB-009] closed by us: the server is told once, by the id, and what comes late is dropped', async () => {
    const { server, acknowledge, request, pair, heard, stray, logger, say, link } = await listening();
    const subscription = await acknowledge();
    await subscription.close();
    await subscription.close();
    say('notifications/tools/list_changed');
    request.reply(result);
    await pair.run();
    expect(await subscription.closed).toBe('closed');
    expect(received(server).filter((message) => message['method'] === 'notifications/cancelled')).toMatchObject([
      { params: { requestId: request.id } },
    ]);
    expect([heard, stray, logger.of('warn')]).toEqual([[], [], []]);
    expect(link.open).toBe(0);
  });

  test('[SUB-016] no request timeout ends it', async () => {
    const { acknowledge, pair, say, heard } = await listening();
    await acknowledge();
    await world.advance(24 * 60 * 60 * 1_000);
    say('notifications/tools/list_changed');
    await pair.run();
    expect(heard).toHaveLength(1);
  });

  test('[SUB-012] the end of the pipe is no clean end', async () => {
    const { acknowledge, pair, link } = await listening();
    const subscription = await acknowledge();
    pair.end('client', new Error('broken'));
    expect(await subscription.closed).toBe('lost');
    expect(link.open).toBe(0);
    const opening = await listening();
    opening.pair.end('client');
    expect(await failureOf(opening.listens)).toMatchObject({ code: 'connection' });
  });
});
