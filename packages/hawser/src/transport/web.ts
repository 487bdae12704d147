import { systemClock } from '../base/clock.ts';
import { ConnectionError } from '../base/errors.ts';
import { silent, type Logger } from '../base/logger.ts';
import { bodyBrokeOff, bodyNotUtf8, bodyTooLarge } from '../core/head.ts';
import type { Refusal } from '../core/refusal.ts';
import type { Authenticate, Service } from '../ports/index.ts';
import { defaultMaxBodyBytes } from './door.ts';
import { HttpDoor } from './http-server.ts';
import type { HttpIncoming, HttpOutgoing } from './http-types.ts';
import { defaultKeepAliveMs, KeepAlive } from './keep-alive.ts';

/** Settings of the web door. */
export interface WebDoorOptions {
  authenticate?: Authenticate | undefined;
  /** Hosts that requests may be addressed to. Default: unchecked, the platform decides what reaches the handler. */
  allowedHosts?: readonly string[] | 'any' | undefined;
  /** Origins of web pages that may call, besides the endpoint's own. */
  allowedOrigins?: readonly string[] | undefined;
  /** Largest request body. Default 4 MiB. */
  maxBodyBytes?: number | undefined;
  /** How often a comment goes out on open streams, in milliseconds, so that proxies do not cut them. Default 15,000; `Infinity`: never. */
  keepAliveMs?: number | undefined;
  logger?: Logger | undefined;
}

/** Serves a service to web requests: Workers, Deno, Bun, frameworks. Legacy callers are served without sessions. */
export function webDoor(service: Service, options: WebDoorOptions = {}): (request: Request) => Promise<Response> {
  const keepAliveMs = options.keepAliveMs ?? defaultKeepAliveMs;
  const door = new HttpDoor(service, {
    policy: {
      allowedHosts: options.allowedHosts ?? 'any',
      allowedOrigins: options.allowedOrigins ?? [],
      maxBodyBytes: options.maxBodyBytes ?? defaultMaxBodyBytes,
    },
    authenticate: options.authenticate,
    legacy: 'stateless',
    maxSessions: 0,
    keepAliveMs,
    logger: options.logger ?? silent,
    clock: systemClock,
  });
  return (request) =>
    new Promise((resolve) => {
      void door.receive(new WebIncoming(request), new WebOutgoing(request.signal, resolve, keepAliveMs));
    });
}

class WebIncoming implements HttpIncoming {
  readonly #request: Request;

  constructor(request: Request) {
    this.#request = request;
  }

  get method(): string {
    return this.#request.method;
  }

  get url(): string {
    return this.#request.url;
  }

  header(name: string): string | undefined {
    const value = this.#request.headers.get(name);
    // Platforms may keep the host in the URL alone.
    if (value === null && name === 'host') return new URL(this.#request.url).host;
    return value ?? undefined;
  }

  async text(maxBytes: number): Promise<string | Refusal> {
    const body = this.#request.body;
    if (body === null) return '';
    const chunks: Uint8Array[] = [];
    let size = 0;
    try {
      for await (const chunk of body) {
        size += chunk.length;
        if (size > maxBytes) return bodyTooLarge;
        chunks.push(chunk);
      }
    } catch {
      return bodyBrokeOff;
    }
    return decode(chunks) ?? bodyNotUtf8;
  }
}

function decode(chunks: readonly Uint8Array[]): string | undefined {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  try {
    let text = '';
    for (const chunk of chunks) text += decoder.decode(chunk, { stream: true });
    return text + decoder.decode();
  } catch {
    return undefined;
  }
}

class WebOutgoing implements HttpOutgoing {
  readonly #signal: AbortSignal;
  readonly #resolve: (response: Response) => void;
  readonly #keepAliveMs: number;
  /** Of its own: on some platforms a stream can only be written to from within its request. */
  #keepAlive: KeepAlive | undefined;
  readonly #encoder = new TextEncoder();
  #stream: ReadableStreamDefaultController<Uint8Array> | undefined;
  #room: (() => void)[] = [];
  #gone: (() => void)[] = [];
  #over = false;

  constructor(signal: AbortSignal, resolve: (response: Response) => void, keepAliveMs: number) {
    this.#signal = signal;
    this.#resolve = resolve;
    this.#keepAliveMs = keepAliveMs;
  }

  send(status: number, headers: Readonly<Record<string, string>>, body?: string): void {
    this.#finish();
    this.#resolve(new Response(body ?? null, { status, headers }));
  }

  open(headers: Readonly<Record<string, string>>): void {
    const stream = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#stream = controller;
        },
        pull: () => this.#drain(),
        cancel: () => this.#leave(),
      },
      new ByteLengthQueuingStrategy({ highWaterMark: 16 * 1024 }),
    );
    this.#resolve(new Response(stream, { status: 200, headers }));
    this.#keepAlive = new KeepAlive(systemClock, this.#keepAliveMs);
    this.#keepAlive.add(this);
  }

  write(text: string): boolean {
    const stream = this.#stream;
    if (this.#over || stream === undefined) return false;
    stream.enqueue(this.#encoder.encode(text));
    return (stream.desiredSize ?? 0) > 0;
  }

  drained(): Promise<void> {
    if (this.#over || (this.#stream?.desiredSize ?? 1) > 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#room.push(resolve);
    });
  }

  end(text?: string): void {
    if (this.#over) return;
    if (text !== undefined) this.write(text);
    this.#finish();
    this.#stream?.close();
  }

  onGone(listener: () => void): void {
    if (this.#signal.aborted) return listener();
    if (this.#gone.length === 0) this.#signal.addEventListener('abort', this.#leave, { once: true });
    this.#gone.push(listener);
  }

  #drain(): void {
    for (const resolve of this.#room.splice(0)) resolve();
  }

  readonly #leave = (): void => {
    if (this.#over) return;
    this.#finish();
    // Whoever still reads is not to wait for ever; after a cancelled read this does nothing.
    this.#stream?.error(new ConnectionError('the request was aborted'));
    for (const listener of this.#gone.splice(0)) listener();
  };

  #finish(): void {
    this.#over = true;
    this.#signal.removeEventListener('abort', this.#leave);
    this.#keepAlive?.close();
    this.#drain();
  }
}
