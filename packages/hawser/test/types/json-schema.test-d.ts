/** What literal JSON Schemas say of the values they accept. Checked by `tsc`, never run. */
import { Server, type AnySchema, type Infer, type InferInput } from 'hawser/server';
import { expectTypeOf } from 'vitest';

declare const server: Server;

/** What a tool's handler gets for a schema that is written out where it is given. */
declare function typeOf<const S extends AnySchema>(schema: S): Infer<S>;

server.tool(
  'forecast',
  {
    input: {
      type: 'object',
      properties: { city: { type: 'string' }, days: { type: 'integer' } },
      required: ['city'],
    },
    output: { type: 'object', properties: { sky: { type: 'string' } } },
  },
  ({ city, days }) => {
    expectTypeOf(city).toEqualTypeOf<string>();
    expectTypeOf(days).toEqualTypeOf<number | undefined>();
    return { structured: { sky: city } };
  },
);

// --- one type each -----------------------------------------------------------------------------------------------

expectTypeOf(typeOf({ type: 'string', minLength: 1 })).toEqualTypeOf<string>();
expectTypeOf(typeOf({ type: 'number' })).toEqualTypeOf<number>();
expectTypeOf(typeOf({ type: 'integer' })).toEqualTypeOf<number>();
expectTypeOf(typeOf({ type: 'boolean' })).toEqualTypeOf<boolean>();
expectTypeOf(typeOf({ type: 'null' })).toEqualTypeOf<null>();
expectTypeOf(typeOf({ type: ['string', 'null'] })).toEqualTypeOf<string | null>();
expectTypeOf(typeOf({ const: 'a' })).toEqualTypeOf<'a'>();
expectTypeOf(typeOf({ type: 'string', enum: ['C', 'F'] })).toEqualTypeOf<'C' | 'F'>();
expectTypeOf(typeOf({ enum: ['C', 1, null] })).toEqualTypeOf<'C' | 1 | null>();

// --- objects -----------------------------------------------------------------------------------------------------

expectTypeOf(
  typeOf({
    type: 'object',
    properties: { a: { type: 'string' }, b: { type: 'object', properties: { c: { type: 'null' } }, required: ['c'] } },
    required: ['a', 'b'],
    additionalProperties: false,
  }),
).toEqualTypeOf<{ a: string; b: { c: null } }>();
expectTypeOf(typeOf({ type: 'object', properties: { a: {} } })).toEqualTypeOf<{ a?: unknown }>();
expectTypeOf(typeOf({ properties: { a: true, b: false }, required: ['a'] })).toEqualTypeOf<{ a: unknown; b?: never }>();
expectTypeOf(typeOf({ type: 'object', additionalProperties: { type: 'number' } })).toEqualTypeOf<{
  [name: string]: number;
}>();
const open = typeOf({
  type: 'object',
  properties: { a: { type: 'string' } },
  additionalProperties: { type: 'number' },
});
expectTypeOf(open.a).toEqualTypeOf<string | undefined>();
expectTypeOf(open['other']).toEqualTypeOf<unknown>();

// --- arrays ------------------------------------------------------------------------------------------------------

expectTypeOf(typeOf({ type: 'array', items: { type: 'string' } })).toEqualTypeOf<string[]>();
expectTypeOf(typeOf({ type: 'array' })).toEqualTypeOf<unknown[]>();
expectTypeOf(
  typeOf({ type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], items: false, minItems: 2 }),
).toEqualTypeOf<[string, number]>();
expectTypeOf(typeOf({ type: 'array', prefixItems: [{ type: 'string' }], items: { type: 'null' } })).toEqualTypeOf<
  [string?, ...null[]]
>();

// --- choices and references --------------------------------------------------------------------------------------

const shape = typeOf({
  oneOf: [
    { type: 'object', properties: { kind: { const: 'circle' }, r: { type: 'number' } }, required: ['kind', 'r'] },
    { type: 'object', properties: { kind: { const: 'square' }, a: { type: 'number' } }, required: ['kind', 'a'] },
  ],
});
if (shape.kind === 'circle') expectTypeOf(shape.r).toEqualTypeOf<number>();
else expectTypeOf(shape.a).toEqualTypeOf<number>();
expectTypeOf(typeOf({ anyOf: [{ type: 'string' }, { type: 'null' }] })).toEqualTypeOf<string | null>();
expectTypeOf(
  typeOf({ type: 'object', properties: { a: { type: 'string' } }, anyOf: [{ required: ['a'] }, { required: ['b'] }] }),
).toEqualTypeOf<{ a?: string }>();

