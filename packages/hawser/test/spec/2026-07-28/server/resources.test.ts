/** server/resources, the server's side, over every link; older revisions beside the newest where they differ. */
import { describe, expect, test } from 'vitest';
import { ArgumentError, ResourceNotFoundError } from '../../../../src/base/errors.ts';
import type { JsonObject } from '../../../../src/base/json.ts';
import { silent } from '../../../../src/base/logger.ts';
import type { Client } from '../../../../src/client/client.ts';
import type { Revision } from '../../../../src/model/types.ts';
import type { ResourceReturn } from '../../../../src/server/resource-result.ts';
import { Server } from '../../../../src/server/server.ts';
import { doors, gate, modern, webEndpoint } from '../../../support/http.ts';
import {
  isToldThere,
  legacyRevisions,
  links,
  modernRevisions,
  openLink,
  overEveryLink,
} from '../../../support/links.ts';
import { rpcOf } from '../../../support/rpc.ts';

const icons = [{ src: 'https://example.test/i.png' }];
const annotations = { audience: ['user' as const], priority: 0.5, lastModified: '2026-01-01T00:00:00Z' };

const full = {
  name: 'today',
  title: 'Today',
  description: 'Notes of today.',
  icons,
  mimeType: 'text/markdown',
  annotations,
  size: 5,
  _meta: { 'example.test/x': 1 },
};

function bare(): Server {
  return new Server({ name: 's', version: '1' });
}

function library(): Server {
  return bare()
    .resource('notes://today', full, () => '# Day')
    .resource('pics://one', { name: 'one', mimeType: 'image/png' }, () => new Uint8Array([0, 1, 2]))
    .template('notes://{day}', { name: 'day', title: 'A day', mimeType: 'text/plain' }, ({ day }, ctx) =>
      day === 'never' ? undefined : `${String(day)} at ${ctx.uri}`,
    )
    .template('files:///{+path}', { name: 'files', description: 'All files.', icons, annotations }, ({ path }) => path);
}

const read = (client: Client, uri: unknown): Promise<JsonObject> => client.sendRequest('resources/read', { uri });

const contentsOf = async (client: Client, uri: string): Promise<unknown> => (await read(client, uri))['contents'];

const urisOf = (result: JsonObject): unknown[] => (result['resources'] as JsonObject[]).map(({ uri }) => uri);

/** What a resource becomes in each revision. */
function inRevision(revision: Revision): JsonObject {
  const { title, icons: pictures, _meta, ...old } = full;
  if (revision === '2024-11-05' || revision === '2025-03-26') return old;
  return revision === '2025-06-18' ? { ...old, title, _meta } : { ...old, title, _meta, icons: pictures };
}

describe('Capabilities', () => {
  overEveryLink(
    '[RES-001 RES-015] resources are declared once there has been one, with changes and subscriptions',
    { server: library },
    (linked) => {
      const resources = isToldThere(linked) ? { subscribe: true, listChanged: true } : {};
      expect(linked.client.capabilities['resources']).toEqual(resources);
    },
  );

  overEveryLink(
    '[RES-001 BUG-107] a server that never had one knows no such method',
    { server: bare },
    async ({ client }) => {
      expect(client.capabilities).not.toHaveProperty('resources');
      for (const method of ['resources/list', 'resources/templates/list', 'resources/read'])
        expect(await rpcOf(client.sendRequest(method, { uri: 'x://a' }))).toMatchObject({ code: -32601 });
    },
  );

  overEveryLink(
    '[RES-001] a template alone is enough, and when all is gone the lists are empty',
    { server: () => bare().template('x://{id}', { name: 'x' }, () => 'x') },
    async ({ client, server }) => {
      expect(await client.sendRequest('resources/list')).toMatchObject({ resources: [] });
      server.removeTemplate('x://{id}');
      expect(await client.sendRequest('resources/templates/list')).toMatchObject({ resourceTemplates: [] });
      expect(await rpcOf(read(client, 'x://1'))).toMatchObject({ message: 'resource not found' });
    },
  );

  test.each(links)('[RES-002 CAP-012] the list does not depend on who asks, and after what (%s)', async (link) => {
    const server = library();
    const [first, second] = await Promise.all([
      openLink(link, '2026-07-28', server),
      openLink(link, '2026-07-28', server),
    ]);
    const fresh = await second.sendRequest('resources/list');
    await read(first, 'notes://today');
    await rpcOf(read(first, 'notes://never'));
    expect(await first.sendRequest('resources/list')).toEqual(fresh);
    expect(await second.sendRequest('resources/list')).toEqual(fresh);
  });
});

