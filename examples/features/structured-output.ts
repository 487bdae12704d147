// Structured output: data for programs, checked against a schema on both sides, with text beside it for the model.
import { connect } from 'hawser';
import { Server } from 'hawser/server';
import { z } from 'zod';

const Ship = z.object({ name: z.string(), length: z.number(), crew: z.array(z.string()) });

const server = new Server({ name: 'harbour', version: '1.0.0' });

server.tool('ship', { input: z.object({ name: z.string() }), output: Ship }, ({ name }) => ({
  text: `${name} is 34 metres long.`,
  structured: { name, length: 34, crew: ['Ada', 'Grace'] },
}));

// Without a text of its own a result shows its data as JSON text as well, for older clients.
server.tool('berths', { output: z.object({ free: z.number() }) }, () => ({ structured: { free: 3 } }));

const client = await connect(server);

const result = await client.callTool('ship', { name: 'Aurora' });
const ship = Ship.parse(result.structured);
console.log(result.text);
console.log(ship.crew.join(', '));

console.log((await client.callTool('berths')).text);

await client.close();
console.log('ok: structured content, checked');

// Prints:
//   Aurora is 34 metres long.
//   Ada, Grace
//   {"free":3}
//   ok: structured content, checked