const tree = typeOf({
  $ref: '#/$defs/Node',
  $defs: {
    Node: {
      type: 'object',
      properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#/$defs/Node' } } },
      required: ['name', 'children'],
    },
  },
});
expectTypeOf(tree.name).toEqualTypeOf<string>();
expectTypeOf(tree.children[0]?.name).toEqualTypeOf<string | undefined>();
const self = typeOf({ type: 'object', properties: { next: { $ref: '#' }, n: { type: 'number' } }, required: ['next'] });
expectTypeOf(self.next.next.n).toEqualTypeOf<number | undefined>();
expectTypeOf(typeOf({ type: 'array', items: { $ref: '#/$defs/missing' } })).toEqualTypeOf<unknown[]>();
expectTypeOf(typeOf({ type: 'array', items: { $ref: 'https://elsewhere.test/a' } })).toEqualTypeOf<unknown[]>();

// --- where it ends -----------------------------------------------------------------------------------------------

const deep = typeOf({
  type: 'array',
  items: {
    type: 'array',
    items: {
      type: 'array',
      items: {
        type: 'array',
        items: { type: 'array', items: { type: 'array', items: { type: 'array', items: { type: 'string' } } } },
      },
    },
  },
});
expectTypeOf(deep).toEqualTypeOf<unknown[][][][][][]>();
expectTypeOf(typeOf({ description: 'anything' })).toEqualTypeOf<Record<string, unknown>>();
expectTypeOf(typeOf({ type: 'object' })).toEqualTypeOf<{ [name: string]: unknown }>();
declare const elsewhere: { [key: string]: unknown };
expectTypeOf(typeOf(elsewhere)).toEqualTypeOf<Record<string, unknown>>();
// Not literal: `type` is any text here.
const widened = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };
expectTypeOf(typeOf(widened)).toEqualTypeOf<Record<string, unknown>>();
expectTypeOf<Infer<AnySchema>>().toEqualTypeOf<unknown>();
type Point = { type: 'object'; properties: { x: { type: 'number' } } };
expectTypeOf<InferInput<Point>>().toEqualTypeOf<{ x?: number }>();

// --- questions ---------------------------------------------------------------------------------------------------

server.tool('questions', {}, async (_, ctx) => {
  const schema = { type: 'object', properties: { size: { enum: ['S', 'L'] } }, required: ['size'] } as const;
  const literal = await ctx.elicit('size', {
    message: 'Which?',
    schema: { type: 'object', properties: { size: { type: 'string', enum: ['S', 'L'] } }, required: ['size'] },
  });
  expectTypeOf(literal).toEqualTypeOf<{ size: 'S' | 'L' }>();
  expectTypeOf(await ctx.elicit('given', { message: 'Which?', schema })).toEqualTypeOf<{ size: 'S' | 'L' }>();
  const tried = await ctx.tryElicit('tried', { message: 'Which?', schema });
  if (tried.action === 'accept') expectTypeOf(tried.content).toEqualTypeOf<{ size: 'S' | 'L' }>();
  expectTypeOf(await ctx.elicit('page', { message: 'Go there', url: 'https://a.test' })).toEqualTypeOf<void>();
  const { size, page, words, places } = await ctx.ask({
    size: { message: 'Which?', schema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] } },
    page: { message: 'Go there', url: 'https://a.test' },
    words: { sample: { messages: [{ role: 'user', content: { type: 'text', text: 'a' } }], maxTokens: 5 } },
    places: { roots: true },
  });
  expectTypeOf(size).toEqualTypeOf<{ n: number }>();
  expectTypeOf(page).toEqualTypeOf<void>();
  expectTypeOf(words.model).toEqualTypeOf<string>();
  expectTypeOf(places[0]?.path).toEqualTypeOf<string | undefined>();
});
