/** server/prompts, the server's side, over every link; older revisions beside the newest where they differ. */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ArgumentError } from '../../../../src/base/errors.ts';
import type { JsonObject } from '../../../../src/base/json.ts';
import { silent } from '../../../../src/base/logger.ts';
import type { Client } from '../../../../src/client/client.ts';
import type { PromptReturn } from '../../../../src/server/prompt-result.ts';
import type { PromptDefinition } from '../../../../src/server/prompts.ts';
import { Server } from '../../../../src/server/server.ts';
import { gate } from '../../../support/http.ts';
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

function bare(): Server {
  return new Server({ name: 's', version: '1' });
}

function reviews(): Server {
  return bare()
    .prompt(
      'review',
      {
        title: 'Review',
        description: 'Reviews code.',
        icons,
        input: z.object({
          code: z.string().meta({ title: 'Code', description: 'What to review.' }),
          style: z.enum(['kind', 'strict']).optional(),
        }),
        _meta: { 'example.test/x': 1 },
      },
      ({ code, style = 'kind' }) => `Review ${code}, ${style}`,
    )
    .prompt('plain', {}, () => 'Hello');
}

const get = (client: Client, name: unknown, args?: unknown): Promise<JsonObject> =>
  client.sendRequest('prompts/get', { name, ...(args !== undefined && { arguments: args }) });

const text = (content: string, role = 'user') => ({ role, content: { type: 'text', text: content } });

describe('Capabilities', () => {
  overEveryLink('[PRM-001] prompts are declared with their changes', { server: reviews }, (linked) => {
    const prompts = isToldThere(linked) ? { listChanged: true } : {};
    expect(linked.client.capabilities['prompts']).toEqual(prompts);
  });

  overEveryLink(
    '[PRM-001 BUG-107] a server that never had one knows no such method',
    { server: bare },
    async ({ client }) => {
      expect(client.capabilities).not.toHaveProperty('prompts');
      expect(await rpcOf(client.sendRequest('prompts/list'))).toMatchObject({ code: -32601 });
      expect(await rpcOf(get(client, 'review'))).toMatchObject({ code: -32601 });
    },
  );

  overEveryLink(
    '[PRM-001] when all are gone the list is empty',
    { server: () => bare().prompt('a', {}, () => 'a') },
    async ({ client, server }) => {
      expect(server.removePrompt('a')).toBe(true);
      expect(server.removePrompt('a')).toBe(false);
      expect(await client.sendRequest('prompts/list')).toMatchObject({ prompts: [] });
      expect(await rpcOf(get(client, 'a'))).toMatchObject({ code: -32602 });
    },
  );
});

