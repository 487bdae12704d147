// Transports of your own: over a socket, where there is a stream of bytes, and by messages, where something else carries
// them: a queue, a WebSocket, a message port.
import { once } from 'node:events';
import { connect as connectSocket, createServer, type AddressInfo } from 'node:net';
import { MessageChannel } from 'node:worker_threads';
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

// Messages: one session per connection, whatever carries it.
const { port1: near, port2: far } = new MessageChannel();
const session = new ServerSession({ send: (message) => far.postMessage(message) });
far.on('message', async (message) => {
  const answer = await server.handle(message, { session, principal: 'somebody by post' });
  if (answer !== undefined) far.postMessage(answer);
});
far.on('close', () => session.close());

async function post(method: string, params: object): Promise<{ result: Record<string, unknown> }> {
  near.postMessage({ jsonrpc: '2.0', id: method, method, params });
  const [answer] = (await once(near, 'message')) as [{ result: Record<string, unknown> }];
  return answer;
}
const clientInfo = { name: 'postman', version: '1' };
await post('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
const { result } = await post('tools/call', { name: 'greet' });
console.log(JSON.stringify(result['content']));
near.close();
console.log('ok: over a socket, and by messages');

// Prints:
//   Ahoy, somebody on a socket with hawser!
//   [{"type":"text","text":"Ahoy, somebody by post with postman!"}]
//   ok: over a socket, and by messages
