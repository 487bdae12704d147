// Pagination: a server with many entries gives them in pages; a client reads on only as far as it wants to.
import { connect } from 'hawser';
import { Server } from 'hawser/server';

const server = new Server({ name: 'fleet', version: '1.0.0', pageSize: 2 });
for (const name of ['anchor', 'bow', 'cabin', 'deck', 'engine']) server.tool(name, {}, () => name);

let requests = 0;
const client = await connect('https://fleet.example/mcp', {
  fetch: (input, init) => server.fetch(new Request(input, init)),
  onFrame: ({ direction, text }) => {
    if (direction === 'out' && text.includes('tools/list')) requests += 1;
  },
});

console.log((await client.listTools()).map(({ name }) => name).join(' '));

// Page by page: the third page is never asked for.
for await (const { name } of client.tools()) {
  console.log(name);
  if (name === 'cabin') break;
}

// And by hand.
const page = await client.sendRequest('tools/list');
console.log('more:', typeof page['nextCursor'] === 'string');

console.log('requests for pages: 3 + 2 + 1 =', requests);
await client.close();
console.log('ok: read page by page');

// Prints:
//   anchor bow cabin deck engine
//   anchor
//   bow
//   cabin
//   more: true
//   requests for pages: 3 + 2 + 1 = 6
//   ok: read page by page
