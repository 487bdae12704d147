// By hand: what `ctx.elicit` and `ctx.ask` do is open to handlers that want to do it themselves.
import { connect } from 'hawser';
import { inputRequired, Server } from 'hawser/server';

const server = new Server({ name: 'guess', version: '1.0.0' });

server.tool('guess', {}, (_, ctx) => {
  const secret = 3;
  // The state comes back with the answer. It is sealed: nobody can read or change it on the way.
  const tries = typeof ctx.state === 'number' ? ctx.state : 0;
  // What the caller sent, unchecked: a tool in earnest parses it with a schema.
  const answer = ctx.responses['number'] as { action: string; content?: { number?: number } } | undefined;
  if (answer !== undefined && answer.action !== 'accept') return 'You gave up.';
  if (answer?.content?.number === secret) return `Right, after ${tries} tries.`;

  return inputRequired({
    requests: {
      number: {
        method: 'elicitation/create',
        params: {
          mode: 'form',
          message: tries === 0 ? 'Which number from 1 to 5?' : 'No. Again?',
          requestedSchema: { type: 'object', properties: { number: { type: 'integer' } }, required: ['number'] },
        },
      },
    },
    state: tries + 1,
  });
});

for (const protocol of ['modern', 'legacy'] as const) {
  let number = 0;
  const client = await connect(server, {
    protocol,
    onElicit: ({ message }) => {
      number += 1;
      console.log(`${message} ${number}`);
      return { number };
    },
  });
  console.log((await client.callTool('guess')).text);
  await client.close();
}
console.log('ok: three rounds, in both generations');

// Prints:
//   Which number from 1 to 5? 1
//   No. Again? 2
//   No. Again? 3
//   Right, after 3 tries.
//   Which number from 1 to 5? 1
//   No. Again? 2
//   No. Again? 3
//   Right, after 3 tries.
//   ok: three rounds, in both generations
