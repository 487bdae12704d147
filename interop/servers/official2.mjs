/** The official server 2.4: `stdio` and `http` speak both eras, `http-sessions` is legacy with sessions. */
import { randomUUID } from 'node:crypto';
import { NodeStreamableHTTPServerTransport, toNodeHandler } from '@modelcontextprotocol/node';
import {
  McpServer,
  ResourceTemplate,
  completable,
  createMcpHandler,
  inputRequired,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';
import { askingTools, greet, item, note, picture } from '../lib/features.mjs';
import { listen, sessionHandler, startServer } from '../lib/serve.mjs';
import { tools } from '../lib/tools.mjs';

const { mode, tell, heard, ready } = await startServer();

/** What the handler has to give back instead of a result; thrown, so that the tools of the table need not know. */
class Needs extends Error {
  constructor(request) {
    super('input is needed');
    this.request = request;
  }
}

const answered = (ctx, request) => {
  const response = ctx.mcpReq.inputResponses?.['it'];
  if (response === undefined) throw new Needs(request);
  return response;
};

/** The event bus of the HTTP handler; other modes tell their one caller. */
let updated;

function build() {
  const server = new McpServer(
    { name: 'official-2.4', version: '1.0.0' },
    { capabilities: { resources: { subscribe: true, listChanged: true } } },
  );
  for (const { name, description, input, run } of askingTools) {
    server.registerTool(name, { description, inputSchema: input }, async (args, ctx) => {
      try {
        return await run(args, {
          elicit: (params) => answered(ctx, inputRequired.elicit(params)),
          sample: (params) => answered(ctx, inputRequired.createMessage(params)),
          roots: () => answered(ctx, inputRequired.listRoots()),
          touched: (uri) => (updated ?? ((each) => server.server.sendResourceUpdated({ uri: each })))(uri),
        });
      } catch (error) {
        if (error instanceof Needs) return inputRequired({ inputRequests: { it: error.request } });
        throw error;
      }
    });
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
      argsSchema: z.object({ name: completable(z.string().describe(greet.argument.description), greet.complete) }),
    },
    ({ name }) => ({ messages: [{ role: 'user', content: { type: 'text', text: greet.text(name) } }] }),
  );
  // It leaves the bookkeeping of legacy subscriptions to its users.
  for (const method of ['resources/subscribe', 'resources/unsubscribe'])
    server.server.setRequestHandler(method, () => ({}));
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
else if (mode === 'http') {
  const handler = createMcpHandler(build);
  updated = (uri) => handler.notify.resourceUpdated(uri);
  ready(await listen(toNodeHandler(handler)));
} else {
  const createTransport = (onsessioninitialized) =>
    new NodeStreamableHTTPServerTransport({ sessionIdGenerator: () => randomUUID(), onsessioninitialized });
  ready(await listen(sessionHandler(createTransport, (transport) => build().connect(transport))));
}
