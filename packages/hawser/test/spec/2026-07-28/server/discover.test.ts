/** server/discover, over every link. HTTP by hand: discover.http. */
import { describe, expect } from 'vitest';
import { Server } from '../../../../src/server/server.ts';
import { revisions } from '../../../../src/wire/index.ts';
import { isToldThere, legacyRevisions, modernRevisions, overEveryLink } from '../../../support/links.ts';
import { rpcOf } from '../../../support/rpc.ts';

const info = {
  name: 's',
  version: '1',
  title: 'Server',
  description: 'serves',
  websiteUrl: 'https://s.test',
  icons: [{ src: 'https://s.test/i.png' }],
};
const server = (): Server => new Server({ ...info, instructions: 'Be kind.' });

describe('DiscoverResult', () => {
  overEveryLink('[VER-006 VER-004 B-03] as it goes out', { server, revisions: modernRevisions }, async ({ client }) => {
    expect(await client.sendRequest('server/discover')).toStrictEqual({
      resultType: 'complete',
      supportedVersions: revisions,
      capabilities: { tools: { listChanged: true }, logging: {} },
      instructions: 'Be kind.',
      ttlMs: 0,
      cacheScope: 'private',
      _meta: { 'io.modelcontextprotocol/serverInfo': info },
    });
  });

  overEveryLink(
    'what the author did not say is not in it',
    { server: () => new Server({ name: 's', version: '1' }), revisions: modernRevisions },
    async ({ client }) => {
      const result = await client.sendRequest('server/discover');
      expect(result).not.toHaveProperty('instructions');
      expect(result['_meta']).toEqual({ 'io.modelcontextprotocol/serverInfo': { name: 's', version: '1' } });
    },
  );

  overEveryLink(
    '[VER-008 BASE-043] a legacy caller learns the same from the handshake, as far as its revision knows it',
    { server },
    ({ client, link, revision }) => {
      const { icons: _, description: __, websiteUrl: ___, title: ____, ...oldest } = info;
      const june = { ...oldest, title: info.title };
      const known = {
        '2024-11-05': oldest,
        '2025-03-26': oldest,
        '2025-06-18': june,
        '2025-11-25': info,
        '2026-07-28': info,
      };
      expect(client.serverInfo).toEqual(known[revision]);
      expect(client.instructions).toBe('Be kind.');
      const told = { tools: { listChanged: true }, logging: {} };
      expect(client.capabilities).toEqual(isToldThere({ link, revision }) ? told : { tools: {} });
      expect(client.protocolVersion).toBe(revision);
    },
  );

  overEveryLink(
    '[VER-024 BASE-027] it is unknown to legacy sessions',
    { server, revisions: legacyRevisions },
    async ({ client }) => {
      expect(await rpcOf(client.sendRequest('server/discover'))).toMatchObject({ code: -32601 });
    },
  );
});
