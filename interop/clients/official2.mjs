/** The official client 2.4. `protocol` is `modern`, `legacy` or `auto`. */
import { Client, ProtocolError, SdkError, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { runClient } from '../lib/client.mjs';
import { answers } from '../lib/features.mjs';

const modes = { modern: { pin: '2026-07-28' }, legacy: 'legacy', auto: 'auto' };

await runClient(async ({ target, protocol }) => {
  const client = new Client(
    { name: 'interop', version: '1.0.0' },
    {
      versionNegotiation: { mode: modes[protocol] },
      capabilities: { elicitation: { form: {} }, sampling: {}, roots: {} },
    },
  );
  client.setRequestHandler('elicitation/create', ({ params }) => ({
    action: 'accept',
    content: answers.elicit(params.requestedSchema),
  }));
  client.setRequestHandler('sampling/createMessage', () => answers.sample);
  client.setRequestHandler('roots/list', () => ({ roots: answers.roots }));
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
    listResources: async () => (await client.listResources()).resources,
    listResourceTemplates: async () => (await client.listResourceTemplates()).resourceTemplates,
    readResource: (uri) => client.readResource({ uri }),
    listPrompts: async () => (await client.listPrompts()).prompts,
    getPrompt: (name, args) => client.getPrompt({ name, arguments: args }),
    complete: async (ref, argument) => (await client.complete({ ref, argument })).completion,
    subscribe: async (uri, updated) => {
      client.setNotificationHandler('notifications/resources/updated', ({ params }) => updated(params.uri));
      if (client.getNegotiatedProtocolVersion() === modes.modern.pin) {
        const subscription = await client.listen({ resourceSubscriptions: [uri] });
        return () => subscription.close();
      }
      await client.subscribeResource({ uri });
      return () => client.unsubscribeResource({ uri });
    },
    rpcCode: (error) => (error instanceof ProtocolError ? error.code : undefined),
    // It has no error of its own for this: a request timeout that carries the reason.
    isAbort: (error, why) => error instanceof SdkError && error.message.includes(why),
    close: () => client.close(),
  };
});
