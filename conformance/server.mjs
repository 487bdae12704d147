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

// Some of these are for callers of legacy revisions, who are asked at once, others for modern ones, to whom the same
// question is a round trip; all of them would do for both.

server.tool('test_tool_with_logging', { description: 'Logs while it works', input: nothing }, async (_, ctx) => {
  for (const said of ['started', 'processing', 'completed']) {
    ctx.log('info', `Tool execution ${said}`);
    await sleep(50, undefined, { signal: ctx.signal });
  }
  return 'logged';
});

server.tool(
  'test_sampling',
  { description: 'Asks the model of the client', input: z.object({ prompt: z.string() }) },
  async ({ prompt }, ctx) => {
    const { content } = await ctx.sample('answer', {
      messages: [{ role: 'user', content: { type: 'text', text: prompt } }],
      maxTokens: 100,
    });
    return `LLM response: ${textOf(content)}`;
  },
);

server.tool(
  'test_elicitation',
  { description: 'Asks the user', input: z.object({ message: z.string() }) },
  async ({ message }, ctx) => {
    const answer = await ctx.tryElicit('user', {
      message,
      schema: z.object({ username: z.string(), email: z.string() }),
    });
    return `User response: ${JSON.stringify(answer)}`;
  },
);

server.tool(
  'test_elicitation_sep1034_defaults',
  { description: 'Asks with a default for every kind of field', input: nothing },
  async (_, ctx) => {
    const answer = await ctx.tryElicit('defaults', {
      message: 'Please review and update the form fields with defaults',
      schema: {
        type: 'object',
        properties: {
          name: { type: 'string', description: 'User name', default: 'John Doe' },
          age: { type: 'integer', description: 'User age', default: 30 },
          score: { type: 'number', description: 'User score', default: 95.5 },
          status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
          verified: { type: 'boolean', description: 'Verification status', default: true },
        },
        required: [],
      },
    });
    return `Elicitation completed: ${JSON.stringify(answer)}`;
  },
);

server.tool(
  'test_elicitation_sep1330_enums',
  { description: 'Asks with every kind of choice', input: nothing },
  async (_, ctx) => {
    const titled = [
      { const: 'value1', title: 'First Option' },
      { const: 'value2', title: 'Second Option' },
      { const: 'value3', title: 'Third Option' },
    ];
    const answer = await ctx.tryElicit('choices', {
      message: 'Please choose',
      schema: {
        type: 'object',
        properties: {
          untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
          titledSingle: { type: 'string', oneOf: titled },
          legacyEnum: { type: 'string', enum: ['opt1', 'opt2'], enumNames: ['Option One', 'Option Two'] },
          untitledMulti: { type: 'array', items: { type: 'string', enum: ['option1', 'option2', 'option3'] } },
          titledMulti: { type: 'array', items: { anyOf: titled } },
        },
        required: [],
      },
    });
    return `Elicitation completed: ${JSON.stringify(answer)}`;
  },
);

server.tool(
  'test_reconnection',
  { description: 'Ends its response stream before its result', input: nothing },
  async (_, ctx) => {
    ctx.closeStream(100);
    await sleep(200, undefined, { signal: ctx.signal });
    return 'delivered on the stream that the client came back for';
  },
);

server.tool('test_missing_capability', { description: 'Needs sampling', input: nothing }, async (_, ctx) => {
  const { content } = await ctx.sample('anything', {
    messages: [{ role: 'user', content: { type: 'text', text: 'Say anything' } }],
    maxTokens: 10,
  });
  return textOf(content);
});

server.tool(
  'test_streaming_elicitation',
  { description: 'Its response stream may carry no request', input: nothing },
  async (_, ctx) => {
    await ctx.progress(1, 2);
    const { action } = await ctx.tryElicit('confirm', confirmation('Go on?'));
    return `the user said ${action}`;
  },
);

server.tool(
  'test_logging_tool',
  { description: 'Logs nothing unless the request sets a level', input: nothing },
  (_, ctx) => {
    ctx.log('error', 'only for those who asked');
    return 'done';
  },
);

// The lists are the same before and after, so that other scenarios see stable ones.
server.tool('test_trigger_tool_change', { description: 'Changes the list of tools', input: nothing }, () => {
  server.tool('test_short_lived', { description: 'Comes and goes', input: nothing }, () => 'here');
  server.removeTool('test_short_lived');
  return 'changed';
});

server.tool('test_trigger_prompt_change', { description: 'Changes the list of prompts', input: nothing }, () => {
  server.prompt('test_short_lived', { description: 'Comes and goes' }, () => 'here');
  server.removePrompt('test_short_lived');
  return 'changed';
});

const askName = { message: 'What is your name?', schema: z.object({ name: z.string() }) };
const askCapital = {
  messages: [{ role: 'user', content: { type: 'text', text: 'What is the capital of France?' } }],
  maxTokens: 100,
};
const confirmation = (message) => ({ message, schema: z.object({ ok: z.boolean() }) });

