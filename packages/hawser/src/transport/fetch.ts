import { AbortError, McpError, ResponseTooLargeError, TransportError } from '../base/errors.ts';
import type { HttpFlight, HttpPort, HttpRequest, HttpResponse } from '../ports/index.ts';

/** HTTP by `fetch`: the platform's, or a user's own with proxies, certificates or recording in it. */
export function fetchPort(fetcher: typeof fetch = fetch): HttpPort {
  return {
    send(request) {
      const controller = new AbortController();
      return {
        response: run(fetcher, request, controller),
        abort: (reason) => controller.abort(reason),
      } satisfies HttpFlight;
    },
  };
}

async function run(fetcher: typeof fetch, request: HttpRequest, controller: AbortController): Promise<HttpResponse> {
  const { url, method, headers, body } = request;
  let response: Response;
  try {
    // Redirects would carry credentials and the body to wherever a server points.
    response = await fetcher(url, {
      method,
      headers,
      body: body ?? null,
      redirect: 'manual',
      signal: controller.signal,
    });
  } catch (cause) {
    throw asError(cause, controller, 'no connection');
  }
  return new FetchResponse(response, controller);
}

class FetchResponse implements HttpResponse {
  readonly #response: Response;
  readonly #controller: AbortController;

  constructor(response: Response, controller: AbortController) {
    this.#response = response;
    this.#controller = controller;
  }

  get status(): number {
    return this.#response.status;
  }

  header(name: string): string | undefined {
    return this.#response.headers.get(name) ?? undefined;
  }

  get body(): AsyncIterable<Uint8Array> {
    return this.#read();
  }

  async *#read(): AsyncGenerator<Uint8Array> {
    const body = this.#response.body;
    if (body === null) return;
    try {
      for await (const chunk of body) yield chunk;
    } catch (cause) {
      throw asError(cause, this.#controller, 'the connection failed');
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

/** `fetch` does not tell whether the request had left: so nobody knows. */
function asError(cause: unknown, controller: AbortController, what: string): McpError {
  if (McpError.is(cause)) return cause;
  if (controller.signal.aborted) {
    const reason: unknown = controller.signal.reason;
    return McpError.is(reason) ? reason : new AbortError(reason, { outcome: 'unknown' });
  }
  const message = cause instanceof Error ? cause.message : String(cause);
  return new TransportError(`${what}: ${message}`, { cause });
}
