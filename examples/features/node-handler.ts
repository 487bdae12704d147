// In an HTTP server of your own: a handler for node:http, and for what is built on it, such as Express.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'hawser';
import { nodeHandler } from 'hawser/node';
import { Server } from 'hawser/server';

const server = new Server({ name: 'guest', version: '1.0.0' });
server.tool('greet', {}, () => 'Hello from a server of your own.');

const mcp = nodeHandler(server);
const app = createServer((request, response) => {
  if (request.url === '/mcp') mcp(request, response);
  else response.end('ok, healthy');
});
await new Promise<void>((resolve) => app.listen(0, '127.0.0.1', resolve));
const origin = `http://127.0.0.1:${(app.address() as AddressInfo).port}`;

console.log(await (await fetch(`${origin}/health`)).text());
const client = await connect(`${origin}/mcp`);
console.log((await client.callTool('greet')).text);

await client.close();
await server.close();
app.close();
app.closeAllConnections();
console.log('ok: one path of many');

// Prints:
//   ok, healthy
//   Hello from a server of your own.
//   ok: one path of many
