import { Cancel } from '../base/cancel.ts';
import type { Clock } from '../base/clock.ts';
import {
  AbortError,
  ConnectionError,
  HttpStatusError,
  InvalidResponseError,
  McpError,
  ResponseStreamClosedError,
} from '../base/errors.ts';
import { isObject, notJson, parseJson } from '../base/json.ts';
import { sample, silent, type Logger } from '../base/logger.ts';
import { maskHeaders } from '../base/secret.ts';
import { usualAccept } from '../core/head.ts';
import { metaKeys } from '../model/meta.ts';
import type { RequestId } from '../model/types.ts';
import type {
  Authorizer,
  Call,
  Caller,
  HttpFlight,
  HttpPort,
  HttpResponse,
  Link,
  Note,
  Reply,
  RequestOptions,
  Service,
  Why,
} from '../ports/index.ts';
import {
  encodeHeader,
  headerNames,
  newest,
  noteText,
  readMessage,
  requestText,
  wireFor,
  type Message,
  type Wire,
} from '../wire/index.ts';
import { httpFailure } from './http-failure.ts';
import { brokenHandler, replyText } from './reply.ts';
import { readEvents } from './sse.ts';

/** Settings of the client's side of Streamable HTTP. */
export interface HttpLinkOptions {
  port: HttpPort;
  clock: Clock;
  /** Headers for every request, read anew for each. */
  headers?: (() => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>) | undefined;
  authorizer?: Authorizer | undefined;
  /** Largest JSON response, in bytes. */
  maxResponseBytes: number;
  /** Largest event of a stream, in bytes. */
  maxEventBytes: number;
  logger?: Logger | undefined;
  /** Sees every message, for debugging; headers with secrets are masked. */
  onFrame?: ((frame: HttpFrame) => void) | undefined;
}

/** A message as it went over HTTP. */
export interface HttpFrame {
  direction: 'in' | 'out';
  text: string;
  headers?: Record<string, string>;
  status?: number;
}

/**
 * Streamable HTTP, the client's side, both generations (basic/transports/streamable-http). A request with modern
 * `_meta` goes out with the headers that mirror it; `initialize` begins a legacy session, which this link then is.
 */
export function httpLink(url: string, inbound: Service, options: HttpLinkOptions): Link {
  return new HttpLink(url, inbound, options);
}

interface Session {
  readonly id: string | undefined;
  readonly wire: Wire;
}

const server: Caller = { revision: newest.legacy, capabilities: {} };
const goodbyeMs = 5_000;

class HttpLink implements Link {
  readonly closed: Promise<Why>;
  readonly #url: string;
  readonly #inbound: Service;
  readonly #options: HttpLinkOptions;
  readonly #logger: Logger;
  readonly #flights = new Set<HttpFlight>();
  #session: Session | undefined;
  #resolveClosed!: (why: Why) => void;
  #ended: Why | undefined;
  #closing: Promise<void> | undefined;
  #lastId = 0;

  constructor(url: string, inbound: Service, options: HttpLinkOptions) {
    this.#url = url;
    this.#inbound = inbound;
    this.#options = options;
    this.#logger = options.logger ?? silent;
    this.closed = new Promise((resolve) => {
      this.#resolveClosed = resolve;
    });
  }

  /** How many HTTP requests are open; 0 when nothing is left behind. */
  get open(): number {
    return this.#flights.size;
  }