describe('Listing Resources', () => {
  overEveryLink(
    '[RES-003 RES-011] all that was said of a resource is listed, as far as the revision knows it',
    { server: library },
    async ({ client, revision }) => {
      const { resources } = await client.sendRequest('resources/list');
      expect(resources).toStrictEqual([
        { uri: 'notes://today', ...inRevision(revision) },
        { uri: 'pics://one', name: 'one', mimeType: 'image/png' },
      ]);
    },
  );

  overEveryLink(
    '[RES-003 CACHE-001 CACHE-014] the list of the modern era has its kind, and says how long it holds',
    { server: library, revisions: modernRevisions },
    async ({ client }) => {
      expect(await client.sendRequest('resources/list')).toMatchObject({
        resultType: 'complete',
        ttlMs: 0,
        cacheScope: 'private',
      });
      expect(await client.sendRequest('resources/templates/list')).toMatchObject({
        resultType: 'complete',
        ttlMs: 0,
        cacheScope: 'private',
      });
    },
  );

  overEveryLink(
    '[CACHE-015] older ones say nothing of that',
    { server: library, revisions: legacyRevisions },
    async ({ client }) => {
      for (const [method, params] of [
        ['resources/list', {}],
        ['resources/templates/list', {}],
        ['resources/read', { uri: 'notes://today' }],
      ] as const) {
        const result = await client.sendRequest(method, params);
        for (const name of ['resultType', 'ttlMs', 'cacheScope']) expect(result).not.toHaveProperty(name);
      }
    },
  );

  test('resources come in order of registration; one that came back is last', async () => {
    const server = bare();
    for (const name of ['b', 'a', '10', '9']) server.resource(`x://${name}`, { name }, () => name);
    server.removeResource('x://b');
    server.resource('x://b', { name: 'b' }, () => 'b');
    const client = await openLink('direct', '2026-07-28', server);
    expect(urisOf(await client.sendRequest('resources/list'))).toEqual(['x://a', 'x://10', 'x://9', 'x://b']);
  });

  test('what the author does to a definition later changes nothing', async () => {
    const definition = { name: 'a', annotations: { priority: 1 } };
    const server = bare().resource('x://a', definition, () => 'a');
    definition.annotations.priority = 0;
    const client = await openLink('direct', '2026-07-28', server);
    expect((await client.sendRequest('resources/list'))['resources']).toEqual([
      { uri: 'x://a', name: 'a', annotations: { priority: 1 } },
    ]);
  });

  test('[CACHE-001] the server says how long its lists hold', async () => {
    const cache = { ttlMs: 60_000, cacheScope: 'public' as const };
    const server = new Server({ name: 's', version: '1', cache }).resource('x://a', { name: 'a' }, () => 'a');
    server.template('y://{b}', { name: 'b' }, () => 'b');
    const client = await openLink('direct', '2026-07-28', server);
    for (const method of ['resources/list', 'resources/templates/list', 'tools/list', 'server/discover'])
      expect(await client.sendRequest(method), method).toMatchObject(cache);
  });
});

