/** basic/patterns/subscriptions, the server's side: over a pipe by hand, over HTTP by hand, and over every link. */
import { describe, expect, test } from 'vitest';
import { isObject, type JsonObject } from '../../../../../src/base/json.ts';
import type { RequestId } from '../../../../../src/model/types.ts';
import { Server } from '../../../../../src/server/server.ts';
import { nextTurn } from '../../../../../src/testing/settle.ts';
import type { ScriptedPeer } from '../../../../../src/testing/scripted.ts';
import { doors, gate, metaOf, modern, type Live } from '../../../../support/http.ts';
import {
  clientByHand,
  legacyRevisions,
  links,
  modernRevisions,
  openLink,
  overEveryLink,
  standingLinks,
} from '../../../../support/links.ts';
import { rpcOf } from '../../../../support/rpc.ts';

const key = 'io.modelcontextprotocol/subscriptionId';
const changed = 'notifications/tools/list_changed';
const acknowledged = 'notifications/subscriptions/acknowledged';

function serverWith(...tools: string[]): Server {
  const server = new Server({ name: 's', version: '1' });
  for (const name of tools) server.tool(name, {}, () => name);
  return server;
}

/** Sends `subscriptions/listen`; its answer comes when the subscription is over. */
function listen(peer: ScriptedPeer, id: RequestId, notifications: JsonObject): void {
  peer.send({ jsonrpc: '2.0', id, method: 'subscriptions/listen', params: { notifications, _meta: metaOf() } });
}

const received = (peer: ScriptedPeer): JsonObject[] =>
  peer.lines.filter(({ direction }) => direction === 'in').map(({ text }) => JSON.parse(text) as JsonObject);

/** Which subscription a message belongs to, by `_meta` or as its answer. */
function subscriptionOf(message: JsonObject): unknown {
  const within = message['params'] ?? message['result'];
  const meta = isObject(within) ? within['_meta'] : undefined;
  return isObject(meta) ? meta[key] : undefined;
}

const of = (peer: ScriptedPeer, id: RequestId): JsonObject[] =>
  received(peer).filter((message) => subscriptionOf(message) === id);

/** Once this is answered, all that was written before it has come. */
const fence = (peer: ScriptedPeer): Promise<JsonObject> =>
  peer.request('tools/list', { _meta: metaOf() }, `fence ${peer.lines.length}`);

describe('Acknowledgment', () => {
  test('[SUB-003 SUB-006] it comes first; nothing of the subscription before it, others in between', async () => {
    const server = serverWith('a');
    const peer = clientByHand(server);
    listen(peer, 'first', { toolsListChanged: true });
    server.tool('b', {}, () => 'b');
    listen(peer, 'second', { toolsListChanged: true });
    await fence(peer);
    server.tool('c', {}, () => 'c');
    await fence(peer);
    for (const id of ['first', 'second']) {
      const [first, ...rest] = of(peer, id);
      expect(first).toEqual({
        jsonrpc: '2.0',
        method: acknowledged,
        params: { notifications: { toolsListChanged: true }, _meta: { [key]: id } },
      });
      expect(rest.length).toBeGreaterThan(0);
      for (const notice of rest) expect(notice).toMatchObject({ method: changed, params: { _meta: { [key]: id } } });
    }
  });

  overEveryLink(
    '[SUB-004 SUB-017 B-17] what is not offered is not in it; a filter of such things alone is granted, empty',
    { server: serverWith, revisions: modernRevisions },
    async ({ client }) => {
      const onNotification = (): void => undefined;
      const all = { toolsListChanged: true, promptsListChanged: true, resourceSubscriptions: ['x:y'] };
      const some = await client.listen(all, { onNotification });
      expect(some.honored).toEqual({ toolsListChanged: true });
      const none = await client.listen({ promptsListChanged: true }, { onNotification });
      expect(none.honored).toEqual({});
      await some.close();
      await none.close();
    },
  );
});

