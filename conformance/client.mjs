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
    for (const { uri } of await client.listResources()) await client.readResource(uri);
    for (const prompt of await client.listPrompts()) await client.getPrompt(prompt.name);
  },

  async 'http-custom-headers'(client) {
    await client.listTools();
    for (const call of context.toolCalls) await client.callTool(call.name, call.arguments);
  },

  /** Calls whatever the client lets through: tools with a bad header annotation must be gone. */
  async 'http-invalid-tool-headers'(client) {
    for (const tool of await client.listTools()) await client.callTool(tool.name, argumentsFor(tool.inputSchema));
  },

  async 'elicitation-sep1034-client-defaults'(client) {
    await client.callTool('test_client_elicitation_defaults');
  },

  async 'sse-retry'(client) {
    await client.callTool('test_reconnection');
  },

  async 'sep-2322-client-request-state'(client) {
    const tools = ['test_mrtr_echo_state', 'test_mrtr_no_state', 'test_mrtr_unrelated', 'test_mrtr_no_result_type'];
    for (const tool of tools) await client.callTool(tool);
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
  // An empty form is accepted with what the form has for defaults.
  onElicit: {
    form: ({ schema }) => ('confirmed' in (schema.properties ?? {}) ? { confirmed: true } : {}),
    url: () => false,
  },
  onSample: () => ({ role: 'assistant', content: { type: 'text', text: 'sampled' }, model: 'none' }),
  roots: [],
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
