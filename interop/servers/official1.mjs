/** The official server 1.32: `stdio`, `http-sessions`, `http-stateless`. */
import { randomUUID } from 'node:crypto';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { listen, sessionHandler, startServer } from '../lib/serve.mjs';
import { tools } from '../lib/tools.mjs';

const { mode, tell, heard, ready } = await startServer();

function build() {
  const server = new McpServer({ name: 'official-1.32', version: '1.0.0' });
  for (const { name, description, input, output, run } of tools) {
    server.registerTool(
      name,
      { description, inputSchema: input, ...(output && { outputSchema: output }) },
      (args, extra) => {
        const progressToken = extra._meta?.progressToken;
        const progress = (value, total, message) =>
          extra.sendNotification({
            method: 'notifications/progress',
            params: { progressToken, progress: value, total, message },
          });
        return run(args, { signal: extra.signal, progress, tell, heard });
      },
    );
  }
  return server;
}

/** One server and one transport for each POST; there is nothing to GET or to DELETE. */
async function stateless(request, response) {
  if (request.method !== 'POST') {
    response.writeHead(405).end();
    return;
  }
  const server = build();
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
  await server.connect(transport);
  response.on('close', () => {
    void transport.close();
    void server.close();
  });
  await transport.handleRequest(request, response);
}

if (mode === 'stdio') await build().connect(new StdioServerTransport());
else if (mode === 'http-stateless') ready(await listen(stateless));
else {
  const createTransport = (onsessioninitialized) =>
    new StreamableHTTPServerTransport({ sessionIdGenerator: () => randomUUID(), onsessioninitialized });
  ready(await listen(sessionHandler(createTransport, (transport) => build().connect(transport))));
}
