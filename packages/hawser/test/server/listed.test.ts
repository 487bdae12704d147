/** `resources/list` where templates list resources of their own. */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import type { Caller, Note, Reply } from '../../src/ports/index.ts';
import type { Context } from '../../src/server/context.ts';
import { Server } from '../../src/server/server.ts';
import { accept, exchangeWith, legacyOn, linkTo, toolCall } from '../support/rounds.ts';
import { recorder } from '../support/stdio.ts';

const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };

function list(server: Server, more: JsonObject = {}): Promise<Reply> {
  const params = { ...more, _meta: { ...(toolCall('').params as { _meta: JsonObject })._meta, progressToken: 1 } };
  return linkTo(server, 'direct').request({ method: 'resources/list', params });
}

const urisOf = ({ result }: Reply): unknown[] =>
  (result as { resources: JsonObject[] }).resources.map(({ uri }) => uri);

describe('a list has no rounds', () => {
  const ways: Record<string, (ctx: Context) => unknown> = {
    elicit: (ctx) => ctx.elicit('n', { message: 'm', schema }),
    tryElicit: (ctx) => ctx.tryElicit('n', { message: 'm', schema }),
    sample: (ctx) => ctx.sample('n', { messages: [], maxTokens: 1 }),
    roots: (ctx) => ctx.roots(),
    ask: (ctx) => ctx.ask({ n: { message: 'm', schema } }),
    step: (ctx) => ctx.step('n', () => 1),
  };

  function asking(way: (ctx: Context) => unknown) {
    const logger = recorder();
    const seen: unknown[] = [];
    const server = new Server({ name: 's', version: '1', logger });
    server.template(
      'x://{a}',
      {
        name: 'x',
        list: async (ctx) => {
          seen.push(ctx.can('elicit'), ctx.responses, ctx.state);
          await way(ctx);
          return [{ uri: 'x://asked', name: 'asked' }];
        },
      },
      () => '',
    );
    server.template('y://{a}', { name: 'y', list: () => [{ uri: 'y://1', name: '1' }] }, () => '');
    return { server, logger, seen };
  }

  test.each(Object.entries(ways))('%s fails with a CapabilityError, whatever the request brings', async (_, way) => {
    for (const more of [
      {},
      { requestState: 'x' },
      { inputResponses: { n: accept({ n: 1 }) } },
      { inputResponses: 5 },
    ]) {
      const { server, logger, seen } = asking(way);
      expect(urisOf(await list(server, more))).toEqual(['y://1']);
      expect(seen).toEqual([false, {}, undefined]);
      expect(logger.entries.map(({ level, message }) => [level, message])).toEqual([
        ['error', 'the list of template "x://{a}" failed'],
      ]);
      expect(logger.entries[0]?.details).toMatchObject({ code: 'capability' });
    }
  });

  test('nor with a legacy caller, who is not asked', async () => {
    const { server } = asking((ctx) => ctx.elicit('n', { message: 'm', schema }));
    const driver = await legacyOn(server, 'direct', () => expect.unreachable());
    expect(urisOf(await driver.link.request({ method: 'resources/list', params: {} }))).toEqual(['y://1']);
  });
});

test('what the templates of a page report rises over all of them', async () => {
  const server = new Server({ name: 's', version: '1' });
  const contexts = new Set<Context>();
  for (const name of ['a', 'b'])
    server.template(
      `${name}://{x}`,
      {
        name,
        list: async (ctx) => {
          contexts.add(ctx);
          for (const value of [1, 2]) await ctx.progress(name === 'a' ? value : value + 1);
          return [];
        },
      },
      () => '',
    );
  const seen: unknown[] = [];
  const params = toolCall('').params as { _meta: JsonObject };
  const call = { method: 'resources/list', params: { _meta: { ...params._meta, progressToken: 1 } } };
  const emit = (note: Note): boolean => seen.push(note.params?.['progress']) > 0;
  const caller: Caller = { revision: '2026-07-28', capabilities: {} };
  await server.answer(call, { ...exchangeWith(caller), emit });
  expect([seen, contexts.size]).toEqual([[1, 2, 3], 1]);
  await [...contexts][0]?.progress(9);
  expect(seen).toEqual([1, 2, 3]);
});

test.each([1, 2, 3, 100])('what two templates list is listed once, %i a page', async (pageSize) => {
  const item = (uri: string) => ({ uri, name: uri });
  const server = new Server({ name: 's', version: '1', pageSize });
  const uris = { a: ['a://1', 'a://2', 'a://1'], b: ['b://1', 'a://2'], c: ['a://1', 'c://1', 'b://1'] };
  for (const [name, listed] of Object.entries(uris))
    server.template(`${name}://{x}`, { name, list: () => listed.map(item) }, () => '');
  const seen: unknown[] = [];
  let cursor: unknown;
  do {
    const page = await list(server, cursor === undefined ? {} : { cursor });
    seen.push(...urisOf(page));
    cursor = page.result?.['nextCursor'];
  } while (cursor !== undefined);
  expect(seen).toEqual(['a://1', 'a://2', 'b://1', 'c://1']);
});
