/** fastmcp: `stdio`, `http`. It owns its HTTP server. */
import { FastMCP, UserError } from 'fastmcp';
import { askingTools, greet, item, note, picture } from '../lib/features.mjs';
import { startServer } from '../lib/serve.mjs';
import { tools } from '../lib/tools.mjs';

const { mode, tell, heard, ready, listening } = await startServer();
const quiet = { debug() {}, info() {}, log() {}, warn: console.error, error: console.error };
const server = new FastMCP({ name: 'fastmcp', version: '1.0.0', logger: quiet });

for (const { name, description, input, output, run } of tools) {
  server.addTool({
    name,
    description,
    parameters: input,
    ...(output && { outputSchema: output }),
    execute: async (args, { signal, reportProgress }) => {
      const progress = (value, total, message) => reportProgress({ progress: value, total, message });
      try {
        return await run(args, { signal, progress, tell, heard });
      } catch (error) {
        throw new UserError(error.message);
      }
    },
  });
}

/** Its tools are not handed the session that could ask, which it has ready only some time after the handshake. */
const session = new Promise((resolve) => server.on('connect', (event) => resolve(event.session)));

for (const { name, description, input, run } of askingTools) {
  server.addTool({
    name,
    description,
    parameters: input,
    execute: (args) =>
      run(args, {
        elicit: async (params) => (await session).requestElicitation(params),
        sample: async (params) => (await session).requestSampling(params),
        roots: async () => (await session).server.listRoots(),
        touched: async (uri) => (await session).server.sendResourceUpdated({ uri }),
      }),
  });
}
for (const { uri, name, mimeType, text, blob } of [note, picture]) {
  server.addResource({ uri, name, mimeType, load: async () => (text === undefined ? { blob } : { text }) });
}
server.addResourceTemplate({
  uriTemplate: item.uriTemplate,
  name: item.name,
  mimeType: item.mimeType,
  arguments: [{ name: 'id', required: true }],
  load: async ({ id }) => ({ text: item.text(id) }),
});
server.addPrompt({
  name: greet.name,
  description: greet.description,
  arguments: [{ ...greet.argument, required: true, complete: async (value) => ({ values: greet.complete(value) }) }],
  load: async ({ name }) => greet.text(name),
});

if (mode === 'stdio') await server.start({ transportType: 'stdio' });
else {
  void server.start({ transportType: 'httpStream', httpStream: { port: 0, host: '127.0.0.1' } });
  const { port } = await listening;
  ready(`http://127.0.0.1:${port}/mcp`);
}
