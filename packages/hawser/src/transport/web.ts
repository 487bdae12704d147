import type { Logger } from '../base/logger.ts';
import { bodyBrokeOff, bodyNotUtf8, bodyTooLarge } from '../core/head.ts';
import type { Refusal } from '../core/refusal.ts';
import type { Authenticate, Service } from '../ports/index.ts';
import { doorSettings } from './door-options.ts';
import { HttpDoor } from './http-server.ts';
import type { HttpIncoming } from './http-types.ts';
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
   * How legacy callers are served: each request for itself (default), or not at all. What needs a session is not offered
   * to them: changes, log messages, questions.
   */
  legacy?: 'stateless' | 'none' | undefined;
  /**
   * How often a comment goes out on open streams, in milliseconds, so that proxies do not cut them. Default 15,000;
   * `Infinity`: never.
   */
  keepAliveMs?: number | undefined;
  logger?: Logger | undefined;
}

/** All that there is; a name that is missing here does not compile. */
const webOptions: Readonly<Record<keyof WebDoorOptions, true>> = {
  authenticate: true,
  allowedHosts: true,
  allowedOrigins: true,
  maxBodyBytes: true,
  legacy: true,
  keepAliveMs: true,
  logger: true,
};

/**
 * Serves a service to web requests: Workers, Deno, Bun, frameworks. Legacy callers are served without sessions.
 *
 * @throws ArgumentError for options that there are not, or that cannot work
 */
export function webDoor(service: Service, options: WebDoorOptions = {}): (request: Request) => Promise<Response> {
  const settings = doorSettings(options, {
    what: 'the web door',
    known: webOptions,
    legacy: ['stateless', 'none'],
    allowedHosts: 'any',
  });
  const door = new HttpDoor(service, settings);
  return (request) =>
    new Promise((resolve) => {
      void door.receive(new WebIncoming(request), new WebOutgoing(request.signal, resolve, settings.keepAliveMs));
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
