import { expect, test } from 'vitest';
import type { Context } from '../server/context.ts';
import { Server } from '../server/server.ts';
import { bothGenerations, type GivenAnswers } from './both-generations.ts';

const schema = { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] };
const yes = { action: 'accept', content: { ok: true } };

/** `k0` and so on are for a handler that does not stop. */
const usual = { a: yes, b: yes, ...Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`k${at}`, yes])) };

function run(handler: (ctx: Context) => Promise<string>, answers: GivenAnswers = usual) {
  return bothGenerations({
    server: (logger) => new Server({ name: 's', version: '1', logger }).tool('t', {}, (_, ctx) => handler(ctx)),
    tool: 't',
    answers,
  });
}

const ask = async (ctx: Context, key: string): Promise<string> =>
  String((await ctx.elicit(key, { message: `${key}?`, schema }))['ok']);

test('a good handler comes to the same with both', async () => {
  const { modern, legacy, rounds } = await run(async (ctx) => `${await ask(ctx, 'a')} ${await ask(ctx, 'b')}`);
  const content = [{ type: 'text', text: 'true true' }];
  expect(modern).toMatchObject({ resultType: 'complete', content });
  expect(legacy).toEqual({ content });
  expect(rounds).toEqual([['a'], ['b']]);
});

test('questions of every kind are answered by their keys', async () => {
  const said = { role: 'assistant', content: { type: 'text', text: 'x' }, model: 'm' };
  const { modern, legacy } = await run(
    async (ctx) => {
      const { model, dirs } = await ctx.ask({
        page: { message: 'Go', url: 'https://s.test/' },
        model: { sample: { messages: [{ role: 'user', content: { type: 'text', text: 'x' } }], maxTokens: 5 } },
        dirs: { roots: true },
      });
      return `${model.model} ${dirs.length}`;
    },
    {
      page: ({ params }) => ({ action: params['mode'] === 'url' ? 'accept' : 'cancel' }),
      model: said,
      dirs: { roots: [] },
    },
  );
  expect(legacy).toEqual({ content: [{ type: 'text', text: 'm 0' }] });
  expect(modern).toMatchObject(legacy);
});

test.each<[string, (ctx: Context) => Promise<string>, RegExp]>([
  ['swallows a suspension', (ctx) => ask(ctx, 'a').catch(() => 'nothing'), /t, modern caller: .*returned after/],
  [
    'goes on after one',
    async (ctx) => {
      await ask(ctx, 'a').catch(() => undefined);
      return ask(ctx, 'b');
    },
    /went on after a suspension/,
  ],
  [
    'waits for no answer',
    async (ctx) => {
      void ask(ctx, 'a').catch(() => undefined);
      return 'done';
    },
    /nobody waited for/,
  ],
  ['asks what is not answered', (ctx) => ask(ctx, 'other'), /no answer to "other"/],
  [
    'asks without end',
    async (ctx) => {
      for (let at = 0; ; at++) await ctx.elicit(`k${at}`, { message: 'm', schema });
    },
    /more than 10 rounds/,
  ],
])('a handler that %s fails', async (_, handler, message) => {
  await expect(run(handler)).rejects.toThrow(message);
});

test('an unknown tool fails', async () => {
  const server = (): Server => new Server({ name: 's', version: '1' });
  await expect(bothGenerations({ server, tool: 'x' })).rejects.toThrow('-32602');
});
