/** server/tools: what a server says of its tools, over every link and, where it holds for all, in every revision. */
import { describe, expect, test } from 'vitest';
import { ArgumentError } from '../../../../src/base/errors.ts';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { Revision } from '../../../../src/model/types.ts';
import { Server, type ServerOptions } from '../../../../src/server/server.ts';
import { revisions } from '../../../../src/wire/index.ts';
import {
  isToldThere,
  legacyRevisions,
  links,
  modernRevisions,
  openLink,
  overEveryLink,
} from '../../../support/links.ts';
import { rpcOf } from '../../../support/rpc.ts';

const bare = (options: Partial<ServerOptions> = {}): Server => new Server({ name: 's', version: '1', ...options });
const serverInfo = { 'io.modelcontextprotocol/serverInfo': { name: 's', version: '1' } };
const modernOnly = { revisions: modernRevisions };
const legacyOnly = { revisions: legacyRevisions };

describe('Capabilities', () => {
  overEveryLink('[TOOL-001 CAP-005] the server declares tools and list changes', { server: bare }, (linked) => {
    const told = { tools: { listChanged: true }, logging: {} };
    expect(linked.client.capabilities).toEqual(isToldThere(linked) ? told : { tools: {} });
  });

  overEveryLink('[CAP-002] and nothing else, in the modern era', { server: bare, ...modernOnly }, ({ client }) => {
    expect(client.capabilities).toStrictEqual({ tools: { listChanged: true }, logging: {} });
    expect(client.capabilities).not.toHaveProperty('tasks');
  });

  overEveryLink('[TOOL-002] a server without tools lists none', { server: bare }, async ({ client }) => {
    expect((await client.sendRequest('tools/list'))['tools']).toEqual([]);
  });

  test.each(links)('[TOOL-002 CAP-012] the list does not depend on who asks, and after what (%s)', async (link) => {
    const server = bare();
    for (const name of ['a', 'b', 'c']) server.tool(name, {}, () => name);
    const [first, second] = await Promise.all([
      openLink(link, '2026-07-28', server),
      openLink(link, '2026-07-28', server),
    ]);
    const fresh = await second.sendRequest('tools/list');
    await first.callTool('b');
    await first.callTool('nobody').catch(() => undefined);
    await first.sendRequest('prompts/list').catch(() => undefined);
    expect(await first.sendRequest('tools/list')).toEqual(fresh);
    expect(await second.sendRequest('tools/list')).toEqual(fresh);
  });

  overEveryLink(
    '[TOOL-003] tools come in the order in which they were added',
    {
      server: () => {
        const server = bare();
        for (const name of ['b', 'a', '10', '9', 'c']) server.tool(name, {}, () => name);
        server.removeTool('a');
        server.tool('a', {}, () => 'a');
        return server;
      },
    },
    async ({ client }) => {
      const order = ['b', '10', '9', 'c', 'a'];
      for (let round = 0; round < 3; round++) {
        expect((await client.listTools()).map(({ name }) => name)).toEqual(order);
      }
    },
  );
});