  async request(call: Call, options: RequestOptions = {}): Promise<Reply> {
    const { cancel } = options;
    if (cancel?.cancelled === true) throw aborted(cancel.reason, 'not-sent');
    const id = ++this.#lastId;
    const text = requestText(id, call.method, call.params);
    const wire = modernWire(call);
    const flight = await this.#post(
      text,
      wire === undefined ? this.#legacyHeaders(call.method) : modernHeaders(call, wire),
      cancel,
    );
    try {
      const answer = this.#answer(call, id, flight, options);
      if (cancel === undefined) return await answer;
      return await Promise.race([answer, this.#cancelled(call, id, wire, flight, cancel, answer)]);
    } finally {
      this.#flights.delete(flight);
    }
  }

  /** Rejects when the caller gives up, after telling the server in the way of the era. */
  #cancelled(
    call: Call,
    id: RequestId,
    wire: Wire | undefined,
    flight: HttpFlight,
    cancel: Cancel,
    answer: Promise<unknown>,
  ): Promise<never> {
    answer.catch(() => undefined);
    return new Promise((_resolve, reject) => {
      cancel.onCancel((reason) => {
        const error = aborted(reason, 'unknown');
        reject(error);
        flight.abort(error);
        // Closing the stream cancels a modern request; to a legacy server it would mean nothing.
        if (wire !== undefined || call.method === 'initialize' || this.#ended !== undefined) return;
        this.notify({ method: 'notifications/cancelled', params: { requestId: id } }).catch(() => undefined);
      });
    });
  }

  async #post(text: string, headers: Record<string, string>, cancel?: Cancel): Promise<HttpFlight> {
    await this.#credentials(headers, cancel);
    const { onFrame, port } = this.#options;
    onFrame?.({ direction: 'out', text, headers: maskHeaders(headers) });
    const flight = port.send({ url: this.#url, method: 'POST', headers, body: text });
    this.#flights.add(flight);
    return flight;
  }

  /** Adds what identifies the user; a link that ended meanwhile sends nothing any more. */
  async #credentials(headers: Record<string, string>, cancel?: Cancel): Promise<void> {
    const { headers: own, authorizer } = this.#options;
    if (own !== undefined) {
      for (const [name, value] of Object.entries(await own())) headers[name.toLowerCase()] ??= value;
    }
    await authorizer?.apply({ url: this.#url, headers });
    if (this.#ended !== undefined) throw new ConnectionError('the connection has ended', { outcome: 'not-sent' });
    if (cancel?.cancelled === true) throw aborted(cancel.reason, 'not-sent');
  }

  #legacyHeaders(method: string): Record<string, string> {
    const headers = baseHeaders();
    const session = this.#session;
    if (session === undefined || method === 'initialize') return headers;
    if (session.id !== undefined) headers[headerNames.session] = session.id;
    if (session.wire.facts.versionHeader !== 'never') headers[headerNames.protocolVersion] = session.wire.revision;
    return headers;
  }

  async #answer(call: Call, id: RequestId, flight: HttpFlight, options: RequestOptions): Promise<Reply> {
    const response = await flight.response;
    const { status } = response;
    const type = (response.header('content-type') ?? '').toLowerCase();
    if (status >= 200 && status < 300 && type.startsWith('text/event-stream'))
      return this.#stream(call, id, response, options);
    const text = await response.text(this.#options.maxResponseBytes);
    this.#options.onFrame?.({ direction: 'in', text, status });
    if (status === 404 && this.#session?.id !== undefined && modernWire(call) === undefined) throw this.#sessionLost();
    const message = findMessage(text, id);
    if (message?.kind === 'error' && (message.id === id || message.id === undefined))
      return { error: message.error, status };
    if (status < 200 || status >= 300) throw httpFailure(response, call.method, text);
    if (message?.kind === 'result' && message.id === id) {
      if (call.method === 'initialize') this.#begin(response, message.result['protocolVersion']);
      return { result: message.result };
    }
    if (message?.kind === 'broken-response') throw new InvalidResponseError(message.problem, { status });
    throw new InvalidResponseError(
      `${call.method}: HTTP ${status} without an answer: ${type || 'no content type'}: ${sample(text)}`,
      { status },
    );
  }

  async #stream(call: Call, id: RequestId, response: HttpResponse, options: RequestOptions): Promise<Reply> {
    let reply: Reply | undefined;
    let broken: Error | undefined;
    const take = (data: string): 'more' | 'enough' => {
      this.#options.onFrame?.({ direction: 'in', text: data, status: response.status });
      const message = readMessage(parseJson(data));
      if (message.kind === 'result' && message.id === id) {
        if (call.method === 'initialize') this.#begin(response, message.result['protocolVersion']);
        reply = { result: message.result };
      } else if (message.kind === 'error' && (message.id === id || message.id === undefined))
        reply = { error: message.error, status: response.status };
      else if (message.kind === 'broken-response' && (message.id === id || message.id === undefined))
        broken = new InvalidResponseError(message.problem);
      else this.#aside(message, call, options);
      return reply === undefined && broken === undefined ? 'more' : 'enough';
    };
    try {
      await readEvents(response.body, this.#options.maxEventBytes, take);
    } catch (error) {
      if (reply === undefined) throw asStreamError(error);
    }
    if (broken !== undefined) throw broken;
    if (reply === undefined) throw new ResponseStreamClosedError();
    return reply;
  }

  /** What comes on a request's stream besides its response. */
  #aside(message: Message, call: Call, options: RequestOptions): void {
    if (message.kind === 'request') {
      // Modern servers may not ask: they end the request with what they need.
      if (modernWire(call) === undefined) void this.#serve(message);
      return;
    }
    if (message.kind !== 'notification') return;
    // All of a modern stream is the request's own; of a legacy one only what names it.
    const own =
      message.method === 'notifications/progress' ? progressFor(message, call) : modernWire(call) !== undefined;
    if (own) return options.emit?.(message);
    if (message.method !== 'notifications/progress') this.#inbound.notice(message, server);
  }

  async #serve({ id, method, params }: Message & { kind: 'request' }): Promise<void> {
    const cancel = new Cancel();
    const exchange = { id, caller: server, cancel, emit: () => false, drained: () => Promise.resolve() };
    const reply = await this.#inbound.handle({ method, params }, exchange).catch(() => brokenHandler);
    try {
      await this.#accepted(replyText(id, reply));
    } catch (error) {
      this.#logger.warn(`the answer to ${sample(method, 60)} did not get through`, error);
    }
  }

  async notify(note: Note): Promise<void> {
    await this.#accepted(noteText(note.method, note.params));
    if (note.method === 'notifications/initialized') void this.#listen();
  }

  /** Posts a message that has no reply. */
  async #accepted(text: string): Promise<void> {
    const flight = await this.#post(text, this.#legacyHeaders(''));
    try {
      const response = await flight.response;
      const body = await response.text(this.#options.maxResponseBytes);
      if (response.status === 404 && this.#session?.id !== undefined) throw this.#sessionLost();
      if (response.status < 200 || response.status >= 300) throw httpFailure(response, 'notification', body);
    } finally {
      this.#flights.delete(flight);
    }
  }

  #begin(response: HttpResponse, version: unknown): void {
    const wire = typeof version === 'string' ? wireFor(version) : undefined;
    if (wire !== undefined) this.#session = { id: response.header(headerNames.session), wire };
  }

  /** The stream for what a legacy server tells of its own accord. Having none (405) is normal. */
  async #listen(): Promise<void> {
    const headers = { ...this.#legacyHeaders(''), accept: 'text/event-stream' };
    delete (headers as Record<string, string>)['content-type'];
    let flight: HttpFlight | undefined;
    try {
      await this.#credentials(headers);
      flight = this.#options.port.send({ url: this.#url, method: 'GET', headers });
      this.#flights.add(flight);
      const response = await flight.response;
      const type = response.header('content-type') ?? '';
      if (response.status !== 200 || !type.toLowerCase().startsWith('text/event-stream')) {
        flight.abort(new AbortError('no stream'));
        return;
      }
      await readEvents(response.body, this.#options.maxEventBytes, (data) => {
        this.#options.onFrame?.({ direction: 'in', text: data, status: 200 });
        const message = readMessage(parseJson(data));
        if (message.kind === 'request') void this.#serve(message);
        else if (message.kind === 'notification') this.#inbound.notice(message, server);
        return 'more';
      });
    } catch (error) {
      if (this.#ended === undefined) this.#logger.debug('the stream of the session ended', error);
    } finally {
      if (flight !== undefined) this.#flights.delete(flight);
    }
  }

  #sessionLost(): HttpStatusError {
    const reason = 'the server has ended the session';
    this.#end({ by: 'peer', reason, sessionLost: true });
    return new HttpStatusError(404, reason, { outcome: 'refused' }, 'session_lost');
  }

  #end(why: Why): void {
    if (this.#ended !== undefined) return;
    this.#ended = why;
    for (const flight of this.#flights) flight.abort(new ConnectionError('the connection has ended'));
    this.#resolveClosed(why);
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    const headers = this.#legacyHeaders('');
    const leave = this.#ended === undefined && this.#session?.id !== undefined;
    const credentials = leave ? this.#credentials(headers).catch(() => undefined) : undefined;
    await credentials;
    this.#end({ by: 'us' });
    if (leave) await this.#goodbye(headers);
    await this.#options.port.close?.();
  }

  /** Ends the session on the server, which may not care (405) and may not answer. */
  async #goodbye(headers: Record<string, string>): Promise<void> {
    const flight = this.#options.port.send({ url: this.#url, method: 'DELETE', headers });
    const timer = this.#options.clock.after(goodbyeMs, () => flight.abort(new AbortError('no answer to DELETE')));
    try {
      await (await flight.response).text(this.#options.maxResponseBytes);
    } catch (error) {
      this.#logger.debug('DELETE of the session failed', error);
    } finally {
      timer.cancel();
    }
  }
}

function baseHeaders(): Record<string, string> {
  return { 'content-type': 'application/json', accept: usualAccept };
}

function modernHeaders(call: Call, wire: Wire): Record<string, string> {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    accept: usualAccept,
    [headerNames.protocolVersion]: wire.revision,
    [headerNames.method]: call.method,
  };
  if (call.name !== undefined) headers[headerNames.name] = encodeHeader(call.name);
  if (call.mirror !== undefined)
    for (const [name, value] of Object.entries(call.mirror)) headers[name] = encodeHeader(value);
  return headers;
}

/** The modern revision a call is written in; undefined for a legacy one. */
function modernWire(call: Call): Wire | undefined {
  const meta = call.params?.['_meta'];
  const version = isObject(meta) ? meta[metaKeys.protocolVersion] : undefined;
  return typeof version === 'string' ? wireFor(version) : undefined;
}

/** The message of a JSON body that concerns request `id`: the body, or the one in it if it is a batch. */
function findMessage(text: string, id: RequestId): Message | undefined {
  const parsed = parseJson(text);
  if (parsed === notJson) return undefined;
  if (!Array.isArray(parsed)) return readMessage(parsed);
  return parsed.map(readMessage).find((message) => 'id' in message && message.id === id);
}

function progressFor(message: Message & { kind: 'notification' }, call: Call): boolean {
  const meta = call.params?.['_meta'];
  const token = isObject(meta) ? meta[metaKeys.progressToken] : undefined;
  return token !== undefined && message.params?.['progressToken'] === token;
}

function aborted(reason: unknown, outcome: 'not-sent' | 'unknown'): McpError {
  return McpError.is(reason) ? reason : new AbortError(reason, { outcome });
}

/** A stream that broke and one that ended too early come to the same: the response was lost on its way. */
function asStreamError(error: unknown): Error {
  const known = McpError.is(error) && error.code !== 'transport' ? error : undefined;
  return known ?? new ResponseStreamClosedError({ cause: error });
}
