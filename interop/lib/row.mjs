/** Runs one row: starts the server (for HTTP) and the client, gathers the outcome of each cell and the frames. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { commandOf } from './argv.mjs';

const fileOf = (name) => fileURLToPath(new URL(`../${name}.mjs`, import.meta.url));

/** A child process with its output in lines, and a promise of its end. */
function start(command, { onLine = () => {}, onError = () => {} }) {
  const child = spawn(command[0], command.slice(1), { stdio: ['ignore', 'pipe', 'pipe'] });
  let rest = '';
  child.stdout.setEncoding('utf8');
  child.stdout.on('data', (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    lines.forEach(onLine);
  });
  child.stderr.setEncoding('utf8');
  child.stderr.on('data', onError);
  const ended = new Promise((resolve) => child.once('close', (code, signal) => resolve({ code, signal })));
  return { child, ended };
}

/** Resolves to `otherwise` when the promise takes longer. */
function orAfter(limitMs, promise, otherwise) {
  let timer;
  const late = new Promise((resolve) => (timer = setTimeout(resolve, limitMs, otherwise)));
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/**
 * @returns `{ cells, log }`: cells by column, each `{ ok, message?, note?, frames }`, a frame `{ side, way, text }`; the
 * log is what the processes printed
 */
export async function runRow(row, { channel, columns, limitMs }) {
  const cells = Object.fromEntries(columns.map((name) => [name, { frames: [] }]));
  const log = [];
  const note = (side) => (text) => log.push(`${side}: ${text.trimEnd()}`);
  // What a process that died had to say: the line of the error, else the last one.
  const lastWords = () => {
    const lines = log.join('\n').split('\n');
    return lines.findLast((text) => /^\S*Error\b.*:/.test(text)) ?? lines.at(-1) ?? '';
  };
  const settle = (name, ok, message) => Object.assign(cells[name], { ok, message });
  // Between cells a client may connect afresh; the frames of that are nobody's.
  const frames = (name) => cells[name]?.frames ?? [];
  let current = 'connect';
  let url;
  let ready = () => {};
  let leftByItself = false;
  const line = channel.open(row.id, (message) => {
    if (message.frame !== undefined) frames(current).push({ side: 'server', ...message.frame });
    if (message.event === 'exit') leftByItself = true;
    if (message.event === 'ready') ready((url = message.url));
  });

  const common = { port: channel.port, row: row.id };
  const serverCommand = commandOf(fileOf(row.server), { ...common, mode: row.mode });
  let server;
  if (row.mode !== 'stdio') {
    const up = new Promise((resolve) => (ready = resolve));
    server = start(serverCommand, { onLine: note('server'), onError: note('server') });
    await orAfter(limitMs, Promise.race([up, server.ended]));
  }
  if (server === undefined || url !== undefined) await runClient();
  else for (const name of columns) settle(name, false, `the server did not start: ${lastWords()}`);
  if (server !== undefined) await stopServer();
  else if (row.group === 'our server' && cells.close.ok && !leftByItself) {
    settle('close', false, 'the server process did not end when its input did, but by a signal');
  }
  for (const pid of line.close()) kill(pid);
  return { cells, log };

  async function runClient() {
    let lingering = [];
    let closed;
    const closing = new Promise((resolve) => (closed = resolve));
    const take = (message) => {
      if (message.begin !== undefined) current = message.begin;
      else if (message.frame !== undefined) frames(current).push({ side: 'client', ...message.frame });
      else if (message.lingering !== undefined) lingering = message.lingering;
      else {
        Object.assign(cells[message.cell], message);
        if (message.cell === 'close') closed();
      }
    };
    const argument = {
      ...common,
      target: url === undefined ? { command: serverCommand } : { url },
      protocol: row.protocol,
      revision: row.revision,
      dialect: row.dialect,
      rush: row.group === 'our client',
      cells: columns,
      limitMs,
    };
    const client = start(commandOf(fileOf(row.client), argument), {
      onLine(text) {
        if (text.startsWith('{"')) take(JSON.parse(text));
        else note('client')(text);
      },
      onError: note('client'),
    });
    // Each cell has its own limit in the client; this one is for a client that cannot keep it.
    await orAfter(limitMs * (columns.length + 1), Promise.race([closing, client.ended]));
    const end = await orAfter(limitMs, client.ended, undefined);
    if (end === undefined) client.child.kill('SIGKILL');
    for (const name of columns) {
      if (cells[name].ok === undefined) settle(name, false, `the client ended in "${current}": ${lastWords()}`);
    }
    if (!cells.close.ok) return;
    if (end === undefined) settle('close', false, `the client process did not end by itself: ${lingering.join(', ')}`);
    else if (end.code !== 0) settle('close', false, `the client process ended with ${end.signal ?? end.code}`);
  }

  /** Only our own server has to stop when it is asked to. */
  async function stopServer() {
    if (row.group === 'our server' && cells.close.ok) {
      line.tellServers({ event: 'stop' });
      const end = await orAfter(limitMs, server.ended, undefined);
      if (end === undefined) settle('close', false, 'the server process did not end after close()');
      else if (end.code !== 0) settle('close', false, `the server process ended with ${end.signal ?? end.code}`);
    }
    server.child.kill('SIGKILL');
  }
}

/** Ends a server process that a client has left behind. */
function kill(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