describe('Receiving Notifications', () => {
  test('[SUB-002] a listener gets nothing that it did not ask for', async () => {
    const server = serverWith();
    const peer = clientByHand(server);
    listen(peer, 'tools', { toolsListChanged: true });
    listen(peer, 'prompts', { promptsListChanged: true });
    listen(peer, 'nothing', {});
    listen(peer, 'not tools', { toolsListChanged: false });
    await fence(peer);
    server.tool('a', {}, () => 'a');
    await fence(peer);
    expect(of(peer, 'tools').map(({ method }) => method)).toEqual([acknowledged, changed]);
    for (const id of ['prompts', 'nothing', 'not tools'])
      expect(
        of(peer, id).map(({ method }) => method),
        id,
      ).toEqual([acknowledged]);
  });

  test('[SUB-002] who does not listen hears nothing', async () => {
    const server = serverWith();
    const peer = clientByHand(server);
    await fence(peer);
    server.tool('a', {}, () => 'a');
    await fence(peer);
    expect(received(peer).filter((message) => 'method' in message)).toEqual([]);
  });

  test('[SUB-008 SUB-006 META-010] several at a time: a change goes to each, by its id in its type', async () => {
    const server = serverWith();
    const peer = clientByHand(server);
    for (const id of [1, '1', 0, '']) listen(peer, id, { toolsListChanged: true });
    await fence(peer);
    server.tool('a', {}, () => 'a');
    await fence(peer);
    for (const id of [1, '1', 0, ''])
      expect(
        of(peer, id).map(({ method }) => method),
        JSON.stringify(id),
      ).toEqual([acknowledged, changed]);
  });

  test('changes made in one go are one change', async () => {
    const server = serverWith();
    const peer = clientByHand(server);
    listen(peer, 1, { toolsListChanged: true });
    await fence(peer);
    for (let index = 0; index < 50; index++) server.tool(`t${index}`, {}, () => 'a');
    server.removeTool('t7');
    await fence(peer);
    expect(of(peer, 1).map(({ method }) => method)).toEqual([acknowledged, changed]);
  });

  test.each(links)('[SUB-015] progress is not among them (%s)', async (link) => {
    const server = serverWith().tool('report', {}, async (_, ctx) => {
      await ctx.progress(1, 2);
      server.tool('new', {}, () => 'new');
      await ctx.progress(2, 2);
      return 'done';
    });
    const client = await openLink(link, '2026-07-28', server);
    const heard = gate();
    const told: string[] = [];
    const subscription = await client.listen(
      { toolsListChanged: true },
      {
        onNotification: ({ method }) => {
          told.push(method);
          heard.open();
        },
      },
    );
    const steps: number[] = [];
    await client.callTool('report', {}, { onProgress: ({ progress }) => steps.push(progress) });
    await heard.opened;
    expect(steps).toEqual([1, 2]);
    expect(told).toEqual([changed]);
    await subscription.close();
  });
});

describe('Cancellation', () => {
  test('[B-15 SUB-009] after the listener has cancelled over a pipe nothing more is sent for it', async () => {
    const server = serverWith();
    const peer = clientByHand(server);
    listen(peer, 1, { toolsListChanged: true });
    listen(peer, 2, { toolsListChanged: true });
    await fence(peer);
    peer.notify('notifications/cancelled', { requestId: 1 });
    await fence(peer);
    server.tool('a', {}, () => 'a');
    await fence(peer);
    await server.close();
    await fence(peer);
    expect(received(peer).filter((message) => subscriptionOf(message) === 1 || message['id'] === 1)).toEqual([
      expect.objectContaining({ method: acknowledged }),
    ]);
    expect(of(peer, 2)).toHaveLength(3);
  });

  test.each(links)('[SUB-009] one that is closed by the client hears no more, another does (%s)', async (link) => {
    const server = serverWith();
    const client = await openLink(link, '2026-07-28', server);
    const told: string[] = [];
    const heard = gate();
    const closed = await client.listen({ toolsListChanged: true }, { onNotification: () => told.push('closed') });
    const open = await client.listen(
      { toolsListChanged: true },
      {
        onNotification: () => {
          told.push('open');
          heard.open();
        },
      },
    );
    await closed.close();
    expect(await closed.closed).toBe('closed');
    server.tool('a', {}, () => 'a');
    await heard.opened;
    expect(told).toEqual(['open']);
    await open.close();
  });
});

