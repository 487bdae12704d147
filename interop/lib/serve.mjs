/** What the server processes share: their arguments, the side channel, the tap and a listener. */
import { createServer } from 'node:http';
import { readArguments } from './argv.mjs';
import { joinChannel } from './channel.mjs';
import { tapHttp, tapStdio } from './tap.mjs';

/**
 * `mode` is what the row asked for, `stdio` or one that begins with `http`. `tell` sends an event, `heard` waits for one
 * of the client, `ready(url)` says that callers may come, `listening` is the address of the process's first HTTP server.
 */
export async function startServer({ onMessage } = {}) {
  const { port, row, mode } = readArguments();
  const channel = await joinChannel({ port, row, role: 'server' });
  // Not sent when a signal ends the process.
  process.on('exit', (code) => channel.tell({ event: 'exit', code }));
  const take = (message) => onMessage?.(message, channel.tell);
  const tap = mode === 'stdio' ? tapStdio(channel, take) : tapHttp(channel, take);
  return {
    mode,
    tell: channel.tell,
    heard: (test, what) => channel.next(test, { limitMs: 5_000, what }),
    listening: tap?.listening,
    ready: (url) => channel.tell({ event: 'ready', url }),
    /** Resolves when the runner asks the server to stop. */
    stopped: () => channel.next((note) => note.event === 'stop', { limitMs: 2 ** 31 - 1, what: 'no stop' }),
  };
}

/** Serves `handler` on a free port of the loopback interface and gives the URL. */
export async function listen(handler) {
  const server = createServer(handler);
  await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return `http://127.0.0.1:${server.address().port}/mcp`;
}

/** Reads the session id of a request and keeps one transport for each, as both official SDKs leave it to their users. */
export function sessionHandler(createTransport, connect) {
  const sessions = new Map();
  return async (request, response) => {
    const id = request.headers['mcp-session-id'];
    const known = sessions.get(id);
    if (known !== undefined) await known.handleRequest(request, response);
    else if (id !== undefined) response.writeHead(404).end();
    else {
      const transport = createTransport((opened) => sessions.set(opened, transport));
      // eslint-disable-next-line unicorn/prefer-add-event-listener -- it is no event target
      transport.onclose = () => sessions.delete(transport.sessionId);
      await connect(transport);
      await transport.handleRequest(request, response);
    }
  };
}
