import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from '../base/clock.ts';
import { ArgumentError } from '../base/errors.ts';
import { silent, type Logger } from '../base/logger.ts';
import { positive } from '../base/positive.ts';
import { loopbackHosts } from '../core/head.ts';
import type { Authenticate, EventLog, Service } from '../ports/index.ts';
import { defaultMaxBodyBytes, defaultStalledMs } from '../transport/door.ts';
import { defaultMaxEventLogBytes } from '../transport/event-budget.ts';
import { HttpDoor } from '../transport/http-server.ts';
import { defaultKeepAliveMs } from '../transport/keep-alive.ts';
import { NodeIncoming } from './http-incoming.ts';
import { NodeOutgoing } from './http-outgoing.ts';
import { keepSuspensions } from './suspensions.ts';
import { warnOfUnheard } from './unheard.ts';

/** Settings of the Node door. */
export interface NodeHandlerOptions {
  /** Tells who calls, or refuses. Without it callers are anonymous. */
  authenticate?: Authenticate;
  /**
   * Hosts that requests may be addressed to (the `Host` header), with or without port; `any` leaves it unchecked.
   * Default: the names of this machine itself, against DNS rebinding.
   */
  allowedHosts?: readonly string[] | 'any';
  /** Origins of web pages that may call, besides the endpoint's own, such as `https://app.example.com`. */
  allowedOrigins?: readonly string[];
  /** Largest request body. Default 4 MiB. */
  maxBodyBytes?: number;
  /** How legacy callers are served: in sessions (default), or each request for itself. */
  legacy?: 'sessions' | 'stateless';
  /** Most legacy sessions at a time; then the one longest unused has to go. Default 10,000. */
  maxSessions?: number;
  /**
   * Most bytes kept over all legacy sessions of what callers may have missed on streams that broke, at two bytes a
   * character; past it the session that keeps most gives way. Default 256 MiB. A session keeps 4 MiB at most.
   */
  maxEventLogBytes?: number;
  /** Where that is kept. Default: in memory. */
  eventLog?: EventLog;
  /**
   * How often a comment goes out on open streams, in milliseconds, so that proxies do not cut them. Default 15,000;
   * `Infinity`: never.
   */
  keepAliveMs?: number;
  /**
   * How long a caller may take nothing of a stream that waits for it, in milliseconds; then the stream is closed, and
   * its place is free. Default 300,000; `Infinity`: for ever.
   */
  stalledMs?: number;
  logger?: Logger;
}

/** Settings of a server of its own. */
export interface ServeHttpOptions extends NodeHandlerOptions {
  /** Default 0: any free port. */
  port?: number;
  /** Address to bind. Default 127.0.0.1; another one needs `allowedHosts`. */
  host?: string;
  /** Path of the endpoint. Default `/mcp`. */
  path?: string;
}

/** A server that listens. */
export interface HttpServing extends AsyncDisposable {
  /** The endpoint's URL, to give to a client. */
  readonly url: string;
  readonly port: number;
  /** Ends sessions and subscriptions, stops listening and drops open connections. */
  close(): Promise<void>;
}

/**
 * A request handler for `node:http` and what is built on it, such as Express. It takes every path it is given.
 *
 * ```ts
 * http.createServer(nodeHandler(server)).listen(3000, '127.0.0.1')
 * ```
 */
export function nodeHandler(
  service: Service,
  options: NodeHandlerOptions = {},
): (request: IncomingMessage, response: ServerResponse) => void {
  const door = doorFor(service, options);
  return (request, response) =>
    void door.receive(new NodeIncoming(request), new NodeOutgoing(response, door.keepAlive, door.stalledMs));
}

function doorFor(service: Service, options: NodeHandlerOptions): HttpDoor {
  keepSuspensions();
  warnOfUnheard();
  return new HttpDoor(service, {
    policy: {
      allowedHosts: lowerCase(options.allowedHosts ?? loopbackHosts),
      allowedOrigins: options.allowedOrigins ?? [],
      maxBodyBytes: options.maxBodyBytes ?? defaultMaxBodyBytes,
    },
    authenticate: options.authenticate,
    legacy: options.legacy ?? 'sessions',
    maxSessions: options.maxSessions ?? 10_000,
    eventLog: options.eventLog,
    maxEventLogBytes: positive('maxEventLogBytes', options.maxEventLogBytes, defaultMaxEventLogBytes, 'bytes'),
    keepAliveMs: options.keepAliveMs ?? defaultKeepAliveMs,
    stalledMs: positive('stalledMs', options.stalledMs, defaultStalledMs),
    logger: options.logger ?? silent,
    clock: systemClock,
  });
}

function lowerCase(hosts: readonly string[] | 'any'): readonly string[] | 'any' {
  return hosts === 'any' ? hosts : hosts.map((host) => host.toLowerCase());
}

/**
 * Serves over HTTP on this machine.
 *
 * @throws ArgumentError when it would be reachable from elsewhere without `allowedHosts`
 */
export async function serveHttp(
  service: Service & { close?(): Promise<void> },
  options: ServeHttpOptions = {},
): Promise<HttpServing> {
  const { port = 0, host = '127.0.0.1', path = '/mcp' } = options;
  const loopback = /^(?:127\.\d+\.\d+\.\d+|::1|localhost)$/i.test(host);
  if (!loopback && options.allowedHosts === undefined) {
    throw new ArgumentError(
      `serving on ${host} needs allowedHosts: the names it is reached by, or 'any' behind a proxy that checks them`,
    );
  }
  const door = doorFor(service, options);
  const paths = new Set([path, path.endsWith('/') ? path.slice(0, -1) : `${path}/`]);
  const http = createServer((request, response) => {
    const [pathname] = (request.url ?? '').split('?', 1);
    if (paths.has(pathname ?? ''))
      void door.receive(new NodeIncoming(request), new NodeOutgoing(response, door.keepAlive, door.stalledMs));
    else response.writeHead(404, { 'content-type': 'text/plain' }).end('not found\n');
  });
  await new Promise<void>((resolve, reject) => {
    http.once('error', reject);
    http.listen(port, host, resolve);
  });
  const bound = (http.address() as AddressInfo).port;
  const name = host.includes(':') ? `[${host}]` : host;
  const close = async (): Promise<void> => {
    const stopped = new Promise<void>((resolve) => {
      http.close(() => resolve());
    });
    door.close();
    await service.close?.();
    // The final results of subscriptions leave in this turn.
    await systemClock.turn();
    http.closeAllConnections();
    await stopped;
  };
  return { url: `http://${name}:${bound}${path}`, port: bound, close, [Symbol.asyncDispose]: close };
}
