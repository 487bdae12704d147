// The server the public suite is run against: one tool for each thing a scenario asks for, under the names it expects.
// Prints its URL once it listens; ends in order on SIGTERM.

import { setTimeout as sleep } from 'node:timers/promises';
import { serveHttp } from 'hawser/node';
import { Server } from 'hawser/server';
// By path, since the suite brings its own copy into this folder.
import { z } from '../node_modules/zod/index.js';
import { pngBase64, wavBase64 } from './media.mjs';

const server = new Server({ name: 'hawser-conformance', version: '1.0.0' });
const nothing = z.object({});
const image = { type: 'image', data: pngBase64, mimeType: 'image/png' };

// First in the list: a scenario calls the first tool with no arguments and expects it to succeed.
server.tool(
  'test_simple_text',
  { description: 'Returns one text block', input: nothing },
  () => 'This is a simple text response for testing.',
);

server.tool('test_image_content', { description: 'Returns one image block', input: nothing }, () => [image]);

server.tool('test_audio_content', { description: 'Returns one audio block', input: nothing }, () => [
  { type: 'audio', data: wavBase64, mimeType: 'audio/wav' },
]);

server.tool('test_embedded_resource', { description: 'Returns one embedded resource', input: nothing }, () => [
  {
    type: 'resource',
    resource: {
      uri: 'test://embedded-resource',
      mimeType: 'text/plain',
      text: 'This is an embedded resource content.',
    },
  },
]);

server.tool('test_multiple_content_types', { description: 'Returns text, image and resource', input: nothing }, () => [
  { type: 'text', text: 'Multiple content types test:' },
  image,
  {
    type: 'resource',
    resource: {
      uri: 'test://mixed-content-resource',
      mimeType: 'application/json',
      text: JSON.stringify({ test: 'data', value: 123 }),
    },
  },
]);

server.tool('test_error_handling', { description: 'Always fails', input: nothing }, () => {
  throw new Error('This tool intentionally returns an error for testing');
});

server.tool('test_tool_with_progress', { description: 'Reports progress', input: nothing }, async (_, ctx) => {
  for (const done of [0, 50, 100]) {
    await ctx.progress(done, 100, `Completed step ${done} of 100`);
    await sleep(50, undefined, { signal: ctx.signal });
  }
  return 'done';
});

// A plain JSON Schema: a scenario compares it with what tools/list answers, keyword by keyword.
server.tool(
  'json_schema_2020_12_tool',
  {
    description: 'Has an input schema with keywords of JSON Schema 2020-12',
    input: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: {
        address: {
          $anchor: 'addressDef',
          type: 'object',
          properties: { street: { type: 'string' }, city: { type: 'string' } },
        },
      },
      properties: {
        name: { type: 'string' },
        address: { $ref: '#/$defs/address' },
        contactMethod: { type: 'string', enum: ['phone', 'email'] },
        phone: { type: 'string' },
        email: { type: 'string' },
      },
      allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
      if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
      then: { required: ['phone'] },
      else: { required: ['email'] },
      additionalProperties: false,
    },
  },
  (args) => `Received: ${JSON.stringify(args)}`,
);

server.tool(
  'test_x_mcp_header',
  {
    description: 'Mirrors its argument into a header',
    input: z.object({ region: z.string().meta({ 'x-mcp-header': 'Region' }) }),
  },
  ({ region }) => `region: ${region}`,
);

server.tool(
  'test_streaming_elicitation',
  { description: 'Its response stream may carry no request', input: nothing },
  () => 'nothing to ask',
);

server.tool(
  'test_logging_tool',
  { description: 'Logs nothing unless the request sets a level', input: nothing },
  () => 'nothing logged',
);

// The list is the same before and after, so that other scenarios see a stable one.
server.tool('test_trigger_tool_change', { description: 'Changes the list of tools', input: nothing }, () => {
  server.tool('test_short_lived', { description: 'Comes and goes', input: nothing }, () => 'here');
  server.removeTool('test_short_lived');
  return 'changed';
});

const http = await serveHttp(server);
process.stdout.write(`${http.url}\n`);

process.once('SIGTERM', async () => {
  await http.close();
  await server.close();
});
