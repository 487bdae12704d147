import type { Clock } from '../base/clock.ts';
import { ArgumentError } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import { loopbackHosts } from '../core/head.ts';
import type { AllowedOrigins } from '../core/origins.ts';
import type { Authenticate, EventLog } from '../ports/index.ts';
import type { DoorSettings } from '../transport/door.ts';
import { doorSettings } from '../transport/door-options.ts';

/** Settings of the Node door. */
export interface NodeHandlerOptions {
  /** Tells who calls, or refuses. Without it callers are anonymous. */
  authenticate?: Authenticate;
  /**
   * Hosts that requests may be addressed to (the `Host` header), with or without port; `any` leaves it unchecked.
   * Default: the names of this machine itself, against DNS rebinding.
   */
  allowedHosts?: readonly string[] | 'any';
  /**
   * Origins of web pages that may call, besides the endpoint's own, such as `https://app.example.com`; `any`: all pages
   * there are. Of this machine without a port (`http://localhost`): with any port. Their browsers are answered what they
   * want to hear (CORS). Default: none.
   */
  allowedOrigins?: AllowedOrigins;
  /** Largest request body. Default 4 MiB. */
  maxBodyBytes?: number;
  /**
   * How legacy callers are served: in sessions (default), each request for itself, or not at all. Without sessions they
   * are not offered what needs one: changes, log messages, questions.
   */
  legacy?: 'sessions' | 'stateless' | 'none';
  /**
   * Most legacy sessions at a time. Then expired ones have to go, else the one of the same principal that is longest
   * idle: no request is in flight and no GET stream is open. Without one it is 503 with `Retry-After`. Default 10,000.
   */
  maxSessions?: number;
  /** The same for the sessions of one principal; anonymous callers are not counted. Default 100. */
  maxSessionsPerPrincipal?: number;
  /**
   * How long a legacy session is kept without a request, in milliseconds; one that is in flight keeps it. Then its id is
   * answered with 404, and clients begin a new one. Default 1,800,000; `Infinity`: until the client ends it.
   */
  sessionIdleMs?: number;
  /** An open GET stream keeps its session as well, until it is closed. Default false. */
  streamsKeepAlive?: boolean;
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
  /** Default: the platform's. */
  clock?: Clock;
}

/** Where to listen. */
export interface ListenOptions {
  /** Default 0: any free port. */
  port?: number;
  /** Address to bind. Default 127.0.0.1; another one needs `allowedHosts`. */
  host?: string;
  /**
   * How long a request may take to come in whole, in milliseconds; then its connection is closed with 408. `Infinity`:
   * as long as it likes. Default 30,000. A handler that is mounted has what the server has that it is mounted in.
   */
  requestTimeoutMs?: number;
}

/** Settings of a server of its own. */
export interface ServeHttpOptions extends NodeHandlerOptions, ListenOptions {
  /** Path of the endpoint. Default `/mcp`. */
  path?: string;
}

/** All that there is; a name that is missing here does not compile. */
const handlerOptions: Readonly<Record<keyof NodeHandlerOptions, true>> = {
  authenticate: true,
  allowedHosts: true,
  allowedOrigins: true,
  maxBodyBytes: true,
  legacy: true,
  maxSessions: true,
  maxSessionsPerPrincipal: true,
  sessionIdleMs: true,
  streamsKeepAlive: true,
  maxEventLogBytes: true,
  eventLog: true,
  keepAliveMs: true,
  stalledMs: true,
  logger: true,
  clock: true,
};

const servingOptions: Readonly<Record<keyof ServeHttpOptions, true>> = {
  port: true,
  host: true,
  path: true,
  requestTimeoutMs: true,
  ...handlerOptions,
};

const kind = { legacy: ['sessions', 'stateless', 'none'], allowedHosts: loopbackHosts } as const;

/** @throws ArgumentError for options that there are not, or that cannot work */
export function handlerSettings(options: NodeHandlerOptions): DoorSettings {
  return doorSettings(options, { what: 'nodeHandler', known: handlerOptions, ...kind });
}

interface ServingSettings {
  readonly port: number;
  readonly host: string;
  readonly path: string;
  readonly settings: DoorSettings;
}

/** @throws ArgumentError also when it would be reachable from elsewhere without `allowedHosts` */
export function servingSettings(options: ServeHttpOptions): ServingSettings {
  const settings = doorSettings(options, { what: 'serveHttp', known: servingOptions, ...kind });
  return { ...addressOf(options, '/mcp'), settings };
}

/** @throws ArgumentError for an address that cannot be bound, or must not be */
export function addressOf(
  options: ListenOptions & { path?: string; allowedHosts?: readonly string[] | 'any' },
  defaultPath: string,
): Omit<ServingSettings, 'settings'> {
  const { port = 0, host = '127.0.0.1', path = defaultPath } = options;
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new ArgumentError('port must be from 0 to 65535');
  if (typeof host !== 'string' || host === '') throw new ArgumentError('host must be the address to bind');
  if (typeof path !== 'string' || !/^\/[^?#]*$/.test(path))
    throw new ArgumentError('path must begin with a slash, and have neither ? nor #');
  const loopback = /^(?:127\.\d+\.\d+\.\d+|::1|localhost)$/i.test(host);
  if (!loopback && options.allowedHosts === undefined) {
    throw new ArgumentError(
      `serving on ${host} needs allowedHosts: the names it is reached by, or 'any' behind a proxy that checks them`,
    );
  }
  return { port, host, path };
}
