/** Lists of every kind: paging, where they start and stop, and what the server has to declare for them. */
import { describe, expect, test } from 'vitest';
import { CapabilityError, InvalidResponseError, MethodNotFoundError, RpcError } from '../../src/base/errors.ts';
import type { JsonObject } from '../../src/base/json.ts';
import type { Client } from '../../src/client/client.ts';
import type { ListOptions } from '../../src/client/lists.ts';
import { connect } from '../../src/entry/index.node.ts';
import type { Revision } from '../../src/model/types.ts';
import type { ScriptedHandler } from '../../src/testing/scripted.ts';
import { revisions } from '../../src/wire/index.ts';
import { askedOf, openDeclaring, paramsTo, type Declared } from '../support/features.ts';
import { begun, legacyPeer, ports, type Answering, type Turn } from '../support/http-peer.ts';
import { recorder } from '../support/stdio.ts';

interface Kind {
  readonly kind: string;
  readonly method: string;
  readonly member: string;
  readonly feature: string;
  entry(name: string): JsonObject;
  list(client: Client, options?: ListOptions): Promise<readonly unknown[]>;
  each(client: Client, options?: ListOptions): AsyncIterable<unknown>;
}

const kinds: readonly Kind[] = [
  {
    kind: 'tools',
    method: 'tools/list',
    member: 'tools',
    feature: 'tools',
    entry: (name) => ({ name, inputSchema: { type: 'object' } }),
    list: (client, options) => client.listTools(options),
    each: (client, options) => client.tools(options),
  },
  {
    kind: 'resources',
    method: 'resources/list',
    member: 'resources',
    feature: 'resources',
    entry: (name) => ({ uri: `x:${name}`, name }),
    list: (client, options) => client.listResources(options),
    each: (client, options) => client.resources(options),
  },
  {
    kind: 'resource templates',
    method: 'resources/templates/list',
    member: 'resourceTemplates',
    feature: 'resources',
    entry: (name) => ({ uriTemplate: `x:{${name}}`, name }),
    list: (client, options) => client.listResourceTemplates(options),
    each: (client, options) => client.resourceTemplates(options),
  },
  {
    kind: 'prompts',
    method: 'prompts/list',
    member: 'prompts',
    feature: 'prompts',
    entry: (name) => ({ name }),
    list: (client, options) => client.listPrompts(options),
    each: (client, options) => client.prompts(options),
  },
];

const everywhere = kinds.flatMap((kind) => revisions.map((revision) => ({ ...kind, revision })));
const modern: Revision = '2026-07-28';

/** Pages by cursor; the first is under `undefined`. */
const pages =
  (kind: Kind, page: (cursor: unknown) => { names: string[]; nextCursor?: unknown }): ScriptedHandler =>
  ({ params }) => {
    const { names, ...rest } = page(params?.['cursor']);
    return { [kind.member]: names.map((name) => kind.entry(name)), ...rest };
  };

const three = (cursor: unknown): { names: string[]; nextCursor?: unknown } =>
  cursor === undefined
    ? { names: ['a', 'b'], nextCursor: '' }
    : cursor === ''
      ? { names: [], nextCursor: '3/ö =' }
      : { names: ['c'], nextCursor: null };

const namesOf = (entries: readonly unknown[]): unknown[] => entries.map((entry) => (entry as JsonObject)['name']);

async function open(kind: Kind, handler: ScriptedHandler, revision = modern, options = {}) {
  const capabilities = { [kind.feature]: {} };
  return openDeclaring(revision, capabilities, { [kind.method]: handler }, options);
}

