// Clients that know only HTTP+SSE, the transport of 2024-11-05, beside all the others.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'hawser';
import { legacySseHandler, nodeHandler } from 'hawser/node';
import { Server } from 'hawser/server';

const server = new Server({ name: 'host', version: '1.0.0' });
server.tool('greet', {}, () => 'Welcome, whatever you speak.');

const mcp = nodeHandler(server);
const sse = legacySseHandler(server);
const app = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost');
  if (pathname === '/mcp') mcp(request, response);
  else if (pathname === '/sse' || pathname === '/messages') sse(request, response);
  else response.writeHead(404).end();
});
await new Promise<void>((resolve) => app.listen(0, '127.0.0.1', resolve));
const origin = `http://127.0.0.1:${(app.address() as AddressInfo).port}`;

const client = await connect(`${origin}/mcp`);
console.log(client.protocolVersion, (await client.callTool('greet')).text);
await client.close();

// An old client, by hand: what it posts is answered on the stream, whose first event says where to post.
const stream = await fetch(`${origin}/sse`, { headers: { accept: 'text/event-stream' } });
const events = stream.body!.pipeThrough(new TextDecoderStream()).getReader();
const next = async () => /^data: (.*)$/m.exec((await events.read()).value ?? '')?.[1] ?? '';
const messages = new URL(await next(), origin);
const ask = async (id: number, method: string, params: object) => {
  const body = JSON.stringify({ jsonrpc: '2.0', id, method, params });
  await fetch(messages, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  return JSON.parse(await next()).result;
};
const clientInfo = { name: 'old', version: '1.0.0' };
const { protocolVersion } = await ask(1, 'initialize', { protocolVersion: '2024-11-05', capabilities: {}, clientInfo });
console.log(protocolVersion, (await ask(2, 'tools/call', { name: 'greet' })).content[0].text);

await events.cancel();
await Promise.all([mcp.close(), sse.close()]);
app.close();
app.closeAllConnections();
console.log('ok: old and new at one port');

// Prints:
//   2026-07-28 Welcome, whatever you speak.
//   2024-11-05 Welcome, whatever you speak.
//   ok: old and new at one port
