import { createServer, type IncomingMessage, type ServerOptions, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from '../base/clock.ts';
import type { Service } from '../ports/index.ts';
import { defaultDrainMs, type CloseOptions } from '../transport/closing.ts';
import type { DoorSettings } from '../transport/door.ts';
import { HttpDoor, type OpenCounts } from '../transport/http-server.ts';
import { Connections } from './connections.ts';
import { NodeIncoming } from './http-incoming.ts';
import { handlerSettings, servingSettings, type NodeHandlerOptions, type ServeHttpOptions } from './http-options.ts';
import { NodeOutgoing } from './http-outgoing.ts';
import { keepSuspensions } from './suspensions.ts';
import { warnOfUnheard } from './unheard.ts';

/** A server that listens. */
export interface HttpServing extends AsyncDisposable {
  /** The endpoint's URL, to give to a client. */
  readonly url: string;
  readonly port: number;
  /** What is open. */
  readonly open: OpenCounts;
  /**
   * Stops serving: what comes is refused with 503, those who listen get their final result, and what runs may end within
   * `drainMs` (default 5,000). Then calls are cancelled, sessions end and connections are closed. The service is not
   * closed: it may be served elsewhere too.
   *
   * @throws ArgumentError when `drainMs` is no number of milliseconds, 0 or more
   */
  close(options?: CloseOptions): Promise<void>;
}

/** A request handler for `node:http`. */
export interface NodeHandler {
  (request: IncomingMessage, response: ServerResponse): void;
  /** What is open. */
  readonly open: OpenCounts;
  /** Stops serving, see {@link HttpServing.close}. Connections are those of the server that it is mounted in. */
  close(options?: CloseOptions): Promise<void>;
}

/**
 * A request handler for `node:http` and what is built on it, such as Express. It takes every path it is given.
 *
 * ```ts
 * http.createServer(nodeHandler(server)).listen(3000, '127.0.0.1')
 * ```
 */
export function nodeHandler(service: Service, options: NodeHandlerOptions = {}): NodeHandler {
  const door = doorFor(service, handlerSettings(options));
  const handler = (request: IncomingMessage, response: ServerResponse): void =>
    void door.receive(new NodeIncoming(request), new NodeOutgoing(response, door.keepAlive, door.stalledMs));
  Object.defineProperty(handler, 'open', { get: () => door.open });
  return Object.assign(handler, { close: (given?: CloseOptions) => door.close(given) }) as NodeHandler;
}

function doorFor(service: Service, settings: DoorSettings): HttpDoor {
  keepSuspensions();
  warnOfUnheard();
  return new HttpDoor(service, settings);
}

/**
 * Serves over HTTP on this machine.
 *
 * @throws ArgumentError when it would be reachable from elsewhere without `allowedHosts`, and for options that there
 *   are not or that cannot work
 */
export async function serveHttp(service: Service, options: ServeHttpOptions = {}): Promise<HttpServing> {
  const { port, host, path, settings } = servingSettings(options);
  const door = doorFor(service, settings);
  const paths = new Set([path, path.endsWith('/') ? path.slice(0, -1) : `${path}/`]);
  const http = createServer(timeouts(settings.requestTimeoutMs), (request, response) => {
    const [pathname] = (request.url ?? '').split('?', 1);
    const incoming = new NodeIncoming(request);
    const outgoing = new NodeOutgoing(response, door.keepAlive, door.stalledMs);
    if (paths.has(pathname ?? '')) void door.receive(incoming, outgoing);
    else door.elsewhere(incoming, outgoing);
  });
  const connections = new Connections(http);
  await new Promise<void>((resolve, reject) => {
    http.once('error', reject);
    http.listen(port, host, resolve);
  });
  const bound = (http.address() as AddressInfo).port;
  const name = host.includes(':') ? `[${host}]` : host;
  const close = async (given?: CloseOptions): Promise<void> => {
    const began = systemClock.now();
    await door.close(given);
    // What was written in this turn leaves at its end.
    await systemClock.turn();
    await connections.close((given?.drainMs ?? defaultDrainMs) - (systemClock.now() - began));
  };
  return {
    url: `http://${name}:${bound}${path}`,
    port: bound,
    get open() {
      return door.open;
    },
    close,
    [Symbol.asyncDispose]: () => close(),
  };
}

/** Node looks at its connections now and then, so that a request needs no timer of its own. */
function timeouts(requestMs: number): ServerOptions {
  if (requestMs === Infinity) return { requestTimeout: 0, headersTimeout: 60_000 };
  return {
    requestTimeout: Math.ceil(requestMs),
    connectionsCheckingInterval: Math.ceil(Math.min(requestMs / 4, 30_000)),
  };
}
