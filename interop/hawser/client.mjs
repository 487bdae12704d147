/** Our client, as built. `protocol` goes to `connect` as it is. */
import { AbortError, McpError, connect } from '../../packages/hawser/dist/index.node.js';
import { runClient } from '../lib/client.mjs';
import { answers } from '../lib/features.mjs';

await runClient(async ({ target, protocol, onFrame }) => {
  const listeners = new Set();
  const tell = (note) => {
    if (note.method === 'notifications/resources/updated') for (const updated of listeners) updated(note.params.uri);
  };
  const client = await connect(target, {
    protocol,
    onElicit: ({ schema }) => answers.elicit(schema),
    onSample: () => answers.sample,
    roots: answers.roots,
    onNotification: tell,
    clientInfo: { name: 'interop', version: '1.0.0' },
    onFrame: ({ direction, text, status }) =>
      onFrame({ way: direction, text, ...(status !== undefined && { status }) }),
  });
  return {
    revision: client.protocolVersion,
    listTools: () => client.listTools(),
    callTool: async (name, args, options) => {
      const result = await client.callTool(name, args, options);
      return { content: result.content, structuredContent: result.structured, isError: result.isError };
    },
    listResources: () => client.listResources(),
    listResourceTemplates: () => client.listResourceTemplates(),
    readResource: (uri) => client.readResource(uri),
    listPrompts: () => client.listPrompts(),
    getPrompt: (name, args) => client.getPrompt(name, args),
    complete: (ref, argument) => client.complete(ref, argument),
    subscribe: async (uri, updated) => {
      listeners.add(updated);
      if (client.isModern) {
        const subscription = await client.listen({ resourceSubscriptions: [uri] }, { onNotification: tell });
        return () => subscription.close();
      }
      await client.subscribeResource(uri);
      return () => client.unsubscribeResource(uri);
    },
    rpcCode: (error) => (McpError.is(error) ? error.rpc?.code : undefined),
    isAbort: (error, why) => error instanceof AbortError && error.cause?.message === why,
    close: () => client.close(),
  };
});
