/** Our server, as built: `stdio`, `http` (legacy callers get sessions), `http-stateless` (they get none). */
import { serveHttp, serveStdio } from '../../packages/hawser/dist/node.js';
import { Server } from '../../packages/hawser/dist/server.js';
import { startServer } from '../lib/serve.mjs';
import { tools } from '../lib/tools.mjs';

const { mode, tell, heard, ready, stopped } = await startServer();
const server = new Server({ name: 'hawser', version: '1.0.0' });

for (const { name, description, input, output, run } of tools) {
  server.tool(name, { description, input, ...(output && { output }) }, (args, ctx) =>
    run(args, { signal: ctx.signal, progress: (...step) => ctx.progress(...step), tell, heard }),
  );
}

if (mode === 'stdio') serveStdio(server);
else {
  const door = await serveHttp(server, { legacy: mode === 'http-stateless' ? 'stateless' : 'sessions' });
  ready(door.url);
  await stopped();
  await door.close();
  await server.close();
}