server.tool(
  'test_input_required_result_elicitation',
  { description: 'Asks for a name', input: nothing },
  async (_, ctx) => {
    const { name } = await ctx.elicit('user_name', askName);
    return `Hello, ${name}!`;
  },
);

server.tool(
  'test_input_required_result_sampling',
  { description: 'Asks the model of the client', input: nothing },
  async (_, ctx) => textOf((await ctx.sample('capital_question', askCapital)).content),
);

server.tool(
  'test_input_required_result_list_roots',
  { description: 'Asks for the roots', input: nothing },
  async (_, ctx) => {
    const roots = await ctx.roots('client_roots');
    return `roots: ${roots.map(({ uri }) => uri).join(', ')}`;
  },
);

server.tool(
  'test_input_required_result_request_state',
  { description: 'Asks with a state', input: nothing },
  async (_, ctx) => {
    // A step is what there is to remember.
    const started = await ctx.step('started', () => 'state');
    const { ok } = await ctx.elicit('confirm', confirmation('Confirm to go on'));
    return `${started}-${ok ? 'ok' : 'refused'}`;
  },
);

server.tool(
  'test_input_required_result_multiple_inputs',
  { description: 'Asks three things at once', input: nothing },
  async (_, ctx) => {
    await ctx.step('started', () => true);
    const {
      user_name: user,
      capital,
      client_roots: roots,
    } = await ctx.ask({
      user_name: askName,
      capital: { sample: askCapital },
      client_roots: { roots: true },
    });
    return `${user.name}: ${textOf(capital.content)}, ${roots.length} roots`;
  },
);

server.tool(
  'test_input_required_result_multi_round',
  { description: 'Asks twice, one after the other', input: nothing },
  async (_, ctx) => {
    await ctx.step('started', () => true);
    const { name } = await ctx.elicit('step1', askName);
    const { color } = await ctx.elicit('step2', {
      message: `${name}, which colour do you like?`,
      schema: z.object({ color: z.string() }),
    });
    return `${name} likes ${color}`;
  },
);

server.tool(
  'test_input_required_result_tampered_state',
  { description: 'Asks with a state that cannot be changed', input: nothing },
  async (_, ctx) => {
    const secret = await ctx.step('secret', () => 42);
    const { ok } = await ctx.elicit('confirm', confirmation('Confirm to go on'));
    return `${secret}: ${ok}`;
  },
);

server.tool(
  'test_input_required_result_capabilities',
  { description: 'Asks only what the client can answer', input: nothing },
  async (_, ctx) => {
    if (ctx.can('elicit')) return `Hello, ${(await ctx.elicit('user_name', askName)).name}!`;
    return textOf((await ctx.sample('capital_question', askCapital)).content);
  },
);

server.prompt('test_simple_prompt', { description: 'One message' }, () => 'This is a simple prompt for testing.');

server.prompt(
  'test_prompt_with_arguments',
  {
    description: 'Has two arguments',
    input: z.object({ arg1: z.string().describe('First'), arg2: z.string().describe('Second') }),
    complete: { arg1: (value) => ['alpha', 'beta', 'test1'].filter((each) => each.startsWith(value)) },
  },
  ({ arg1, arg2 }) => `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`,
);

server.prompt(
  'test_prompt_with_embedded_resource',
  { description: 'Holds a resource', input: z.object({ resourceUri: z.string() }) },
  ({ resourceUri }) => [
    {
      role: 'user',
      content: {
        type: 'resource',
        resource: { uri: resourceUri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
      },
    },
    { role: 'user', content: { type: 'text', text: 'Please process the embedded resource above.' } },
  ],
);

server.prompt('test_prompt_with_image', { description: 'Holds an image' }, () => [
  { role: 'user', content: image },
  { role: 'user', content: { type: 'text', text: 'Please analyze the image above.' } },
]);

server.prompt(
  'test_input_required_result_prompt',
  { description: 'Asks before it can be filled in' },
  async (_, ctx) => {
    const { context } = await ctx.elicit('user_context', {
      message: 'What context should the prompt use?',
      schema: z.object({ context: z.string() }),
    });
    return `Use this context: ${context}`;
  },
);

server.resource(
  'test://static-text',
  { name: 'Static Text Resource', description: 'Text', mimeType: 'text/plain' },
  () => 'This is the content of the static text resource.',
);

server.resource(
  'test://static-binary',
  { name: 'Static Binary Resource', description: 'A picture', mimeType: 'image/png' },
  () => ({ blob: pngBase64 }),
);

server.resource(
  'test://watched-resource',
  { name: 'Watched Resource', description: 'Can be subscribed to', mimeType: 'text/plain' },
  () => 'Watched resource content.',
);

server.template(
  'test://template/{id}/data',
  { name: 'Resource Template', description: 'Data by id', mimeType: 'application/json' },
  ({ id }) => JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
);

function textOf(content) {
  return [content]
    .flat()
    .map((block) => (block.type === 'text' ? block.text : `[${block.type}]`))
    .join('\n');
}

const http = await serveHttp(server);
process.stdout.write(`${http.url}\n`);

async function leave() {
  await http.close();
  await server.close();
}

process.once('SIGTERM', () => void leave());