describe('Resource Templates', () => {
  overEveryLink(
    '[RES-004] templates are listed beside, as far as the revision knows them',
    { server: library },
    async ({ client, revision }) => {
      const { resourceTemplates } = await client.sendRequest('resources/templates/list');
      const titled = revision >= '2025-06-18';
      const pictured = revision >= '2025-11-25';
      expect(resourceTemplates).toStrictEqual([
        { uriTemplate: 'notes://{day}', name: 'day', mimeType: 'text/plain', ...(titled && { title: 'A day' }) },
        {
          uriTemplate: 'files:///{+path}',
          name: 'files',
          description: 'All files.',
          annotations,
          ...(pictured && { icons }),
        },
      ]);
    },
  );

  overEveryLink(
    '[RES-004 RES-005] a URI of a template is read with its variables, decoded; a registered resource goes before',
    { server: library },
    async ({ client }) => {
      expect(await contentsOf(client, 'notes://a%20b')).toEqual([
        { uri: 'notes://a%20b', mimeType: 'text/plain', text: 'a b at notes://a%20b' },
      ]);
      expect(await contentsOf(client, 'notes://today')).toMatchObject([{ text: '# Day' }]);
      expect(await contentsOf(client, 'files:///a/b.txt')).toEqual([{ uri: 'files:///a/b.txt', text: 'a/b.txt' }]);
    },
  );

  test('of several templates the first one registered reads', async () => {
    const server = bare()
      .template('x://{a}/{b}', { name: 'two' }, () => 'two')
      .template('x://{+all}', { name: 'all' }, () => 'all');
    const client = await openLink('direct', '2026-07-28', server);
    expect(await contentsOf(client, 'x://1/2')).toMatchObject([{ text: 'two' }]);
    expect(await contentsOf(client, 'x://1')).toMatchObject([{ text: 'all' }]);
    server.removeTemplate('x://{a}/{b}');
    expect(await contentsOf(client, 'x://1/2')).toMatchObject([{ text: 'all' }]);
  });

  test('a template that cannot be read, matched or added again is refused', () => {
    const server = bare().template('x://{a}', { name: 'a' }, () => 'a');
    const add =
      (uriTemplate: string, definition: unknown = { name: 'n' }, handler: unknown = () => '') =>
      () =>
        server.template(uriTemplate, definition as { name: string }, handler as () => string);
    for (const uriTemplate of ['x://{', 'x://{a}{b}', 'x://{a}/{a}', 'x://{a}'])
      expect(add(uriTemplate), uriTemplate).toThrow(ArgumentError);
    for (const definition of [null, {}, { name: '' }, { name: 'n', list: 5 }, { name: 'n', complete: { z: () => [] } }])
      expect(add('y://{b}', definition), JSON.stringify(definition)).toThrow(ArgumentError);
    expect(add('y://{b}', { name: 'n' }, 'no handler')).toThrow(ArgumentError);
    expect(add('y://{b}', { name: 'n', cache: { ttlMs: -1, cacheScope: 'private' } })).toThrow('cache');
  });

  describe('that list resources of their own', () => {
    const item = (name: string) => ({ uri: `x://${name}`, name });
    function listing(pageSize: number): Server {
      return new Server({ name: 's', version: '1', pageSize, cache: { ttlMs: 5, cacheScope: 'public' } })
        .resource('x://fixed', { name: 'fixed' }, () => 'fixed')
        .template('x://{a}', { name: 'a', list: () => [item('1'), item('fixed'), item('2'), item('3')] }, () => 'a')
        .template('y://{a}', { name: 'none' }, () => 'a')
        .template(
          'z://{a}',
          { name: 'z', list: async ({ caller }) => [item(caller.clientInfo?.name ?? '')] },
          () => '',
        );
    }

    test.each([1, 2, 3, 4, 5, 100])('[PAG-001 CACHE-010] %i a page: once each, private on every page', async (size) => {
      const client = await openLink('direct', '2026-07-28', listing(size), {
        clientInfo: { name: 'me', version: '1' },
      });
      const uris: unknown[] = [];
      let cursor: unknown;
      do {
        const page = await client.sendRequest('resources/list', cursor === undefined ? {} : { cursor });
        expect(urisOf(page).length).toBeLessThanOrEqual(size);
        expect(page).toMatchObject({ ttlMs: 5, cacheScope: 'private' });
        uris.push(...urisOf(page));
        cursor = page['nextCursor'];
      } while (cursor !== undefined);
      expect(uris).toEqual(['x://fixed', 'x://1', 'x://2', 'x://3', 'x://me']);
    });

    test('[PAG-003] cursors of other lists are none of this one', async () => {
      const server = listing(1);
      server.template('more://{a}', { name: 'more' }, () => '');
      const client = await openLink('direct', '2026-07-28', server);
      const { nextCursor } = await client.sendRequest('resources/templates/list');
      expect(nextCursor).toBeTypeOf('string');
      for (const cursor of [nextCursor, 'x', 5])
        expect(await rpcOf(client.sendRequest('resources/list', { cursor }))).toMatchObject({ code: -32602 });
    });

    test('[RES-002] what the template says of all holds for an entry that says nothing else', async () => {
      const annotations = { audience: ['user' as const] };
      const list = () => [
        { uri: 'x://1', name: '1' },
        { uri: 'x://2', name: '2', mimeType: 'c/d', annotations: { priority: 1 } },
      ];
      const server = new Server({ name: 's', version: '1' });
      server.template('x://{a}', { name: 'x', mimeType: 'a/b', annotations, list }, () => '');
      server.template('y://{a}', { name: 'y', list: () => [{ uri: 'y://1', name: '1' }] }, () => '');
      const client = await openLink('direct', '2026-07-28', server);
      expect(await client.listResources()).toEqual([
        { uri: 'x://1', name: '1', mimeType: 'a/b', annotations },
        { uri: 'x://2', name: '2', mimeType: 'c/d', annotations: { priority: 1 } },
        { uri: 'y://1', name: '1' },
      ]);
    });

    test('one that fails or asks is left out, the others are listed, and the log says so', async () => {
      const errors: unknown[][] = [];
      const logger = { ...silent, error: (...line: unknown[]) => void errors.push(line) };
      const server = new Server({ name: 's', version: '1', logger });
      const fails: (() => never[])[] = [
        () => {
          throw new Error('secret');
        },
        () => 'no list' as unknown as never[],
        () => [{ uri: 'no uri', name: 'x' }, 5] as never[],
      ];
      fails.forEach((list, at) =>
        server.template(`${String.fromCharCode(97 + at)}://{x}`, { name: 'f', list }, () => ''),
      );
      server.template('ok://{x}', { name: 'ok', list: () => [{ uri: 'ok://1', name: 'one' }] }, () => '');
      const client = await openLink('direct', '2026-07-28', server);
      expect(urisOf(await client.sendRequest('resources/list'))).toEqual(['ok://1']);
      expect(errors).toHaveLength(3);
    });
  });
});

