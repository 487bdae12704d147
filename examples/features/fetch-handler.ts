// Workers, Deno, Bun and frameworks with Request and Response: a server has `fetch`, and a client takes one.
// This file could be a Worker as it is: `export default server` is all one needs.
import { connect } from 'hawser';
import { Server } from 'hawser/server';

const server = new Server({ name: 'edge', version: '1.0.0' });
server.tool('where', {}, () => 'at the edge');
export default server;

const response = await server.fetch(
  new Request('https://edge.example/mcp', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
  }),
);
console.log(response.status, await response.text());

// No network here: the client's requests go straight to the handler.
const client = await connect('https://edge.example/mcp', {
  fetch: (input, init) => server.fetch(new Request(input, init)),
});
console.log(client.protocolVersion, (await client.callTool('where')).text);

await client.close();
console.log('ok: served without a listener');

// Prints:
//   200 {"jsonrpc":"2.0","id":1,"result":{}}
//   2026-07-28 at the edge
//   ok: served without a listener
