// The client the public suite is run against. The suite starts it once for each scenario, with the URL of its mock as
// last argument and the scenario, the revision to speak and further input in MCP_CONFORMANCE_* variables.
// It must end by itself, with exit code 0.

import { connect } from 'hawser';

const { MCP_CONFORMANCE_SCENARIO: name, MCP_CONFORMANCE_PROTOCOL_VERSION: revision } = process.env;
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}');

const scenarios = {
  initialize: listTools,
  'json-schema-ref-no-deref': listTools,
  'request-metadata': listTools,

  async tools_call(client) {
    await client.listTools();
    await client.callTool('add_numbers', { a: 5, b: 3 });
  },

  async 'http-standard-headers'(client) {
    for (const tool of await client.listTools()) await client.callTool(tool.name);
    const { resources } = await client.request('resources/list');
    for (const { uri } of resources) await client.request('resources/read', { uri });
    const { prompts } = await client.request('prompts/list');
    for (const prompt of prompts) await client.request('prompts/get', { name: prompt.name });
  },

  async 'http-custom-headers'(client) {
    await client.listTools();
    for (const call of context.toolCalls) await client.callTool(call.name, call.arguments);
  },

  /** Calls whatever the client lets through: tools with a bad header annotation must be gone. */
  async 'http-invalid-tool-headers'(client) {
    for (const tool of await client.listTools()) await client.callTool(tool.name, argumentsFor(tool.inputSchema));
  },

  async 'json-schema-2020-12-preservation'(client) {
    const tool = (await client.listTools()).find((each) => each.name === 'json_schema_2020_12_tool');
    await client.callTool('json_schema_echo', { schema: tool.inputSchema });
  },
};

const scenario = scenarios[name];
if (scenario === undefined) throw new Error(`no client for the scenario ${name}`);

const client = await connect(process.argv.at(-1), {
  // With `auto` the client has to find the revision by itself.
  protocol: process.env.CONFORMANCE_PROTOCOL ?? revision,
  transport: 'http',
  clientInfo: { name: 'hawser-conformance-client', version: '1.0.0' },
  // The suite starts all scenarios at once and is deaf meanwhile, which takes a busy machine a while.
  connectTimeoutMs: 100_000,
  ...(process.env.CONFORMANCE_FRAMES === undefined ? {} : { onFrame: printFrame }),
});
await scenario(client);
await client.close();

async function listTools(client) {
  await client.listTools();
}

/** A value of the right type for each required argument. */
function argumentsFor({ properties = {}, required = [] }) {
  const values = { string: 'text', number: 1, integer: 1, boolean: true, object: {}, array: [], null: null };
  return Object.fromEntries(required.map((key) => [key, values[properties[key]?.type] ?? 'text']));
}

function printFrame({ direction, text, headers, status }) {
  const about = [status, headers && JSON.stringify(headers)].filter(Boolean).join(' ');
  process.stderr.write(`${direction === 'out' ? '>' : '<'} ${about} ${text}\n`);
}
