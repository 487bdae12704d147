import { systemClock } from '../base/clock.ts';
import { silent, type Logger } from '../base/logger.ts';
import { positive } from '../base/positive.ts';
import { bodyBrokeOff, bodyNotUtf8, bodyTooLarge } from '../core/head.ts';
import type { Refusal } from '../core/refusal.ts';
import type { Authenticate, Service } from '../ports/index.ts';
import { defaultMaxBodyBytes, defaultStalledMs } from './door.ts';
import { defaultMaxEventLogBytes } from './event-budget.ts';
import { HttpDoor } from './http-server.ts';
import type { HttpIncoming } from './http-types.ts';
import { defaultKeepAliveMs } from './keep-alive.ts';
import { WebOutgoing } from './web-outgoing.ts';

/** Settings of the web door. */
export interface WebDoorOptions {
  authenticate?: Authenticate | undefined;
  /** Hosts that requests may be addressed to. Default: unchecked, the platform decides what reaches the handler. */
  allowedHosts?: readonly string[] | 'any' | undefined;
  /** Origins of web pages that may call, besides the endpoint's own. */
  allowedOrigins?: readonly string[] | undefined;
  /** Largest request body. Default 4 MiB. */
  maxBodyBytes?: number | undefined;
  /**
   * How often a comment goes out on open streams, in milliseconds, so that proxies do not cut them. Default 15,000;
   * `Infinity`: never.
   */
  keepAliveMs?: number | undefined;
  /**
   * How long a caller may take nothing of a stream that waits for it, in milliseconds; then the stream is closed, and
   * its place is free. Default 300,000; `Infinity`: for ever.
   */
  stalledMs?: number | undefined;
  logger?: Logger | undefined;
}

/** Serves a service to web requests: Workers, Deno, Bun, frameworks. Legacy callers are served without sessions. */
export function webDoor(service: Service, options: WebDoorOptions = {}): (request: Request) => Promise<Response> {
  const patience = {
    keepAliveMs: options.keepAliveMs ?? defaultKeepAliveMs,
    stalledMs: positive('stalledMs', options.stalledMs, defaultStalledMs),
    clock: systemClock,
  };
  const door = new HttpDoor(service, {
    policy: {
      allowedHosts: options.allowedHosts ?? 'any',
      allowedOrigins: options.allowedOrigins ?? [],
      maxBodyBytes: options.maxBodyBytes ?? defaultMaxBodyBytes,
    },
    authenticate: options.authenticate,
    legacy: 'stateless',
    maxSessions: 0,
    eventLog: undefined,
    maxEventLogBytes: defaultMaxEventLogBytes,
    logger: options.logger ?? silent,
    ...patience,
  });
  return (request) =>
    new Promise((resolve) => {
      void door.receive(new WebIncoming(request), new WebOutgoing(request.signal, resolve, patience));
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
