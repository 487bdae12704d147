import type { Socket } from 'node:net';
import type { Transform } from 'node:stream';
import type { Agent, buildConnector, Dispatcher } from 'undici';
import { systemClock, type Timer } from '../base/clock.ts';
import { AbortError, ConnectionError, McpError, ResponseTooLargeError, TransportError } from '../base/errors.ts';
import type { HttpFlight, HttpPort, HttpRequest, HttpResponse } from '../ports/index.ts';
import { decoder, type Decoded } from './content-encoding.ts';
import { decodeUtf8 } from './stdio.ts';

const connectMs = 30_000;

/**
 * HTTP by undici's dispatcher: an order of magnitude less work per call than `fetch`. undici is loaded with the
 * first request. One port keeps its own connections; `close` lets them go.
 */
export function undiciPort(): HttpPort {
  let agent: Agent | undefined;
  let loading: Promise<Agent> | undefined;
  const connecting = new Set<Socket>();
  let place: Place | undefined;
  const load = async (): Promise<Agent> => {
    const undici = await import('undici');
    const connect = watched(undici.buildConnector({ timeout: connectMs }), connecting);
    // Deadlines are the client's business; undici's own would cut long streams.
    return (agent = new undici.Agent({ headersTimeout: 0, bodyTimeout: 0, connect }));
  };
  return {
    send(request) {
      const flight = new Flight();
      const to = place?.url === request.url ? place : (place = placeOf(request.url));
      if (agent !== undefined) flight.depart(agent, request, to);
      else
        (loading ??= load()).then(
          (loaded) => flight.depart(loaded, request, to),
          (error: unknown) => flight.fail(error),
        );
      return flight;
    },
    async close() {
      await (await loading)?.destroy();
      // undici leaves these to their own timeout, which would keep the process alive.
      for (const socket of connecting) socket.destroy(new AbortError('the client is closed'));
    },
  };
}

/** A URL as undici takes it. Nearly all requests of a port go to the same one, which is read once. */
interface Place {
  readonly url: string;
  readonly origin: string;
  readonly path: string;
}

function placeOf(url: string): Place {
  const { origin, pathname, search } = new URL(url);
  return { url, origin, path: pathname + search };
}

/** A connector whose sockets are known while they are not connected yet. */
function watched(connector: buildConnector.connector, connecting: Set<Socket>): buildConnector.connector {
  return (options, callback) => {
    // It returns the socket, which its types do not say.
    const socket = connector(options, (...result) => {
      connecting.delete(socket);
      callback(...result);
    }) as unknown as Socket;
    connecting.add(socket);
  };
}

const maxUnreadBytes = 1024 * 1024;
const graceMs = 100;

/** One request: undici's handler, the promise of a head and the body in one object, since there is one per call. */
class Flight implements HttpFlight, HttpResponse, Decoded, Dispatcher.DispatchHandler {
  readonly response: Promise<HttpResponse>;
  status = 0;
  #headers: Record<string, string | string[] | undefined> = {};
  #resolve!: (response: HttpResponse) => void;
  #reject!: (error: Error) => void;
  #controller: Dispatcher.DispatchController | undefined;
  #aborted: { reason: unknown } | undefined;
  #chunks: Uint8Array[] = [];
  #size = 0;
  /** Set while the body is read as one text. */
  #limit: number | undefined;
  #decoder: Transform | undefined;
  #grace: Timer | undefined;
  #end: { error: Error | undefined } | undefined;
  #wake: (() => void) | undefined;

