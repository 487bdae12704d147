/** What a client makes easier: several calls, any request, several listeners, hints of tools, kinds of content. */
import { describe, expect, test } from 'vitest';
import { AbortError, ArgumentError, RequestTimeoutError, RpcError, TransportError } from '../../src/base/errors.ts';
import type { JsonObject } from '../../src/base/json.ts';
import type { Client } from '../../src/client/client.ts';
import type { CallOptions } from '../../src/client/options.ts';
import { toolHints } from '../../src/client/tool-hints.ts';
import { connect } from '../../src/entry/index.node.ts';
import type { Revision, ToolAnnotations } from '../../src/model/types.ts';
import type { Note } from '../../src/ports/index.ts';
import { Server } from '../../src/server/server.ts';
import type { ScriptedHandler } from '../../src/testing/scripted.ts';
import { revisions } from '../../src/wire/index.ts';
import { askedOf, cameTo, openDeclaring, paramsTo } from '../support/features.ts';
import { legacyPeer, modernPeer, said } from '../support/http-peer.ts';
import { overEveryLink } from '../support/links.ts';
import { recorder } from '../support/stdio.ts';
import { useWorld } from '../support/world.ts';

const modern: Revision = '2026-07-28';
const tools = { tools: {} };
const world = useWorld();

const listing = (...listed: JsonObject[]): Record<string, ScriptedHandler> => ({
  'tools/list': () => ({ tools: listed }),
  'tools/call': ({ params }) => ({ content: [{ type: 'text', text: JSON.stringify(params?.['arguments']) }] }),
});

describe('several calls', () => {
  test.each([modern, '2025-11-25'] as const)('go out side by side, and come back in order (%s)', async (revision) => {
    const { client, server } = await openDeclaring(revision, tools);
    const calling = client.callTools([{ name: 'a', arguments: { n: 1 } }, { name: 'b' }, { name: 'c' }]);
    const [a, b, c] = [
      await server.expect('tools/call'),
      await server.expect('tools/call'),
      await server.expect('tools/call'),
    ];
    expect(paramsTo(server, 'tools/call')).toEqual([
      { name: 'a', arguments: { n: 1 } },
      { name: 'b', arguments: {} },
      { name: 'c', arguments: {} },
    ]);
    c.reply({ content: [{ type: 'text', text: 'third' }] });
    b.fail({ code: -32602, message: 'no such tool' });
    a.reply({ content: [{ type: 'text', text: 'first' }], isError: true });
    const [first, second, third] = await calling;
    expect(first).toMatchObject({ status: 'fulfilled', value: { isError: true, text: 'first' } });
    expect(second).toMatchObject({ status: 'rejected', reason: { rpc: { code: -32602 } } });
    expect(third).toMatchObject({ status: 'fulfilled', value: { isError: false, text: 'third' } });
  });

  test('none is a list of none, and one that cannot be called harms no other', async () => {
    const { client } = await openDeclaring(modern, tools, listing());
    expect(await client.callTools([])).toEqual([]);
    const [bad, good] = await client.callTools([{ name: 5 as unknown as string }, { name: 'a' }]);
    expect(bad).toMatchObject({ status: 'rejected', reason: { code: 'bad_argument' } });
    expect(good).toMatchObject({ status: 'fulfilled' });
  });
});

