/** Web servers for pages: an origin that is not the MCP server's. */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';

const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };

/** Serves what `answer(path)` gives: `{ type, body }`, or undefined for a 404. */
async function serve(answer) {
  const http = createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://page');
    Promise.resolve(answer(pathname)).then(
      (found) => {
        if (found === undefined) response.writeHead(404).end();
        else response.writeHead(200, { 'content-type': `${found.type}; charset=utf-8` }).end(found.body);
      },
      () => response.writeHead(404).end(),
    );
  });
  await new Promise((resolve) => {
    http.listen(0, '127.0.0.1', resolve);
  });
  return {
    // By name, while the MCP server is called by address: another site also for a browser that overlooks ports.
    origin: `http://localhost:${http.address().port}`,
    close: () => {
      http.closeAllConnections();
      http.close();
    },
  };
}

/** A page that is one script. */
export function servePage(script) {
  const page = '<!doctype html><meta charset="utf-8"><title>page</title><script src="/page.js"></script>';
  return serve((path) => {
    if (path === '/') return { type: types['.html'], body: page };
    if (path === '/page.js') return { type: types['.js'], body: script };
    return undefined;
  });
}

/** An application of one page: what has no ending is the page. */
export function serveFolder(folder) {
  return serve(async (path) => {
    const file = extname(path) === '' ? 'index.html' : normalize(path);
    return { type: types[extname(file)] ?? 'application/octet-stream', body: await readFile(join(folder, file)) };
  });
}
