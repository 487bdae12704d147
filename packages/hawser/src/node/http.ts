import { createServer, type IncomingMessage, type ServerOptions, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from '../base/clock.ts';
import { ArgumentError } from '../base/errors.ts';
import { silent, type Logger } from '../base/logger.ts';
import { positive } from '../base/positive.ts';
import { loopbackHosts } from '../core/head.ts';
import { checkedOrigins, type AllowedOrigins } from '../core/origins.ts';
import type { Authenticate, Service } from '../ports/index.ts';
import { defaultDrainMs, type CloseOptions } from '../transport/closing.ts';
import { defaultMaxBodyBytes, defaultRequestTimeoutMs } from '../transport/door.ts';
import { HttpDoor, type OpenCounts } from '../transport/http-server.ts';
import type { HttpOutgoing } from '../transport/http-types.ts';
import { defaultKeepAliveMs, type KeepAlive } from '../transport/keep-alive.ts';
import { Connections } from './connections.ts';
import { NodeIncoming } from './http-incoming.ts';
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
  /**
   * Origins of web pages that may call, besides the endpoint's own, such as `https://app.example.com`; `any`: all pages
   * there are. Of this machine without a port (`http://localhost`): with any port. Their browsers are answered what they
   * want to hear (CORS). Default: none.
   */
  allowedOrigins?: AllowedOrigins;
  /** Largest request body. Default 4 MiB. */
  maxBodyBytes?: number;
  /** How legacy callers are served: in sessions (default), or each request for itself. */
  legacy?: 'sessions' | 'stateless';
  /** Most legacy sessions at a time; then the one longest unused has to go. Default 10,000. */
  maxSessions?: number;
  /**
   * How often a comment goes out on open streams, in milliseconds, so that proxies do not cut them. Default 15,000;
   * `Infinity`: never.
   */
  keepAliveMs?: number;
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
  /**
   * How long a request may take to come in whole, in milliseconds; then its connection is closed with 408. `Infinity`:
   * as long as it likes. Default 30,000. A `nodeHandler` has what the server has that it is mounted in.
   */
  requestTimeoutMs?: number;
}

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
  const door = doorFor(service, options);
  const handler = (request: IncomingMessage, response: ServerResponse): void =>
    void door.receive(new NodeIncoming(request), new NodeOutgoing(response, door.keepAlive));
  Object.defineProperty(handler, 'open', { get: () => door.open });
  return Object.assign(handler, { close: (given?: CloseOptions) => door.close(given) }) as NodeHandler;
}

function doorFor(service: Service, options: NodeHandlerOptions): HttpDoor {
  keepSuspensions();
  warnOfUnheard();
  return new HttpDoor(service, {
    policy: {
      allowedHosts: lowerCase(options.allowedHosts ?? loopbackHosts),
      allowedOrigins: checkedOrigins(options.allowedOrigins),
      maxBodyBytes: options.maxBodyBytes ?? defaultMaxBodyBytes,
    },
    authenticate: options.authenticate,
    legacy: options.legacy ?? 'sessions',
    maxSessions: options.maxSessions ?? 10_000,
    keepAliveMs: options.keepAliveMs ?? defaultKeepAliveMs,
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
 * @throws ArgumentError for an option that is unusable, or when it would be reachable from elsewhere without
 *   `allowedHosts`
 */
export async function serveHttp(service: Service, options: ServeHttpOptions = {}): Promise<HttpServing> {
  const { port = 0, host = '127.0.0.1', path = '/mcp' } = options;
  const loopback = /^(?:127\.\d+\.\d+\.\d+|::1|localhost)$/i.test(host);
  if (!loopback && options.allowedHosts === undefined) {
    throw new ArgumentError(
      `serving on ${host} needs allowedHosts: the names it is reached by, or 'any' behind a proxy that checks them`,
    );
  }
  const door = doorFor(service, options);
  const paths = new Set([path, path.endsWith('/') ? path.slice(0, -1) : `${path}/`]);
  const timeoutMs = positive('requestTimeoutMs', options.requestTimeoutMs, defaultRequestTimeoutMs);
  const http = createServer(timeouts(timeoutMs), (request, response) => {
    const [pathname] = (request.url ?? '').split('?', 1);
    const incoming = new NodeIncoming(request);
    const outgoing = new NodeOutgoing(response, door.keepAlive);
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

const batchCharacters = 16 * 1024;

export class NodeOutgoing implements HttpOutgoing {
  readonly #response: ServerResponse;
  readonly #keepAlive: KeepAlive;
  /** What was written in this turn: one write for many notices is several times quicker than one each. */
  #batch = '';
  #scheduled = false;

  constructor(response: ServerResponse, keepAlive: KeepAlive) {
    this.#response = response;
    this.#keepAlive = keepAlive;
  }

  send(status: number, headers: Readonly<Record<string, string>>, body?: string): void {
    const response = this.#response;
    if (response.headersSent) return;
    // Without a length an empty answer would go out in chunks, and some clients take that for a body. 204 has none.
    if (status === 204) response.writeHead(status, headers);
    else response.writeHead(status, { ...headers, 'content-length': body === undefined ? 0 : Buffer.byteLength(body) });
    response.end(body);
  }

  open(headers: Readonly<Record<string, string>>): void {
    this.#response.writeHead(200, headers);
    this.#response.flushHeaders();
    this.#keepAlive.add(this);
    this.#response.once('close', () => this.#keepAlive.delete(this));
  }

  write(text: string): boolean {
    const response = this.#response;
    if (response.destroyed || response.writableEnded) return false;
    this.#batch += text;
    if (this.#batch.length >= batchCharacters) return this.#flush();
    if (!this.#scheduled) {
      this.#scheduled = true;
      process.nextTick(flushLater, this);
    }
    return true;
  }

  #flush(): boolean {
    const batch = this.#batch;
    this.#batch = '';
    return batch === '' || this.#response.destroyed || this.#response.write(batch);
  }

  /** @internal */
  flushScheduled(): void {
    this.#scheduled = false;
    if (!this.#response.writableEnded) this.#flush();
  }

  drained(): Promise<void> {
    const response = this.#response;
    if (response.destroyed || !response.writableNeedDrain) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (): void => {
        response.off('drain', done);
        response.off('close', done);
        resolve();
      };
      response.on('drain', done);
      response.on('close', done);
    });
  }

  end(text?: string, passedOn?: () => void): void {
    const response = this.#response;
    const rest = this.#batch + (text ?? '');
    this.#batch = '';
    if (response.writableEnded) return;
    if (passedOn !== undefined) onFinish(response, passedOn);
    response.end(rest);
  }

  onGone(listener: () => void): void {
    const response = this.#response;
    if (response.destroyed && !response.writableFinished) return listener();
    let finished = response.writableFinished;
    onFinish(response, () => (finished = true));
    response.once('close', () => {
      if (!finished) listener();
    });
  }
}

/**
 * Calls `listener` when all of a response has been given to the network. Node says so too when the connection broke
 * under what was still to be given, and lets go of the socket then: it has to be looked at before.
 */
function onFinish(response: ServerResponse, listener: () => void): void {
  response.prependOnceListener('finish', () => {
    const { socket } = response;
    if (socket === null || (!socket.destroyed && socket.errored === null)) listener();
  });
}

function flushLater(outgoing: NodeOutgoing): void {
  outgoing.flushScheduled();
}
