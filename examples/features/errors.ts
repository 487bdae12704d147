// Errors: what went wrong, whose fault it is, and whether the call may have run.
import { connect, McpError } from 'hawser';
import { serveHttp } from 'hawser/node';
import { Server } from 'hawser/server';

const server = new Server({ name: 'post-office', version: '1.0.0' });
server.tool('send', {}, async (_, ctx) => {
  await new Promise((resolve) => ctx.signal.addEventListener('abort', resolve, { once: true }));
});
const http = await serveHttp(server);

/** What to do about a failure is a matter of its code and its outcome, not of its words. */
async function attempt(title: string, call: () => Promise<unknown>): Promise<void> {
  try {
    await call();
  } catch (error) {
    if (!(error instanceof McpError)) throw error;
    console.log(`${title}: ${error.code}, ${error.origin}, ${error.outcome ?? 'no call'}`);
  }
}

const client = await connect(http.url);
await attempt('a tool that there is not', () => client.callTool('receive'));
await attempt('a letter under way', () => client.callTool('send', {}, { timeoutMs: 50 }));
await attempt('a method that there is not', () => client.sendRequest('post/stamp'));

await client.close();
await http.close();
await attempt('nobody is there', () => connect(http.url));

console.log('ok: four failures, told apart');

// Prints:
//   a tool that there is not: rpc_error, peer, unknown
//   a letter under way: timeout, transport, unknown
//   a method that there is not: method_not_found, peer, refused
//   nobody is there: connection, transport, not-sent
//   ok: four failures, told apart