describe('all pages', () => {
  test.each(everywhere)('[PAG-001 PAG-002 SEED-189] $kind in $revision, an empty cursor among them', async (each) => {
    const { client, server } = await open(each, pages(each, three), each.revision);
    expect(namesOf(await each.list(client))).toEqual(['a', 'b', 'c']);
    expect(paramsTo(server, each.method)).toEqual([{}, { cursor: '' }, { cursor: '3/ö =' }]);
  });

  test.each(kinds)('[PAG-001 SEED-189] $kind: one by one, each page when it is wanted', async (kind) => {
    const { client, server } = await open(kind, pages(kind, three));
    const seen: unknown[] = [];
    for await (const entry of kind.each(client))
      seen.push([(entry as JsonObject)['name'], paramsTo(server, kind.method).length]);
    expect(seen).toEqual([
      ['a', 1],
      ['b', 1],
      ['c', 3],
    ]);
  });

  test.each(kinds)('$kind: whoever leaves the loop asks for no more', async (kind) => {
    const { client, server } = await open(kind, pages(kind, three));
    for await (const _ of kind.each(client)) break;
    await client.ping().catch(() => undefined);
    expect(paramsTo(server, kind.method)).toEqual([{}]);
    // The same iterable begins anew.
    const all = kind.each(client);
    for await (const _ of all) break;
    for await (const _ of all) break;
    expect(paramsTo(server, kind.method)).toEqual([{}, {}, {}]);
  });

  test.each(kinds)('[SEED-196] $kind from a cursor on', async (kind) => {
    const { client, server } = await open(
      kind,
      pages(kind, (cursor) => (cursor === 'c' ? { names: ['x'], nextCursor: 'd' } : { names: ['y'] })),
    );
    expect(namesOf(await kind.list(client, { cursor: 'c' }))).toEqual(['x', 'y']);
    expect(paramsTo(server, kind.method)).toEqual([{ cursor: 'c' }, { cursor: 'd' }]);
    const bad = kind.list(client, { cursor: 5 as unknown as string });
    await expect(bad).rejects.toMatchObject({ code: 'bad_argument' });
  });

  test.each(kinds)('$kind: a page that fails is an error, not a shorter list', async (kind) => {
    const { client } = await open(kind, (request) =>
      request.params?.['cursor'] === undefined
        ? { [kind.member]: [kind.entry('a')], nextCursor: '2' }
        : request.fail({ code: -32603, message: 'oops' }),
    );
    await expect(kind.list(client)).rejects.toBeInstanceOf(RpcError);
  });

  test.each(kinds)('$kind: an entry that cannot be used is left out with a warning', async (kind) => {
    const logger = recorder();
    const listed = { [kind.member]: [{ description: 'nameless' }, null, kind.entry('a')] };
    const { client } = await open(kind, () => listed, modern, { logger });
    expect(namesOf(await kind.list(client))).toEqual(['a']);
    expect(logger.entries.filter(({ level }) => level === 'warn')).toHaveLength(2);
  });
});

describe('lists that do not end', () => {
  const endless: [string, (cursor: unknown) => { names: string[]; nextCursor?: unknown }, number][] = [
    ['the same cursor every time', () => ({ names: ['a'], nextCursor: 'x' }), 2],
    ['an empty cursor every time', () => ({ names: ['a'], nextCursor: '' }), 2],
    ['two in turns', (cursor) => ({ names: ['a'], nextCursor: cursor === 'x' ? 'y' : 'x' }), 3],
  ];

  for (const kind of kinds) {
    test.each(endless)(`[PAG-004 BUG-080 SEED-189] of ${kind.kind}: %s`, async (_, page, asked) => {
      const { client, server } = await open(kind, pages(kind, page));
      await expect(kind.list(client)).rejects.toBeInstanceOf(InvalidResponseError);
      expect(paramsTo(server, kind.method)).toHaveLength(asked);
    });

    test(`[PAG-004 BUG-080] of ${kind.kind}: the cursor it began with counts`, async () => {
      const { client, server } = await open(
        kind,
        pages(kind, () => ({ names: ['a'], nextCursor: 'x' })),
      );
      await expect(kind.list(client, { cursor: 'x' })).rejects.toBeInstanceOf(InvalidResponseError);
      expect(paramsTo(server, kind.method)).toHaveLength(1);
    });

    test(`[BUG-080] of ${kind.kind}: as many pages as maxPages, and one more`, async () => {
      const upTo = (last: number) =>
        pages(kind, (cursor) => {
          const at = cursor === undefined ? 1 : Number(cursor);
          return { names: [`n${at}`], ...(at < last && { nextCursor: String(at + 1) }) };
        });
      const fits = await open(kind, upTo(4), modern, { maxPages: 4 });
      expect(await kind.list(fits.client)).toHaveLength(4);
      const over = await open(kind, upTo(5), modern, { maxPages: 4 });
      await expect(kind.list(over.client)).rejects.toThrow(`${kind.method}: the list does not end (4 pages)`);
      expect(paramsTo(over.server, kind.method)).toHaveLength(4);
    });

    test(`[BUG-080] of ${kind.kind}: a cursor that is no text ends the list with a warning`, async () => {
      const logger = recorder();
      const { client } = await open(
        kind,
        pages(kind, () => ({ names: ['a'], nextCursor: 0 })),
        modern,
        { logger },
      );
      expect(namesOf(await kind.list(client))).toEqual(['a']);
      expect(logger.entries).toMatchObject([{ level: 'warn', message: expect.stringContaining('nextCursor') }]);
    });
  }
});

