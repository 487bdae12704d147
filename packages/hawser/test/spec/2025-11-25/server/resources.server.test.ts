/** MCP 2025-11-25, server/resources, Subscriptions, and its like in the older revisions: the server. */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { Server } from '../../../../src/server/server.ts';
import { nextTurn } from '../../../../src/testing/settle.ts';
import type { ScriptedPeer } from '../../../../src/testing/scripted.ts';
import { expectRefusal, nodeEndpoint, openSession } from '../../../support/http.ts';
import { clientByHand, legacyRevisions, openLink, overEveryLink, standingLinks } from '../../../support/links.ts';
import { rpcOf } from '../../../support/rpc.ts';

const updated = 'notifications/resources/updated';

function watched(): Server {
  return new Server({ name: 's', version: '1' })
    .resource('x://a', { name: 'a' }, () => 'a')
    .resource('x://b', { name: 'b' }, () => 'b')
    .tool('touch', { input: { type: 'object', properties: { uri: { type: 'string' } } } }, () => 'touched');
}

/** A session on a pipe, by hand. */
async function sessionByHand(server: Server, protocolVersion: string): Promise<ScriptedPeer> {
  const peer = clientByHand(server);
  await peer.request('initialize', { protocolVersion, capabilities: {}, clientInfo: { name: 'c', version: '1' } });
  peer.notify('notifications/initialized');
  return peer;
}

/** Once this is answered, all that was written before it has come. */
async function notesOf(peer: ScriptedPeer): Promise<JsonObject[]> {
  await peer.request('ping');
  return peer.lines
    .filter(({ direction }) => direction === 'in')
    .map(({ text }) => JSON.parse(text) as JsonObject)
    .filter((message) => 'method' in message);
}

describe.each(legacyRevisions)('Subscriptions in %s', (revision) => {
  test('[SUB-018] subscribing is answered with nothing, and updates of that resource come unasked', async () => {
    const server = watched();
    const peer = await sessionByHand(server, revision);
    expect(await peer.request('resources/subscribe', { uri: 'x://a' })).toMatchObject({ result: {} });
    expect((await peer.request('resources/subscribe', { uri: 'x://a' }))['result']).toStrictEqual({});
    server.changed.resource('x://a');
    server.changed.resource('x://b');
    server.changed.resource('x://a/below');
    const message = (uri: string) => ({ jsonrpc: '2.0', method: updated, params: { uri } });
    expect(await notesOf(peer)).toEqual([message('x://a'), message('x://a/below')]);
    expect((await peer.request('resources/unsubscribe', { uri: 'x://a' }))['result']).toStrictEqual({});
    server.changed.resource('x://a');
    expect(await notesOf(peer)).toHaveLength(2);
  });

  test('[SUB-018] over HTTP they come on the stream of the session that subscribed, before it was opened or after', async () => {
    const server = watched();
    const endpoint = await nodeEndpoint(server);
    const [session, other] = [await openSession(endpoint, revision), await openSession(endpoint, revision)];
    expect((await endpoint.send(session.request('resources/subscribe', { uri: 'x://a' }))).result).toStrictEqual({});
    const [flight, stranger] = [endpoint.fly(session.get()), endpoint.fly(other.get())];
    const [stream, strange] = [await flight.head, await stranger.head];
    await endpoint.send(session.request('resources/subscribe', { uri: 'x://b' }));
    await endpoint.send(other.request('resources/subscribe', { uri: 'x://c' }));
    for (const uri of ['x://a', 'x://b', 'x://c']) server.changed.resource(uri);
    expect(await stream.message()).toMatchObject({ method: updated, params: { uri: 'x://a' } });
    expect(await stream.message()).toMatchObject({ method: updated, params: { uri: 'x://b' } });
    expect(await strange.message()).toMatchObject({ method: updated, params: { uri: 'x://c' } });
    flight.leave();
    stranger.leave();
  });
});

overEveryLink(
  '[RES-013] a subscription to what is no URI: -32602',
  { server: watched, links: standingLinks, revisions: legacyRevisions },
  async ({ client }) => {
    for (const method of ['resources/subscribe', 'resources/unsubscribe'])
      for (const uri of [undefined, 5, '', 'nothing'])
        expect(await rpcOf(client.sendRequest(method, { uri }))).toMatchObject({ code: -32602 });
  },
);

overEveryLink(
  '[SUB-018 BASE-035] the modern era has no such requests',
  { server: watched, revisions: ['2026-07-28'] },
  async ({ client }) => {
    for (const method of ['resources/subscribe', 'resources/unsubscribe'])
      expect(await rpcOf(client.sendRequest(method, { uri: 'x://a' }))).toMatchObject({ code: -32601 });
  },
);

test('a server without resources knows no subscriptions to them', async () => {
  const endpoint = await nodeEndpoint(new Server({ name: 's', version: '1' }));
  const session = await openSession(endpoint);
  const answer = await endpoint.send(session.request('resources/subscribe', { uri: 'x://a' }, 's'));
  expectRefusal(answer, 200, -32601, 's');
});

describe('list changes', () => {
  for (const revision of legacyRevisions)
    test.each(standingLinks)(
      `[SUB-018 RES-014 PRM-008] a session is told of the kinds that were declared to it (%s, ${revision})`,
      async (link) => {
        const server = watched().prompt('p', {}, () => 'p');
        const told = new Set<string>();
        await openLink(link, revision, server, { onNotification: ({ method }) => void told.add(method) });
        // The stream of a session opens in its own time: changes go on until they are heard.
        for (let at = 0; told.size < 2; at++) {
          server.prompt(`q${at}`, {}, () => 'q').template(`y${at}://{z}`, { name: 'z' }, () => 'z');
          await nextTurn();
        }
        expect([...told]).toEqual(['notifications/prompts/list_changed', 'notifications/resources/list_changed']);
      },
    );

  test.each(legacyRevisions)(
    '[BUG-107] the first prompt after a session of %s began is not told: it was never declared',
    async (revision) => {
      const server = new Server({ name: 's', version: '1' });
      const peer = await sessionByHand(server, revision);
      await peer.request('ping');
      server.prompt('p', {}, () => 'p').tool('t', {}, () => 't');
      expect((await notesOf(peer)).map(({ method }) => method)).toEqual(['notifications/tools/list_changed']);
      expect((await peer.request('prompts/list'))['result']).toMatchObject({ prompts: [{ name: 'p' }] });
    },
  );
});
