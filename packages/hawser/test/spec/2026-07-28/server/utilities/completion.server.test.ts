/** server/utilities/completion, the server's side, over every link. */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { JsonObject } from '../../../../../src/base/json.ts';
import { silent, type Logger } from '../../../../../src/base/logger.ts';
import type { Client } from '../../../../../src/client/client.ts';
import type { Completer, CompletionContext } from '../../../../../src/server/completion.ts';
import { Server } from '../../../../../src/server/server.ts';
import { gate } from '../../../../support/http.ts';
import { openLink, overEveryLink } from '../../../../support/links.ts';
import { rpcOf } from '../../../../support/rpc.ts';

const location = 'location://{country}/{city}';
const cities: Record<string, string[]> = { fr: ['Paris', 'Pau', 'Lyon'], no: ['Oslo'] };
const cityRef = { type: 'ref/resource', uri: location };
const greetRef = { type: 'ref/prompt', name: 'greet' };

const byCountry: Completer = (value, { arguments: { country = '' } }) =>
  (cities[country] ?? ['anywhere']).filter((city) => city.startsWith(value));

function served(): Server {
  return new Server({ name: 's', version: '1' })
    .template(location, { name: 'location', complete: { city: byCountry } }, () => '')
    .resource('x://plain', { name: 'plain' }, () => '')
    .prompt(
      'greet',
      {
        input: z.object({ name: z.string(), how: z.string().optional() }),
        complete: { name: async (value) => Promise.resolve([`${value}1`, `${value}2`]) },
      },
      () => '',
    )
    .prompt('bare', {}, () => '');
}

function completes(completer: Completer, logger: Logger = silent): Server {
  return new Server({ name: 's', version: '1', logger }).prompt(
    'greet',
    { input: z.object({ name: z.string() }), complete: { name: completer } },
    () => '',
  );
}

async function complete(client: Client, ref: unknown, argument: unknown, context?: unknown): Promise<JsonObject> {
  const params = { ref, argument, ...(context !== undefined && { context }) };
  return (await client.sendRequest('completion/complete', params))['completion'] as JsonObject;
}

describe('Capabilities', () => {
  overEveryLink('[CMP-001 BUG-153] declared while something completes', { server: served }, ({ client }) => {
    expect(client.capabilities).toMatchObject({ completions: {} });
  });

  overEveryLink(
    '[CMP-001 BUG-153] without a completer it is not declared, and -32601',
    {
      server: () =>
        new Server({ name: 's', version: '1' }).prompt('greet', { input: z.object({ name: z.string() }) }, () => ''),
    },
    async ({ client }) => {
      expect(client.capabilities).not.toHaveProperty('completions');
      expect(await rpcOf(complete(client, greetRef, { name: 'name', value: '' }))).toMatchObject({ code: -32601 });
    },
  );

  test('with the last completer the capability goes', async () => {
    const server = served();
    const declared = async () => (await openLink('direct', '2026-07-28', server)).capabilities;
    server.removePrompt('bare');
    server.removePrompt('greet');
    expect(await declared()).toHaveProperty('completions');
    server.removeTemplate(location);
    expect(await declared()).not.toHaveProperty('completions');
  });
});

describe('Reference Types', () => {
  overEveryLink(
    '[CMP-002 BUG-153] a template is named by its URI template, and what is filled in already is passed on',
    { server: served },
    async ({ client }) => {
      expect(await complete(client, cityRef, { name: 'city', value: 'P' }, { arguments: { country: 'fr' } })).toEqual({
        values: ['Paris', 'Pau'],
        total: 2,
        hasMore: false,
      });
      for (const context of [undefined, {}, { arguments: {} }])
        expect(await complete(client, cityRef, { name: 'city', value: 'a' }, context)).toMatchObject({
          values: ['anywhere'],
        });
    },
  );

  overEveryLink('[CMP-002 BUG-153] a prompt is named by its name', { server: served }, async ({ client, revision }) => {
    const ref = { ...greetRef, title: 'Greet' };
    const result = await client.sendRequest('completion/complete', { ref, argument: { name: 'name', value: 'b' } });
    expect(result).toMatchObject({ completion: { values: ['b1', 'b2'], total: 2, hasMore: false } });
    expect(result['resultType']).toBe(revision === '2026-07-28' ? 'complete' : undefined);
    expect(result).not.toHaveProperty('ttlMs');
  });

  overEveryLink(
    '[BUG-153] nothing completes this argument, or there is no such argument: no values',
    { server: served },
    async ({ client }) => {
      const none = { values: [], total: 0, hasMore: false };
      for (const [ref, name] of [
        [greetRef, 'how'],
        [greetRef, 'nobody'],
        [greetRef, '__proto__'],
        [cityRef, 'country'],
        [{ type: 'ref/prompt', name: 'bare' }, 'x'],
        [{ type: 'ref/resource', uri: 'x://plain' }, 'x'],
      ] as const)
        expect(await complete(client, ref, { name, value: '' })).toEqual(none);
    },
  );

  test('the caller and its cancellation are passed on', async () => {
    const seen = gate<CompletionContext>();
    const over = gate();
    const server = completes(async (_, context) => {
      seen.open(context);
      await over.opened;
      return [];
    });
    const client = await openLink('pipe', '2026-07-28', server, { clientInfo: { name: 'me', version: '1' } });
    const leaving = new AbortController();
    const params = { ref: greetRef, argument: { name: 'name', value: '' } };
    const asking = client.sendRequest('completion/complete', params, { signal: leaving.signal });
    const { caller, signal } = await seen.opened;
    expect([caller.clientInfo?.name, signal.aborted]).toEqual(['me', false]);
    const aborted = new Promise((resolve) => {
      signal.addEventListener('abort', resolve);
    });
    leaving.abort();
    await expect(asking).rejects.toMatchObject({ code: 'aborted' });
    await aborted;
    over.open();
  });
});