describe('any request and any notification', () => {
  test.each(revisions)('[SEED-201] goes to this server only, and gives what came (%s)', async (revision) => {
    const one = await openDeclaring(revision, tools, { 'x/custom': () => ({ b: 2 }) });
    const two = await openDeclaring(revision, tools);
    expect(await one.client.sendRequest('x/custom', { a: 1 })).toEqual({ b: 2 });
    expect(paramsTo(one.server, 'x/custom')).toEqual([{ a: 1 }]);
    expect(askedOf(two.server)).toEqual([]);
  });

  test('[SEED-201 SEED-279] a silent server is waited for as long as the call says', async () => {
    const { client, server } = await openDeclaring(modern, tools, {}, { clock: world.clock, timeoutMs: 30_000 });
    const failed = client.sendRequest('x/custom', { a: 1 }, { timeoutMs: 50 }).catch((error: unknown) => error);
    await server.expect('x/custom');
    let settled = false;
    void failed.then(() => (settled = true));
    await world.advance(49);
    expect(settled).toBe(false);
    await world.advance(1);
    const error = await failed;
    expect(error).toBeInstanceOf(RequestTimeoutError);
    expect(error).toBeInstanceOf(TransportError);
    expect(error).toMatchObject({ code: 'timeout', timeoutMs: 50 });
  });

  test('an error of the server is an RpcError', async () => {
    const { client } = await openDeclaring(modern, tools, {
      'x/custom': (request) => request.fail({ code: 5, message: 'no' }),
    });
    await expect(client.sendRequest('x/custom')).rejects.toBeInstanceOf(RpcError);
  });

  test.each(revisions)('[SEED-201] a notification (%s)', async (revision) => {
    const { client, server } = await openDeclaring(revision, tools);
    await client.sendNotification('x/told', { a: 1 });
    expect(await server.expectNote('x/told')).toMatchObject({ method: 'x/told', params: { a: 1 } });
    await client.sendNotification('x/bare');
    const bare = { jsonrpc: '2.0', method: 'x/bare' };
    const meta = { 'io.modelcontextprotocol/protocolVersion': revision };
    const expected = client.isModern ? { ...bare, params: { _meta: expect.objectContaining(meta) } } : bare;
    expect(await server.expectNote('x/bare')).toEqual(expected);
  });

  test('[SEED-201] a notification over modern HTTP says what requests say, in its headers too', async () => {
    const peer = await modernPeer({ 'x/told': (turn) => turn.send(202) });
    const client = await connect(peer.url);
    await client.sendNotification('x/told', { a: 1, _meta: { 'x.test/own': 1 } });
    const [note] = peer.of('x/told');
    expect(note?.message).not.toHaveProperty('id');
    expect(note?.params).toMatchObject({ a: 1, _meta: { 'x.test/own': 1 } });
    expect(note?.meta['io.modelcontextprotocol/protocolVersion']).toBe(modern);
    expect(note?.headers).toMatchObject({ 'mcp-protocol-version': modern, 'mcp-method': 'x/told' });
    await client.close();
  });

  overEveryLink(
    '[SEED-201] a notification is taken by the server',
    { server: () => new Server({ name: 's', version: '1' }) },
    async ({ client }) => {
      await client.sendNotification('x/told', { a: 1 });
      expect(await client.listTools()).toEqual([]);
    },
  );

  test('[SEED-201] a notification in a legacy session over HTTP', async () => {
    const peer = await legacyPeer();
    const client = await connect(peer.url);
    await client.sendNotification('x/told', { a: 1 });
    expect(peer.of('x/told')).toMatchObject([{ params: { a: 1 }, headers: { 'mcp-session-id': 's-1' } }]);
    await client.close();
    await expect(client.sendNotification('x/told')).rejects.toMatchObject({ code: 'connection', origin: 'local' });
  });
});

describe('giving up', () => {
  const everything = {
    tools: {},
    resources: { subscribe: true },
    prompts: {},
    completions: {},
    logging: {},
  };
  const calls: [string, (client: Client, options: CallOptions) => Promise<unknown>][] = [
    ['tools/list', (client, options) => client.listTools(options)],
    ['tools/call', (client, options) => client.callTool('t', {}, options)],
    ['resources/list', (client, options) => client.listResources(options)],
    ['resources/templates/list', (client, options) => client.listResourceTemplates(options)],
    ['resources/read', (client, options) => client.readResource('x:a', options)],
    ['resources/subscribe', (client, options) => client.subscribeResource('x:a', options)],
    ['resources/unsubscribe', (client, options) => client.unsubscribeResource('x:a', options)],
    ['prompts/list', (client, options) => client.listPrompts(options)],
    ['prompts/get', (client, options) => client.getPrompt('p', {}, options)],
    [
      'completion/complete',
      (client, options) => client.complete({ type: 'ref/prompt', name: 'p' }, { name: 'a', value: '' }, options),
    ],
    ['logging/setLevel', (client, options) => client.setLogLevel('debug', options)],
    ['ping', (client, options) => client.ping(options)],
    ['x/custom', (client, options) => client.sendRequest('x/custom', {}, options)],
  ];

  test.each(calls)('%s by a signal: the server is told, nothing is left', async (method, call) => {
    const controller = world.abortController();
    const { client, server } = await openDeclaring('2025-11-25', everything, {}, { clock: world.clock });
    const failed = call(client, { signal: controller.signal }).catch((error: unknown) => error);
    const request = await server.expect(method);
    controller.abort();
    expect(await failed).toBeInstanceOf(AbortError);
    expect(await server.expectNote('notifications/cancelled')).toMatchObject({ params: { requestId: request.id } });
    await world.advance(1_000);
    expect(world.clock.pendingMs).toEqual([]);
  });

  test.each(calls)('%s by its time', async (method, call) => {
    const { client, server } = await openDeclaring('2025-11-25', everything, {}, { clock: world.clock });
    const failed = call(client, { timeoutMs: 50 }).catch((error: unknown) => error);
    await server.expect(method);
    await world.advance(50);
    expect(await failed).toBeInstanceOf(RequestTimeoutError);
  });
});

