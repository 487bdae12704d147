import type { IncomingMessage, ServerResponse } from 'node:http';
import { systemClock } from '../base/clock.ts';
import { silent, type Logger } from '../base/logger.ts';
import { loopbackHosts } from '../core/head.ts';
import { checkedOrigins, type AllowedOrigins } from '../core/origins.ts';
import type { Authenticate, Service } from '../ports/index.ts';
import { defaultMaxBodyBytes } from '../transport/door.ts';
import { HttpDoor } from '../transport/http-server.ts';
import type { HttpOutgoing } from '../transport/http-types.ts';
import { defaultKeepAliveMs, type KeepAlive } from '../transport/keep-alive.ts';
import { NodeIncoming } from './http-incoming.ts';
import { handlerOf, isAt, listen, type HttpServing, type ListenOptions, type NodeHandler } from './listening.ts';
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
export interface ServeHttpOptions extends NodeHandlerOptions, ListenOptions {
  /** Path of the endpoint. Default `/mcp`. */
  path?: string;
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
  return handlerOf(
    door,
    (request, response) => void door.receive(new NodeIncoming(request), new NodeOutgoing(response, door.keepAlive)),
  );
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
  const { path = '/mcp' } = options;
  const door = doorFor(service, options);
  const atPath = isAt(path);
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    const incoming = new NodeIncoming(request);
    const outgoing = new NodeOutgoing(response, door.keepAlive);
    if (atPath(request.url)) void door.receive(incoming, outgoing);
    else door.elsewhere(incoming, outgoing);
  };
  return listen(door, listener, path, options);
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
