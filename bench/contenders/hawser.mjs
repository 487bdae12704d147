// Hawser, as its README says: one Server for everything.
import { fileURLToPath } from 'node:url';

async function build(app) {
  const { Server } = await import('hawser/server');
  const server = new Server(app.info);
  for (const t of app.tools)
    server.tool(t.name, { description: t.description, input: t.input, ...(t.output && { output: t.output }) }, t.run);
  if (app.resource) server.resource(app.resource.uri, { name: app.resource.name }, () => '');
  return server;
}

/** A change to the list that leaves it as it was. */
function publish(server) {
  server.tool('bench_change', {}, () => '');
  server.removeTool('bench_change');
}

async function http(app, { listen, options }) {
  const { nodeHandler } = await import('hawser/node');
  const server = await build(app);
  const handler = nodeHandler(server, options);
  return {
    port: await listen(handler),
    publish: () => publish(server),
    updated: (uri) => server.changed.resource(uri),
    open: () => ({ ...handler.open }),
  };
}

const client = (protocol) => async (url) => {
  const { connect } = await import('hawser');
  const c = await connect(url, { protocol });
  return {
    callTool: (name, args, onProgress) => c.callTool(name, args, onProgress && { onProgress, timeoutMs: 120_000 }),
    close: () => c.close(),
  };
};

const tarball = process.env.HAWSER_TARBALL ?? fileURLToPath(new URL('../../packages/hawser', import.meta.url));

export default {
  label: 'hawser',
  packages: [tarball],
  http: { modern: http, legacy: http },
  stdio: async (app) => {
    const { serveStdio } = await import('hawser/node');
    serveStdio(await build(app));
  },
  stdioEras: ['legacy', 'modern'],
  clients: {
    'hawser (modern)': { era: 'modern', connect: client('modern') },
    'hawser (legacy)': { era: 'legacy', connect: client('legacy') },
  },
  size: {
    server: {
      packages: [tarball, 'zod@4.6.7'],
      entry: 'hawser/server',
      code: `import { Server } from 'hawser/server'; import * as z from 'zod';
        const s = new Server({ name: 'a', version: '1' });
        s.tool('echo', { input: z.object({ text: z.string() }) }, ({ text }) => text); export default s;`,
    },
    client: {
      packages: [tarball],
      entry: 'hawser',
      code: `import { connect } from 'hawser'; const c = await connect('http://localhost/mcp'); export default await c.callTool('echo', { text: 'hi' });`,
    },
  },
};
