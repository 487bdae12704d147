/** Reading resources, and hearing of their changes in the legacy way. */
import { describe, expect, test } from 'vitest';
import {
  ArgumentError,
  CapabilityError,
  InvalidResponseError,
  ResourceNotFoundError,
  RpcError,
} from '../../src/base/errors.ts';
import type { JsonObject } from '../../src/base/json.ts';
import { decodeBase64 } from '../../src/client/content.ts';
import { connect } from '../../src/entry/index.node.ts';
import type { Note } from '../../src/ports/index.ts';
import type { Revision } from '../../src/model/types.ts';
import type { ScriptedHandler } from '../../src/testing/scripted.ts';
import { revisions } from '../../src/wire/index.ts';
import { askedOf, openDeclaring, paramsTo } from '../support/features.ts';
import { described, modernPeer } from '../support/http-peer.ts';
import { legacyRevisions } from '../support/links.ts';

const modern = '2026-07-28';
const resources = { resources: { subscribe: true } };

const reading = (contents: unknown, revision: Revision = modern) =>
  openDeclaring(revision, resources, { 'resources/read': () => ({ contents }) });

const failing =
  (error: { code: number; message: string; data?: unknown }): ScriptedHandler =>
  (request) =>
    request.fail(error);

describe('what is read', () => {
  test.each(revisions)('[SEED-196] text and bytes, in order, and all as it came (%s)', async (revision) => {
    const contents = [
      { uri: 'x:a', mimeType: 'text/plain', text: 'grün' },
      { uri: 'x:b', mimeType: 'application/octet-stream', blob: 'AAEC', _meta: { own: 1 } },
      { uri: 'x:c', text: '' },
    ];
    const { client, server } = await reading(contents, revision);
    const result = await client.readResource('x:a');
    expect(paramsTo(server, 'resources/read')).toEqual([{ uri: 'x:a' }]);
    expect(result.contents.map(({ uri, mimeType, isText, isBinary }) => [uri, mimeType, isText, isBinary])).toEqual([
      ['x:a', 'text/plain', true, false],
      ['x:b', 'application/octet-stream', false, true],
      ['x:c', undefined, true, false],
    ]);
    expect(result.contents.map(({ text, blob }) => [text, blob])).toEqual([
      ['grün', undefined],
      [undefined, 'AAEC'],
      ['', undefined],
    ]);
    expect(result.text).toBe('grün\n');
    expect(result.bytes(1)).toEqual(new Uint8Array([0, 1, 2]));
    expect(result.bytes()).toEqual(new TextEncoder().encode('grün'));
    expect(result.contents[1]?.bytes).toEqual(new Uint8Array([0, 1, 2]));
    expect(result.contents[1]?.raw).toEqual(contents[1]);
    expect(result.raw).toEqual({ contents });
  });

  test('[BUG-159] no contents are no error', async () => {
    const { client } = await reading([]);
    const result = await client.readResource('x:empty');
    expect([result.contents, result.text]).toEqual([[], '']);
    expect(() => result.bytes()).toThrow(ArgumentError);
    expect(() => result.bytes()).toThrow('there are 0 contents, none at 0');
  });

  test.each(['!', 'AAE', '=', 'A-_A'])(
    'bytes that are not base64 are an error of whoever looks at them: %s',
    async (blob) => {
      const { client } = await reading([
        { uri: 'x:a', text: 'fine' },
        { uri: 'x:b', blob },
      ]);
      const result = await client.readResource('x:a');
      expect(result.text).toBe('fine');
      if (blob === 'AAE') return expect(result.bytes(1)).toEqual(new Uint8Array([0, 1]));
      expect(() => result.bytes(1)).toThrow(InvalidResponseError);
      expect(() => result.contents[1]?.bytes).toThrow('not base64');
    },
  );

  test('every byte can be carried', () => {
    const all = Uint8Array.from({ length: 256 }, (_, at) => at);
    expect(decodeBase64(btoa(String.fromCharCode(...all)))).toEqual(all);
    expect(decodeBase64('')).toEqual(new Uint8Array());
  });

  test.each([undefined, null, {}, [{ text: 'no uri' }], [{ uri: 'x:a' }], [null]])(
    'contents %j are none',
    async (contents) => {
      const { client } = await reading(contents);
      await expect(client.readResource('x:a')).rejects.toBeInstanceOf(InvalidResponseError);
    },
  );

  test('a URI that is no text is not asked for', async () => {
    const { client, server } = await reading([]);
    await expect(client.readResource(5 as unknown as string)).rejects.toBeInstanceOf(ArgumentError);
    expect(askedOf(server)).toEqual([]);
  });

  test('a content that is both is text', async () => {
    const { client } = await reading([{ uri: 'x:a', text: 'T', blob: 'AAEC' }]);
    const [content] = (await client.readResource('x:a')).contents;
    expect(content).toMatchObject({ isText: true, isBinary: false, text: 'T', blob: undefined });
    expect(content?.bytes).toEqual(new TextEncoder().encode('T'));
  });

  test('[HTTP-026 HTTP-027] the URI is repeated in Mcp-Name', async () => {
    const peer = await modernPeer({
      'server/discover': () => ({ ...described, capabilities: resources }),
      'resources/read': () => ({ resultType: 'complete', contents: [] }),
    });
    const client = await connect(peer.url);
    await client.readResource('x:ä');
    expect(peer.of('resources/read')[0]?.headers['mcp-name']).toBe(`=?base64?${btoa('x:Ã¤')}?=`);
    await client.close();
  });

  test('[BUG-107] a server without resources is not asked', async () => {
    const { client, server } = await openDeclaring(modern, { tools: {} });
    await expect(client.readResource('x:a')).rejects.toBeInstanceOf(CapabilityError);
    expect(askedOf(server)).toEqual([]);
  });
});

