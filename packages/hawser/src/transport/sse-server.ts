import { noticeDeprecated } from '../base/deprecations.ts';
import { guarded } from '../base/logger.ts';
import { anonymous } from '../core/gate.ts';
import { acceptable, gatePost, type HeaderOf } from '../core/head.ts';
import { Places } from '../core/places.ts';
import { Refusal } from '../core/refusal.ts';
import { errorCodes } from '../model/meta.ts';
import type { Service } from '../ports/index.ts';
import { readMessage } from '../wire/index.ts';
import { elsewhere, receive } from './admission.ts';
import { isToRun, parseBody } from './body.ts';
import { Closing, closing, type CloseOptions } from './closing.ts';
import { CountedService } from './counted-service.ts';
import { refuse, type DoorSettings } from './door.ts';
import type { OpenCounts } from './http-server.ts';
import { streamHeaders, type HttpIncoming, type HttpOutgoing } from './http-types.ts';
import { identify } from './identify.ts';
import { KeepAlive } from './keep-alive.ts';
import { PipeDoor, type MessageSource } from './pipe-server.ts';
import { SsePipe } from './sse-pipe.ts';

/** Which of the two endpoints a request is for; undefined: whichever takes its method. */
export type SseEndpoint = 'GET' | 'POST' | undefined;

/** A caller that has opened a stream. */
interface Connection {
  readonly principal: string | undefined;
  readonly pipe: SsePipe;
  readonly door: PipeDoor;
}

const invalid = (status: number, message: string, headers?: Record<string, string>): Refusal =>
  new Refusal(status, errorCodes.invalidRequest, message, headers === undefined ? {} : { headers });

const both = 'GET, POST';
const streamRefused = invalid(406, 'Accept must allow text/event-stream');
const noSession = invalid(400, 'sessionId is missing: open the stream first, its first event says where to post');
const unknownSession = invalid(404, 'Session not found');
const noBatch = invalid(400, 'the body must be one JSON-RPC message');
const busy = (message: string, after: string): Refusal =>
  new Refusal(503, errorCodes.internal, message, { headers: { 'retry-after': after } });
const full = busy('too many sessions', '5');
const unread = busy('the stream has to be read first', '1');

/**
 * The HTTP+SSE transport of 2024-11-05, the server's side (2024-11-05 basic/transports "HTTP with SSE"). A GET opens a
 * stream, whose first event says where to post; whatever is posted there is answered on the stream. A connection is a
 * pipe, and its session ends with it.
 */
export class SseDoor {
  /** For the streams that a platform opens. */
  readonly keepAlive: KeepAlive;
  /** How long a caller may take nothing of an open stream. */
  readonly stalledMs: number;
  readonly #service: CountedService;
  readonly #settings: DoorSettings;
  /** Where callers post their messages, as they reach it. */
  readonly #messagesPath: string;
  readonly #connections = new Map<string, Connection>();
  readonly #places: Places;
  readonly #closing: Closing;

  constructor(service: Service, settings: DoorSettings, messagesPath: string) {
    this.#settings = settings;
    this.#messagesPath = messagesPath;
    this.stalledMs = settings.stalledMs;
    this.#service = new CountedService(service, () => void this.#drained());
    this.#places = new Places(settings.sessions.max, settings.sessions.maxPerPrincipal);
    this.keepAlive = new KeepAlive(settings.clock, settings.keepAliveMs);
    this.#closing = new Closing(settings.clock, { drain: () => this.#drain(), end: () => this.#endAll() });
  }

  get open(): OpenCounts {
    return {
      sessions: this.#connections.size,
      streams: this.keepAlive.size,
      calls: this.#service.running,
      kept: 0,
    };
  }