describe('listeners', () => {
  test('[SEED-489] each is called once, in order; one that leaves leaves the other', async () => {
    const heard: string[] = [];
    const { client, server } = await openDeclaring('2025-11-25', tools, listing(), {
      onNotification: ({ method }) => heard.push(`option ${method}`),
    });
    const listener = ({ method }: Note): void => void heard.push(`one ${method}`);
    const leave = client.onNotification(listener);
    client.onNotification(({ method }) => heard.push(`two ${method}`));
    server.notify('x/1');
    await client.listTools();
    expect(heard.splice(0)).toEqual(['option x/1', 'one x/1', 'two x/1']);
    leave();
    leave();
    server.notify('x/2');
    await client.listTools();
    expect(heard.splice(0)).toEqual(['option x/2', 'two x/2']);
    // The same function twice is two listeners.
    client.onNotification(listener);
    const again = client.onNotification(listener);
    again();
    server.notify('x/3');
    await client.listTools();
    expect(heard).toEqual(['option x/3', 'two x/3', 'one x/3']);
  });

  test('[SEED-489] a change of the list of tools is heeded as well', async () => {
    const heard: string[] = [];
    const { client, server } = await openDeclaring('2025-11-25', tools, {
      ...listing({ name: 't', inputSchema: { type: 'object', required: ['a'] } }),
    });
    client.onNotification(({ method }) => heard.push(method));
    await client.listTools();
    await expect(client.callTool('t')).rejects.toBeInstanceOf(ArgumentError);
    server.notify('notifications/tools/list_changed');
    await client.sendRequest('tools/list');
    expect(heard).toEqual(['notifications/tools/list_changed']);
    // Nothing is known of the tool any more.
    expect((await client.callTool('t')).text).toBe('{}');
  });

  test('one that throws or comes or goes meanwhile changes nothing for the others', async () => {
    const heard: string[] = [];
    const logger = recorder();
    const { client, server } = await openDeclaring('2025-11-25', tools, listing(), { logger });
    client.onNotification(() => {
      leave();
      client.onNotification(() => heard.push('late'));
      throw new Error('oops');
    });
    const leave = client.onNotification(() => heard.push('second'));
    server.notify('x/1');
    await client.listTools();
    expect(heard).toEqual(['second']);
    expect(logger.of('error')).toEqual(['onNotification threw']);
  });
});

describe('hints of a tool', () => {
  const defaults = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true };

  test.each([undefined, {}, { title: 'x', readOnlyHint: 'yes', destructiveHint: null }])(
    '[SEED-193 TOOL-012] what is not said has a default: %j',
    (annotations) => {
      expect(toolHints({ annotations: annotations as ToolAnnotations })).toStrictEqual(defaults);
      expect(toolHints({})).toStrictEqual(defaults);
    },
  );

  test.each([
    [{ readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }, {}],
    [{ readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true }, {}],
  ])('[SEED-193] what is said counts: %j', (annotations) => {
    expect(toolHints({ annotations })).toStrictEqual(annotations);
  });

  test('[SEED-193] old names are read, new ones before them', () => {
    const old = { readOnly: true, destructive: false, requiresConfirmation: true } as ToolAnnotations;
    expect(toolHints({ annotations: old })).toStrictEqual({
      ...defaults,
      readOnlyHint: true,
      destructiveHint: false,
      requiresConfirmation: true,
    });
    const odd = { ...old, readOnlyHint: 'no' as unknown as boolean };
    expect(toolHints({ annotations: odd }).readOnlyHint).toBe(true);
    expect(toolHints({ annotations: { ...old, readOnlyHint: false, destructiveHint: true } })).toStrictEqual({
      ...defaults,
      requiresConfirmation: true,
    });
  });
});

