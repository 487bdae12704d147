/** What the types of `hawser/server` accept, infer and refuse. Checked by `tsc`, never run. */
import {
  inputRequired,
  Server,
  type AnySchema,
  type CallToolResult,
  type Infer,
  type InferInput,
  type RootPlace,
  type StandardSchema,
  type Context,
  type ToolReturn,
} from 'hawser/server';
import { expectTypeOf } from 'vitest';
import { z } from 'zod';

declare const server: Server;
declare const signal: AbortSignal;

// --- arguments ---------------------------------------------------------------------------------------------------

server.tool(
  'zod',
  { input: z.object({ city: z.string(), days: z.number().default(3), unit: z.enum(['C', 'F']).optional() }) },
  (args) => {
    expectTypeOf(args).toEqualTypeOf<{ city: string; days: number; unit?: 'C' | 'F' | undefined }>();
    // @ts-expect-error a member the schema does not have
    return String(args.country);
  },
);

server.tool('zod, transformed', { input: z.object({ n: z.string().transform(Number) }) }, ({ n }) => {
  expectTypeOf(n).toEqualTypeOf<number>();
  return `${n}`;
});

server.tool('JSON Schema', { input: { type: 'object', properties: { city: { type: 'string' } } } }, (args) => {
  expectTypeOf(args).toEqualTypeOf<{ city?: string }>();
  // @ts-expect-error it may be missing
  return args.city.toUpperCase();
});

server.tool('no input', {}, (args) => {
  expectTypeOf(args).toEqualTypeOf<Record<string, unknown>>();
  return 'a';
});

declare const plain: { [key: string]: unknown };
server.tool('a schema from elsewhere', { input: plain }, (args) => {
  expectTypeOf(args).toEqualTypeOf<Record<string, unknown>>();
  return 'a';
});

declare const tiny: StandardSchema<{ n: string }, { n: bigint }>;
server.tool('any library', { input: tiny }, ({ n }) => {
  expectTypeOf(n).toEqualTypeOf<bigint>();
  return 'a';
});
expectTypeOf<Infer<typeof tiny>>().toEqualTypeOf<{ n: bigint }>();
expectTypeOf<InferInput<typeof tiny>>().toEqualTypeOf<{ n: string }>();
expectTypeOf<Infer<{ type: 'object' }>>().toEqualTypeOf<Record<string, unknown>>();

// @ts-expect-error a schema is an object
server.tool('no schema', { input: 'string' }, () => 'a');
// @ts-expect-error nor is null one
server.tool('no schema', { input: null }, () => 'a');
// @ts-expect-error a member that tools do not have
server.tool('misspelt', { descripton: 'does' }, () => 'a');
// @ts-expect-error a hint that is no boolean
server.tool('hints', { annotations: { readOnlyHint: 'yes' } }, () => 'a');
// @ts-expect-error a tool needs a handler
server.tool('no handler', {});
// @ts-expect-error and a definition
server.tool('no definition', () => 'a');

// --- what handlers give back -------------------------------------------------------------------------------------

server.tool('text', {}, () => 'a');
server.tool('text, later', {}, async () => 'a');
server.tool('nothing', {}, () => undefined);
server.tool('nothing at all', {}, () => {});
server.tool('nothing, later', {}, async () => {});
server.tool('never', {}, () => {
  throw new Error('no');
});
server.tool('blocks', {}, () => [
  { type: 'text', text: 'a' },
  { type: 'image', data: 'AA==', mimeType: 'image/png' },
]);
server.tool('no blocks', {}, () => []);
server.tool('structured', {}, () => ({ structured: { any: [1, null] } }));
server.tool('structured null', {}, () => ({ structured: null }));
server.tool('long', {}, () => ({ text: 'a', structured: 1, isError: true, _meta: { a: 1 } }));
server.tool('a result', {}, (): CallToolResult => ({ content: [], structuredContent: [1], isError: false }));
server.tool('this or that', {}, (_, ctx) => (ctx.signal.aborted ? 'a' : { content: [{ type: 'text', text: 'b' }] }));
server.tool('chained', {}, () => 'a').tool('further', {}, async () => ({ structured: 1 }));

