/** Programs to start, and pipes to move by hand. */
import { existsSync, readFileSync } from 'node:fs';
import { onTestFinished } from 'vitest';
import type { Client } from '../../src/client/client.ts';
import { connectOn } from '../../src/client/connect.ts';
import type { ConnectOptions } from '../../src/client/options.ts';
import { connect } from '../../src/entry/index.node.ts';
import type { Logger } from '../../src/base/logger.ts';
import type { Link, Note, Service } from '../../src/ports/index.ts';
import { scriptedClient, scriptedServer, type ScriptedHandler, type ScriptedPeer } from '../../src/testing/scripted.ts';
import { steppedPair, type SteppedPair } from '../../src/testing/pipes.ts';
import { pipeLink, type PipeOptions } from '../../src/transport/pipe-client.ts';
import { servePipe, type ServedPipe } from '../../src/transport/pipe-server.ts';
import { byHand } from './commands.ts';
import { begun, described } from './http-peer.ts';

export { byHand } from './commands.ts';

/** Starts the server by hand, and closes the client when the test is over. */
export async function start(options: Record<string, unknown> = {}, connecting: ConnectOptions = {}): Promise<Client> {
  const client = await connect({ command: byHand(options) }, connecting);
  onTestFinished(() => client.close());
  return client;
}

/** The text that a tool of the server by hand gives. */
export async function textOf(client: Client, tool: string, args: Record<string, unknown> = {}): Promise<string> {
  return (await client.callTool(tool, args)).text;
}

/** The messages that the server by hand has got so far. */
export async function seenBy(client: Client): Promise<Record<string, unknown>[]> {
  const lines = JSON.parse(await textOf(client, 'seen')) as string[];
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** The progress token of a request, as its params have it. */
export function tokenOf(message: { params?: unknown }): unknown {
  return (message.params as { _meta?: Record<string, unknown> } | undefined)?._meta?.['progressToken'];
}

/** What a promise rejects with; to be asked for before it does, so that somebody listens. */
export function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => {
      throw new Error('nothing failed');
    },
    (error: unknown) => error,
  );
}

/** Whether a process with that id runs. One that has ended and that nobody has asked about does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const stat = `/proc/${pid}/stat`;
  return !existsSync(stat) || !/\) [ZX] /.test(readFileSync(stat, 'utf8'));
}

/** A logger that keeps what it is told. */
export interface Recorder extends Logger {
  readonly entries: { level: string; message: string; details: unknown }[];
  /** The messages of one level. */
  of(level: 'debug' | 'info' | 'warn' | 'error'): string[];
  /** Resolves when there is a message like that. */
  seen(pattern: RegExp): Promise<void>;
}

export function recorder(): Recorder {
  const entries: Recorder['entries'] = [];
  const waiting = new Set<() => void>();
  const at =
    (level: string) =>
    (message: string, details?: unknown): void => {
      entries.push({ level, message, details });
      for (const look of waiting) look();
    };
  return {
    entries,
    seen: (pattern) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (!entries.some(({ message }) => pattern.test(message))) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
    of: (level) => entries.filter((entry) => entry.level === level).map((entry) => entry.message),
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
  };
}

/** Handlers of servers by hand that answer what opens a connection, with these capabilities. */
export const openingOf = (
  capabilities: unknown,
  name = 'by hand',
): Record<'modern' | 'legacy', Record<string, ScriptedHandler>> => ({
  modern: { 'server/discover': () => ({ ...described, capabilities }) },
  legacy: {
    'server/discover': (request) => request.fail({ code: -32_601, message: 'method not found' }),
    initialize: ({ params }) =>
      begun({ protocolVersion: params?.['protocolVersion'], capabilities, serverInfo: { name, version: '1' } }),
  },
});

/** The same, with tools. */
export const opening = openingOf({ tools: {} });

/** The two eras, for tests that hold in both. */
export const eras = ['modern', 'legacy'] as const;

/** What a request of a modern client says of itself. */
export const modernMeta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** A client of ours and a server by hand on a pipe that the test moves. */
export interface ByHandServer {
  readonly pair: SteppedPair;
  readonly server: ScriptedPeer;
  readonly client: Client;
  readonly link: Link & { readonly open: number };
}

/** Connects a client to a server by hand. `pipe` are options of the client's end. */
export async function connectByHand(
  handlers: Readonly<Record<string, ScriptedHandler>>,
  options: ConnectOptions = {},
  pipe: PipeOptions = {},
): Promise<ByHandServer> {
  const pair = steppedPair();
  const server = scriptedServer(pair.server, handlers);
  let link: Link | undefined;
  const over = connectOn({
    spawn:
      (_, { logger }) =>
      (inbound) =>
        Promise.resolve((link = pipeLink(pair.client, inbound, { logger, ...pipe }))),
  });
  const connecting = over({ command: ['by hand'] }, options);
  // Whoever awaits it sees the rejection; the pipe has to move first.
  connecting.catch(() => undefined);
  await pair.run();
  return { pair, server, client: await connecting, link: link as Link & { readonly open: number } };
}

/** The client's end of a pipe as it is, without a client, and the server by hand at the other end. */
export function linkByHand(pipe: PipeOptions = {}, inbound: Partial<Service> = {}) {
  const pair = steppedPair();
  const server = scriptedServer(pair.server);
  const notes: Note[] = [];
  const service: Service = {
    answer: () => Promise.resolve({ result: {} }),
    notice: (note) => void notes.push(note),
    ...inbound,
  };
  const link = pipeLink(pair.client, service, pipe) as Link & { readonly open: number };
  return { pair, server, link, notes };
}

/** A server of ours and a client by hand on a pipe that the test moves. */
export interface ByHandClient {
  readonly pair: SteppedPair;
  readonly client: ScriptedPeer;
  readonly served: ServedPipe;
}

export function serveByHand(
  service: Service,
  options: PipeOptions = {},
  handlers: Readonly<Record<string, ScriptedHandler>> = {},
): ByHandClient {
  const pair = steppedPair();
  const served = servePipe(service, pair.server, options);
  return { pair, served, client: scriptedClient(pair.client, handlers) };
}

/** Opens a legacy session by hand. */
export async function initialize({ pair, client }: ByHandClient, version: string): Promise<void> {
  const answered = client.request('initialize', {
    protocolVersion: version,
    capabilities: {},
    clientInfo: { name: 'by hand', version: '1' },
  });
  await pair.run();
  await answered;
  client.notify('notifications/initialized');
  await pair.run();
}

/** What has come to a client by hand, parsed, from the line after `from` on. */
export function received(peer: ScriptedPeer, from = 0): Record<string, unknown>[] {
  return peer.lines
    .slice(from)
    .filter((line) => line.direction === 'in')
    .map((line) => JSON.parse(line.text) as Record<string, unknown>);
}
