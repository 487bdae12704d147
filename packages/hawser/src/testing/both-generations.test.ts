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

let clock = 0;
const isLegacy = (ctx: Context): boolean => ctx.caller.session !== undefined;

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
  [
    'asks the legacy caller something else',
    (ctx) => ctx.elicit('a', { message: isLegacy(ctx) ? 'other?' : 'a?', schema }).then(String),
    /legacy caller that the modern one was not asked: .*other\?/,
  ],
  [
    'asks it something else and hides that',
    async (ctx) => {
      if (isLegacy(ctx)) await ask(ctx, 'unknown').catch(() => undefined);
      return ask(ctx, 'a');
    },
    /legacy caller that the modern one was not asked/,
  ],
  [
    'asks the modern caller alone',
    async (ctx) => (isLegacy(ctx) ? 'true' : ask(ctx, 'a')),
    /modern caller that the legacy one was not asked: "a"/,
  ],
  [
    'depends on the clock',
    (ctx) => ctx.elicit('a', { message: `it is ${clock++}`, schema }).then(() => 'x'),
    /was not asked: .*it is \d/,
  ],
  [
    'gives them different content',
    async (ctx) => `${await ask(ctx, 'a')} ${isLegacy(ctx)}`,
    /t: content is .*false.*true/,
  ],
  [
    'fails for one of them',
    async (ctx) => {
      if (isLegacy(ctx)) throw new Error('true');
      return ask(ctx, 'a').then(() => 'true');
    },
    /was not asked: "a"/,
  ],
  [
    'says of the same text that it is an error',
    async (ctx) => {
      await ask(ctx, 'a');
      if (isLegacy(ctx)) throw new Error('the same');
      return 'the same';
    },
    /t: isError is nothing for the modern caller and true for the legacy one/,
  ],
])('a handler that %s fails', async (_, handler, message) => {
  await expect(run(handler)).rejects.toThrow(message);
});

test('of equal questions the first is answered first, for both', async () => {
  const no = { action: 'accept', content: { ok: false } };
  const { modern, legacy, rounds } = await run(
    async (ctx) => {
      const sure = async (key: string): Promise<string> =>
        String((await ctx.elicit(key, { message: 'Sure?', schema }))['ok']);
      return `${await sure('first')} ${await sure('second')} ${(await Promise.all([sure('c'), sure('d')])).join(' ')}`;
    },
    { first: yes, second: no, c: yes, d: no },
  );
  expect([modern['content'], rounds]).toEqual([legacy['content'], [['first'], ['second'], ['c', 'd']]]);
  expect(legacy['content']).toEqual([{ type: 'text', text: 'true false true false' }]);
});

test('an answer that does not fit is given again to both', async () => {
  let times = 0;
  const { legacy } = await run((ctx) => ask(ctx, 'a'), {
    a: () => (times++ % 2 === 0 ? { action: 'accept', content: { ok: 5 } } : yes),
  });
  expect([legacy['content'], times]).toEqual([[{ type: 'text', text: 'true' }], 4]);
});

test('an unknown tool fails', async () => {
  const server = (): Server => new Server({ name: 's', version: '1' });
  await expect(bothGenerations({ server, tool: 'x' })).rejects.toThrow('-32602');
});