describe('Graceful Closure', () => {
  test('[SUB-010 SUB-011 B-14] over a pipe: the cancellation with the id, then the result', async () => {
    const server = serverWith('a');
    const peer = clientByHand(server);
    listen(peer, 'x', { toolsListChanged: true });
    listen(peer, 5, {});
    await fence(peer);
    await server.close();
    await fence(peer);
    for (const id of ['x', 5]) {
      const ending = received(peer).filter((message) => {
        const { params } = message;
        return message['id'] === id || (isObject(params) && params['requestId'] === id);
      });
      expect(ending).toEqual([
        { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } },
        {
          jsonrpc: '2.0',
          id,
          result: { resultType: 'complete', _meta: expect.objectContaining({ [key]: id }) as unknown },
        },
      ]);
    }
  });

  test('[SUB-011 CAN-004] nothing else is ever cancelled by the server', async () => {
    const server = serverWith('a').tool(
      'slow',
      {},
      (_, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve('late'));
        }),
    );
    const peer = clientByHand(server);
    void peer.request('tools/call', { name: 'slow', _meta: metaOf() }, 1).catch(() => undefined);
    peer.send({ jsonrpc: '2.0', id: 2, method: 'subscriptions/listen', params: { notifications: 5, _meta: metaOf() } });
    await peer.request('tools/call', { name: 'a', _meta: metaOf() }, 3);
    await peer.request('tools/call', { name: 'nobody', _meta: metaOf() }, 4);
    peer.notify('notifications/cancelled', { requestId: 1 });
    await server.close();
    await fence(peer);
    expect(received(peer).filter(({ method }) => method === 'notifications/cancelled')).toEqual([]);
  });

  test.each(doors)(
    '[SUB-010 B-14] over HTTP: the result alone, then the end of the stream ($name)',
    async ({ open }) => {
      const server = serverWith('a');
      const endpoint = await open(server);
      const live: Live = await endpoint.fly(modern('subscriptions/listen', { notifications: {} }, { id: 7 })).head;
      expect(await live.message()).toMatchObject({ method: acknowledged });
      await server.close();
      expect(await live.message()).toEqual({
        jsonrpc: '2.0',
        id: 7,
        result: { resultType: 'complete', _meta: expect.objectContaining({ [key]: 7 }) as unknown },
      });
      expect(await live.message()).toBeUndefined();
    },
  );

  test.each(links)('[SUB-010] the client sees that it is complete (%s)', async (link) => {
    const server = serverWith();
    const client = await openLink(link, '2026-07-28', server);
    const told: string[] = [];
    const subscription = await client.listen(
      { toolsListChanged: true },
      { onNotification: ({ method }) => told.push(method) },
    );
    await server.close();
    expect(await subscription.closed).toBe('completed');
    expect(told).toEqual([]);
    // The server is still there, for calls and for new listeners.
    await client.ping();
    await (await client.listen({}, { onNotification: () => undefined })).close();
  });
});

describe('Legacy sessions', () => {
  for (const revision of legacyRevisions)
    test.each(standingLinks)(
      `[SUB-018 SUB-013] are told of changes unasked, without an id (%s, ${revision})`,
      async (link) => {
        const server = serverWith();
        const heard: { method: string; params?: object | undefined }[] = [];
        await openLink(link, revision, server, { onNotification: (note) => heard.push(note) });
        // The stream of a session opens in its own time: changes go on until one is heard.
        for (let index = 0; heard.length === 0; index++) {
          server.tool(`t${index}`, {}, () => 'a');
          await nextTurn();
        }
        const [{ method, params } = { method: 'none' }] = heard;
        expect(method).toBe(changed);
        expect(params ?? {}).not.toHaveProperty('_meta');
      },
    );

  overEveryLink(
    '[SUB-018] cannot listen by request',
    { server: serverWith, revisions: legacyRevisions },
    async ({ client }) => {
      expect(await rpcOf(client.sendRequest('subscriptions/listen', { notifications: {} }))).toMatchObject({
        code: -32601,
      });
      await expect(client.listen({}, { onNotification: () => undefined })).rejects.toMatchObject({
        code: 'capability',
      });
    },
  );
});
