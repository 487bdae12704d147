/** Our client, as built. `protocol` goes to `connect` as it is. */
import { AbortError, McpError, connect } from '../../packages/hawser/dist/index.node.js';
import { runClient } from '../lib/client.mjs';

await runClient(async ({ target, protocol, onFrame }) => {
  const client = await connect(target, {
    protocol,
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
    rpcCode: (error) => (McpError.is(error) ? error.rpc?.code : undefined),
    isAbort: (error, why) => error instanceof AbortError && error.cause?.message === why,
    close: () => client.close(),
  };
});