describe('Listing Tools', () => {
  const icons = [{ src: 'https://s.test/i.png', mimeType: 'image/png', sizes: ['48x48'], theme: 'light' as const }];
  const inputSchema = {
    type: 'object',
    properties: { a: { $ref: '#/$defs/a' }, b: true },
    $defs: { a: { $anchor: 'a', type: 'string', 'x-own': [1] } },
    oneOf: [{ required: ['a'] }, { required: ['b'] }],
    if: { required: ['a'] },
    'x-later': { c: null },
  };
  const described = (): Server =>
    bare().tool(
      't',
      {
        title: 'T',
        description: 'does',
        icons,
        input: inputSchema,
        output: { type: 'object' },
        annotations: { title: 'A', readOnlyHint: true, openWorldHint: false },
        _meta: { 'com.example/own': { a: 1 } },
      },
      () => ({ structured: {} }),
    );

  overEveryLink(
    '[TOOL-004 CACHE-001 CACHE-014] the list as it goes out in the modern era',
    { server: () => bare().tool('t', {}, () => 'a'), ...modernOnly },
    async ({ client }) => {
      expect(await client.sendRequest('tools/list')).toStrictEqual({
        resultType: 'complete',
        tools: [{ name: 't', inputSchema: { type: 'object', additionalProperties: false } }],
        ttlMs: 0,
        cacheScope: 'private',
        _meta: serverInfo,
      });
    },
  );

  overEveryLink(
    '[BASE-014 CACHE-015] and in a legacy one',
    { server: () => bare().tool('t', {}, () => 'a'), ...legacyOnly },
    async ({ client }) => {
      expect(await client.sendRequest('tools/list')).toStrictEqual({
        tools: [{ name: 't', inputSchema: { type: 'object', additionalProperties: false } }],
      });
    },
  );

  const base = { name: 't', description: 'does', inputSchema };
  const annotations = { title: 'A', readOnlyHint: true, openWorldHint: false };
  const june = { title: 'T', outputSchema: { type: 'object' }, _meta: { 'com.example/own': { a: 1 } } };
  const members: Record<Revision, JsonObject> = {
    '2024-11-05': base,
    '2025-03-26': { ...base, annotations },
    '2025-06-18': { ...base, annotations, ...june },
    '2025-11-25': { ...base, annotations, ...june, icons },
    '2026-07-28': { ...base, annotations, ...june, icons },
  };

  overEveryLink(
    '[TOOL-005 TOOL-007 B-68] a tool has the members of the revision, its schema verbatim',
    { server: described },
    async ({ client, revision }) => {
      expect((await client.sendRequest('tools/list'))['tools']).toStrictEqual([members[revision]]);
    },
  );

  overEveryLink(
    '[META-021] `_meta` of a tool is passed on',
    { server: described, revisions: revisions.slice(0, 3) },
    async ({ client }) => {
      const [tool] = await client.listTools();
      expect(tool?._meta).toEqual({ 'com.example/own': { a: 1 } });
    },
  );

  test('what the author does to the definition later is not seen', async () => {
    const definition = {
      description: 'before',
      annotations: { readOnlyHint: true },
      input: { type: 'object', title: 'a' },
    };
    const server = bare().tool('t', definition, () => 'a');
    definition.description = 'after';
    definition.annotations.readOnlyHint = false;
    definition.input.title = 'b';
    const client = await openLink('direct', '2026-07-28', server);
    expect(await client.listTools()).toEqual([
      {
        name: 't',
        description: 'before',
        annotations: { readOnlyHint: true },
        inputSchema: { type: 'object', title: 'a' },
      },
    ]);
  });

  test('every caller has a list of its own', async () => {
    const client = await openLink('direct', '2026-07-28', described());
    const [mine] = await client.listTools();
    mine!.name = 'spoilt';
    (mine!.inputSchema['properties'] as JsonObject)['a'] = 'spoilt';
    expect((await client.listTools())[0]).toMatchObject({ name: 't', inputSchema });
  });

  overEveryLink('[PAG-001] all tools are on one page', { server: described }, async ({ client }) => {
    expect(await client.sendRequest('tools/list', {})).not.toHaveProperty('nextCursor');
  });

  overEveryLink('[PAG-003] a cursor of no list is -32602', { server: described }, async ({ client }) => {
    for (const cursor of ['', '0', 'made-up', 5, null, {}])
      expect(await rpcOf(client.sendRequest('tools/list', { cursor })), JSON.stringify(cursor)).toMatchObject({
        code: -32602,
      });
  });
});

describe('Calling Tools', () => {
  overEveryLink(
    '[TOOL-014 META-008 BASE-009] a result as it goes out in the modern era',
    { server: () => bare().tool('t', {}, () => 'a'), ...modernOnly },
    async ({ client }) => {
      expect(await client.sendRequest('tools/call', { name: 't' })).toStrictEqual({
        resultType: 'complete',
        content: [{ type: 'text', text: 'a' }],
        _meta: serverInfo,
      });
    },
  );

  overEveryLink(
    '[TOOL-014] content is there although empty',
    { server: () => bare().tool('t', {}, () => undefined) },
    async ({ client }) => {
      expect((await client.sendRequest('tools/call', { name: 't' }))['content']).toEqual([]);
    },
  );

  overEveryLink(
    '[BASE-014] a result in a legacy era',
    { server: () => bare().tool('t', {}, () => 'a'), ...legacyOnly },
    async ({ client }) => {
      expect(await client.sendRequest('tools/call', { name: 't' })).toStrictEqual({
        content: [{ type: 'text', text: 'a' }],
      });
    },
  );

  overEveryLink(
    '[BASE-038] members of params that are not known change nothing',
    { server: () => bare().tool('t', {}, (_, ctx) => Object.keys(ctx.meta).join()) },
    async ({ client }) => {
      const params = { name: 't', arguments: {}, later: [1], task: { ttl: 5 }, inputResponses: { unknown: {} } };
      expect((await client.sendRequest('tools/call', params))['content']).toHaveLength(1);
    },
  );
});