describe('a resource that is not there', () => {
  test.each([
    ['no uri', undefined, false],
    ['no uri', { uri: 'other' }, false],
    ['no uri', { uri: 'no uri' }, true],
    ['x:y', undefined, true],
  ])('-32602 for %j with %j may mean something else', async (uri, data, missing) => {
    const error = { code: -32602, message: 'no', ...(data && { data }) };
    const { client } = await openDeclaring(modern, resources, { 'resources/read': failing(error) });
    const thrown: unknown = await client.readResource(uri).catch((each: unknown) => each);
    expect(thrown).toMatchObject({ code: missing ? 'resource_not_found' : 'rpc_error', rpc: { code: -32602 } });
  });

  const gone = (code: number) => ({ code, message: 'Resource not found', data: { uri: 'x:nope' } });

  test.each([...revisions.map((revision) => [revision, -32002] as const), [modern, -32602] as const])(
    '[SEED-199 RES-008 BUG-159] is the same error in %s by %i',
    async (revision, code) => {
      const { client } = await openDeclaring(revision, resources, { 'resources/read': failing(gone(code)) });
      const error = await client.readResource('x:nope').catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(ResourceNotFoundError);
      expect(error).toMatchObject({
        code: 'resource_not_found',
        origin: 'peer',
        outcome: 'refused',
        uri: 'x:nope',
        rpc: gone(code),
        data: { uri: 'x:nope' },
        message: 'there is no resource x:nope',
      });
      expect((error as Error).cause).toBeInstanceOf(RpcError);
    },
  );

  test.each([
    ...legacyRevisions.map((revision) => [revision, -32602] as const),
    [modern, -32603] as const,
    [modern, 0] as const,
    [modern, -32001] as const,
  ])('other errors stay what they are: in %s %i', async (revision, code) => {
    const { client } = await openDeclaring(revision, resources, { 'resources/read': failing(gone(code)) });
    const error = await client.readResource('x:nope').catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RpcError);
    expect(error).toMatchObject({ rpc: { code } });
  });

  test('its error shows no more of the URI than can be printed', async () => {
    const uri = `x:\u001b[31m${'a'.repeat(1_000)}`;
    const { client } = await openDeclaring(modern, resources, { 'resources/read': failing(gone(-32602)) });
    const error = (await client.readResource(uri).catch((thrown: unknown) => thrown)) as ResourceNotFoundError;
    expect(error.uri).toBe(uri);
    expect(error.message).toContain('x:\\x1b[31m');
    expect(error.message.length).toBeLessThan(300);
  });

  test('-32602 to another request is what it is', async () => {
    const { client } = await openDeclaring(modern, { prompts: {} }, { 'prompts/get': failing(gone(-32602)) });
    await expect(client.getPrompt('p')).rejects.toBeInstanceOf(RpcError);
  });
});

describe('hearing of changes in the legacy way', () => {
  const watched = { 'resources/subscribe': () => ({}), 'resources/unsubscribe': () => ({}) };

  test.each(legacyRevisions)('a subscription, what it brings, and its end (%s)', async (revision) => {
    const notes: Note[] = [];
    const { client, server } = await openDeclaring(revision, resources, watched, {
      onNotification: (note) => notes.push(note),
    });
    await client.subscribeResource('x:a');
    expect(paramsTo(server, 'resources/subscribe')).toEqual([{ uri: 'x:a' }]);
    server.notify('notifications/resources/updated', { uri: 'x:a' });
    await client.unsubscribeResource('x:a');
    expect(paramsTo(server, 'resources/unsubscribe')).toEqual([{ uri: 'x:a' }]);
    expect(notes).toEqual([{ method: 'notifications/resources/updated', params: { uri: 'x:a' } }]);
  });

  test('[SEED-198] one server hears nothing of a subscription at another', async () => {
    const one = await openDeclaring('2025-11-25', resources, watched);
    const two = await openDeclaring('2025-11-25', resources, watched);
    await one.client.subscribeResource('x:a');
    expect(askedOf(one.server)).toEqual(['resources/subscribe']);
    expect(askedOf(two.server)).toEqual([]);
  });

  test.each<[Revision, JsonObject]>([
    [modern, resources],
    ['2025-11-25', { resources: {} }],
    ['2025-11-25', { tools: {} }],
  ])('[BUG-107] is not asked of a server that has none: %s, %j', async (revision, capabilities) => {
    const { client, server } = await openDeclaring(revision, capabilities, watched);
    for (const asked of [client.subscribeResource('x:a'), client.unsubscribeResource('x:a')])
      await expect(asked).rejects.toBeInstanceOf(CapabilityError);
    expect(askedOf(server)).toEqual([]);
  });

  test('the error of the server is the caller’s', async () => {
    const { client } = await openDeclaring('2025-11-25', resources, {
      'resources/subscribe': failing({ code: -32002, message: 'no' }),
    });
    await expect(client.subscribeResource('x:a')).rejects.toMatchObject({ rpc: { code: -32002 } });
  });
});
