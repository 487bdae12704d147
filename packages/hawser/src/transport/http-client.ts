import { aborted } from '../base/aborted.ts';
import type { Clock } from '../base/clock.ts';
import {
  AbortError,
  ConnectionError,
  HttpStatusError,
  InvalidResponseError,
  ResponseStreamClosedError,
} from '../base/errors.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import { silent, type Logger } from '../base/logger.ts';
import { metaKeys } from '../model/meta.ts';
import type { RequestId } from '../model/types.ts';
import type {
  Authorizer,
  Call,
  HttpPort,
  HttpResponse,
  Link,
  Note,
  Reply,
  RequestOptions,
  Service,
  Why,
} from '../ports/index.ts';
import { headerNames, noteText, requestText, requestTextOf, wireFor, wireOf, type Wire } from '../wire/index.ts';
import { isSuccess, mediaType, readAnswer, textOf, type Asked, type Reading } from './http-answer.ts';
import { Answering } from './http-answering.ts';
import { httpFailure } from './http-failure.ts';
import { hiddenHead, hide, legacyHeaders, modernHeaders, type HeaderList, type SessionMarks } from './http-headers.ts';
import { HttpSender, Outgoing, type HttpFrame } from './http-sender.ts';
import { SessionStream } from './http-session-stream.ts';
import { legacyServer } from './legacy-server.ts';
import { Resumer } from './resume.ts';
import { saysSessionLost, type SessionGets } from './session-get.ts';
import { unwritable } from './unwritable.ts';

/** Settings of the client's side of Streamable HTTP. */
interface HttpLinkOptions {
  port: HttpPort;
  clock: Clock;
  /** Headers for every request, read anew for each. */
  headers?: (() => HeaderList | Promise<HeaderList>) | undefined;
  authorizer?: Authorizer | undefined;
  /** Largest JSON response, in bytes. */
  maxResponseBytes: number;
  /** Largest event of a stream, in bytes. */
  maxEventBytes: number;
  /** Most requests of a legacy server that are answered at a time; more are dropped. Default 1,000. */
  maxInFlight?: number | undefined;
  logger?: Logger | undefined;
  /** Sees every message, for debugging; headers with secrets are masked. */
  onFrame?: ((frame: HttpFrame) => void) | undefined;
}

/**
 * Streamable HTTP, the client's side, both generations (basic/transports/streamable-http). A request with modern
 * `_meta` goes out with the headers that mirror it; `initialize` begins a legacy session, which this link then is.
 */
export function httpLink(url: string, inbound: Service, options: HttpLinkOptions): Link {
  return new HttpLink(url, inbound, options);
}

const goodbyeMs = 5_000;

class HttpLink implements Link {
  readonly closed: Promise<Why>;
  readonly #options: HttpLinkOptions;
  readonly #sender: HttpSender;
  readonly #reading: Reading;
  #session: SessionMarks | undefined;
  readonly #gets: SessionGets;
  readonly #resumer: Resumer;
  #stream: SessionStream | undefined;
  #resolveClosed!: (why: Why) => void;
  #ended = false;
  #closing: Promise<void> | undefined;
  #lastId = 0;

  constructor(url: string, inbound: Service, options: HttpLinkOptions) {
    const { port, headers, authorizer, maxResponseBytes, maxEventBytes, logger = silent, onFrame } = options;
    this.#options = options;
    const answering = new Answering(inbound, logger, options.maxInFlight ?? 1_000, (body) => this.#post(body));
    this.#sender = new HttpSender({ url, port, headers, authorizer, logger, onFrame });
    this.#reading = {
      maxResponseBytes,
      maxEventBytes,
      logger,
      frame: onFrame && ((text, status) => this.#sender.frame({ direction: 'in', text, status })),
      aside: (message) => {
        if (message.kind === 'request') void answering.answer(message);
        else if (message.method === 'notifications/cancelled') answering.cancelled(message.params);
        else inbound.notice(message, legacyServer);
      },
    };
    this.#gets = {
      clock: options.clock,
      sender: this.#sender,
      reading: this.#reading,
      headers: () => legacyHeaders('GET', this.#session),
      sessionLost: () => this.#sessionLost(),
    };
    this.#resumer = new Resumer(this.#gets);
    this.closed = new Promise((resolve) => {
      this.#resolveClosed = resolve;
    });
  }

  /** How many HTTP requests are open; 0 when nothing is left behind. */
  get open(): number {
    return this.#sender.open;
  }

  async request(call: Call, { cancel, emit }: RequestOptions = {}): Promise<Reply> {
    if (cancel?.cancelled === true) throw aborted(cancel.reason, 'not-sent');
    this.#assertAlive();
    const id = ++this.#lastId;
    const wire = modernWire(call);
    const body = textOfCall(id, call);
    const session = call.method === 'initialize' ? undefined : this.#session;
    const headers = wire === undefined ? legacyHeaders('POST', session) : modernHeaders(call, wire);
    const outgoing = new Outgoing('POST', headers, body);
    // Before there is a session nothing can be taken up again, and in the modern era nothing is.
    const place = wire !== undefined || call.method === 'initialize' ? undefined : {};
    const asked: Asked = { call, id, modern: wire !== undefined, headers, emit, place };
    const answer = this.#sender.run(outgoing, () => this.#ask(outgoing, asked));
    cancel?.onCancel((reason) => this.#cancel(outgoing, asked, reason));
    return answer;
  }

  async #ask(outgoing: Outgoing, asked: Asked): Promise<Reply> {
    const response = await this.#sender.send(outgoing);
    if (saysSessionLost(response, outgoing)) await this.#refusedLost(response, outgoing);
    const reply = await this.#read(response, outgoing, asked);
    if (asked.call.method === 'initialize' && reply.result !== undefined) this.#begin(response, reply.result);
    return reply;
  }

  async #read(response: HttpResponse, outgoing: Outgoing, asked: Asked): Promise<Reply> {
    const { place } = asked;
    try {
      return await readAnswer(response, asked, this.#reading);
    } catch (error) {
      const resumable = error instanceof ResponseStreamClosedError && outgoing.over === undefined;
      if (!resumable || place?.lastEventId === undefined) throw error;
      return this.#resumer.rest(outgoing, asked, place);
    }
  }

  /** Gives a request up, telling the server in the way of the era. */
  #cancel(outgoing: Outgoing, { call, id, modern }: Asked, reason: unknown): void {
    const { left } = outgoing;
    if (!outgoing.giveUp(aborted(reason, left ? 'unknown' : 'not-sent'))) return;
    // Closing the stream cancels a modern request; to a legacy server it would mean nothing.
    if (modern || call.method === 'initialize' || !left || this.#ended) return;
    this.notify({ method: 'notifications/cancelled', params: { requestId: id } }).catch(() => undefined);
  }

  async notify(note: Note): Promise<void> {
    const wire = modernWire(note);
    await this.#post(noteText(note.method, note.params), wire && modernHeaders(note, wire));
    if (note.method === 'notifications/initialized') this.#listen();
  }

  /** Posts a message that has no reply. */
  async #post(body: string, headers = legacyHeaders('POST', this.#session)): Promise<void> {
    this.#assertAlive();
    const outgoing = new Outgoing('POST', headers, body);
    await this.#sender.run(outgoing, async () => {
      const response = await this.#sender.send(outgoing);
      if (saysSessionLost(response, outgoing)) await this.#refusedLost(response, outgoing);
      // Nothing was asked for: whatever is streamed in answer need not be awaited.
      if (mediaType(response) === 'text/event-stream')
        outgoing.flight?.abort(new AbortError('a stream nobody asked for'));
      const text = hide(await textOf(response, this.#options.maxResponseBytes), outgoing.headers);
      if (!isSuccess(response)) throw httpFailure(hiddenHead(response, outgoing.headers), 'notification', text);
    });
  }

