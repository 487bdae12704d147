/** Custom transports: client and server at the two ends of a real socket. */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect as connectSocket, createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, onTestFinished, test } from 'vitest';
import { connect } from '../../src/entry/index.node.ts';
import type { ConnectOptions } from '../../src/client/options.ts';
import { streamPipe } from '../../src/node/stream-pipe.ts';
import { Server } from '../../src/server/server.ts';
import { memoryPipe } from '../../src/transport/memory.ts';
import { servePipe } from '../../src/transport/pipe-server.ts';
import { gate } from '../support/http.ts';
import { revisions } from '../../src/wire/index.ts';

function working(): Server {
  return new Server({ name: 's', version: '1' })
    .tool('who', {}, (_, { caller }) => `${caller.principal} ${caller.clientInfo?.name}`)
    .tool('steps', {}, async (_, ctx) => {
      for (const step of [1, 2, 3]) await ctx.progress(step, 3);
      return 'x'.repeat(1_000_000);
    })
    .resource('x:a', { name: 'a' }, () => 'a');
}

/** Listens on a socket; each connection is served as that of its principal. */
async function listening(server: Server, kind: 'tcp' | 'unix') {
  const sockets: Socket[] = [];
  const net = createServer((socket) => {
    sockets.push(socket);
    servePipe(server, streamPipe(socket), { principal: `caller ${sockets.length}` });
  });
  const folder = await mkdtemp(join(tmpdir(), 'hawser-'));
  net.listen(kind === 'unix' ? join(folder, 's') : 0);
  await once(net, 'listening');
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    net.close();
    await rm(folder, { recursive: true });
  });
  const open = (): Socket =>
    kind === 'unix' ? connectSocket(join(folder, 's')) : connectSocket((net.address() as AddressInfo).port);
  return { open, sockets };
}

async function joined(open: () => Socket, options: ConnectOptions) {
  const client = await connect({ pipe: () => streamPipe(open()) }, options);
  onTestFinished(() => client.close());
  return client;
}

describe.each(['tcp', 'unix'] as const)('over a %s socket', (kind) => {
  test.each(revisions)(
    '[STDIO-016 SEED-147] two clients call, are told of changes, and are kept apart (%s)',
    async (protocol) => {
      const server = working();
      const { open } = await listening(server, kind);
      const told = [gate(), gate()] as const;
      const clients = [];
      for (const at of [0, 1] as const) {
        const onNotification = ({ method }: { method: string }): void => {
          if (method === 'notifications/tools/list_changed') told[at].open();
        };
        const client = await joined(open, { protocol, clientInfo: { name: `c${at}`, version: '1' }, onNotification });
        if (client.isModern) await client.listen({ toolsListChanged: true }, { onNotification });
        clients.push(client);
      }
      const texts = await Promise.all(clients.map(async (client) => (await client.callTool('who')).text));
      expect(texts).toEqual(['caller 1 c0', 'caller 2 c1']);
      const steps: number[] = [];
      const { text } =
        (await clients[0]?.callTool('steps', {}, { onProgress: ({ progress }) => steps.push(progress) })) ?? {};
      expect([steps, text?.length]).toEqual([[1, 2, 3], 1_000_000]);
      server.changed.tools();
      await Promise.all(told.map(({ opened }) => opened));
    },
  );

  test('the version is found out, and a socket that broke is opened again', async () => {
    const { open, sockets } = await listening(working(), kind);
    const client = await joined(open, {});
    expect(client.protocolVersion).toBe('2026-07-28');
    const [socket] = sockets;
    const closed = once(socket as Socket, 'close');
    socket?.destroy();
    await closed;
    const again = async (): Promise<string> => {
      try {
        return (await client.callTool('who')).text;
      } catch {
        // The end of the first one may not have been noticed.
        return again();
      }
    };
    expect(await again()).toBe('caller 2 hawser');
  });

  test('closing the client ends the socket', async () => {
    const { open, sockets } = await listening(working(), kind);
    const client = await joined(open, {});
    const closed = once(sockets[0] as Socket, 'close');
    await client.close();
    await closed;
  });
});

describe('a pipe as a target', () => {
  test('is used once: what comes after its end fails at once', async () => {
    const [near, far] = memoryPipe();
    const served = servePipe(working(), far);
    const client = await connect({ pipe: near });
    onTestFinished(() => client.close());
    await served.close();
    await served.closed;
    await expect(client.callTool('who')).rejects.toMatchObject({ code: 'connection', outcome: 'not-sent' });
    await expect(client.callTool('who')).rejects.toThrow('a function that opens another');
  });

  test('that cannot be opened is a ConnectionError with its cause', async () => {
    const cause = new Error('no such socket');
    const failing = { pipe: () => Promise.reject(cause) };
    await expect(connect(failing)).rejects.toMatchObject({ code: 'connection', outcome: 'not-sent', cause });
    const nowhere = { pipe: () => streamPipe(connectSocket(join(tmpdir(), 'hawser-nobody-listens-here'))) };
    await expect(connect(nowhere)).rejects.toMatchObject({ code: 'connection' });
  });

  test.each([{ pipe: undefined }, { pipe: null }, { pipe: 'x' }, { pipe: {} }])('%j is none', async (target) => {
    await expect(connect(target as never)).rejects.toMatchObject({ code: 'bad_argument' });
  });

  test('is no HTTP', async () => {
    const [near] = memoryPipe();
    await expect(connect({ pipe: near }, { transport: 'http' })).rejects.toThrow("transport is 'http'");
  });

  test('streams of one direction each make one too, and what is no stream does not', async () => {
    const [up, down] = [new PassThrough(), new PassThrough()];
    servePipe(working(), streamPipe(up, down));
    const client = await connect({ pipe: streamPipe(down, up) });
    expect((await client.callTool('who')).text).toBe('undefined hawser');
    await client.close();
    for (const stream of [undefined, null, {}, 'x']) expect(() => streamPipe(stream as never)).toThrow('streamPipe');
  });
});
