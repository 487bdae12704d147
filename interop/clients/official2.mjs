/** The official client 2.4. `protocol` is `modern`, `legacy` or `auto`. */
import { Client, ProtocolError, SdkError, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { runClient } from '../lib/client.mjs';

const modes = { modern: { pin: '2026-07-28' }, legacy: 'legacy', auto: 'auto' };

await runClient(async ({ target, protocol }) => {
  const client = new Client({ name: 'interop', version: '1.0.0' }, { versionNegotiation: { mode: modes[protocol] } });
  const transport =
    target.url === undefined
      ? new StdioClientTransport({ command: target.command[0], args: target.command.slice(1) })
      : new StreamableHTTPClientTransport(new URL(target.url));
  await client.connect(transport);
  return {
    revision: client.getNegotiatedProtocolVersion(),
    listTools: async () => (await client.listTools()).tools,
    callTool: (name, args, { signal, onProgress } = {}) =>
      client.callTool(
        { name, arguments: args },
        { ...(signal && { signal }), ...(onProgress && { onprogress: onProgress }) },
      ),
    rpcCode: (error) => (error instanceof ProtocolError ? error.code : undefined),
    // It has no error of its own for this: a request timeout that carries the reason.
    isAbort: (error, why) => error instanceof SdkError && error.message.includes(why),
    close: () => client.close(),
  };
});