  /** @throws InvalidResponseError for a session id that no header can carry back */
  #begin(response: HttpResponse, { protocolVersion }: JsonObject): void {
    const id = response.header(headerNames.session);
    if (id !== undefined && !/^[\x21-\x7e]+$/.test(id))
      throw new InvalidResponseError('initialize: the session id has characters other than visible ASCII');
    this.#session = { id, wire: typeof protocolVersion === 'string' ? wireFor(protocolVersion) : undefined };
  }

  /** The stream for what a legacy server tells of its own accord. */
  #listen(): void {
    if (this.#ended) return;
    this.#stream?.end();
    this.#stream = new SessionStream(this.#gets);
    void this.#stream.listen();
  }

  /** @throws HttpStatusError for the request that the server refused with the session */
  async #refusedLost(response: HttpResponse, { headers }: Outgoing): Promise<never> {
    const text = await textOf(response, this.#options.maxResponseBytes);
    this.#reading.frame?.(hide(text, headers), response.status);
    throw new HttpStatusError(404, this.#sessionLost(), { outcome: 'refused' }, 'session_lost');
  }

  #sessionLost(): string {
    const reason = 'the server has ended the session';
    this.#end({ by: 'peer', reason, sessionLost: true });
    return reason;
  }

  #end(why: Why): void {
    if (this.#ended) return;
    this.#ended = true;
    // What the server took before the session went may still be answered, or refused by a 404 of its own.
    this.#sender.giveUp(why.by === 'us' ? 'all' : 'unsent');
    this.#resumer.end();
    this.#stream?.end();
    this.#resolveClosed(why);
  }

  #assertAlive(): void {
    if (this.#ended) throw new ConnectionError('the connection has ended', { outcome: 'not-sent' });
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    const session = this.#ended ? undefined : this.#session;
    this.#end({ by: 'us' });
    if (session?.id !== undefined) await this.#goodbye(session);
  }

  /** Ends the session on the server, which may not care (405) and may not answer. */
  async #goodbye(session: SessionMarks): Promise<void> {
    const outgoing = new Outgoing('DELETE', legacyHeaders('DELETE', session));
    const gone = new AbortError('no answer to DELETE');
    const timer = this.#options.clock.after(goodbyeMs, () => void outgoing.giveUp(gone));
    try {
      await this.#sender.run(outgoing, async () => {
        await textOf(await this.#sender.send(outgoing), this.#options.maxResponseBytes);
      });
    } catch (error) {
      this.#reading.logger.debug('DELETE of the session failed', error);
    } finally {
      timer.cancel();
    }
  }
}

/** The modern revision a call is written in; undefined for a legacy one. */
function modernWire(call: Call): Wire | undefined {
  if (call.revision !== undefined) return wireOf(call.revision);
  const meta = call.params?.['_meta'];
  const version = isObject(meta) ? meta[metaKeys.protocolVersion] : undefined;
  return typeof version === 'string' ? wireFor(version) : undefined;
}

function textOfCall(id: RequestId, call: Call): string {
  const { method } = call;
  try {
    return call.text === undefined ? requestText(id, method, call.params) : requestTextOf(id, method, call.text);
  } catch (cause) {
    throw unwritable(method, cause);
  }
}
