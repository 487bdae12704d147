// Pages of other origins: the server says which of them may call, and tells their browsers what they want to hear.
import { serveHttp } from 'hawser/node';
import { Server } from 'hawser/server';

const server = new Server({ name: 'shop', version: '1.0.0' });
server.tool('price', {}, () => '3 EUR');

const http = await serveHttp(server, {
  // A page in production, and whatever runs on this machine, such as the MCP Inspector.
  allowedOrigins: ['https://app.example.com', 'http://localhost'],
});

// What a browser asks before it lets a page call.
for (const origin of ['https://app.example.com', 'http://localhost:6274', 'https://evil.example']) {
  const answer = await fetch(http.url, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type,mcp-method,mcp-protocol-version',
    },
  });
  console.log(origin, answer.status, answer.headers.get('access-control-allow-origin') ?? 'may not call');
}

// Calls that run may end within a second; whoever listens is told that it is over.
await http.close({ drainMs: 1_000 });
console.log('ok: pages that may call were told so, others were not');

// Prints:
//   https://app.example.com 204 https://app.example.com
//   http://localhost:6274 204 http://localhost:6274
//   https://evil.example 403 may not call
//   ok: pages that may call were told so, others were not