describe('Reading Resources', () => {
  overEveryLink('[RES-005 RES-013] text is text, bytes are base64', { server: library }, async ({ client }) => {
    expect(await contentsOf(client, 'notes://today')).toEqual([
      { uri: 'notes://today', mimeType: 'text/markdown', text: '# Day' },
    ]);
    expect(await contentsOf(client, 'pics://one')).toEqual([
      { uri: 'pics://one', mimeType: 'image/png', blob: 'AAEC' },
    ]);
  });

  const uri = 'x://a';
  const returns: readonly (readonly [string, ResourceReturn, unknown])[] = [
    ['nothing but text', '', [{ uri, mimeType: 'a/b', text: '' }]],
    ['text of its own type', { text: 't', mimeType: 'c/d' }, [{ uri, mimeType: 'c/d', text: 't' }]],
    ['bytes in an object', { blob: new Uint8Array([255]) }, [{ uri, mimeType: 'a/b', blob: '/w==' }]],
    ['base64', { blob: 'AAEC', _meta: { a: 1 } }, [{ uri, mimeType: 'a/b', _meta: { a: 1 }, blob: 'AAEC' }]],
    [
      'several contents',
      [
        { uri: 'x://a/1', text: '1' },
        { uri: 'x://a/2', mimeType: 'e/f', blob: '' },
      ],
      [
        { uri: 'x://a/1', mimeType: 'a/b', text: '1' },
        { uri: 'x://a/2', mimeType: 'e/f', blob: '' },
      ],
    ],
    ['an empty directory', [], []],
    ['contents', { contents: [{ uri, text: 'c' }] }, [{ uri, mimeType: 'a/b', text: 'c' }]],
  ];
  test.each(returns)('[RES-005] a handler may give %s', async (_, value, contents) => {
    const server = bare().resource(uri, { name: 'a', mimeType: 'a/b' }, () => value);
    const client = await openLink('pipe', '2026-07-28', server);
    expect(await contentsOf(client, uri)).toEqual(contents);
  });

  test.each([
    5,
    true,
    {},
    { text: 5 },
    { blob: 'not base64!' },
    { text: 't', mimeType: 5 },
    { contents: 'none' },
    { contents: [5] },
    { contents: [], cache: { ttlMs: 1 } },
    [{ uri: 5, text: '' }],
  ])('a handler that gives %j is at fault, which the log says and the caller does not learn', async (value) => {
    const errors: unknown[] = [];
    const server = new Server({
      name: 's',
      version: '1',
      logger: { ...silent, error: (line: string) => void errors.push(line) },
    }).resource(uri, { name: 'a' }, () => value as ResourceReturn);
    const client = await openLink('direct', '2026-07-28', server);
    expect(await rpcOf(read(client, uri))).toEqual({
      code: -32603,
      message: "internal error: the server's log says more",
    });
    expect(errors).toEqual([expect.stringMatching(/^resource "x:\/\/a": /)]);
  });

  overEveryLink(
    '[CACHE-001] what was read says how long it holds: as the result says, else as the definition does',
    {
      server: () => {
        const cache = { ttlMs: 7, cacheScope: 'public' as const };
        return bare()
          .resource('x://default', { name: 'a' }, () => 'a')
          .resource('x://defined', { name: 'b', cache }, () => 'b')
          .template('y://{z}', { name: 'c', cache }, () => ({
            contents: [{ uri, text: '' }],
            cache: { ttlMs: 1, cacheScope: 'private' },
            _meta: { own: 1 },
          }));
      },
      revisions: modernRevisions,
    },
    async ({ client }) => {
      expect(await read(client, 'x://default')).toMatchObject({ ttlMs: 0, cacheScope: 'private' });
      expect(await read(client, 'x://defined')).toMatchObject({ ttlMs: 7, cacheScope: 'public' });
      expect(await read(client, 'y://1')).toMatchObject({ ttlMs: 1, cacheScope: 'private', _meta: { own: 1 } });
    },
  );

  test('a resource that cannot be added', () => {
    const server = bare().resource('x://a', { name: 'a' }, () => 'a');
    const add =
      (of: string, definition: unknown = { name: 'n' }, handler: unknown = () => '') =>
      () =>
        server.resource(of, definition as { name: string }, handler as () => string);
    for (const of of ['x://a', '', 'no scheme', 'x://a b', 'x://%', 5 as unknown as string])
      expect(add(of), of).toThrow(ArgumentError);
    for (const definition of [null, {}, { name: 5 }, { name: 'n', cache: 5 }, { name: 'n', size: 1n }])
      expect(add('x://b', definition)).toThrow(ArgumentError);
    expect(add('x://b', { name: 'n' }, null)).toThrow(ArgumentError);
    expect(server.removeResource('x://b')).toBe(false);
  });

  test('a read that runs when its resource goes is finished', async () => {
    const started = gate();
    const going = gate();
    const server = bare().resource('x://a', { name: 'a' }, async () => {
      started.open();
      await going.opened;
      return 'still here';
    });
    const client = await openLink('direct', '2026-07-28', server);
    const reading = contentsOf(client, 'x://a');
    await started.opened;
    expect(server.removeResource('x://a')).toBe(true);
    going.open();
    expect(await reading).toMatchObject([{ text: 'still here' }]);
    expect(await rpcOf(read(client, 'x://a'))).toMatchObject({ code: -32602 });
  });
});

