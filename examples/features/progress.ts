// Progress: the server tells how far it is, the client hears of it while it waits.
import { connect } from 'hawser';
import { Server } from 'hawser/server';
import { z } from 'zod';

const server = new Server({ name: 'loader', version: '1.0.0' });

server.tool('load', { input: z.object({ crates: z.number() }) }, async ({ crates }, ctx) => {
  for (let crate = 1; crate <= crates; crate++) await ctx.progress(crate, crates, `crate ${crate}`);
  return 'all on board';
});

const client = await connect(server);

const result = await client.callTool(
  'load',
  { crates: 3 },
  {
    onProgress: ({ progress, total, message }) => console.log(`${progress} of ${total}: ${message}`),
  },
);
console.log(result.text);

await client.close();
console.log('ok: progress came before the result');

// Prints:
//   1 of 3: crate 1
//   2 of 3: crate 2
//   3 of 3: crate 3
//   all on board
//   ok: progress came before the result
