// Several questions at once, and work that is done once. In the modern protocol a question ends the request and the
// handler runs again with the answer, so what must not happen twice goes into a step.
import { connect } from 'hawser';
import { Server } from 'hawser/server';
import { z } from 'zod';

let runs = 0;
/** A service that takes a key, and does the same thing only once for one key. */
function bookCourier(day: string, key: string): void {
  console.log(`  books a courier for ${day}${key === '' ? '' : ', under a key'}`);
}
const server = new Server({ name: 'shop', version: '1.0.0' });

server.tool('order', { input: z.object({ item: z.string() }) }, async ({ item }, ctx) => {
  runs += 1;
  const reserved = await ctx.step('reserve', () => {
    console.log(`  reserves one ${item}`); // once, however often the handler runs
    return { number: 7 };
  });

  const { address, date } = await ctx.ask({
    address: { message: 'Where to?', schema: z.object({ street: z.string() }) },
    // Bound: what comes next costs something, so the answer has to come with the state of this very question.
    date: { message: 'On which day?', schema: z.object({ day: z.iso.date() }), bound: true },
  });

  await ctx.step('courier', ({ idempotencyKey }) => bookCourier(date.day, idempotencyKey));

  const { gift } = await ctx.elicit('gift', { message: 'A gift?', schema: z.object({ gift: z.boolean() }) });
  return `Order ${reserved.number} goes to ${address.street}${gift ? ', wrapped' : ''}.`;
});

for (const protocol of ['modern', 'legacy'] as const) {
  runs = 0;
  console.log(protocol);
  const client = await connect(server, {
    protocol,
    onElicit: ({ message }) => {
      console.log(`  ${message}`);
      if (message === 'Where to?') return { street: 'Harbour Road 1' };
      return message === 'A gift?' ? { gift: true } : { day: '2026-12-24' };
    },
  });
  const result = await client.callTool('order', { item: 'lantern' });
  console.log(`  ${result.text}`);
  console.log(`  rounds: ${result.rounds}, runs of the handler: ${runs}`);
  await client.close();
}
console.log('ok: each step once');

// Prints:
//   modern
//     reserves one lantern
//     Where to?
//     On which day?
//     books a courier for 2026-12-24, under a key
//     A gift?
//     Order 7 goes to Harbour Road 1, wrapped.
//     rounds: 2, runs of the handler: 3
//   legacy
//     reserves one lantern
//     Where to?
//     On which day?
//     books a courier for 2026-12-24, under a key
//     A gift?
//     Order 7 goes to Harbour Road 1, wrapped.
//     rounds: 0, runs of the handler: 1
//   ok: each step once