describe('Input while reading', () => {
  const capable = { meta: { 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } } };
  const form = { type: 'object', properties: { day: { type: 'string' } }, required: ['day'] } as const;

  test.each(doors)(
    '[RES-010 CACHE-002] a resource or a template may ask, and is not cached then ($name)',
    async ({ open }) => {
      const server = bare()
        .resource('x://a', { name: 'a', cache: { ttlMs: 9, cacheScope: 'public' } }, async (_, ctx) => {
          const { day } = await ctx.elicit('day', { message: 'Which day?', schema: form });
          return `day ${day}`;
        })
        .template('y://{b}', { name: 'b' }, async ({ b }, ctx) => {
          const { day } = await ctx.elicit('day', { message: 'Which day?', schema: form });
          return `${b} of ${ctx.uri}, day ${day}`;
        });
      const endpoint = await open(server);
      for (const [uri, text] of [
        ['x://a', 'day Monday'],
        ['y://1', '1 of y://1, day Monday'],
      ] as const) {
        const send = (params: JsonObject) =>
          endpoint.send(modern('resources/read', { uri, ...params }, { ...capable, headers: { 'mcp-name': uri } }));
        const asking = (await send({})).result;
        expect(asking).toMatchObject({
          resultType: 'input_required',
          inputRequests: { day: { method: 'elicitation/create' } },
        });
        for (const name of ['contents', 'ttlMs', 'cacheScope']) expect(asking).not.toHaveProperty(name);
        const { requestState } = asking;
        const inputResponses = { day: { action: 'accept', content: { day: 'Monday' } } };
        const answered = await send({ inputResponses, ...(requestState !== undefined && { requestState }) });
        expect(answered.result).toMatchObject({ resultType: 'complete', contents: [{ uri, text }] });
      }
    },
  );

  test('a person who declines ends the read: that is told, not hidden as a fault', async () => {
    const server = bare().resource('x://a', { name: 'a' }, async (_, ctx) => {
      await ctx.elicit('day', { message: 'Which day?', schema: form });
      return '';
    });
    const endpoint = webEndpoint(server);
    const params = { uri: 'x://a', inputResponses: { day: { action: 'decline' } } };
    const answer = await endpoint.send(
      modern('resources/read', params, { ...capable, headers: { 'mcp-name': 'x://a' } }),
    );
    expect(answer.error).toMatchObject({ code: -32603, message: 'the question "day" was declined' });
  });
});

