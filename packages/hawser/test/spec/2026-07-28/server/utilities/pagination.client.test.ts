import { describe, expect, test } from 'vitest';
import { InvalidResponseError } from '../../../../../src/base/errors.ts';
import { connect } from '../../../../../src/entry/index.node.ts';
import type { Tool } from '../../../../../src/model/types.ts';
import type { Service } from '../../../../../src/ports/index.ts';
import { everyLink, links, openLink } from '../../../../support/links.ts';
import { listed, modernPeer, ports } from '../../../../support/http-peer.ts';
import { webDoor } from '../../../../../src/transport/web.ts';
import { described } from '../../../../support/http-peer.ts';

/** Pages by cursor; the first is under `undefined`. */
type Pages = (cursor: unknown) => { tools: string[]; nextCursor?: unknown };

/** A service that lists pages, in every revision, and keeps the cursors it was asked for. */
function paged(pages: Pages): Service & { cursors: unknown[]; fetch(request: Request): Promise<Response> } {
  const cursors: unknown[] = [];
  const service: Service = {
    answer: ({ method, params }, { caller }) => {
      if (method === 'server/discover') return Promise.resolve({ result: described });
      if (method === 'initialize')
        return Promise.resolve({
          result: {
            protocolVersion: caller.revision,
            capabilities: { tools: {} },
            serverInfo: { name: 'x', version: '1' },
          },
        });
      if (method !== 'tools/list') return Promise.resolve({ error: { code: -32601, message: 'no' } });
      cursors.push(params?.['cursor']);
      const { tools, ...rest } = pages(params?.['cursor']);
      return Promise.resolve({ result: { ...listed(...tools), ...rest } });
    },
    notice: () => undefined,
  };
  const door = webDoor(service);
  return { ...service, cursors, fetch: door };
}

const names = (tools: readonly Tool[]): string[] => tools.map((tool) => tool.name);

describe('Pagination Model', () => {
  test.each(everyLink())(
    '[PAG-001 PAG-004] all pages, each asked for by the cursor of the last ($link, $revision)',
    async ({ link, revision }) => {
      const service = paged((cursor) =>
        cursor === undefined
          ? { tools: ['a', 'b'], nextCursor: '2/ö =' }
          : cursor === '2/ö ='
            ? { tools: [], nextCursor: '0' }
            : { tools: ['c'] },
      );
      const client = await openLink(link, revision, service);
      expect(names(await client.listTools())).toEqual(['a', 'b', 'c']);
      expect(service.cursors).toEqual([undefined, '2/ö =', '0']);
    },
  );

  test.each(links)('[PAG-004] a server that does not page (%s)', async (link) => {
    const service = paged(() => ({ tools: ['a'] }));
    const client = await openLink(link, '2026-07-28', service);
    expect(names(await client.listTools())).toEqual(['a']);
    expect(service.cursors).toEqual([undefined]);
  });

  test('page by page, as they are asked for', async () => {
    const service = paged((cursor) => (cursor === undefined ? { tools: ['a'], nextCursor: 'x' } : { tools: ['b'] }));
    const client = await openLink('direct', '2026-07-28', service);
    const iterator = client.tools()[Symbol.asyncIterator]();
    expect((await iterator.next()).value).toMatchObject({ name: 'a' });
    expect(service.cursors).toEqual([undefined]);
    expect((await iterator.next()).value).toMatchObject({ name: 'b' });
    expect((await iterator.next()).done).toBe(true);
    expect(service.cursors).toEqual([undefined, 'x']);
  });
});

describe.each(ports)('Implementation Guidelines ($port)', ({ options }) => {
  test('[PAG-002 B-69] an empty cursor is a cursor', async () => {
    const peer = await modernPeer({
      'tools/list': ({ seen }) => (seen.params['cursor'] === '' ? listed('b') : { ...listed('a'), nextCursor: '' }),
    });
    const client = await connect(peer.url, options);
    expect(names(await client.listTools())).toEqual(['a', 'b']);
    expect(peer.of('tools/list').map(({ params }) => [Object.hasOwn(params, 'cursor'), params['cursor']])).toEqual([
      [false, undefined],
      [true, ''],
    ]);
    await client.close();
  });

  test.each([null, undefined])('[PAG-002] %s ends the list', async (nextCursor) => {
    const peer = await modernPeer({ 'tools/list': () => ({ ...listed('a'), nextCursor }) });
    const client = await connect(peer.url, options);
    expect(names(await client.listTools())).toEqual(['a']);
    expect(peer.of('tools/list').length).toBe(1);
    await client.close();
  });
});

describe('lists that do not end', () => {
  test.each<[string, Pages, number]>([
    ['the same cursor every time', () => ({ tools: ['a'], nextCursor: 'x' }), 2],
    ['an empty cursor every time', () => ({ tools: ['a'], nextCursor: '' }), 2],
    ['two in turns', (cursor) => ({ tools: ['a'], nextCursor: cursor === 'x' ? 'y' : 'x' }), 3],
  ])('[PAG-004 BUG-080] are an error at the first cursor that comes again: %s', async (_, pages, asked) => {
    const service = paged(pages);
    const client = await openLink('direct', '2026-07-28', service);
    await expect(client.listTools()).rejects.toBeInstanceOf(InvalidResponseError);
    expect(service.cursors.length).toBe(asked);
  });

  test.each([1, 5, 1_000])('[PAG-004 BUG-080] %i pages are taken, one more is an error', async (maxPages) => {
    const upTo =
      (last: number): Pages =>
      (cursor) => {
        const page = cursor === undefined ? 1 : Number(cursor);
        return { tools: [`t${page}`], ...(page < last && { nextCursor: String(page + 1) }) };
      };
    const options = maxPages === 1_000 ? {} : { maxPages };
    const fits = await openLink('direct', '2026-07-28', paged(upTo(maxPages)), options);
    expect((await fits.listTools()).length).toBe(maxPages);
    const service = paged(upTo(maxPages + 1));
    const over = await openLink('direct', '2026-07-28', service, options);
    await expect(over.listTools()).rejects.toThrow(`${maxPages} pages`);
    expect(service.cursors.length).toBe(maxPages);
  });

  test.each([0, 7, {}, [], false])('[BUG-080] %j is no cursor: the list ends, with a warning', async (nextCursor) => {
    const warnings: string[] = [];
    const logger = { debug() {}, info() {}, error() {}, warn: (message: string) => warnings.push(message) };
    const client = await openLink(
      'direct',
      '2026-07-28',
      paged(() => ({ tools: ['a'], nextCursor })),
      { logger },
    );
    expect(names(await client.listTools())).toEqual(['a']);
    expect(warnings).toEqual([expect.stringContaining('nextCursor')]);
  });
});
