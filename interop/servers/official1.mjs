/** The official server 1.32: `stdio`, `http-sessions`, `http-stateless`. */
import { randomUUID } from 'node:crypto';
import { completable } from '@modelcontextprotocol/sdk/server/completable.js';
import { McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { SubscribeRequestSchema, UnsubscribeRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { askingTools, greet, item, note, picture } from '../lib/features.mjs';
import { listen, sessionHandler, startServer } from '../lib/serve.mjs';
import { tools } from '../lib/tools.mjs';

const { mode, tell, heard, ready } = await startServer();

function build() {
  const server = new McpServer(
    { name: 'official-1.32', version: '1.0.0' },
    { capabilities: { resources: { subscribe: true, listChanged: true } } },
  );
  for (const { name, description, input, run } of askingTools) {
    server.registerTool(name, { description, inputSchema: input }, (args, extra) =>
      run(args, {
        elicit: (params) => server.server.elicitInput(params, { relatedRequestId: extra.requestId }),
        sample: (params) => server.server.createMessage(params, { relatedRequestId: extra.requestId }),
        roots: () => server.server.listRoots({}, { relatedRequestId: extra.requestId }),
        touched: (uri) => server.server.sendResourceUpdated({ uri }),
      }),
    );
  }
  for (const { uri, name, mimeType, text, blob } of [note, picture]) {
    server.registerResource(name, uri, { mimeType }, () => ({
      contents: [text === undefined ? { uri, mimeType, blob } : { uri, mimeType, text }],
    }));
  }
  server.registerResource(
    item.name,
    new ResourceTemplate(item.uriTemplate, { list: undefined }),
    { mimeType: item.mimeType },
    (uri, { id }) => ({ contents: [{ uri: uri.href, mimeType: item.mimeType, text: item.text(id) }] }),
  );
  server.registerPrompt(
    greet.name,
    {
      description: greet.description,
      argsSchema: { name: completable(z.string().describe(greet.argument.description), greet.complete) },
    },
    ({ name }) => ({ messages: [{ role: 'user', content: { type: 'text', text: greet.text(name) } }] }),
  );
  // It leaves the bookkeeping of subscriptions to its users.
  for (const schema of [SubscribeRequestSchema, UnsubscribeRequestSchema])
    server.server.setRequestHandler(schema, () => ({}));
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
