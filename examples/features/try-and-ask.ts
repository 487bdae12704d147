// try and catch around a question. A suspension passes through a handler as an error, so that `finally` and `using` do
// their work; code that catches everything has to let it pass.
import { connect } from 'hawser';
import { isSuspended, Server } from 'hawser/server';
import { z } from 'zod';

const server = new Server({ name: 'archive', version: '1.0.0' });
const yes = z.object({ sure: z.boolean() });

server.tool('erase', {}, async (_, ctx) => {
  try {
    const { sure } = await ctx.elicit('sure', { message: 'Erase everything?', schema: yes });
    return sure ? 'Erased.' : 'Kept.';
  } catch (error) {
    if (isSuspended(error)) throw error; // not a failure: the answer comes with the next request
    return `Kept: ${(error as Error).message}`;
  } finally {
    console.log('  the lock is given back'); // in each run
  }
});

for (const protocol of ['modern', 'legacy'] as const) {
  console.log(protocol);
  const client = await connect(server, { protocol, onElicit: () => ({ sure: true }) });
  console.log(`  ${(await client.callTool('erase')).text}`);
  await client.close();
}
console.log('ok: let suspensions pass');

// Prints:
//   modern
//     the lock is given back
//     the lock is given back
//     Erased.
//   legacy
//     the lock is given back
//     Erased.
//   ok: let suspensions pass
