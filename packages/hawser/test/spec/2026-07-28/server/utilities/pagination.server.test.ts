/** server/utilities/pagination, the server's side, over every link. */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../../src/base/json.ts';
import type { Client } from '../../../../../src/client/client.ts';
import { Server } from '../../../../../src/server/server.ts';
import { openLink, overEveryLink } from '../../../../support/links.ts';
import { rpcOf } from '../../../../support/rpc.ts';

/** The lists, with the member that holds their entries and what tells these apart. */
const lists = [
  ['tools/list', 'tools', 'name'],
  ['prompts/list', 'prompts', 'name'],
  ['resources/list', 'resources', 'uri'],
  ['resources/templates/list', 'resourceTemplates', 'uriTemplate'],
] as const;

function stocked(pageSize?: number, count = 5): Server {
  const server = new Server({ name: 's', version: '1', ...(pageSize !== undefined && { pageSize }) });
  for (let at = 0; at < count; at++) {
    server.tool(`t${at}`, {}, () => '');
    server.prompt(`p${at}`, {}, () => '');
    server.resource(`r://${at}`, { name: 'r' }, () => '');
    server.template(`t${at}://{x}`, { name: 't' }, () => '');
  }
  return server;
}

async function pagesOf(client: Client, [method, member, key]: (typeof lists)[number]): Promise<unknown[][]> {
  const pages: unknown[][] = [];
  let cursor: unknown;
  do {
    const page = await client.sendRequest(method, cursor === undefined ? {} : { cursor });
    pages.push((page[member] as JsonObject[]).map((entry) => entry[key]));
    cursor = page['nextCursor'];
  } while (cursor !== undefined);
  return pages;
}

const expected = (method: string): string[][] => {
  const names = [0, 1, 2, 3, 4].map(
    (at) =>
      ({
        'tools/list': `t${at}`,
        'prompts/list': `p${at}`,
        'resources/list': `r://${at}`,
        'resources/templates/list': `t${at}://{x}`,
      })[method] ?? '',
  );
  return [names.slice(0, 2), names.slice(2, 4), names.slice(4)];
};

describe('Operations Supporting Pagination', () => {
  overEveryLink(
    '[PAG-001] each list comes in pages of the size that was set',
    { server: () => stocked(2) },
    async ({ client }) => {
      for (const list of lists) expect(await pagesOf(client, list), list[0]).toEqual(expected(list[0]));
    },
  );

  test('[PAG-001 PAG-004] a thousand are on one page, unless the server says otherwise', async () => {
    const client = await openLink('direct', '2026-07-28', stocked(undefined, 1_001));
    for (const list of lists)
      expect(
        (await pagesOf(client, list)).map(({ length }) => length),
        list[0],
      ).toEqual([1_000, 1]);
    const all = await openLink('direct', '2026-07-28', stocked(undefined, 1_000));
    for (const list of lists) expect(await pagesOf(all, list), list[0]).toHaveLength(1);
  });

  test('[PAG-004] the client puts the pages together', async () => {
    const client = await openLink('pipe', '2025-11-25', stocked(2));
    expect((await client.listTools()).map(({ name }) => name)).toEqual(['t0', 't1', 't2', 't3', 't4']);
  });
});

describe('Implementation Guidelines', () => {
  overEveryLink(
    '[PAG-003] what goes and comes between two pages neither hides nor repeats what stays',
    { server: () => stocked(2) },
    async ({ client, server }) => {
      const { nextCursor: cursor } = await client.sendRequest('tools/list');
      server.removeTool('t0');
      server.removeTool('t1');
      server.removeTool('t3');
      server.tool('new', {}, () => '');
      const page = await client.sendRequest('tools/list', { cursor });
      expect((page['tools'] as JsonObject[]).map(({ name }) => name)).toEqual(['t2', 't4']);
      const last = await client.sendRequest('tools/list', { cursor: page['nextCursor'] });
      expect(last['tools']).toMatchObject([{ name: 'new' }]);
      expect(last).not.toHaveProperty('nextCursor');
    },
  );

  test('[PAG-005] another instance serves the next page', async () => {
    const [here, there] = [stocked(2), stocked(2)];
    const first = await openLink('http', '2026-07-28', here);
    const second = await openLink('http', '2026-07-28', there);
    for (const [method, member, key] of lists) {
      const { nextCursor: cursor } = await first.sendRequest(method);
      const page = await second.sendRequest(method, { cursor });
      expect((page[member] as JsonObject[]).map((entry) => entry[key])).toEqual(expected(method)[1]);
    }
  });

  test('[CACHE-010] all pages say the same of whom they are for', async () => {
    const cache = { ttlMs: 10, cacheScope: 'public' as const };
    const server = new Server({ name: 's', version: '1', pageSize: 1, cache });
    for (const name of ['a', 'b', 'c']) server.tool(name, {}, () => '').prompt(name, {}, () => '');
    const client = await openLink('direct', '2026-07-28', server);
    for (const method of ['tools/list', 'prompts/list']) {
      const scopes: unknown[] = [];
      let cursor: unknown;
      do {
        const page = await client.sendRequest(method, cursor === undefined ? {} : { cursor });
        scopes.push(page['cacheScope']);
        cursor = page['nextCursor'];
      } while (cursor !== undefined);
      expect(scopes).toEqual(['public', 'public', 'public']);
    }
  });
});

describe('Error Handling', () => {
  overEveryLink(
    '[PAG-003] what is no cursor, or one of another list: -32602',
    { server: () => stocked(2) },
    async ({ client }) => {
      const cursors = await Promise.all(
        lists.map(async ([method]) => (await client.sendRequest(method))['nextCursor']),
      );
      expect(new Set(cursors).size).toBe(4);
      for (const [at, [method]] of lists.entries())
        for (const cursor of ['', 'x', '0', null, 5, {}, ...cursors.filter((_, of) => of !== at)])
          expect(await rpcOf(client.sendRequest(method, { cursor })), `${method} ${String(cursor)}`).toMatchObject({
            code: -32602,
          });
    },
  );

  test.each([0, -1, 1.5, NaN, '2'])('a page size of %j is refused', (pageSize) => {
    expect(() => new Server({ name: 's', version: '1', pageSize: pageSize as number })).toThrow('pageSize');
  });
});
