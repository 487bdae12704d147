/** MCP 2025-11-25, server/utilities/logging, and its like in the older revisions: the server. */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../../src/base/json.ts';
import type { LogLevel } from '../../../../../src/model/types.ts';
import { Server } from '../../../../../src/server/server.ts';
import { nodeEndpoint, openSession, type Answer } from '../../../../support/http.ts';
import { legacyRevisions, overEveryLink, standingLinks } from '../../../../support/links.ts';
import { rpcOf } from '../../../../support/rpc.ts';

const levels: readonly LogLevel[] = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];

function talkative(): Server {
  return new Server({ name: 's', version: '1' }).tool('speak', {}, (_, { log }) => {
    for (const level of levels) log(level, level);
    return 'spoken';
  });
}

const said = (answer: Answer): unknown[] =>
  answer.messages
    .filter(({ method }) => method === 'notifications/message')
    .map(({ params }) => (params as JsonObject)['level']);

describe.each(legacyRevisions)('in %s', (revision) => {
  test('[LOG-006 BUG-155 SEED-148] each session has its own level; until it says one, info', async () => {
    const endpoint = await nodeEndpoint(talkative());
    const [a, b, quiet] = await Promise.all([1, 2, 3].map(() => openSession(endpoint, revision)));
    if (a === undefined || b === undefined || quiet === undefined) throw new Error('no session');
    expect((await endpoint.send(a.request('logging/setLevel', { level: 'error' }))).result).toStrictEqual({});
    expect((await endpoint.send(b.request('logging/setLevel', { level: 'debug' }))).result).toStrictEqual({});
    const [ofA, ofB, ofQuiet] = await Promise.all([a, b, quiet].map((session) => endpoint.send(session.call('speak'))));
    expect(said(ofA as Answer)).toEqual(['error', 'critical', 'alert', 'emergency']);
    expect(said(ofB as Answer)).toEqual(levels);
    expect(said(ofQuiet as Answer)).toEqual(levels.slice(1));
  });

  test('[LOG-006] the last level counts', async () => {
    const endpoint = await nodeEndpoint(talkative());
    const session = await openSession(endpoint, revision);
    for (const level of levels) {
      await endpoint.send(session.request('logging/setLevel', { level }));
      expect(said(await endpoint.send(session.call('speak')))).toEqual(levels.slice(levels.indexOf(level)));
    }
  });
});

overEveryLink(
  '[LOG-001 LOG-006 BUG-155] a level that there is not: -32602, and the old one stays',
  { server: talkative, links: standingLinks, revisions: legacyRevisions },
  async ({ client }) => {
    expect(client.capabilities).toMatchObject({ logging: {} });
    for (const level of ['verbose', '', 'INFO', 5, null, undefined])
      expect(await rpcOf(client.sendRequest('logging/setLevel', { level }))).toMatchObject({ code: -32602 });
    expect(await client.sendRequest('logging/setLevel', { level: 'alert' })).toEqual({});
  },
);
