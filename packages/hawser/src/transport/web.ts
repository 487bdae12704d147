import { systemClock, type Timer } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import { bodyBrokeOff, bodyNotUtf8, bodyTooLarge, bodyTooSlow } from '../core/head.ts';
import type { AllowedOrigins } from '../core/origins.ts';
import type { Refusal } from '../core/refusal.ts';
import type { Authenticate, Service } from '../ports/index.ts';
import type { CloseOptions } from './closing.ts';
import { doorSettings } from './door-options.ts';
import { HttpDoor, type OpenCounts } from './http-server.ts';
import type { HttpIncoming } from './http-types.ts';
import { WebOutgoing } from './web-outgoing.ts';

/** Settings of the web door. */
export interface WebDoorOptions {
  authenticate?: Authenticate | undefined;
  /** Hosts that requests may be addressed to. Default: unchecked, the platform decides what reaches the handler. */
  allowedHosts?: readonly string[] | 'any' | undefined;
  /**
   * Origins of web pages that may call, besides the endpoint's own, such as `https://app.example.com`; `any`: all pages
   * there are. Of this machine without a port (`http://localhost`): with any port. Their browsers are answered what they
   * want to hear (CORS). Default: none.
   */
  allowedOrigins?: AllowedOrigins | undefined;
  /** Largest request body. Default 4 MiB. */
  maxBodyBytes?: number | undefined;
  /**
   * How long the body of a request may take to come in whole, in milliseconds; then it is answered with 408.
   * `Infinity`: as long as it likes. Default 30,000.
   */
  requestTimeoutMs?: number | undefined;
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
  /**
   * How long a caller may take nothing of a stream that waits for it, in milliseconds; then the stream is closed, and
   * its place is free. Default 300,000; `Infinity`: for ever.
   */
  stalledMs?: number | undefined;
  logger?: Logger | undefined;
}

/** All that there is; a name that is missing here does not compile. */
const webOptions: Readonly<Record<keyof WebDoorOptions, true>> = {
  authenticate: true,
  allowedHosts: true,
  allowedOrigins: true,
  maxBodyBytes: true,
  requestTimeoutMs: true,
  legacy: true,
  keepAliveMs: true,
  stalledMs: true,
  logger: true,
};

/** A handler of web requests. */
export interface WebHandler {
  (request: Request): Promise<Response>;
  /** What is open; streams are not counted, they are the platform's. */
  readonly open: OpenCounts;
  /**
   * Stops serving: what comes is refused with 503, those who listen get their final result, and what runs may end within
   * `drainMs` (default 5,000); then it is cancelled. Other doors of the service are not touched.
   *
   * @throws ArgumentError when `drainMs` is no number of milliseconds, 0 or more
   */
  close(options?: CloseOptions): Promise<void>;
}

/**
 * Serves a service to web requests: Workers, Deno, Bun, frameworks. Legacy callers are served without sessions.
 *
 * @throws ArgumentError for options that there are not, or that cannot work
 */
export function webDoor(service: Service, options: WebDoorOptions = {}): WebHandler {
  const settings = doorSettings(options, {
    what: 'the web door',
    known: webOptions,
    legacy: ['stateless', 'none'],
    allowedHosts: 'any',
  });
  const door = new HttpDoor(service, settings);
  const handler = (request: Request): Promise<Response> =>
    new Promise((resolve) => {
      // Not every platform takes the body off an answer to HEAD.
      const answer =
        request.method === 'HEAD' ? (response: Response) => resolve(new Response(null, response)) : resolve;
      void door.receive(
        new WebIncoming(request, settings.requestTimeoutMs),
        new WebOutgoing(request.signal, answer, settings),
      );
    });
  Object.defineProperty(handler, 'open', { get: () => door.open });
  return Object.assign(handler, { close: async (given?: CloseOptions) => door.close(given) }) as WebHandler;
}

class WebIncoming implements HttpIncoming {
  readonly #request: Request;
  readonly #timeoutMs: number;

  constructor(request: Request, timeoutMs: number) {
    this.#request = request;
    this.#timeoutMs = timeoutMs;
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
    const { body } = this.#request;
    if (body === null) return '';
    let late = false;
    let timer: Timer | undefined;
    try {
      const reader = body.getReader();
      // Of its own: on some platforms one request cannot end what another waits for.
      if (this.#timeoutMs !== Infinity)
        timer = systemClock.after(this.#timeoutMs, () => {
          late = true;
          letGo(reader);
        });
      const chunks = await readAll(reader, maxBytes);
      if (late) return bodyTooSlow;
      return chunks === undefined ? bodyTooLarge : (decode(chunks) ?? bodyNotUtf8);
    } catch {
      return late ? bodyTooSlow : bodyBrokeOff;
    } finally {
      timer?.cancel();
    }
  }
}

/** The chunks of a body; undefined past `maxBytes`. */
async function readAll(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  maxBytes: number,
): Promise<readonly Uint8Array[] | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return chunks;
    size += value.length;
    if (size > maxBytes) {
      letGo(reader);
      return undefined;
    }
    chunks.push(value);
  }
}

/** Ends a body that nobody reads on; whoever waits for more of it learns that it has ended. */
function letGo(reader: ReadableStreamDefaultReader<Uint8Array>): void {
  reader.cancel().catch(() => undefined);
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
