/**
 * The side channel of a run: every process of a row tells the runner here what it sees, as JSON lines over a loopback
 * socket, so that nothing has to be squeezed through the protocol under test. The runner passes what one side of a row says
 * on to the other. The end of a server's socket is the end of its process.
 */
import { createConnection, createServer } from 'node:net';

/** Calls `take` with each JSON line that arrives on a socket. */
function readLines(socket, take) {
  let rest = '';
  socket.setEncoding('utf8');
  socket.on('data', (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) take(JSON.parse(line));
  });
}

const send = (socket, message) => {
  if (!socket.destroyed) socket.write(`${JSON.stringify(message)}\n`);
};

/** The runner's end. `open(row, take)` registers a row; `take` gets `{ from, …message }` of its processes. */
export async function listenChannel() {
  const rows = new Map();
  const listener = createServer({ noDelay: true }, (socket) => {
    let row;
    let role;
    socket.on('error', () => {});
    readLines(socket, (message) => {
      if (message.hello !== undefined) {
        ({ hello: role } = message);
        row = rows.get(message.row);
        row?.join(role, socket, message.pid);
        send(socket, { welcome: true });
        return;
      }
      if (message.sync !== undefined) {
        // After whatever the other sockets hold already.
        setImmediate(() => send(socket, message));
        return;
      }
      row?.told(role, message);
    });
    socket.on('close', () => row?.left(role, socket));
  });
  await new Promise((resolve, reject) => {
    listener.once('error', reject);
    listener.listen(0, '127.0.0.1', resolve);
  });
  return {
    port: listener.address().port,
    open(id, take) {
      const servers = new Map();
      let client;
      const backlog = [];
      const toClient = (message) => (client === undefined ? backlog.push(message) : send(client, message));
      rows.set(id, {
        join(role, socket, pid) {
          if (role === 'client') {
            client = socket;
            for (const message of backlog.splice(0)) send(client, message);
            return;
          }
          servers.set(socket, pid);
          take({ from: role, event: 'up', pid });
          toClient({ event: 'up', pid });
        },
        told(role, message) {
          take({ from: role, ...message });
          if (message.frame !== undefined) return;
          if (role === 'server') toClient(message);
          else for (const server of servers.keys()) send(server, message);
        },
        left(role, socket) {
          if (!servers.has(socket)) return;
          const pid = servers.get(socket);
          servers.delete(socket);
          take({ from: role, event: 'gone', pid });
          toClient({ event: 'gone', pid });
        },
      });
      return {
        tellServers(message) {
          for (const socket of servers.keys()) send(socket, message);
        },
        /** Forgets the row; gives the ids of server processes that are still there. */
        close() {
          rows.delete(id);
          return [...servers.values()];
        },
      };
    },
    close: () => listener.close(),
  };
}

/**
 * A process's end. It never keeps the process alive by itself unless `hold` is set.
 *
 * `next(test, limitMs)` resolves with the first message, past ones included, for which `test` holds.
 */
export async function joinChannel({ port, row, role, hold = false }) {
  const socket = createConnection({ port, host: '127.0.0.1', noDelay: true });
  const log = [];
  const waiting = new Set();
  socket.on('error', () => {});
  let synced = () => {};
  const welcome = new Promise((resolve) => {
    readLines(socket, (message) => {
      if (message.welcome) return resolve();
      if (message.sync) return synced();
      log.push(message);
      for (const waiter of waiting) waiter();
    });
  });
  send(socket, { hello: role, row, pid: process.pid });
  await welcome;
  if (!hold) socket.unref();
  return {
    tell: (message) => send(socket, message),
    /** Resolves when the runner has read what everybody sent before. */
    sync: () =>
      new Promise((resolve) => {
        synced = resolve;
        send(socket, { sync: true });
      }),
    /** What has arrived, oldest first; `log.length` is a mark to look from. */
    log,
    next(test, { limitMs, from = 0, what }) {
      return new Promise((resolve, reject) => {
        let at = from;
        const look = () => {
          for (; at < log.length; at += 1) {
            if (!test(log[at], log.slice(0, at + 1))) continue;
            done();
            resolve(log[at]);
            return;
          }
        };
        const timer = setTimeout(() => {
          done();
          reject(new Error(`${what} within ${limitMs} ms`));
        }, limitMs);
        timer.unref();
        const done = () => {
          clearTimeout(timer);
          waiting.delete(look);
        };
        waiting.add(look);
        look();
      });
    },
    close: () => socket.destroy(),
  };
}