  /** Serves one HTTP request; never rejects. */
  receive(request: HttpIncoming, out: HttpOutgoing, endpoint?: SseEndpoint): Promise<void> {
    return receive(
      { settings: this.#settings, closing: this.#closing, methods: endpoint ?? both },
      request,
      out,
      (header, way) => this.#receive(request, header, way, endpoint),
    );
  }

  /** Answers a request for a path where nothing is. */
  elsewhere(request: HttpIncoming, out: HttpOutgoing): void {
    elsewhere(this.#settings, request, out);
  }

  async #receive(request: HttpIncoming, header: HeaderOf, out: HttpOutgoing, endpoint: SseEndpoint): Promise<void> {
    if (this.#closing.at === 'closed') return refuse(out, closing);
    const { authenticate } = this.#settings;
    const { method } = request;
    const identity = authenticate === undefined ? anonymous : await identify(authenticate, request, header);
    if (identity instanceof Refusal) return refuse(out, identity);
    if (method === 'GET' && endpoint !== 'POST') return this.#open(out, header('accept'), identity.principal);
    if (method === 'POST' && endpoint !== 'GET') return this.#post(request, out, { header, identity });
    return refuse(out, invalid(405, 'method not allowed', { allow: endpoint ?? both }));
  }

  #open(out: HttpOutgoing, accept: string | undefined, principal: string | undefined): void {
    if (this.#closing.at !== 'open') return refuse(out, closing);
    const accepts = acceptable(accept);
    if (accepts === 'none' || accepts === 'json') return refuse(out, streamRefused);
    const { logger, clock } = this.#settings;
    if (!this.#places.take(principal)) return refuse(out, full);
    const id = clock.uuid();
    try {
      out.open(streamHeaders);
    } catch (error) {
      // Somebody in front of the door has answered already.
      this.#places.leave(principal);
      throw error;
    }
    noticeDeprecated('sse', guarded(logger));
    out.write(`event: endpoint\ndata: ${this.#messagesPath}?sessionId=${id}\n\n`);
    const pipe = new SsePipe(out);
    const door = new PipeDoor(this.#service, pipe, { logger, principal, legacyOnly: true });
    this.#connections.set(id, { principal, pipe, door });
    out.onGone(() => this.#end(id));
  }

  #end(id: string): void {
    const connection = this.#connections.get(id);
    if (connection === undefined) return;
    this.#connections.delete(id);
    this.#places.leave(connection.principal);
    connection.pipe.end();
  }

  async #post(request: HttpIncoming, out: HttpOutgoing, source: MessageSource): Promise<void> {
    const { policy } = this.#settings;
    const known = this.#find(request, source.identity.principal);
    if (known instanceof Refusal) return refuse(out, known);
    // The answer has no body, so there is nothing to accept.
    const unfit = gatePost(policy, (name) => (name === 'accept' ? undefined : request.header(name)));
    if (unfit !== undefined) return refuse(out, unfit);
    const text = await request.text(policy.maxBodyBytes);
    const { pipe, door } = known;
    if (pipe.ended) return refuse(out, unknownSession);
    const parsed = text instanceof Refusal ? text : parseBody(text);
    const problem = parsed instanceof Refusal ? parsed : problemOf(parsed, known);
    if (problem !== undefined) return refuse(out, problem, door.nullErrorId());
    // While what runs may end by itself, callers may answer what it asks of them, and cancel it.
    if (this.#closing.at !== 'open' && isToRun(parsed)) return refuse(out, closing);
    out.send(202, {});
    door.receive(parsed, source);
  }

  /** Somebody else's connection is as unknown as one that never was. */
  #find({ url }: HttpIncoming, principal: string | undefined): Connection | Refusal {
    const query = url.indexOf('?');
    const id = query < 0 ? null : new URLSearchParams(url.slice(query)).get('sessionId');
    if (id === null) return noSession;
    const connection = this.#connections.get(id);
    return connection === undefined || connection.principal !== principal ? unknownSession : connection;
  }

  /**
   * Closes the door: what comes is refused with 503, and what runs may end within `drainMs`. Then it is cancelled, and the
   * streams end.
   *
   * @throws ArgumentError when `drainMs` is no number of milliseconds
   */
  close(options?: CloseOptions): Promise<void> {
    return this.#closing.close(options);
  }

  /** Calls outlive the requests that brought them here: the door waits for them all as for one request more. */
  #drain(): void {
    this.#closing.enter();
    void this.#drained();
  }

  /** Nothing begins while a door is draining, so this comes to its end once. */
  async #drained(): Promise<void> {
    if (this.#closing.at !== 'draining' || this.#service.running > 0) return;
    // The last answers leave in this turn.
    await this.#settings.clock.turn();
    this.#closing.leave();
  }

  #endAll(): void {
    for (const [id, { pipe }] of this.#connections) {
      void pipe.close();
      this.#end(id);
    }
    this.keepAlive.close();
  }
}

/** Why a body cannot be taken: whoever posts learns of it at once, on the stream nobody could tell what it is about. */
function problemOf(parsed: unknown, { pipe, door }: Connection): Refusal | undefined {
  if (Array.isArray(parsed)) {
    if (!door.takesBatch(parsed)) return noBatch;
    return pipe.stuck ? unread : undefined;
  }
  const message = readMessage(parsed);
  if (message.kind === 'invalid') return new Refusal(400, message.code, message.problem, { id: message.id });
  // Whatever ends something is taken all the same.
  return message.kind === 'request' && pipe.stuck ? unread : undefined;
}
