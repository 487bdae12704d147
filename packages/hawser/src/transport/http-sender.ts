import { ConnectionError } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import { safely } from '../base/safely.ts';
import { maskHeaders } from '../base/secret.ts';
import type { Authorizer, HttpFlight, HttpPort, HttpResponse } from '../ports/index.ts';
import { textOf } from './http-answer.ts';
import type { HeaderList } from './http-headers.ts';

/** A message as it went over HTTP. */
export interface HttpFrame {
  direction: 'in' | 'out';
  text: string;
  headers?: Record<string, string>;
  status?: number;
}

/** What all requests of a link have in common. */
export interface Sending {
  readonly url: string;
  readonly port: HttpPort;
  /** Headers of the user's, asked for anew for each request. */
  readonly headers: (() => HeaderList | Promise<HeaderList>) | undefined;
  readonly authorizer: Authorizer | undefined;
  readonly logger: Logger;
  readonly onFrame: ((frame: HttpFrame) => void) | undefined;
}

/** One HTTP request, from before it has its credentials until its response is read. */
export class Outgoing {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly headers: Record<string, string>;
  readonly body: string | undefined;
  flight: HttpFlight | undefined;
  /** Set when it was given up: it does not leave any more. */
  over: Error | undefined;
  /** Undefined before and after its run. */
  reject: ((error: Error) => void) | undefined;

  constructor(method: 'GET' | 'POST' | 'DELETE', headers: Record<string, string>, body?: string) {
    this.method = method;
    this.headers = headers;
    this.body = body;
  }

  /** Whether any of it may have reached the server. */
  get left(): boolean {
    return this.flight !== undefined && this.flight.sent !== false;
  }

  /** Gives it up, at whatever point it is. False: it was over. */
  giveUp(error: Error): boolean {
    if (this.reject === undefined || this.over !== undefined) return false;
    this.over = error;
    this.reject(error);
    this.flight?.abort(error);
    return true;
  }
}

/** Sends requests and keeps track of those under way, so that each can be given up at any time. */
export class HttpSender {
  readonly #sending: Sending;
  readonly #under = new Set<Outgoing>();

  constructor(sending: Sending) {
    this.#sending = sending;
  }

  /** How many are under way; 0 when nothing is left behind. */
  get open(): number {
    return this.#under.size;
  }

  /** Does the work of a request; rejects at once when it is given up. */
  run<T>(outgoing: Outgoing, work: () => Promise<T>): Promise<T> {
    this.#under.add(outgoing);
    return new Promise((resolve, reject) => {
      outgoing.reject = reject;
      work().then(
        (value) => {
          this.#done(outgoing);
          resolve(value);
        },
        (error: Error) => {
          this.#done(outgoing);
          reject(error);
        },
      );
    });
  }

  #done(outgoing: Outgoing): void {
    outgoing.reject = undefined;
    this.#under.delete(outgoing);
  }

  /** Sends a request, once more if it was refused and the authorizer has new credentials. */
  async send(outgoing: Outgoing): Promise<HttpResponse> {
    const { authorizer } = this.#sending;
    const response = await this.#depart(outgoing);
    if (authorizer === undefined || (response.status !== 401 && response.status !== 403)) return response;
    const challenge = { status: response.status, header: (name: string) => response.header(name) };
    if ((await authorizer.challenged(challenge)) === 'give-up') return response;
    await textOf(response, 64 * 1024);
    return this.#depart(outgoing);
  }

  #depart(outgoing: Outgoing): Promise<HttpResponse> {
    const { headers, authorizer } = this.#sending;
    return headers === undefined && authorizer === undefined ? this.#leave(outgoing) : this.#identified(outgoing);
  }

  async #identified(outgoing: Outgoing): Promise<HttpResponse> {
    const { url, headers: own, authorizer } = this.#sending;
    const { headers } = outgoing;
    if (own !== undefined) for (const [name, value] of await own()) headers[name] = value;
    if (authorizer !== undefined) await authorizer.apply({ url, headers });
    if (outgoing.over !== undefined) throw outgoing.over;
    return this.#leave(outgoing);
  }

  #leave(outgoing: Outgoing): Promise<HttpResponse> {
    const { url, port, onFrame } = this.#sending;
    const { method, headers, body } = outgoing;
    if (onFrame !== undefined && body !== undefined)
      this.frame({ direction: 'out', text: body, headers: maskHeaders(headers) });
    const flight = port.send({ url, method, headers, body });
    outgoing.flight = flight;
    return flight.response;
  }

  /** Shows a message to whoever debugs. */
  frame(frame: HttpFrame): void {
    safely(this.#sending.logger, () => this.#sending.onFrame?.(frame), 'onFrame threw');
  }

  /** Gives up all that is under way, or only what has not left yet: the rest may still be answered. */
  giveUp(which: 'all' | 'unsent'): void {
    for (const outgoing of this.#under) {
      if (which === 'unsent' && outgoing.left) continue;
      const outcome = outgoing.left ? 'unknown' : 'not-sent';
      outgoing.giveUp(new ConnectionError('the connection has ended', { outcome }));
    }
  }
}
