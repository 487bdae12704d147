/** Our own client, as a bundler finds it for the browser. */
import { connect } from 'hawser';
import { textOf, walk } from './steps.mjs';

const opener = (protocol) => async (url) => {
  let told = () => undefined;
  const onNotification = ({ method }) => {
    if (method === 'notifications/tools/list_changed') told();
  };
  const client = await connect(url, { protocol, onNotification });
  if (protocol === 'modern') await client.listen({ toolsListChanged: true }, { onNotification });
  return {
    revision: () => client.protocolVersion,
    list: async () => (await client.listTools()).map(({ name }) => name),
    call: async (name, args, onProgress) => {
      const options = onProgress && { onProgress: ({ progress }) => onProgress(progress) };
      return textOf(await client.callTool(name, args, options));
    },
    onChange: (listener) => (told = listener),
    mirrors: true,
    close: () => client.close(),
  };
};

globalThis.walk = (url, protocol) => walk(opener(protocol), url);
