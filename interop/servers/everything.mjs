/** server-everything: `stdio`, `http`. Its own tools; it takes its port from PORT and would listen on every interface. */
import { Server } from 'node:http';
import { startServer } from '../lib/serve.mjs';
import { dialects } from '../lib/tools.mjs';

const slow = dialects.everything.slow;

const { mode, ready, listening } = await startServer({
  onMessage(message, tell) {
    const { name, arguments: args } = message?.params ?? {};
    if (name === slow.tool && args?.duration === slow.args.duration) tell({ event: 'slow:started' });
  },
});

if (mode === 'http') {
  process.env.PORT = '0';
  const listen = Server.prototype.listen;
  Server.prototype.listen = function loopback(port, ...rest) {
    return listen.call(this, Number(port), '127.0.0.1', ...rest);
  };
}
process.argv[2] = mode === 'http' ? 'streamableHttp' : 'stdio';
await import('@modelcontextprotocol/server-everything/dist/index.js');
if (mode === 'http') ready(`http://127.0.0.1:${(await listening).port}/mcp`);
