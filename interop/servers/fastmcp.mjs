/** fastmcp: `stdio`, `http`. It owns its HTTP server. */
import { FastMCP, UserError } from 'fastmcp';
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

if (mode === 'stdio') await server.start({ transportType: 'stdio' });
else {
  void server.start({ transportType: 'httpStream', httpStream: { port: 0, host: '127.0.0.1' } });
  const { port } = await listening;
  ready(`http://127.0.0.1:${port}/mcp`);
}
