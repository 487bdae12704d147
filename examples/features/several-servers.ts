// Several servers as one: connected in parallel, each tool called where it lives.
import { AmbiguousNameError, clientGroup } from 'hawser';
import { Server } from 'hawser/server';

const server = (name: string, ...tools: string[]): Server => {
  const made = new Server({ name, version: '1.0.0' });
  for (const tool of tools) made.tool(tool, {}, () => `${tool} of ${name}`);
  return made;
};

const group = await clientGroup({
  files: server('files', 'read', 'search'),
  web: server('web', 'search', 'open'),
  broken: 'http://127.0.0.1:9/mcp', // nobody is there; the others work all the same
});

console.log('connected:', [...group.clients.keys()].join(', '));
console.log('failed:', [...group.failures.keys()].join(', '));

for (const { server, tool } of await group.listTools()) console.log(`${server}: ${tool.name}`);

console.log((await group.callTool('read')).text);
console.log((await group.callTool('search', {}, { server: 'web' })).text);
try {
  await group.callTool('search');
} catch (error) {
  if (error instanceof AmbiguousNameError) console.log('which one of', error.servers.join(' and '));
  else throw error;
}

await group.close();
console.log('ok: three servers, one group');

// Prints:
//   connected: files, web
//   failed: broken
//   files: read
//   files: search
//   web: search
//   web: open
//   read of files
//   search of web
//   which one of files and web
//   ok: three servers, one group