describe('what is not declared', () => {
  const declared: Declared[] = [{ tools: {} }, { resources: {} }, { prompts: {} }, {}, undefined];
  const refusing: Record<string, ScriptedHandler> = Object.fromEntries(
    kinds.map(({ method }) => [method, (request) => request.fail({ code: -32601, message: 'Method not found' })]),
  );

  for (const revision of ['2026-07-28', '2025-11-25', '2024-11-05'] as const)
    test.each(declared)(`[BUG-107] is an empty list, and is not asked for: %j (${revision})`, async (capabilities) => {
      const { client, server } = await openDeclaring(revision, capabilities, refusing);
      for (const kind of kinds.filter(({ feature }) => capabilities?.[feature] === undefined)) {
        expect(await kind.list(client), kind.kind).toEqual([]);
        for await (const _ of kind.each(client)) expect.unreachable();
      }
      expect(askedOf(server)).toEqual([]);
    });

  test.each(kinds)('[BUG-107] $kind: with strict it is a typed error, and is not asked for', async (kind) => {
    const { client, server } = await openDeclaring(modern, {}, refusing, { strict: true });
    await expect(kind.list(client)).rejects.toBeInstanceOf(CapabilityError);
    await expect(kind.list(client)).rejects.toMatchObject({ code: 'capability', outcome: 'not-sent' });
    expect(askedOf(server)).toEqual([]);
  });

  test.each(everywhere)('[BUG-107] $kind declared and refused is an error ($revision)', async (each) => {
    const { client } = await openDeclaring(each.revision, { [each.feature]: {} }, refusing);
    await expect(each.list(client)).rejects.toBeInstanceOf(MethodNotFoundError);
  });

  test.each([null, false])('[BUG-107] %j declares nothing', async (value) => {
    const { client, server } = await openDeclaring(modern, { prompts: value }, refusing);
    expect(await client.listPrompts()).toEqual([]);
    expect(askedOf(server)).toEqual([]);
  });

  test('[BUG-107] a change of what was never declared is told, and harms nobody', async () => {
    const notes: unknown[] = [];
    const options = { onNotification: (note: unknown) => notes.push(note) };
    const { client, server } = await openDeclaring('2025-11-25', { tools: {} }, refusing, options);
    server.notify('notifications/prompts/list_changed');
    server.notify('notifications/resources/list_changed');
    expect(await client.listPrompts()).toEqual([]);
    await expect(client.listTools()).rejects.toBeInstanceOf(MethodNotFoundError);
    expect(notes).toEqual([
      { method: 'notifications/prompts/list_changed' },
      { method: 'notifications/resources/list_changed' },
    ]);
  });
});

test.each(ports)('[BUG-107] what counts is what the live session declares ($port)', async ({ options }) => {
  const declared: JsonObject[] = [{ prompts: {} }, { resources: {} }, {}, { prompts: {} }];
  let gone = false;
  const lost =
    (answer: (turn: Turn) => unknown): Answering =>
    (turn) => {
      if (!gone) return answer(turn);
      gone = false;
      return turn.send(404);
    };
  const peer = await legacyPeer({
    handlers: {
      initialize: (turn) => {
        const session = peer.of('initialize').length;
        const capabilities = declared[session - 1];
        turn.reply(begun({ capabilities }), { 'mcp-session-id': `s-${session}` });
      },
      'prompts/list': lost(({ seen }) => {
        gone = seen.params['cursor'] === undefined;
        return { prompts: [{ name: 'p' }], nextCursor: 'x' };
      }),
      'resources/list': lost(() => ({ resources: [{ uri: 'x:a', name: 'a' }] })),
    },
  });
  const client = await connect(peer.url, options);
  // The session ends between two pages, and the next one has none: what is there is not passed off as the whole.
  await expect(client.listPrompts()).rejects.toBeInstanceOf(CapabilityError);
  expect(await client.listResources()).toHaveLength(1);
  expect(await client.listPrompts()).toEqual([]);
  gone = true;
  expect(await client.listResources()).toEqual([]);
  expect(client.capabilities).toEqual({});
  await client.close();
});

test.each(everywhere)('[SEED-194] title, icons and _meta of $kind are kept ($revision)', async (each) => {
  const icons = [{ src: 'https://x.test/i.png', mimeType: 'image/png', sizes: ['48x48'] }];
  const entry = { ...each.entry('a'), title: 'A', icons, _meta: { 'x.test/own': { n: 1 } }, later: [1] };
  const { client } = await open(each, () => ({ [each.member]: [entry] }), each.revision);
  expect(await each.list(client)).toEqual([entry]);
});
