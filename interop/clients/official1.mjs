/** The official client 1.32, which knows the legacy revisions only. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  McpError,
  ResourceUpdatedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { runClient } from '../lib/client.mjs';
import { answers } from '../lib/features.mjs';

function transportTo({ command, url }) {
  if (url === undefined) return new StdioClientTransport({ command: command[0], args: command.slice(1) });
  const Transport = url.endsWith('/sse') ? SSEClientTransport : StreamableHTTPClientTransport;
  return new Transport(new URL(url));
}

await runClient(async ({ target }) => {
  const client = new Client(
    { name: 'interop', version: '1.0.0' },
    { capabilities: { elicitation: { form: {} }, sampling: {}, roots: {} } },
  );
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => ({
    action: 'accept',
    content: answers.elicit(params.requestedSchema),
  }));
  client.setRequestHandler(CreateMessageRequestSchema, () => answers.sample);
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: answers.roots }));
  let revision;
  const transport = transportTo(target);
  // The client tells the revision to nobody but its transport.
  const tell = transport.setProtocolVersion?.bind(transport);
  transport.setProtocolVersion = (version) => {
    revision = version;
    tell?.(version);
  };
  await client.connect(transport);
  return {
    revision,
    listTools: async () => (await client.listTools()).tools,
    callTool: (name, args, { signal, onProgress } = {}) =>
      client.callTool({ name, arguments: args }, undefined, {
        ...(signal && { signal }),
        ...(onProgress && { onprogress: onProgress }),
      }),
    listResources: async () => (await client.listResources()).resources,
    listResourceTemplates: async () => (await client.listResourceTemplates()).resourceTemplates,
    readResource: (uri) => client.readResource({ uri }),
    listPrompts: async () => (await client.listPrompts()).prompts,
    getPrompt: (name, args) => client.getPrompt({ name, arguments: args }),
    complete: async (ref, argument) => (await client.complete({ ref, argument })).completion,
    subscribe: async (uri, updated) => {
      client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => updated(params.uri));
      await client.subscribeResource({ uri });
      return () => client.unsubscribeResource({ uri });
    },
    rpcCode: (error) => (error instanceof McpError ? error.code : undefined),
    // It has no error of its own for this: a request timeout that carries the reason.
    isAbort: (error, why) => error instanceof McpError && error.message.includes(why),
    close: () => client.close(),
  };
});