describe('List Changed Notification', () => {
  test.each(links)('[TOOL-025 SUB-013] adding and removing is told to whoever listens (%s)', async (link) => {
    const server = bare();
    const client = await openLink(link, '2026-07-28', server);
    const told: JsonObject[] = [];
    let next = (): void => undefined;
    const heard = (): Promise<void> =>
      new Promise((resolve) => {
        next = resolve;
      });
    const subscription = await client.listen(
      { toolsListChanged: true },
      {
        onNotification: ({ method, params }) => {
          told.push({ method, params });
          next();
        },
      },
    );
    let waiting = heard();
    server.tool('a', {}, () => 'a');
    await waiting;
    waiting = heard();
    expect(server.removeTool('a')).toBe(true);
    await waiting;
    expect(server.removeTool('a')).toBe(false);
    const params = { _meta: { 'io.modelcontextprotocol/subscriptionId': expect.anything() as unknown } };
    expect(told).toEqual([
      { method: 'notifications/tools/list_changed', params },
      { method: 'notifications/tools/list_changed', params },
    ]);
    await subscription.close();
  });
});

describe('Tool Names', () => {
  const odd = [
    'a b',
    'a,b',
    'Załącznik/日本',
    'x'.repeat(129),
    '👩‍🚀',
    ' padded ',
    '=?base64?YQ==?=',
    '__proto__',
    'constructor',
  ];
  const plain = ['a', 'A', 'x'.repeat(128), 'admin.tools-list_2'];

  test.each(plain)('[TOOL-010] a plain name makes no noise: %s', (name) => {
    const warnings: string[] = [];
    const logger = { debug() {}, info() {}, warn: (message: string) => void warnings.push(message), error() {} };
    bare({ logger }).tool(name, {}, () => name);
    expect(warnings).toEqual([]);
  });

  test.each(odd.filter((name) => !/^[A-Za-z_]+$/.test(name)))(
    '[TOOL-010] another one is taken, with a warning: %s',
    (name) => {
      const warnings: string[] = [];
      const logger = { debug() {}, info() {}, warn: (message: string) => void warnings.push(message), error() {} };
      bare({ logger }).tool(name, {}, () => name);
      expect(warnings).toEqual([expect.stringContaining('1 to 128')]);
    },
  );

  overEveryLink(
    '[TOOL-010] each tool answers to exactly its name',
    {
      server: () => {
        const server = bare();
        for (const name of [...plain, ...odd]) server.tool(name, {}, () => `I am ${name}`);
        return server;
      },
    },
    async ({ client }) => {
      for (const name of [...plain, ...odd]) expect((await client.callTool(name)).text).toBe(`I am ${name}`);
      for (const name of ['B', 'toString', 'a ', 'hasOwnProperty'])
        expect(await rpcOf(client.callTool(name))).toMatchObject({ code: -32602 });
    },
  );

  test('[TOOL-010] a name is taken once', () => {
    const server = bare().tool('a', {}, () => 'first');
    expect(() => server.tool('a', {}, () => 'second')).toThrow(ArgumentError);
    server.removeTool('a');
    server.tool('a', {}, () => 'third');
  });

  test.each(['', undefined, null, 5])('a name that is none: %j', (name) => {
    expect(() => bare().tool(name as string, {}, () => 'a')).toThrow(ArgumentError);
  });
});

describe('x-mcp-header', () => {
  test.each<[string, JsonObject]>([
    ['no token', { properties: { a: { type: 'string', 'x-mcp-header': 'a b' } } }],
    [
      'twice',
      { properties: { a: { type: 'string', 'x-mcp-header': 'A' }, b: { type: 'string', 'x-mcp-header': 'a' } } },
    ],
    ['a number', { properties: { a: { type: 'number', 'x-mcp-header': 'A' } } }],
    ['not reached', { $defs: { a: { type: 'string', 'x-mcp-header': 'A' } } }],
    ['of several types', { properties: { a: { type: ['string', 'null'], 'x-mcp-header': 'A' } } }],
  ])('[HTTP-037 B-30] a tool with a wrong annotation is refused when it is added: %s', (_, schema) => {
    expect(() => bare().tool('t', { input: { type: 'object', ...schema } }, () => 'a')).toThrow(/x-mcp-header/);
  });
});
