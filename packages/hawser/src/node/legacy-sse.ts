/** The HTTP+SSE transport of 2024-11-05 on Node: for clients that know no other. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { systemClock } from '../base/clock.ts';
import { ArgumentError } from '../base/errors.ts';
import { silent } from '../base/logger.ts';
import { positive } from '../base/positive.ts';
import { loopbackHosts } from '../core/head.ts';
import { checkedOrigins } from '../core/origins.ts';
import type { Service } from '../ports/index.ts';
import { defaultMaxBodyBytes } from '../transport/door.ts';
import { defaultKeepAliveMs } from '../transport/keep-alive.ts';
import { SseDoor, type SseEndpoint } from '../transport/sse-server.ts';
import { NodeIncoming } from './http-incoming.ts';
import { NodeOutgoing, type NodeHandlerOptions } from './http.ts';
import { handlerOf, isAt, listen, type HttpServing, type ListenOptions, type NodeHandler } from './listening.ts';
import { keepSuspensions } from './suspensions.ts';
import { warnOfUnheard } from './unheard.ts';

/** Settings of the old transport. A connection is a session: it lasts as long as the client's stream. */
export interface LegacySseOptions extends Omit<NodeHandlerOptions, 'legacy'> {
  /**
   * Path that clients are told to post their messages to. Default `/messages`. Behind a proxy that takes a prefix off,
   * say it with the prefix.
   */
  messagesPath?: string;
  /** Most connections at a time; more are refused with 503. Default 10,000. */
  maxSessions?: number;
  /** Most connections of one principal at a time; anonymous callers are not counted. Default 100. */
  maxSessionsPerPrincipal?: number;
}

/** Settings of a server of its own. */
export interface ServeLegacySseOptions extends LegacySseOptions, ListenOptions {
  /** Path of the stream. Default `/sse`. */
  path?: string;
}

/**
 * A request handler for `node:http` that speaks HTTP+SSE, the transport of 2024-11-05, to be mounted beside
 * {@link nodeHandler} as long as there are clients that know no other. It takes every path it is given: a GET opens a
 * stream, a POST brings a message (2024-11-05 basic/transports "HTTP with SSE"). Whoever connects has it said in the log,
 * once, that the transport is deprecated.
 *
 * ```ts
 * const mcp = nodeHandler(server)
 * const sse = legacySseHandler(server)
 * http.createServer((request, response) => {
 *   const old = /^\/(?:sse|messages)(?:\?|$)/.test(request.url)
 *   ;(old ? sse : mcp)(request, response)
 * })
 * ```
 *
 * @throws ArgumentError for an option that is unusable
 */
export function legacySseHandler(service: Service, options: LegacySseOptions = {}): NodeHandler {
  const door = doorFor('legacySseHandler', service, options);
  return handlerOf(door, (request, response) => receive(door, request, response));
}

/**
 * Serves HTTP+SSE alone, on this machine. Its `url` is that of the stream. Clients of all later revisions need
 * {@link serveHttp} or {@link nodeHandler}.
 *
 * @throws ArgumentError for an option that is unusable, or when it would be reachable from elsewhere without
 *   `allowedHosts`
 */
export async function serveLegacySse(service: Service, options: ServeLegacySseOptions = {}): Promise<HttpServing> {
  const { path = '/sse', messagesPath = defaultMessagesPath } = options;
  if (path === messagesPath) throw new ArgumentError('serveLegacySse: path and messagesPath must be two');
  const door = doorFor('serveLegacySse', service, options);
  const atStream = isAt(path);
  const atMessages = isAt(messagesPath);
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    if (atStream(request.url)) receive(door, request, response, 'GET');
    else if (atMessages(request.url)) receive(door, request, response, 'POST');
    else door.elsewhere(new NodeIncoming(request), new NodeOutgoing(response, door.keepAlive));
  };
  return listen(door, listener, path, options);
}

const defaultMessagesPath = '/messages';

function doorFor(
  by: string,
  service: Service,
  { messagesPath = defaultMessagesPath, ...options }: LegacySseOptions,
): SseDoor {
  // It becomes a line of the stream, with a query behind it.
  if (!/^\/[^\s?#]*$/.test(messagesPath))
    throw new ArgumentError(`${by}: messagesPath is a path that begins with a slash, without query`);
  keepSuspensions();
  warnOfUnheard();
  const { allowedHosts = loopbackHosts } = options;
  return new SseDoor(service, {
    policy: {
      allowedHosts: allowedHosts === 'any' ? allowedHosts : allowedHosts.map((host) => host.toLowerCase()),
      allowedOrigins: checkedOrigins(options.allowedOrigins),
      maxBodyBytes: positive(`${by}: maxBodyBytes`, options.maxBodyBytes, defaultMaxBodyBytes, 'bytes'),
    },
    authenticate: options.authenticate,
    messagesPath,
    maxSessions: positive(`${by}: maxSessions`, options.maxSessions, 10_000, 'connections'),
    maxSessionsPerPrincipal: positive(
      `${by}: maxSessionsPerPrincipal`,
      options.maxSessionsPerPrincipal,
      100,
      'connections',
    ),
    keepAliveMs: positive(`${by}: keepAliveMs`, options.keepAliveMs, defaultKeepAliveMs),
    logger: options.logger ?? silent,
    clock: systemClock,
  });
}

function receive(door: SseDoor, request: IncomingMessage, response: ServerResponse, endpoint?: SseEndpoint): void {
  void door.receive(new NodeIncoming(request), new NodeOutgoing(response, door.keepAlive), endpoint);
}
