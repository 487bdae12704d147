import { aborted } from '../base/aborted.ts';
import { ConnectionError, McpError, ResponseTooLargeError, TransportError } from '../base/errors.ts';
import { isObject } from '../base/json.ts';
import type { HttpFlight, HttpPort, HttpRequest, HttpResponse } from '../ports/index.ts';

/** HTTP by `fetch`: the platform's, or a user's own with proxies, certificates or recording in it. */
export function fetchPort(fetcher: typeof fetch = fetch): HttpPort {
  const flights = new Set<AbortController>();
  return {
    send(request) {
      const controller = new AbortController();
      flights.add(controller);
      return {
        response: run(fetcher, request, controller, () => flights.delete(controller)),
        abort(reason) {
          controller.abort(reason);
          flights.delete(controller);
        },
      } satisfies HttpFlight;
    },
    // The connections are the platform's; what is on its way over them is ours.
    async close() {
      for (const controller of flights)
        controller.abort(new ConnectionError('the connection has ended', { outcome: 'unknown' }));
    },
  };
}

async function run(
  fetcher: typeof fetch,
  request: HttpRequest,
  controller: AbortController,
  done: () => void,
): Promise<HttpResponse> {
  const { url, method, headers, body } = request;
  try {
    // Redirects would carry credentials and the body to wherever a server points.
    const response = await fetcher(url, {
      method,
      headers,
      body: body ?? null,
      redirect: 'manual',
      signal: controller.signal,
    });
    return new FetchResponse(response, controller, done);
  } catch (cause) {
    done();
    throw asError(cause, controller);
  }
}

class FetchResponse implements HttpResponse {
  readonly #response: Response;
  readonly #controller: AbortController;
  readonly #done: () => void;

  constructor(response: Response, controller: AbortController, done: () => void) {
    this.#response = response;
    this.#controller = controller;
    this.#done = done;
  }

  get status(): number {
    // Browsers hide redirects: a response without status stands for any of them.
    return this.#response.type === 'opaqueredirect' ? 302 : this.#response.status;
  }

  header(name: string): string | undefined {
    return this.#response.headers.get(name) ?? undefined;
  }

  get body(): AsyncIterable<Uint8Array> {
    return this.#read();
  }

  async *#read(): AsyncGenerator<Uint8Array> {
    let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
    try {
      reader = this.#response.body?.getReader();
      for (;;) {
        const read = await reader?.read();
        if (read === undefined || read.done) return;
        yield read.value;
      }
    } catch (cause) {
      throw asError(cause, this.#controller);
    } finally {
      this.#done();
      reader?.cancel().catch(() => undefined);
    }
  }

  async text(maxBytes: number): Promise<string> {
    const decoder = new TextDecoder();
    let text = '';
    let size = 0;
    for await (const chunk of this.#read()) {
      size += chunk.length;
      if (size > maxBytes) throw new ResponseTooLargeError(maxBytes, { status: this.status });
      text += decoder.decode(chunk, { stream: true });
    }
    return text + decoder.decode();
  }
}

/** Failures of Node's `fetch` that come before anything has left. */
const beforeSending = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/** `fetch` rarely tells whether the request had left: otherwise nobody knows. */
function asError(cause: unknown, controller: AbortController): McpError {
  if (controller.signal.aborted) {
    const reason: unknown = controller.signal.reason;
    return aborted(reason, 'unknown');
  }
  if (McpError.is(cause)) return cause;
  // What went wrong stands in the cause of a "fetch failed".
  const inner: unknown = cause instanceof Error ? cause.cause : undefined;
  const message = [cause, inner]
    .filter((error) => error instanceof Error && error.message !== '')
    .map((error) => (error as Error).message)
    .join(': ');
  const unsent = isObject(inner) && typeof inner['code'] === 'string' && beforeSending.has(inner['code']);
  const what = message || String(cause);
  if (unsent) return new ConnectionError(`no connection: ${what}`, { outcome: 'not-sent', cause });
  return new TransportError(`the connection failed: ${what}`, { outcome: 'unknown', cause });
}
