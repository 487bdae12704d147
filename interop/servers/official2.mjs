/** The official server 2.4: `stdio` and `http` speak both eras, `http-sessions` is legacy with sessions. */
import { randomUUID } from 'node:crypto';
import { NodeStreamableHTTPServerTransport, toNodeHandler } from '@modelcontextprotocol/node';
import { McpServer, createMcpHandler } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { listen, sessionHandler, startServer } from '../lib/serve.mjs';
import { tools } from '../lib/tools.mjs';

const { mode, tell, heard, ready } = await startServer();

function build() {
  const server = new McpServer({ name: 'official-2.4', version: '1.0.0' });
  for (const { name, description, input, output, run } of tools) {
    server.registerTool(
      name,
      { description, inputSchema: input, ...(output && { outputSchema: output }) },
      (args, ctx) => {
        const progressToken = ctx.mcpReq._meta?.progressToken;
        const progress = (value, total, message) =>
          ctx.mcpReq.notify({
            method: 'notifications/progress',
            params: { progressToken, progress: value, total, message },
          });
        return run(args, { signal: ctx.mcpReq.signal, progress, tell, heard });
      },
    );
  }
  return server;
}

if (mode === 'stdio') serveStdio(build);
else if (mode === 'http') ready(await listen(toNodeHandler(createMcpHandler(build))));
else {
  const createTransport = (onsessioninitialized) =>
    new NodeStreamableHTTPServerTransport({ sessionIdGenerator: () => randomUUID(), onsessioninitialized });
  ready(await listen(sessionHandler(createTransport, (transport) => build().connect(transport))));
}