  constructor() {
    this.response = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  get sent(): boolean {
    return this.#controller !== undefined;
  }

  depart(agent: Agent, { method, headers, body }: HttpRequest, { origin, path }: Place): void {
    if (this.#aborted !== undefined) return;
    try {
      agent.dispatch({ origin, path, method, headers, body: body ?? null }, this);
    } catch (error) {
      this.fail(error);
    }
  }

  abort(reason: unknown): void {
    if (this.#end !== undefined || this.#aborted !== undefined) return;
    this.#aborted = { reason };
    if (this.#controller === undefined) this.fail(reason);
    else this.#controller.abort(reason instanceof Error ? reason : new AbortError(reason));
  }

  fail(cause: unknown): void {
    const error = McpError.is(cause) ? cause : failure(cause, this.sent);
    this.#end ??= { error };
    this.#reject(error);
    this.#grace?.cancel();
    this.#decoder?.destroy();
    this.#wake?.();
  }

  header(name: string): string | undefined {
    const value = this.#headers[name];
    return typeof value === 'string' ? value : value?.join(', ');
  }

  async text(maxBytes: number): Promise<string> {
    this.#limit = maxBytes;
    this.#checkLimit();
    this.#resume();
    while (this.#end === undefined) await this.#more();
    if (this.#end.error !== undefined) throw this.#end.error;
    const [only] = this.#chunks;
    if (only === undefined) return '';
    const text = decodeUtf8(this.#chunks.length === 1 ? only : Buffer.concat(this.#chunks, this.#size));
    return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  }

  get body(): AsyncIterable<Uint8Array> {
    return this.#read();
  }

  async *#read(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const chunks = this.#chunks;
        this.#chunks = [];
        this.#size = 0;
        this.#resume();
        yield* chunks;
        if (this.#chunks.length > 0) continue;
        if (this.#end !== undefined) break;
        await this.#more();
      }
      if (this.#end.error !== undefined) throw this.#end.error;
    } finally {
      if (this.#end === undefined) this.#leave();
    }
  }

  /** Reads no further. The end often follows the last event closely: to wait a little for it keeps the connection. */
  #leave(): void {
    this.#limit = 0;
    const abort = (): void => this.abort(new AbortError('the response is not read any further'));
    setImmediate(() => {
      if (this.#end === undefined) this.#grace = systemClock.after(graceMs, abort);
    });
  }

  #more(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  #checkLimit(): void {
    if (this.#limit === undefined || this.#size <= this.#limit) return;
    this.#chunks = [];
    const error = new ResponseTooLargeError(this.#limit, { status: this.status });
    // It may all have come before anybody asked for it.
    if (this.#end === undefined) this.abort(error);
    else this.#end = { error };
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#aborted === undefined) this.#controller = controller;
    else controller.abort(this.#aborted.reason as Error);
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    // Early hints and the like announce the response.
    if (status < 200) return;
    this.status = status;
    this.#headers = headers;
    try {
      if (headers['content-encoding'] !== undefined) this.#decoder = decoder(this.header('content-encoding'), this);
      this.#resolve(this);
    } catch (error) {
      this.abort(error);
    }
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#decoder === undefined) return this.chunk(chunk);
    if (this.#decoder.write(chunk)) return;
    controller.pause();
    this.#decoder.once('drain', () => controller.resume());
  }

  onResponseEnd(): void {
    if (this.#decoder === undefined) this.ended();
    else this.#decoder.end();
  }

  chunk(bytes: Uint8Array): void {
    this.#chunks.push(bytes);
    this.#size += bytes.length;
    if (this.#limit !== undefined) return this.#checkLimit();
    // Nobody reads as text: what waits for a slow reader is bounded.
    if (this.#size > maxUnreadBytes) this.#pause();
    this.#wake?.();
  }

  ended(): void {
    this.#end ??= { error: undefined };
    this.#grace?.cancel();
    this.#wake?.();
  }

  failed(error: Error): void {
    this.abort(error);
    this.fail(error);
  }

  #pause(): void {
    if (this.#decoder === undefined) this.#controller?.pause();
    else this.#decoder.pause();
  }

  #resume(): void {
    if (this.#decoder === undefined) this.#controller?.resume();
    else this.#decoder.resume();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.fail(this.#aborted === undefined ? error : this.#aborted.reason);
  }
}

function failure(cause: unknown, started: boolean): TransportError {
  const { code, message } = cause as { code?: unknown; message?: unknown };
  const what = typeof message === 'string' && message !== '' ? message : String(code ?? cause);
  if (!started) return new ConnectionError(`no connection: ${what}`, { outcome: 'not-sent', cause });
  return new TransportError(`the connection failed: ${what}`, { outcome: 'unknown', cause });
}
