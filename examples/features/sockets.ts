// Transports of your own: over a socket, where there is a stream of bytes, and by messages, where something else carries
// them: a queue, a WebSocket, a message port.
import { EventEmitter, once } from 'node:events';
import { connect as connectSocket, createServer, type AddressInfo } from 'node:net';
import { connect } from 'hawser';
import { streamPipe } from 'hawser/node';
import { Server, servePipe, ServerSession } from 'hawser/server';

const server = new Server({ name: 'lighthouse', version: '1.0.0' });
server.tool(
  'greet',
  {},
  (_, ctx) => `Ahoy, ${ctx.caller.principal} with ${ctx.session?.clientInfo?.name ?? 'no session'}!`,
);

// A stream of bytes: the pipe of stdio, over a socket.
const listener = createServer((socket) => {
  servePipe(server, streamPipe(socket), { principal: 'somebody on a socket' });
}).listen(0, '127.0.0.1');
await once(listener, 'listening');
const { port } = listener.address() as AddressInfo;
const client = await connect({ pipe: () => streamPipe(connectSocket(port)) }, { protocol: 'legacy' });
console.log((await client.callTool('greet')).text);
await client.close();
listener.close();

// Messages: one session per connection, whatever carries them. Two emitters stand for it here.
const [toServer, toClient] = [new EventEmitter(), new EventEmitter()];
const session = new ServerSession({ send: (message) => toClient.emit('message', JSON.stringify(message)) });

async function receive(text: string): Promise<void> {
  const answer = await server.handleJson(text, { session, principal: 'somebody by post' });
  if (answer !== undefined) toClient.emit('message', answer);
}

toServer.on('message', (text: string) => void receive(text));
toServer.on('gone', () => session.close());

async function post(method: string, params: object): Promise<string> {
  const answer = once(toClient, 'message');
  toServer.emit('message', JSON.stringify({ jsonrpc: '2.0', id: method, method, params }));
  return ((await answer) as [string])[0];
}
const clientInfo = { name: 'postman', version: '1' };
await post('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
console.log(await post('tools/call', { name: 'greet' }));
toServer.emit('gone');
console.log('ok: over a socket, and by messages');

// Prints:
//   Ahoy, somebody on a socket with hawser!
//   {"jsonrpc":"2.0","id":"tools/call","result":{"content":[{"type":"text","text":"Ahoy, somebody by post with postman!"}]}}
//   ok: over a socket, and by messages