describe('arguments of a tool', () => {
  const tool = {
    name: 't',
    inputSchema: { type: 'object', properties: { a: {}, b: {} }, required: ['a', 'b', 5] },
  };

  test.each(revisions)('[SEED-192] those that are required and not there: nothing is sent (%s)', async (revision) => {
    const { client, server } = await openDeclaring(revision, tools, listing(tool));
    await client.listTools();
    const failed = await client.callTool('t', { a: undefined, c: 1 }).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(ArgumentError);
    expect(failed).toMatchObject({
      code: 'bad_argument',
      message: 'tool "t" needs arguments that are not there: a, b',
    });
    await expect(client.callTool('t', { a: 1 })).rejects.toThrow('not there: b');
    expect(askedOf(server)).toEqual(['tools/list']);
  });

  test('[SEED-192] whether they are right is for the server to say', async () => {
    const { client, server } = await openDeclaring(modern, tools, listing(tool));
    // Nothing is known of the tool.
    await client.callTool('t', {});
    await client.listTools();
    await client.callTool('t', { a: null, b: [], c: 1 });
    // The raw way is not looked at.
    await client.sendRequest('tools/call', { name: 't' });
    expect(paramsTo(server, 'tools/call')).toHaveLength(3);
  });

  test('what is known of a tool outlives a list that did not begin at the beginning', async () => {
    const { client, server } = await openDeclaring(modern, tools, {
      ...listing(),
      'tools/list': ({ params }) => ({ tools: params?.['cursor'] === undefined ? [tool] : [] }),
    });
    await client.listTools();
    expect(await client.listTools({ cursor: '2' })).toEqual([]);
    await expect(client.callTool('t')).rejects.toBeInstanceOf(ArgumentError);
    expect(paramsTo(server, 'tools/call')).toEqual([]);
  });

  test.each([{}, { required: null }, { required: 'a' }, { required: [] }, { required: [{}, null] }])(
    'a schema that is odd requires nothing: %j',
    async (odd) => {
      const { client } = await openDeclaring(modern, tools, listing({ name: 't', inputSchema: odd }));
      await client.listTools();
      expect((await client.callTool('t')).text).toBe('{}');
    },
  );

  test.each(revisions)('[SEED-200] _meta among them is meant for the request (%s)', async (revision) => {
    const { client, server } = await openDeclaring(revision, tools, listing());
    const args = { a: 1, _meta: { 'x.test/trace': 'abc' } };
    await client.callTool('t', args);
    const [{ params } = {}] = cameTo(server, 'tools/call');
    expect(params).toMatchObject({ name: 't', arguments: { a: 1 }, _meta: { 'x.test/trace': 'abc' } });
    expect((params as JsonObject)['arguments']).toStrictEqual({ a: 1 });
    expect(args).toEqual({ a: 1, _meta: { 'x.test/trace': 'abc' } });
  });

  test('[SEED-200] over HTTP too, and what the protocol says stays', async () => {
    for (const peer of [await modernPeer({ 'tools/call': () => said('x') }), await legacyPeer()]) {
      const client = await connect(peer.url);
      const own = { 'x.test/trace': 'abc', 'io.modelcontextprotocol/protocolVersion': '1999-01-01' };
      await client.callTool('echo', { a: 1, _meta: own });
      const [call] = peer.of('tools/call');
      expect(call?.params['arguments']).toEqual({ a: 1 });
      expect(call?.meta['x.test/trace']).toBe('abc');
      if (client.isModern) expect(call?.meta['io.modelcontextprotocol/protocolVersion']).toBe(modern);
      await client.close();
    }
  });

  test.each([null, 'abc', 5, []])('[SEED-200] a _meta that is no object is not sent: %j', async (_meta) => {
    const { client, server } = await openDeclaring(modern, tools, listing());
    await expect(client.callTool('t', { _meta })).rejects.toBeInstanceOf(ArgumentError);
    expect(askedOf(server)).toEqual([]);
  });
});

describe('content', () => {
  const blocks = {
    text: { type: 'text', text: 'a' },
    image: { type: 'image', data: 'AA==', mimeType: 'image/png' },
    audio: { type: 'audio', data: 'AA==', mimeType: 'audio/wav' },
    link: { type: 'resource_link', uri: 'x:l', name: 'l', size: 5 },
    embedded: { type: 'resource', resource: { uri: 'x:b', blob: 'AAEC' } },
  };

  test.each(revisions)('[SEED-197] of every kind by its kind (%s)', async (revision) => {
    const content = [...Object.values(blocks), { type: 'text', text: 'b' }];
    const { client } = await openDeclaring(revision, tools, { 'tools/call': () => ({ content }) });
    const result = await client.callTool('t');
    expect(result.text).toBe('a\nb');
    expect(result.images).toEqual([blocks.image]);
    expect(result.audio).toEqual([blocks.audio]);
    expect(result.links).toEqual([blocks.link]);
    expect(result.resources).toMatchObject([{ uri: 'x:b', isBinary: true, blob: 'AAEC' }]);
    expect(result.resources[0]?.bytes).toEqual(new Uint8Array([0, 1, 2]));
    expect(result.content).toEqual(content);
  });
});
