/**
 * Our server, as built: `stdio`, `http` (legacy callers get sessions), `http-stateless` (they get none), `http-sse` (the
 * transport of 2024-11-05).
 */
import { serveHttp, serveLegacySse, serveStdio } from '../../packages/hawser/dist/node.js';
import { Server } from '../../packages/hawser/dist/server.js';
import { askingTools, greet, item, note, picture } from '../lib/features.mjs';
import { startServer } from '../lib/serve.mjs';
import { tools } from '../lib/tools.mjs';

const { mode, tell, heard, ready, stopped } = await startServer();
const server = new Server({ name: 'hawser', version: '1.0.0' });

for (const { name, description, input, output, run } of tools) {
  server.tool(name, { description, input, ...(output && { output }) }, (args, ctx) =>
    run(args, { signal: ctx.signal, progress: (...step) => ctx.progress(...step), tell, heard }),
  );
}

for (const { name, description, input, run } of askingTools) {
  server.tool(name, { description, input }, (args, ctx) =>
    run(args, {
      elicit: ({ message, requestedSchema }) => ctx.tryElicit('user', { message, schema: requestedSchema }),
      sample: (params) => ctx.sample('model', params),
      roots: async () => ({ roots: await ctx.roots() }),
      touched: (uri) => server.changed.resource(uri),
    }),
  );
}
for (const { uri, text, blob, ...rest } of [note, picture]) server.resource(uri, rest, () => text ?? { blob });
server.template(item.uriTemplate, { name: item.name, mimeType: item.mimeType }, ({ id }) => item.text(id));
server.prompt(
  greet.name,
  {
    description: greet.description,
    input: {
      type: 'object',
      properties: { name: { type: 'string', description: greet.argument.description } },
      required: ['name'],
    },
    complete: { name: greet.complete },
  },
  ({ name }) => greet.text(name),
);

if (mode === 'stdio') serveStdio(server);
else {
  const door =
    mode === 'http-sse'
      ? await serveLegacySse(server)
      : await serveHttp(server, { legacy: mode === 'http-stateless' ? 'stateless' : 'sessions' });
  ready(door.url);
  await stopped();
  await door.close();
  await server.close();
}
