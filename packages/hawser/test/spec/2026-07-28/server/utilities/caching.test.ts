/** server/utilities/caching, the server's side. */
import { describe, expect } from 'vitest';
import { Server } from '../../../../../src/server/server.ts';
import { legacyRevisions, modernRevisions, overEveryLink } from '../../../../support/links.ts';

const server = (): Server =>
  new Server({ name: 's', version: '1', instructions: 'i' }).tool('t', {}, () => ({ structured: { ttlMs: 5 } }));

describe('Cacheable Results', () => {
  overEveryLink(
    '[CACHE-001 CACHE-014 B-19] the discovery and the list say how long they hold and for whom: not at all, for nobody else',
    { server, revisions: modernRevisions },
    async ({ client }) => {
      for (const method of ['server/discover', 'tools/list'])
        expect(await client.sendRequest(method), method).toMatchObject({ ttlMs: 0, cacheScope: 'private' });
    },
  );

  overEveryLink(
    '[TOOL-014] the result of a call does not',
    { server, revisions: modernRevisions },
    async ({ client }) => {
      const result = await client.sendRequest('tools/call', { name: 't' });
      expect(result).not.toHaveProperty('ttlMs');
      expect(result).not.toHaveProperty('cacheScope');
    },
  );

  overEveryLink(
    '[CACHE-015 BASE-014 BASE-013] legacy results know nothing of that',
    { server, revisions: legacyRevisions },
    async ({ client }) => {
      for (const method of ['tools/list', 'ping']) {
        const result = await client.sendRequest(method);
        for (const member of ['ttlMs', 'cacheScope', 'resultType', '_meta'])
          expect(result, method).not.toHaveProperty(member);
      }
      expect(await client.sendRequest('ping')).toEqual({});
    },
  );
});
