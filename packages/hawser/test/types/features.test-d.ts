/** What the types of resources, templates and prompts accept, infer and refuse. Checked by `tsc`, never run. */
import { Server, type Context } from 'hawser/server';
import { expectTypeOf } from 'vitest';
import { z } from 'zod';

declare const server: Server;

// --- resources ---------------------------------------------------------------------------------------------------

server.resource('a://text', { name: 'text' }, (uri, ctx) => {
  expectTypeOf(uri).toEqualTypeOf<string>();
  expectTypeOf(ctx).toEqualTypeOf<Context>();
  return 'a';
});
server.resource('a://later', { name: 'later', size: 1, cache: { ttlMs: 1, cacheScope: 'public' } }, async () => 'a');
server.resource('a://bytes', { name: 'bytes', mimeType: 'image/png' }, () => new Uint8Array([1]));
server.resource('a://base64', { name: 'base64' }, () => ({ blob: 'AA==', mimeType: 'image/png' }));
server.resource('a://several', { name: 'several' }, () => [{ uri: 'a://1', text: 'a' }]);
server.resource('a://missing', { name: 'missing' }, () => undefined);
server.resource('a://null', { name: 'null' }, async () => null);
// @ts-expect-error a resource has a name
server.resource('a://nameless', {}, () => 'a');
// @ts-expect-error a number is no content
server.resource('a://number', { name: 'number' }, () => 5);
// @ts-expect-error a member that resources do not have
server.resource('a://misspelt', { name: 'misspelt', mimetype: 'text/plain' }, () => 'a');

server.template('a://{b}', { name: 'template' }, (variables, ctx) => {
  expectTypeOf(variables).toEqualTypeOf<Record<string, string>>();
  expectTypeOf(variables['b']).toEqualTypeOf<string | undefined>();
  expectTypeOf(ctx.uri).toEqualTypeOf<string>();
  return variables['b'];
});
server.template(
  'a://{c}',
  {
    name: 'completed',
    complete: { c: (value, { arguments: others }) => [value, ...Object.values(others)] },
    list: async () => [{ uri: 'a://1', name: '1' }],
  },
  () => 'a',
);
// @ts-expect-error suggestions are text
server.template('a://{d}', { name: 'numbers', complete: { d: () => [1] } }, () => 'a');

// --- prompts -----------------------------------------------------------------------------------------------------

server.prompt('zod', { input: z.object({ word: z.string(), tone: z.enum(['a', 'b']).optional() }) }, (args) => {
  expectTypeOf(args).toEqualTypeOf<{ word: string; tone?: 'a' | 'b' | undefined }>();
  return 'a';
});
server.prompt(
  'JSON Schema',
  { input: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] } },
  ({ word }, ctx) => {
    expectTypeOf(word).toEqualTypeOf<string>();
    expectTypeOf(ctx).toEqualTypeOf<Context>();
    return { messages: [{ role: 'user', content: { type: 'text', text: word } }] };
  },
);
server.prompt('a block', {}, () => ({ type: 'text', text: 'a' }));
server.prompt('messages, later', {}, async () => [{ role: 'assistant', content: { type: 'text', text: 'a' } }]);
// @ts-expect-error a role that there is not
server.prompt('system', {}, () => [{ role: 'system', content: { type: 'text', text: 'a' } }]);
// @ts-expect-error nothing is no prompt
server.prompt('nothing', {}, () => undefined);
