// Elicitation: in the middle of a call the server asks the person at the client to fill in a form.
import { connect } from 'hawser';
import { Server } from 'hawser/server';
import { z } from 'zod';

const server = new Server({ name: 'restaurant', version: '1.0.0' });

server.tool('book', { description: 'Books a table.' }, async (_, ctx) => {
  const { people, inside } = await ctx.elicit('table', {
    message: 'How many are you?',
    schema: z.object({ people: z.number().int().min(1).max(12), inside: z.boolean().default(true) }),
  });
  return `A table for ${people}, ${inside ? 'inside' : 'outside'}.`;
});

server.tool('cancel', {}, async (_, ctx) => {
  const answer = await ctx.tryElicit('sure', { message: 'Really?', schema: z.object({ sure: z.boolean() }) });
  return answer.action === 'accept' && answer.content.sure ? 'Cancelled.' : `Nothing done: ${answer.action}.`;
});

// The same handlers for both generations: a modern server ends the request with its question, a legacy one asks.
for (const protocol of ['modern', 'legacy'] as const) {
  const client = await connect(server, {
    protocol,
    onElicit: ({ message }) => {
      console.log(`${protocol}: ${message}`); // a real client shows a form made from the schema
      return message === 'Really?' ? { action: 'decline' } : { people: 4 };
    },
  });
  console.log((await client.callTool('book')).text);
  console.log((await client.callTool('cancel')).text);
  await client.close();
}
console.log('ok: asked in both generations');

// Prints:
//   modern: How many are you?
//   A table for 4, inside.
//   modern: Really?
//   Nothing done: decline.
//   legacy: How many are you?
//   A table for 4, inside.
//   legacy: Really?
//   Nothing done: decline.
//   ok: asked in both generations
