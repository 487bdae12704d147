// Resources: things a client reads by their URI; templates stand for many of them at once.
import { connect, ResourceNotFoundError } from 'hawser';
import { Server } from 'hawser/server';

const pages = new Map([
  ['1', 'Left port at dawn.'],
  ['2', 'Fair wind from the west.'],
]);

const server = new Server({ name: 'ship', version: '1.0.0' });

server.resource('log://name', { name: 'name', title: 'The name of the ship', mimeType: 'text/plain' }, () => 'Aurora');

// Bytes travel as base64; the client gives them back as bytes.
server.resource('log://flag', { name: 'flag', mimeType: 'image/png' }, () => new Uint8Array([0x89, 0x50, 0x4e, 0x47]));

server.template(
  'log://pages/{number}',
  {
    name: 'page',
    description: 'One page of the log.',
    mimeType: 'text/plain',
    list: () => Array.from(pages.keys(), (number) => ({ uri: `log://pages/${number}`, name: `page ${number}` })),
  },
  ({ number }) => pages.get(number ?? ''), // undefined: there is no such resource
);

const client = await connect(server);

for await (const { uri, name } of client.resources()) console.log(`${uri} (${name})`);
for await (const { uriTemplate } of client.resourceTemplates()) console.log(uriTemplate);

console.log((await client.readResource('log://name')).text);
console.log((await client.readResource('log://flag')).bytes());
console.log((await client.readResource('log://pages/2')).text);

try {
  await client.readResource('log://pages/99');
} catch (error) {
  if (error instanceof ResourceNotFoundError) console.log('there is no', error.uri);
  else throw error;
}

await client.close();
console.log('ok: resources listed and read');

// Prints:
//   log://name (name)
//   log://flag (flag)
//   log://pages/1 (page 1)
//   log://pages/2 (page 2)
//   log://pages/{number}
//   Aurora
//   Uint8Array(4) [ 137, 80, 78, 71 ]
//   Fair wind from the west.
//   there is no log://pages/99
//   ok: resources listed and read
