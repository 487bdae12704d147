import { isUtf8 } from 'node:buffer';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from '../base/clock.ts';
import { bodyBrokeOff, bodyNotUtf8, bodyTooLarge } from '../core/head.ts';
import { Refusal } from '../core/refusal.ts';
import { errorCodes } from '../model/meta.ts';
import type { Service } from '../ports/index.ts';
import type { DoorSettings } from '../transport/door.ts';
import { HttpDoor } from '../transport/http-server.ts';
import type { HttpIncoming, HttpOutgoing } from '../transport/http-types.ts';
import type { KeepAlive } from '../transport/keep-alive.ts';
import { handlerSettings, servingSettings, type NodeHandlerOptions, type ServeHttpOptions } from './http-options.ts';
import { keepSuspensions } from './suspensions.ts';
import { warnOfUnheard } from './unheard.ts';

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
  const door = doorFor(service, handlerSettings(options));
  return (request, response) =>
    void door.receive(new NodeIncoming(request), new NodeOutgoing(response, door.keepAlive));
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
export async function serveHttp(
  service: Service & { close?(): Promise<void> },
  options: ServeHttpOptions = {},
): Promise<HttpServing> {
  const { port, host, path, settings } = servingSettings(options);
  const door = doorFor(service, settings);
  const paths = new Set([path, path.endsWith('/') ? path.slice(0, -1) : `${path}/`]);
  const http = createServer((request, response) => {
    const [pathname] = (request.url ?? '').split('?', 1);
    if (paths.has(pathname ?? ''))
      void door.receive(new NodeIncoming(request), new NodeOutgoing(response, door.keepAlive));
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

const bodyTaken = new Refusal(
  500,
  errorCodes.internal,
  'the body was read before it came here: mount the handler ahead of body parsers',
);

class NodeIncoming implements HttpIncoming {
  readonly #request: IncomingMessage;

  constructor(request: IncomingMessage) {
    this.#request = request;
  }

  get method(): string {
    return this.#request.method ?? '';
  }

  get url(): string {
    return this.#request.url ?? '';
  }

  header(name: string): string | undefined {
    const value = this.#request.headers[name];
    return typeof value === 'string' ? value : value?.join(', ');
  }

  /** One chunk is the common case, and needs no joining; text is decoded once, so no character is ever cut. */
  text(maxBytes: number): Promise<string | Refusal> {
    const request = this.#request;
    if (request.readableEnded) return Promise.resolve(bodyTaken);
    if (request.destroyed) return Promise.resolve(bodyBrokeOff);
    return new Promise((resolve) => {
      let first: Buffer | undefined;
      let chunks: Buffer[] | undefined;
      let size = 0;
      request.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > maxBytes) {
          request.pause();
          request.removeAllListeners('data');
          resolve(bodyTooLarge);
        } else if (first === undefined) first = chunk;
        else (chunks ??= [first]).push(chunk);
      });
      request.on('end', () => {
        const body = chunks === undefined ? first : Buffer.concat(chunks, size);
        if (body === undefined) resolve('');
        else resolve(isUtf8(body) ? body.toString('utf8') : bodyNotUtf8);
      });
      request.on('error', () => resolve(bodyBrokeOff));
    });
  }
}

const batchCharacters = 16 * 1024;

class NodeOutgoing implements HttpOutgoing {
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
    // Without a length an empty answer would go out in chunks, and some clients take that for a body.
    response.writeHead(status, { ...headers, 'content-length': body === undefined ? 0 : Buffer.byteLength(body) });
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
