/** The official client 1.x. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { textOf, walk } from './steps.mjs';

async function open(url) {
  const client = new Client({ name: 'page', version: '1.0.0' });
  const transport = new StreamableHTTPClientTransport(new URL(url));
  await client.connect(transport);
  return {
    revision: () => transport.protocolVersion,
    list: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args, onProgress) => {
      const onprogress = onProgress && (({ progress }) => onProgress(progress));
      return textOf(await client.callTool({ name, arguments: args }, undefined, { onprogress }));
    },
    onChange: (told) => client.setNotificationHandler(ToolListChangedNotificationSchema, told),
    close: async () => {
      await transport.terminateSession();
      await client.close();
    },
  };
}

globalThis.walk = (url) => walk(open, url);
