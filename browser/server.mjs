/** The server that the pages call, and what it has seen of them. */
import { createServer } from 'node:http';
import { nodeHandler } from 'hawser/node';
import { Server } from 'hawser/server';

const noInput = { type: 'object', properties: {} };

function build() {
  const server = new Server({ name: 'hawser-browser', version: '1.0.0' });
  const text = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };
  server.tool('echo', { description: 'Says it again', input: text }, ({ text }) => `echo: ${String(text)}`);
  server.tool('count', { description: 'Counts to five', input: noInput }, async (_, ctx) => {
    for (let n = 1; n <= 5; n += 1) await ctx.progress(n, 5);
    return 'counted';
  });
  server.tool('change', { description: 'Changes the list of tools', input: noInput }, () => {
    server.tool('short-lived', {}, () => '');
    server.removeTool('short-lived');
    return 'changed';
  });
  const region = { type: 'string', 'x-mcp-header': 'Region' };
  server.tool(
    'regional',
    { description: 'Has a header of its own', input: { ...noInput, properties: { region } } },
    (a) => a.region,
  );
  return server;
}

/** Serves for pages of `origin`. `seen` has what came, in order; `open` what the door has open. */
export async function serveFor(origin) {
  const seen = [];
  const handler = nodeHandler(build(), {
    allowedOrigins: [origin],
    authenticate: (request) =>
      request.header('authorization') === 'Bearer wrong'
        ? { status: 401, headers: { 'www-authenticate': 'Bearer realm="mcp"' }, message: 'the token is wrong' }
        : {},
  });
  const http = createServer((request, response) => {
    const { headers, method } = request;
    seen.push({ method, origin: headers.origin, asks: headers['access-control-request-headers'] });
    handler(request, response);
  });
  await new Promise((resolve) => {
    http.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${http.address().port}/mcp`,
    seen,
    get open() {
      return handler.open;
    },
    close: () => {
      http.closeAllConnections();
      http.close();
    },
  };
}

/** The names of the tools, in order. */
export const toolNames = ['echo', 'count', 'change', 'regional'];
