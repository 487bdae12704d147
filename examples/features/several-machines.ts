// Several machines behind one URL: a question may be asked by one and its answer come to another. What the handler has
// done so far travels with the caller, sealed; machines with the same keys can open it.
import { connect } from 'hawser';
import { Server } from 'hawser/server';
import { z } from 'zod';

const stateKeys = ['a long secret from your secret store']; // the first one seals; older ones still open

function machine(name: string): Server {
  const server = new Server({ name: 'shop', version: '1.0.0', stateKeys });
  server.tool('pay', {}, async (_, ctx) => {
    const reserved = await ctx.step('reserve', () => `reserved by machine ${name}`);
    const { sure } = await ctx.elicit('sure', { message: 'Pay 5 ducats?', schema: z.object({ sure: z.boolean() }) });
    return sure ? `${reserved}, paid by machine ${name}` : 'not paid';
  });
  return server;
}

const machines = [machine('A'), machine('B')];
let turn = 0;
const client = await connect('https://shop.example/mcp', {
  protocol: 'modern',
  // A load balancer that sends each request to the next machine.
  fetch: (input, init) => {
    const next = machines[turn++ % machines.length] as Server;
    return next.fetch(new Request(input, init));
  },
  onElicit: () => ({ sure: true }),
});
console.log((await client.callTool('pay')).text);

await client.close();
console.log('ok: begun here, finished there');

// Prints:
//   reserved by machine B, paid by machine A
//   ok: begun here, finished there