describe('Error Handling', () => {
  overEveryLink(
    '[RES-006 BUG-159] a resource that is not there: -32602 with its URI, never empty contents',
    { server: library, revisions: modernRevisions },
    async ({ client }) => {
      for (const uri of ['x://nope', 'notes://never', 'NOTES://today', 'notes://today/', 'pics://One'])
        expect(await rpcOf(read(client, uri))).toEqual({ code: -32602, message: 'resource not found', data: { uri } });
    },
  );

  overEveryLink(
    '[RES-007 BUG-159] in older revisions it is -32002',
    { server: library, revisions: legacyRevisions },
    async ({ client }) => {
      for (const uri of ['x://nope', 'notes://never'])
        expect(await rpcOf(read(client, uri))).toEqual({ code: -32002, message: 'resource not found', data: { uri } });
    },
  );

  overEveryLink(
    '[RES-013 BUG-159] what is no URI: -32602, in every revision',
    { server: library },
    async ({ client }) => {
      for (const uri of ['not a uri', '', undefined, 5, null, 'notes://%', 'notes://a b'])
        expect(await rpcOf(read(client, uri))).toMatchObject({ code: -32602, message: 'params.uri must be a URI' });
    },
  );

  overEveryLink(
    '[RES-009 BUG-159] a handler that throws: -32603, and nothing of what it threw',
    {
      server: () =>
        bare()
          .resource('x://a', { name: 'a' }, () => {
            throw new Error('ENOENT /home/secret/file');
          })
          .template('y://{b}', { name: 'b' }, async () => {
            await Promise.reject(new Error('password: hunter2'));
          }),
    },
    async ({ client }) => {
      for (const uri of ['x://a', 'y://b'])
        expect(await rpcOf(read(client, uri))).toEqual({
          code: -32603,
          message: "internal error: the server's log says more",
        });
    },
  );

  overEveryLink(
    '[RES-006 RES-007] a handler may say by an error that there is no such resource',
    {
      server: () =>
        bare().template('y://{b}', { name: 'b' }, (_, { uri }) => {
          throw new ResourceNotFoundError(uri);
        }),
    },
    async ({ client, revision }) => {
      const code = revision === '2026-07-28' ? -32602 : -32002;
      expect(await rpcOf(read(client, 'y://1'))).toMatchObject({ code, data: { uri: 'y://1' } });
    },
  );
});

describe('List Changed Notification', () => {
  test.each(links)('[RES-014 SUB-013] resources and templates that come and go are told (%s)', async (link) => {
    const server = library();
    const client = await openLink(link, '2026-07-28', server);
    const changes: (() => unknown)[] = [
      () => server.resource('x://new', { name: 'new' }, () => ''),
      () => server.removeResource('x://new'),
      () => server.template('x://{new}', { name: 'new' }, () => ''),
      () => server.removeTemplate('x://{new}'),
    ];
    for (const change of changes) {
      const told = gate<unknown>();
      const listening = await client.listen(
        { resourcesListChanged: true },
        { onNotification: (note) => told.open(note) },
      );
      expect(listening.honored).toEqual({ resourcesListChanged: true });
      change();
      expect(await told.opened).toMatchObject({ method: 'notifications/resources/list_changed' });
      await listening.close();
    }
  });
});

describe('Subscriptions', () => {
  test.each(links)(
    '[RES-015 SUB-014] only what was asked for and can be granted, and updates of that (%s)',
    async (link) => {
      const server = library();
      const client = await openLink(link, '2026-07-28', server);
      const told: unknown[] = [];
      const end = gate();
      const listening = await client.listen(
        { resourceSubscriptions: ['notes://today', 'no uri', 'files:///dir'] },
        {
          onNotification: ({ method, params }) => {
            told.push([method, params?.['uri']]);
            if (params?.['uri'] === 'files:///dir/last') end.open();
          },
        },
      );
      expect(listening.honored).toEqual({ resourceSubscriptions: ['notes://today', 'files:///dir'] });
      for (const uri of ['notes://today', 'notes://other', 'files:///directory', 'files:///dir/last'])
        server.changed.resource(uri);
      await end.opened;
      expect(told).toEqual([
        ['notifications/resources/updated', 'notes://today'],
        ['notifications/resources/updated', 'files:///dir/last'],
      ]);
      await listening.close();
    },
  );

  test('an update of what is no URI is the author’s mistake', () => {
    expect(() => bare().changed.resource('nothing')).toThrow(ArgumentError);
  });
});