describe('Listing Prompts', () => {
  overEveryLink(
    '[PRM-002] all that was said of a prompt is listed, as far as the revision knows it',
    { server: reviews },
    async ({ client, revision }) => {
      const titled = revision >= '2025-06-18';
      const { prompts } = await client.sendRequest('prompts/list');
      expect(prompts).toStrictEqual([
        {
          name: 'review',
          description: 'Reviews code.',
          arguments: [
            { name: 'code', ...(titled && { title: 'Code' }), description: 'What to review.', required: true },
            { name: 'style' },
          ],
          ...(titled && { title: 'Review', _meta: { 'example.test/x': 1 } }),
          ...(revision >= '2025-11-25' && { icons }),
        },
        { name: 'plain' },
      ]);
    },
  );

  overEveryLink(
    '[PRM-002 CACHE-001] the list of the modern era has its kind, and says how long it holds',
    { server: reviews, revisions: modernRevisions },
    async ({ client }) => {
      const hints = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
      expect(await client.sendRequest('prompts/list')).toMatchObject(hints);
    },
  );

  test.each(links)('[PRM-001 CAP-012] the list does not depend on who asks, and after what (%s)', async (link) => {
    const server = reviews();
    const [first, second] = await Promise.all([
      openLink(link, '2026-07-28', server),
      openLink(link, '2026-07-28', server),
    ]);
    const fresh = await second.sendRequest('prompts/list');
    await get(first, 'plain');
    await rpcOf(get(first, 'nobody'));
    expect(await first.sendRequest('prompts/list')).toEqual(fresh);
  });

  test('arguments of plain JSON Schema; what is not said is left out', async () => {
    const input = {
      type: 'object',
      properties: {
        a: { type: 'string', description: 'A' },
        b: true,
        c: { enum: ['x'] },
        d: { type: ['string', 'null'] },
      },
      required: ['b'],
    };
    const client = await openLink(
      'direct',
      '2026-07-28',
      bare().prompt('p', { input }, () => ''),
    );
    expect((await client.sendRequest('prompts/list'))['prompts']).toEqual([
      {
        name: 'p',
        arguments: [{ name: 'a', description: 'A' }, { name: 'b', required: true }, { name: 'c' }, { name: 'd' }],
      },
    ]);
  });

  test('what cannot be a prompt is refused at once', () => {
    const server = reviews();
    const add =
      (name: unknown, definition: unknown = {}, handler: unknown = () => '') =>
      () =>
        server.prompt(name as string, definition as PromptDefinition, handler as () => string);
    for (const name of ['', 5, 'plain']) expect(add(name)).toThrow(ArgumentError);
    for (const input of [5, { type: 'string' }, { type: 'object', properties: { n: { type: 'number' } } }])
      expect(add('new', { input }), JSON.stringify(input)).toThrow(ArgumentError);
    for (const n of [z.number(), z.coerce.number()])
      expect(add('new', { input: z.object({ n }) })).toThrow(
        'prompt "new": arguments of prompts arrive as text, and "n" is to be "number": take text and make that of it',
      );
    expect(add('new', { input: { a: z.string() } })).toThrow('prompt "new": input: these are members, no schema');
    expect(add('new', { input: z.object({ n: z.date() }) })).toThrow(/^prompt "new": input: .*\(at "n"\)$/);
    expect(add('new', null)).toThrow(ArgumentError);
    expect(add('new', {}, 'text')).toThrow(ArgumentError);
    expect(add('new', { complete: { code: () => [] } })).toThrow('is for nothing that it takes');
    expect(add('new', { input: z.object({ code: z.string() }), complete: { code: [] } })).toThrow('not a function');
    expect(add('new', { _meta: { big: 1n } })).toThrow(ArgumentError);
  });
});