// @ts-expect-error a number is no result
server.tool('number', {}, () => 5);
// @ts-expect-error neither is null
server.tool('null', {}, () => null);
// @ts-expect-error nor a promise of a number
server.tool('number, later', {}, async () => 5);
// @ts-expect-error plain data go as { structured }
server.tool('data', {}, () => ({ city: 'Oslo' }));
// @ts-expect-error a block needs its members
server.tool('half a block', {}, () => [{ type: 'image', data: 'AA==' }]);
// @ts-expect-error a type of content that there is not
server.tool('unknown block', {}, () => [{ type: 'video', data: 'AA==', mimeType: 'video/mp4' }]);
server.tool('a lone block', {}, () => ({ type: 'image', data: 'AA==', mimeType: 'image/png' }));
// @ts-expect-error a flag is no text
server.tool('flag', {}, () => ({ text: 'a', isError: 'yes' }));

export const given: ToolReturn[] = ['a', undefined, [], { structured: 1 }];

// --- with an output schema ---------------------------------------------------------------------------------------

const weather = z.object({ n: z.number(), unit: z.enum(['C', 'F']), days: z.number().default(1) });
server.tool('zod', { output: weather }, () => ({ structured: { n: 1, unit: 'C' } }));
server.tool('zod, later', { output: weather }, async () => ({
  text: 'a',
  structuredContent: { n: 1, unit: 'F', days: 2 },
}));
server.tool('failed', { output: weather }, () => ({ text: 'no', isError: true }));
server.tool('asks', { output: weather }, (_, ctx) =>
  ctx.state === undefined ? inputRequired({ state: 1 }) : { structured: { n: 1, unit: 'C' } },
);
server.tool('never', { output: weather }, () => {
  throw new Error('no');
});
server.tool('any library', { output: tiny }, () => ({ structured: { n: 'what it takes' } }));
server.tool('from elsewhere', { output: plain }, () => ({ structured: [1] }));
server.tool(
  'JSON Schema',
  { output: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] } },
  () => ({
    structured: { n: 1 },
  }),
);
// @ts-expect-error members that the schema does not have
server.tool('wrong', { output: z.object({ n: z.number() }) }, () => ({ structured: { wrong: 1 } }));
// @ts-expect-error also later
server.tool('wrong, later', { output: weather }, async () => ({ structured: { n: 1 } }));
// @ts-expect-error a member of another type
server.tool('wrong type', { output: weather }, () => ({ structured: { n: '1', unit: 'C' } }));
// @ts-expect-error also by the long name
server.tool('wrong content', { output: weather }, () => ({ structuredContent: { n: '1', unit: 'C' } }));
const counted = { type: 'object', properties: { n: { type: 'number' } } } as const;
// @ts-expect-error also of a JSON Schema
server.tool('wrong, JSON Schema', { output: counted }, () => ({ structured: { n: '' } }));
// @ts-expect-error text alone never is what such a tool has to give
server.tool('text only', { output: weather }, () => 'a');
// @ts-expect-error nor is nothing
server.tool('nothing', { output: weather }, () => {});

// What is expected of a handler says what a promise is of.
server.tool('a promise', {}, () => new Promise((resolve) => resolve({ structured: 1 })));
server.tool(
  'a promise of text',
  { input: weather },
  (_, ctx) => new Promise((resolve) => resolve(ctx.caller.revision)),
);

// --- the context -------------------------------------------------------------------------------------------------

server.tool('context', {}, async (_, ctx) => {
  expectTypeOf(ctx).toEqualTypeOf<Context>();
  expectTypeOf(ctx.signal).toEqualTypeOf<AbortSignal>();
  await fetch('https://example.test', { signal: ctx.signal });
  expectTypeOf<ReturnType<typeof ctx.progress>>().toEqualTypeOf<Promise<boolean>>();
  await ctx.progress(1, 2, 'half');
  // @ts-expect-error progress is a number
  await ctx.progress('half');
  expectTypeOf(ctx.caller.principal).toEqualTypeOf<string | undefined>();
  // @ts-expect-error the context is read, not written
  ctx.signal = signal;
  const { progress } = ctx;
  await progress(2);
});

