// Who calls? A hook of the HTTP door looks at the request and names the caller, or refuses.
import { connect, UnauthorizedError } from 'hawser';
import { serveHttp } from 'hawser/node';
import { Server } from 'hawser/server';

const keys = new Map([
  ['key-of-ada', 'ada'],
  ['key-of-grace', 'grace'],
]);

const server = new Server({ name: 'vault', version: '1.0.0' });
server.tool('whoami', {}, (_, ctx) => ctx.caller.principal ?? 'nobody');

const http = await serveHttp(server, {
  authenticate: (request) => {
    const principal = keys.get(request.header('x-api-key') ?? '');
    return principal === undefined ? { status: 401 } : { principal };
  },
});

for (const key of keys.keys()) {
  const client = await connect(http.url, { headers: { 'x-api-key': key } });
  console.log((await client.callTool('whoami')).text);
  await client.close();
}

try {
  await connect(http.url);
} catch (error) {
  console.log('without a key:', error instanceof UnauthorizedError ? 'refused' : error);
}

await http.close();
console.log('ok: callers are known by their keys');

// Prints:
//   ada
//   grace
//   without a key: refused
//   ok: callers are known by their keys