describe('Getting a Prompt', () => {
  overEveryLink(
    '[PRM-003 PRM-004] the arguments are filled in, as the schema gives them',
    { server: reviews },
    async ({ client, revision }) => {
      const result = await get(client, 'review', { code: 'x = 1', extra: 'ignored' });
      expect(result).toMatchObject({ description: 'Reviews code.', messages: [text('Review x = 1, kind')] });
      expect(result['resultType']).toBe(revision === '2026-07-28' ? 'complete' : undefined);
      expect(result).not.toHaveProperty('ttlMs');
      expect(await get(client, 'review', { code: 'y', style: 'strict' })).toMatchObject({
        messages: [text('Review y, strict')],
      });
    },
  );

  overEveryLink(
    '[PRM-003] no arguments at all, null and an empty object are the same',
    { server: reviews },
    async ({ client }) => {
      for (const args of [undefined, null, {}])
        expect((await get(client, 'plain', args))['messages']).toEqual([text('Hello')]);
    },
  );

  const image = { type: 'image' as const, data: 'AAEC', mimeType: 'image/png' };
  const resource = { type: 'resource' as const, resource: { uri: 'x://a', mimeType: 'text/plain', text: 'a' } };
  const returns: readonly (readonly [string, PromptReturn, unknown])[] = [
    ['text', 'hi', { messages: [text('hi')] }],
    ['no text', '', { messages: [text('')] }],
    ['a block', image, { messages: [{ role: 'user', content: image }] }],
    [
      'messages',
      [
        { role: 'user', content: { type: 'text', text: 'q' } },
        { role: 'assistant', content: resource },
      ],
      { messages: [text('q'), { role: 'assistant', content: resource }] },
    ],
    ['no messages', [], { messages: [] }],
    [
      'all of it',
      { description: 'own', messages: [{ role: 'user', content: image }], _meta: { a: 1 } },
      { description: 'own', messages: [{ role: 'user', content: image }], _meta: { a: 1 } },
    ],
  ];
  test.each(returns)('[PRM-004] a handler may give %s', async (_, value, result) => {
    const client = await openLink(
      'pipe',
      '2026-07-28',
      bare().prompt('p', {}, () => value),
    );
    expect(await get(client, 'p')).toMatchObject(result as JsonObject);
  });

  test.each([
    undefined,
    null,
    5,
    {},
    { type: 'movie' },
    { messages: 'none' },
    { messages: [5] },
    { messages: [{ role: 'system', content: { type: 'text', text: '' } }] },
    { messages: [{ role: 'user', content: 'text' }] },
    { messages: [{ role: 'user', content: [{ type: 'text', text: '' }] }] },
    { messages: [], description: 5 },
    { type: 'image', data: 'not base64', mimeType: 'image/png' },
    { type: 'audio', data: 'AAEC', mimeType: 'sound' },
    { type: 'resource', resource: { uri: 'x://a', blob: '?' } },
  ])('[PRM-007] a handler that gives %j is at fault, and the caller does not learn more', async (value) => {
    const errors: unknown[] = [];
    const logger = { ...silent, error: (line: string) => void errors.push(line) };
    const server = new Server({ name: 's', version: '1', logger }).prompt('p', {}, () => value as unknown as string);
    const client = await openLink('direct', '2026-07-28', server);
    expect(await rpcOf(get(client, 'p'))).toEqual({
      code: -32603,
      message: "internal error: the server's log says more",
    });
    expect(errors).toEqual([expect.stringMatching(/^prompt "p": /)]);
  });

  overEveryLink(
    '[PRM-004] content that a revision does not know comes as text',
    {
      server: () => bare().prompt('p', {}, () => ({ type: 'audio', data: 'AAEC', mimeType: 'audio/wav' })),
      revisions: legacyRevisions,
    },
    async ({ client, revision }) => {
      const content =
        revision === '2024-11-05'
          ? { type: 'text', text: '[audio: audio/wav]' }
          : { type: 'audio', data: 'AAEC', mimeType: 'audio/wav' };
      expect((await get(client, 'p'))['messages']).toEqual([{ role: 'user', content }]);
    },
  );
});

describe('Error Handling', () => {
  overEveryLink(
    '[PRM-005] an unknown prompt, arguments that are missing or do not fit: -32602',
    { server: reviews },
    async ({ client }) => {
      for (const [name, args] of [
        ['nobody', {}],
        [5, {}],
        [undefined, {}],
        ['review', undefined],
        ['review', {}],
        ['review', { code: 5 }],
        ['review', { code: 'x', style: 'rude' }],
        ['review', []],
        ['review', 'code'],
        ['plain', { any: 'x' }],
      ] as const)
        expect(await rpcOf(get(client, name, args)), JSON.stringify([name, args])).toMatchObject({ code: -32602 });
      expect((await rpcOf(get(client, 'review', {})))?.message).toMatch(/^invalid arguments: \/code/);
    },
  );

  overEveryLink(
    '[PRM-005] a handler that throws: -32603, and nothing of what it threw',
    {
      server: () =>
        bare()
          .prompt('sync', {}, () => {
            throw new Error('password: hunter2');
          })
          .prompt('async', {}, () => Promise.reject(new Error('/home/secret'))),
    },
    async ({ client }) => {
      for (const name of ['sync', 'async'])
        expect(await rpcOf(get(client, name))).toEqual({
          code: -32603,
          message: "internal error: the server's log says more",
        });
    },
  );
});

describe('List Changed Notification', () => {
  test.each(links)('[PRM-008 SUB-013] prompts that come and go are told, to those who asked (%s)', async (link) => {
    const server = reviews();
    const client = await openLink(link, '2026-07-28', server);
    let count = 0;
    for (const change of [() => void server.prompt('new', {}, () => ''), () => void server.removePrompt('new')]) {
      const told = gate<unknown>();
      const listening = await client.listen(
        { promptsListChanged: true },
        { onNotification: (note) => told.open(note) },
      );
      expect(listening.honored).toEqual({ promptsListChanged: true });
      server.tool(`t${count++}`, {}, () => '');
      change();
      expect(await told.opened).toMatchObject({ method: 'notifications/prompts/list_changed' });
      await listening.close();
    }
  });
});
