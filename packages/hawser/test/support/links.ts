/** Client and server of the library, joined in every way and in every revision: for what has to hold over all of them. */
import { onTestFinished, test } from 'vitest';
import type { Client } from '../../src/client/client.ts';
import { connectOn } from '../../src/client/connect.ts';
import type { ConnectOptions } from '../../src/client/options.ts';
import { connect } from '../../src/entry/index.node.ts';
import type { Revision } from '../../src/model/types.ts';
import { serveHttp } from '../../src/node/http.ts';
import type { ServeHttpOptions } from '../../src/node/http-options.ts';
import type { Service } from '../../src/ports/index.ts';
import { scriptedClient, scriptedServer, type ScriptedHandler, type ScriptedPeer } from '../../src/testing/scripted.ts';
import { memoryPipe } from '../../src/transport/memory.ts';
import { pipeLink } from '../../src/transport/pipe-client.ts';
import { servePipe } from '../../src/transport/pipe-server.ts';
import { revisions, revisionsOf } from '../../src/wire/index.ts';

/**
 * The ways from a client to a server: within the process, over a pipe in memory, over HTTP and a socket (legacy
 * callers in sessions), and over `fetch` without a socket (legacy callers without sessions).
 */
export type LinkName = 'direct' | 'pipe' | 'http' | 'web';

/** All of them. */
export const links: readonly LinkName[] = ['direct', 'pipe', 'http', 'web'];

/** Those over which a legacy server can tell and ask of its own accord. */
export const standingLinks: readonly LinkName[] = ['direct', 'pipe', 'http'];

/** Whether a server offers changes and log messages there: to legacy callers without a session it does not. */
export function isToldThere({ link, revision }: Pick<Linked, 'link' | 'revision'>): boolean {
  return standingLinks.includes(link) || modernRevisions.includes(revision);
}

export const modernRevisions = revisionsOf('modern');
export const legacyRevisions = revisionsOf('legacy');

/** A client that is connected, and over what. */
export interface Linked {
  readonly client: Client;
  readonly link: LinkName;
  readonly revision: Revision;
}

/** Options of a client, and of the HTTP server between when there is one. */
export interface LinkOptions extends ConnectOptions {
  serving?: ServeHttpOptions;
}

/**
 * Connects to a server over one link in one revision. Client and link are closed when the test is over. Two clients
 * of one server have nothing in common but the server.
 */
export async function openLink(
  link: LinkName,
  revision: Revision,
  server: Service & { fetch?(request: Request): Promise<Response> },
  { serving, ...options }: LinkOptions = {},
): Promise<Client> {
  const settings: ConnectOptions = { protocol: revision, ...options };
  const client = await openClient(link, server, settings, serving);
  onTestFinished(() => client.close());
  return client;
}

async function openClient(
  link: LinkName,
  server: Service & { fetch?(request: Request): Promise<Response> },
  options: ConnectOptions,
  serving: ServeHttpOptions | undefined,
): Promise<Client> {
  switch (link) {
    case 'direct':
      return connect(server, options);
    case 'pipe':
      return connectOverPipe(server, options);
    case 'http': {
      const http = await serveHttp(server, serving);
      onTestFinished(() => http.close({ drainMs: 0 }));
      return connect(http.url, options);
    }
    case 'web': {
      const { fetch } = server;
      if (fetch === undefined) throw new Error('openLink: the service has no fetch');
      const byFetch = (url: string | URL | Request, init?: RequestInit): Promise<Response> =>
        fetch(new Request(url, init));
      return connect('http://server.test/mcp', { ...options, fetch: byFetch });
    }
  }
}

function connectOverPipe(server: Service, options: ConnectOptions): Promise<Client> {
  const over = connectOn({
    spawn: () => (inbound) => {
      const [near, far] = memoryPipe();
      servePipe(server, far);
      return Promise.resolve(pipeLink(near, inbound));
    },
  });
  return over({ command: ['a server over a pipe in memory'] }, options);
}

/** A client that connects over a pipe in memory, and a server by hand at its other end. */
export function beginScripted(
  handlers: Readonly<Record<string, ScriptedHandler>>,
  options: ConnectOptions = {},
): { connecting: Promise<Client>; server: ScriptedPeer } {
  const [near, far] = memoryPipe();
  const server = scriptedServer(far, handlers);
  const { logger } = options;
  const over = connectOn({ spawn: () => (inbound) => Promise.resolve(pipeLink(near, inbound, { logger })) });
  return { connecting: over({ command: ['a server by hand'] }, options), server };
}

/** The same once it is connected. The client is closed when the test is over. */
export async function openScripted(
  handlers: Readonly<Record<string, ScriptedHandler>>,
  options: ConnectOptions = {},
): Promise<{ client: Client; server: ScriptedPeer }> {
  const { connecting, server } = beginScripted(handlers, options);
  const client = await connecting;
  onTestFinished(() => client.close());
  return { client, server };
}

/** A client by hand over a pipe in memory. */
export function clientByHand(server: Service): ScriptedPeer {
  const [near, far] = memoryPipe();
  servePipe(server, far);
  return scriptedClient(near);
}

/** Which links and revisions a test runs over; all of them, unless told otherwise. */
export interface Over {
  links?: readonly LinkName[];
  revisions?: readonly Revision[];
}

/**
 * Every pair of link and revision. Without a session 2024-11-05 cannot be told from 2025-03-26, since neither is named
 * in a header: that pair is left out.
 */
export function everyLink(over: Over = {}): { link: LinkName; revision: Revision }[] {
  return (over.links ?? links).flatMap((link) =>
    (over.revisions ?? revisions)
      .filter((revision) => link !== 'web' || revision !== '2024-11-05')
      .map((revision) => ({ link, revision })),
  );
}

/**
 * A test per link and revision, each with a client connected to a server of its own.
 *
 * ```ts
 * overEveryLink('[TOOL-020] an unknown tool is -32602', { server: () => myServer() }, async ({ client }) => {
 *   await expect(client.callTool('nobody')).rejects.toMatchObject({ rpc: { code: -32602 } });
 * });
 * ```
 */
export function overEveryLink<Served extends Service>(
  title: string,
  options: Over & { server: () => Served; connect?: LinkOptions },
  run: (linked: Linked & { server: Served }) => void | Promise<void>,
): void {
  for (const { link, revision } of everyLink(options)) {
    test(`${title} (${link}, ${revision})`, async () => {
      const server = options.server();
      const client = await openLink(link, revision, server, options.connect);
      await run({ client, link, revision, server });
    });
  }
}