// --- asking ------------------------------------------------------------------------------------------------------

server.tool('asks', { version: '2', once: true }, async (_, ctx) => {
  const confirmed = await ctx.elicit('confirm', { message: 'm', schema: z.object({ ok: z.boolean().default(true) }) });
  expectTypeOf(confirmed).toEqualTypeOf<{ ok: boolean }>();
  const dynamic = await ctx.elicit('dynamic', { message: 'm', schema: plain, bound: true });
  expectTypeOf(dynamic).toEqualTypeOf<Record<string, unknown>>();
  const page = ctx.elicit('page', { message: 'm', url: 'https://s.test' });
  expectTypeOf(page).toEqualTypeOf<Promise<void>>();
  const tried = await ctx.tryElicit('try', { message: 'm', schema: z.object({ n: z.number() }) });
  if (tried.action === 'accept') expectTypeOf(tried.content).toEqualTypeOf<{ n: number }>();
  else expectTypeOf(tried.action).toEqualTypeOf<'decline' | 'cancel'>();
  const { action } = await ctx.tryElicit('visit', { message: 'm', url: 'https://s.test' });
  expectTypeOf(action).toEqualTypeOf<'accept' | 'decline' | 'cancel'>();
  const answers = await ctx.ask({
    name: { message: 'm', schema: z.object({ first: z.string() }) },
    page: { message: 'm', url: 'https://s.test' },
    capital: { sample: { messages: [{ role: 'user', content: { type: 'text', text: 'Capital?' } }], maxTokens: 5 } },
    dirs: { roots: true },
  });
  expectTypeOf(answers.name).toEqualTypeOf<{ first: string }>();
  expectTypeOf(answers.page).toEqualTypeOf<void>();
  expectTypeOf(answers.capital.model).toEqualTypeOf<string>();
  expectTypeOf(answers.dirs).toEqualTypeOf<RootPlace[]>();
  const build = await ctx.step('build', ({ idempotencyKey, signal: stop }) => ({
    id: idempotencyKey,
    at: stop.aborted,
  }));
  expectTypeOf(build).toEqualTypeOf<{ id: string; at: boolean }>();
  expectTypeOf(await ctx.step('later', async () => 5)).toEqualTypeOf<number>();
  expectTypeOf(ctx.can('sample-tools')).toEqualTypeOf<boolean>();
  ctx.log('info', { any: 1 }, 'part');
  // @ts-expect-error a level that there is not
  ctx.log('loud', 1);
  // @ts-expect-error nothing of that kind can be asked
  ctx.can('telepathy');
  // @ts-expect-error a question needs a message
  await ctx.elicit('no message', { schema: z.object({}) });
  // @ts-expect-error and a schema or a page
  await ctx.elicit('no schema', { message: 'm' });
  const { elicit } = ctx;
  await elicit('apart', { message: 'm', schema: z.object({}) });
  return 'a';
});
server.tool('low level', {}, (_, { state, responses }) =>
  state === undefined && responses['k'] === undefined
    ? inputRequired({ requests: { k: { method: 'roots/list' } }, state: { at: 1 } })
    : 'done',
);

// --- the server --------------------------------------------------------------------------------------------------

export const servers = [
  new Server({ name: 's', version: '1', instructions: 'i', icons: [{ src: 'https://s.test/i.png' }] }),
  // @ts-expect-error a server needs a version
  new Server({ name: 's' }),
];
expectTypeOf<ReturnType<Server['removeTool']>>().toEqualTypeOf<boolean>();
expectTypeOf<Server['fetch']>().toEqualTypeOf<(request: Request) => Promise<Response>>();

export const schemas: AnySchema[] = [z.object({}), { type: 'object' }, tiny];
