/** Connections under a client over HTTP: while they are made, and when the client is done with them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { connect } from '../../src/entry/index.node.ts';
import { legacyPeer, ports, type HttpPeer } from '../support/http-peer.ts';

/** Takes connections and says nothing: to TLS it never becomes one. */
async function silentPeer(): Promise<{ port: number; connected: Promise<Socket> }> {
  let seen!: (socket: Socket) => void;
  const connected = new Promise<Socket>((resolve) => {
    seen = resolve;
  });
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.resume();
    seen(socket);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, connected };
}

describe('a connection that does not come about', () => {
  test('is let go when the caller gives up, and nothing was sent', async () => {
    const peer = await silentPeer();
    const giveUp = new AbortController();
    const connecting = connect(`https://127.0.0.1:${peer.port}/mcp`, { signal: giveUp.signal });
    connecting.catch(() => undefined);
    const socket = await peer.connected;
    const closed = once(socket, 'close');
    giveUp.abort();
    await expect(connecting).rejects.toMatchObject({ code: 'aborted', outcome: 'not-sent' });
    await closed;
  });

  test('is let go when its time is up', async () => {
    const peer = await silentPeer();
    const connecting = connect(`https://127.0.0.1:${peer.port}/mcp`, { connectTimeoutMs: 50 });
    connecting.catch(() => undefined);
    const closed = once(await peer.connected, 'close');
    await expect(connecting).rejects.toMatchObject({ code: 'timeout', outcome: 'not-sent' });
    await closed;
  });
});

describe('a process that is done', () => {
  const program = fileURLToPath(new URL('../fixtures/http-client.ts', import.meta.url));

  /** Runs the program against a server; gives its exit code and what it said. */
  async function run(peer: HttpPeer, port: string): Promise<{ code: unknown; out: string }> {
    const child = spawn(process.execPath, ['--import', 'tsx', program, peer.url, port], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    let out = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (out += chunk.toString()));
    const [code] = (await once(child, 'close')) as [unknown];
    return { code, out };
  }

  test.each(ports)('ends by itself after close, though a stream was open ($port)', async ({ port }) => {
    const peer = await legacyPeer({ handlers: { GET: (turn) => turn.stream() } });
    expect(await run(peer, port)).toEqual({ code: 0, out: 'hello\n' });
    await peer.quiet;
  });
});
