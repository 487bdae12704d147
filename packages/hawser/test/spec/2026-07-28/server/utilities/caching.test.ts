/** server/utilities/caching, the server's side. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { connect } from '../../../../../src/entry/index.node.ts';
import { serveHttp } from '../../../../../src/node/http.ts';
import type { Context } from '../../../../../src/server/context.ts';
import { Server } from '../../../../../src/server/server.ts';
import { webDoor } from '../../../../../src/transport/web.ts';
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

describe('Security Considerations', () => {
  const cache = { ttlMs: 60_000, cacheScope: 'public' } as const;
  const granted: Readonly<Record<string, readonly string[]>> = { ann: ['a', 'b'], bob: ['b'] };

  /** A server whose answers may be kept by everybody, but not by its own side. */
  function guarded() {
    const asked: string[] = [];
    const may = ({ caller }: Context, name: string): boolean => {
      asked.push(`${caller.principal} ${name}`);
      return granted[caller.principal ?? '']?.includes(name) === true;
    };
    const shared = new Server({ name: 's', version: '1', cache, pageSize: 1 })
      .template(
        'x:{name}',
        {
          name: 'x',
          cache,
          list: (ctx) => ['a', 'b'].filter((name) => may(ctx, name)).map((name) => ({ uri: `x:${name}`, name })),
        },
        ({ name = '' }, ctx) => (may(ctx, name) ? `${name} for ${ctx.caller.principal}` : undefined),
      )
      .tool('t', {}, (_, ctx) => `${may(ctx, 't')} for ${ctx.caller.principal}`);
    return { shared, asked };
  }

  const authenticate = (request: { header(name: string): string | undefined }) => {
    const principal = request.header('x-key');
    return principal === undefined ? ({ status: 401 } as const) : { principal };
  };

  for (const protocol of [...modernRevisions, ...legacyRevisions])
    test.each(['node', 'web'] as const)(
      `[CACHE-012] who may have what is decided for each caller, whatever the scope says (%s door, ${protocol})`,
      async (door) => {
        const { shared, asked } = guarded();
        const url = door === 'node' ? await served(shared) : 'http://server.test/mcp';
        const web = webDoor(shared, { authenticate });
        const fetch = (given: string | URL | Request, init?: RequestInit): Promise<Response> =>
          web(new Request(given, init));
        const clients = await Promise.all(
          ['ann', 'bob'].map((key) =>
            connect(url, { protocol, headers: { 'x-key': key }, ...(door === 'web' && { fetch }) }),
          ),
        );
        for (const client of clients) onTestFinished(() => client.close());
        for (let time = 0; time < 2; time++) {
          const lists = await Promise.all(clients.map((client) => client.listResources()));
          expect(lists.map((list) => list.map(({ uri }) => uri))).toEqual([['x:a', 'x:b'], ['x:b']]);
          const reads = clients.map((client) => client.readResource('x:a').then(({ text }) => text, String));
          expect(await Promise.all(reads)).toEqual(['a for ann', expect.stringContaining('ResourceNotFoundError')]);
          const calls = await Promise.all(clients.map((client) => client.callTool('t')));
          expect(calls.map(({ text }) => text)).toEqual(['false for ann', 'false for bob']);
        }
        // Nothing that was found out for one call was used for another.
        for (const who of ['ann', 'bob']) expect(asked.filter((each) => each === `${who} t`)).toHaveLength(2);
      },
    );

  test('[CACHE-012] a list that depends on the caller is never for others', async () => {
    const { shared } = guarded();
    const client = await connect(await served(shared), { headers: { 'x-key': 'ann' } });
    onTestFinished(() => client.close());
    const first = await client.sendRequest('resources/list');
    expect(first).toMatchObject({ ttlMs: 60_000, cacheScope: 'private', resources: [{ uri: 'x:a' }] });
    expect(await client.sendRequest('resources/list', { cursor: first['nextCursor'] })).toMatchObject({
      cacheScope: 'private',
      resources: [{ uri: 'x:b' }],
    });
    // The same for all callers: as the author says.
    for (const method of ['tools/list', 'resources/templates/list', 'server/discover'])
      expect(await client.sendRequest(method), method).toMatchObject(cache);
  });

  async function served(shared: Server): Promise<string> {
    const http = await serveHttp(shared, { authenticate });
    onTestFinished(() => http.close());
    return http.url;
  }
});
