// Tools: a server offers them, a client lists and calls them. Any library of Standard Schema, or plain JSON Schema.
import { connect } from 'hawser';
import { Server } from 'hawser/server';
import { z } from 'zod';

const server = new Server({ name: 'calculator', version: '1.0.0' });

server.tool(
  'add',
  {
    title: 'Add',
    description: 'Adds two numbers.',
    input: z.object({ a: z.number(), b: z.number() }),
    annotations: { readOnlyHint: true },
  },
  ({ a, b }) => `${a + b}`,
);

server.tool(
  'repeat',
  {
    description: 'Says a text a few times.',
    // The types of the arguments come from the schema here too: times is number | undefined.
    input: {
      type: 'object',
      properties: { text: { type: 'string' }, times: { type: 'integer', minimum: 1, maximum: 9 } },
      required: ['text'],
    },
  },
  ({ text, times }) => {
    if (text === '') throw new Error('there is nothing to say'); // the model reads this
    return Array.from({ length: times ?? 2 }, () => text).join(' ');
  },
);

const client = await connect(server);

for (const { name, description } of await client.listTools()) console.log(`${name}: ${description}`);

console.log((await client.callTool('add', { a: 2, b: 3 })).text);
console.log((await client.callTool('repeat', { text: 'ahoy' })).text);

// A tool that fails is a result, not an exception: the model can try again.
const failed = await client.callTool('repeat', { text: '' });
console.log(failed.isError, failed.text);

const wrong = await client.callTool('add', { a: 'two', b: 3 });
console.log(wrong.isError, wrong.text);

await client.close();
console.log('ok: tools listed and called');

// Prints:
//   add: Adds two numbers.
//   repeat: Says a text a few times.
//   5
//   ahoy ahoy
//   true there is nothing to say
//   true invalid arguments: /a: Invalid input: expected number, received string
//   ok: tools listed and called
