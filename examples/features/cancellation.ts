// Cancellation: a caller gives up, and the handler learns of it. A deadline is a caller who gives up by itself.
import { setTimeout } from 'node:timers/promises';
import { AbortError, connect, RequestTimeoutError } from 'hawser';
import { Server } from 'hawser/server';

const server = new Server({ name: 'lighthouse', version: '1.0.0' });

server.tool('wait', { description: 'Waits a minute for a ship.' }, async (_, ctx) => {
  await ctx.progress(0, 1, 'looking out');
  try {
    // Give `ctx.signal` to whatever takes one: fetch, timers, a child process, a database.
    await setTimeout(60_000, undefined, { signal: ctx.signal });
    return 'no ship came';
  } finally {
    if (ctx.signal.aborted) console.log('server: the caller has gone, so I stop');
  }
});

const client = await connect(server);

const giveUp = new AbortController();
try {
  await client.callTool('wait', {}, { signal: giveUp.signal, onProgress: () => giveUp.abort() });
} catch (error) {
  console.log('client: gave up, as an AbortError:', error instanceof AbortError);
}

try {
  await client.callTool('wait', {}, { timeoutMs: 50 });
} catch (error) {
  console.log('client: the time is over:', error instanceof RequestTimeoutError);
}

await client.close();
console.log('ok: both sides stopped');

// Prints:
//   server: the caller has gone, so I stop
//   client: gave up, as an AbortError: true
//   server: the caller has gone, so I stop
//   client: the time is over: true
//   ok: both sides stopped
