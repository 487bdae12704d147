import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import { defaultDrainMs, type CloseOptions } from '../transport/closing.ts';
import type { OpenCounts } from '../transport/http-server.ts';
import { Connections } from './connections.ts';

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

/** Where to listen, how long a request may take to come in whole, and where trouble is told. */
interface Address {
  readonly port: number;
  readonly host: string;
  /** Of the URL to give to clients. */
  readonly path: string;
  readonly requestTimeoutMs: number;
  readonly logger: Logger;
}

/** A door as far as it is opened and closed. */
interface Closable {
  readonly open: OpenCounts;
  close(options?: CloseOptions): Promise<void>;
}

/** A door and the way into it, as a handler. */
export function handlerOf(door: Closable, listener: RequestListener): NodeHandler {
  const handler = (request: IncomingMessage, response: ServerResponse): void => listener(request, response);
  Object.defineProperty(handler, 'open', { get: () => door.open });
  return Object.assign(handler, { close: async (given?: CloseOptions) => door.close(given) }) as NodeHandler;
}

/** Binds the way into a door. */
export async function listen(door: Closable, listener: RequestListener, at: Address): Promise<HttpServing> {
  const { port, host, path } = at;
  const http = createServer(timeouts(at.requestTimeoutMs), listener);
  const connections = new Connections(http);
  await new Promise<void>((resolve, reject) => {
    http.once('error', reject);
    http.listen(port, host, resolve);
  });
  // Such as a connection that could not be taken, since the process has too many files open: the others go on.
  http.on('error', (error) => at.logger.error('a connection could not be taken', error));
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

/** Whether a request target is for a path, with or without a slash at its end. */
export function isAt(path: string): (target: string | undefined) => boolean {
  const paths = new Set([path, path.endsWith('/') ? path.slice(0, -1) : `${path}/`]);
  return (target = '') => paths.has(target.split('?', 1)[0] ?? '');
}
