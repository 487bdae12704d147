// Roots: the folders a client works in. Advice for the server, not a fence around it. The protocol means to drop it;
// new servers had better take paths as arguments.
import { connect } from 'hawser';
import { Server } from 'hawser/server';

const server = new Server({ name: 'files', version: '1.0.0' });

server.tool('where', {}, async (_, ctx) => {
  const roots = await ctx.roots();
  return roots.map(({ name, path }) => `${name}: ${path}`).join('\n');
});

for (const protocol of ['modern', 'legacy'] as const) {
  const client = await connect(server, {
    protocol,
    roots: [{ uri: 'file:///home/ada/my%20project', name: 'project' }],
  });
  console.log(protocol, (await client.callTool('where')).text);

  // Another folder was opened.
  client.roots = [...client.roots, { uri: 'file:///home/ada/notes', name: 'notes' }];
  console.log(protocol, (await client.callTool('where')).text);
  await client.close();
}
console.log('ok: roots asked for');

// Prints:
//   modern project: /home/ada/my project
//   modern project: /home/ada/my project
//   notes: /home/ada/notes
//   legacy project: /home/ada/my project
//   legacy project: /home/ada/my project
//   notes: /home/ada/notes
//   ok: roots asked for
