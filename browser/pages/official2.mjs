/** The official client 2.x. It does not mirror arguments in headers, so it cannot call a tool that asks for that. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { textOf, walk } from './steps.mjs';

const opener = (mode) => async (url) => {
  let told = () => undefined;
  const client = new Client(
    { name: 'page', version: '1.0.0' },
    {
      versionNegotiation: { mode },
      listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: () => told() } },
    },
  );
  const transport = new StreamableHTTPClientTransport(new URL(url));
  await client.connect(transport);
  return {
    revision: () => client.getNegotiatedProtocolVersion(),
    list: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args, onProgress) => {
      const onprogress = onProgress && (({ progress }) => onProgress(progress));
      return textOf(await client.callTool({ name, arguments: args }, { onprogress }));
    },
    onChange: (listener) => (told = listener),
    close: async () => {
      await transport.terminateSession();
      await client.close();
    },
  };
};

globalThis.walk = (url, mode) => walk(opener(mode), url);
