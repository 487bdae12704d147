/** The HTTP+SSE transport of 2024-11-05 on Node: for clients that know no other. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ArgumentError } from '../base/errors.ts';
import { loopbackHosts } from '../core/head.ts';
import type { Service } from '../ports/index.ts';
import type { DoorSettings } from '../transport/door.ts';
import { doorSettings } from '../transport/door-options.ts';
import { SseDoor, type SseEndpoint } from '../transport/sse-server.ts';
import { NodeIncoming } from './http-incoming.ts';
import { addressOf, type ListenOptions, type NodeHandlerOptions } from './http-options.ts';
import { NodeOutgoing } from './http-outgoing.ts';
import { handlerOf, isAt, listen, type HttpServing, type NodeHandler } from './listening.ts';
import { keepSuspensions } from './suspensions.ts';
import { warnOfUnheard } from './unheard.ts';

/** What says how sessions are kept, which end with their stream here. */
type OfSessions = 'legacy' | 'sessionIdleMs' | 'streamsKeepAlive' | 'eventLog' | 'maxEventLogBytes';

/** Settings of the old transport. A connection is a session: it lasts as long as the client's stream. */
export interface LegacySseOptions extends Omit<NodeHandlerOptions, OfSessions>, Partial<Record<OfSessions, never>> {
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

/** All that there is; a name that is missing here does not compile. */
const handlerOptions: Readonly<Record<Exclude<keyof LegacySseOptions, OfSessions>, true>> = {
  authenticate: true,
  allowedHosts: true,
  allowedOrigins: true,
  maxBodyBytes: true,
  messagesPath: true,
  maxSessions: true,
  maxSessionsPerPrincipal: true,
  keepAliveMs: true,
  stalledMs: true,
  logger: true,
  clock: true,
};

const servingOptions: Readonly<Record<Exclude<keyof ServeLegacySseOptions, OfSessions>, true>> = {
  port: true,
  host: true,
  path: true,
  requestTimeoutMs: true,
  ...handlerOptions,
};

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
  const door = doorFor(service, settingsOf('legacySseHandler', options, handlerOptions), options.messagesPath);
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
  const settings = settingsOf('serveLegacySse', options, servingOptions);
  const address = addressOf(options, '/sse');
  const { messagesPath = defaultMessagesPath } = options;
  const atStream = isAt(address.path);
  if (atStream(messagesPath)) throw new ArgumentError('serveLegacySse: path and messagesPath must be two');
  const door = doorFor(service, settings, messagesPath);
  const atMessages = isAt(messagesPath);
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    if (atStream(request.url)) receive(door, request, response, 'GET');
    else if (atMessages(request.url)) receive(door, request, response, 'POST');
    else door.elsewhere(new NodeIncoming(request), new NodeOutgoing(response, door));
  };
  return listen(door, listener, { ...settings, ...address });
}

const defaultMessagesPath = '/messages';

function settingsOf(what: string, options: LegacySseOptions, known: Readonly<Record<string, true>>): DoorSettings {
  return doorSettings(options, { what, known, legacy: ['sessions'], allowedHosts: loopbackHosts });
}

function doorFor(service: Service, settings: DoorSettings, messagesPath = defaultMessagesPath): SseDoor {
  // It becomes a line of the stream, with a query behind it.
  if (typeof messagesPath !== 'string' || !/^\/[^\s?#]*$/.test(messagesPath))
    throw new ArgumentError('messagesPath is a path that begins with a slash, without query');
  keepSuspensions();
  warnOfUnheard();
  return new SseDoor(service, settings, messagesPath);
}

function receive(door: SseDoor, request: IncomingMessage, response: ServerResponse, endpoint?: SseEndpoint): void {
  void door.receive(new NodeIncoming(request), new NodeOutgoing(response, door), endpoint);
}