describe('Completion Results', () => {
  const many = Array.from({ length: 250 }, (_, at) => `v${at}`);
  const answers: readonly (readonly [string, ReturnType<Completer>, JsonObject])[] = [
    ['of 250 the first 100, and how many there are', many, { values: many.slice(0, 100), total: 250, hasMore: true }],
    ['100 are all', many.slice(0, 100), { values: many.slice(0, 100), total: 100, hasMore: false }],
    ['101 are one too many', many.slice(0, 101), { values: many.slice(0, 100), total: 101, hasMore: true }],
    ['what the author says of the rest', { values: ['a'], total: 9 }, { values: ['a'], total: 9, hasMore: true }],
    ['that there are more', { values: ['a'], hasMore: true }, { values: ['a'], hasMore: true }],
    ['that these are all', { values: ['a'], hasMore: false }, { values: ['a'], total: 1, hasMore: false }],
    ['a total that cannot be', { values: ['a', 'b'], total: 1 }, { values: ['a', 'b'], total: 2, hasMore: false }],
    ['none', [], { values: [], total: 0, hasMore: false }],
  ];
  test.each(answers)('[CMP-003 BUG-153] %s', async (_, answer, completion) => {
    const client = await openLink(
      'pipe',
      '2026-07-28',
      completes(() => answer),
    );
    expect(await complete(client, greetRef, { name: 'name', value: '' })).toEqual(completion);
  });
});

describe('Error Handling', () => {
  overEveryLink(
    '[CMP-004 BUG-153] an unknown reference, or params that are none: -32602',
    { server: served },
    async ({ client }) => {
      const argument = { name: 'name', value: '' };
      const wrong: readonly (readonly [unknown, unknown, unknown?])[] = [
        [{ type: 'ref/prompt', name: 'nobody' }, argument],
        [{ type: 'ref/prompt', name: '__proto__' }, argument],
        [{ type: 'ref/resource', uri: 'location://{a}/{b}' }, argument],
        [{ type: 'ref/resource', uri: 'location://fr/Paris' }, argument],
        [{ type: 'ref/resource', name: 'location' }, argument],
        [{ type: 'ref/prompt', uri: 'greet' }, argument],
        [{ type: 'ref/tool', name: 'greet' }, argument],
        ['greet', argument],
        [undefined, argument],
        [greetRef, undefined],
        [greetRef, { name: 'name' }],
        [greetRef, { name: 5, value: '' }],
        [greetRef, { name: 'name', value: 5 }],
        [greetRef, argument, 5],
        [greetRef, argument, null],
        [greetRef, argument, { arguments: [] }],
        [greetRef, argument, { arguments: { a: 5 } }],
      ];
      for (const [ref, given, context] of wrong)
        expect(await rpcOf(complete(client, ref, given, context)), JSON.stringify([ref, given, context])).toMatchObject(
          {
            code: -32602,
          },
        );
    },
  );

  overEveryLink(
    '[CMP-005 BUG-153] a completer that throws: -32603, and nothing of what it threw',
    {
      server: () =>
        completes(
          () => {
            throw new Error('password: hunter2');
          },
          { ...silent, error: () => undefined },
        ),
    },
    async ({ client }) => {
      const asking = complete(client, greetRef, { name: 'name', value: '' });
      expect(await rpcOf(asking)).toEqual({ code: -32603, message: "internal error: the server's log says more" });
    },
  );

  test.each([5, 'text', null, undefined, {}, [1], { values: 'a' }, { values: [null] }])(
    'one that gives %j is at fault, which the log says',
    async (answer) => {
      const errors: unknown[] = [];
      const logger = { ...silent, error: (line: string) => void errors.push(line) };
      const client = await openLink(
        'direct',
        '2026-07-28',
        completes(() => answer as unknown as string[], logger),
      );
      const asking = complete(client, greetRef, { name: 'name', value: '' });
      expect(await rpcOf(asking)).toEqual({ code: -32603, message: "internal error: the server's log says more" });
      expect(errors).toEqual([expect.stringContaining('it is no list of strings')]);
    },
  );
});
