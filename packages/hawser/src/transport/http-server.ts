import { AbortError } from '../base/errors.ts';
import { anonymous, eraOf, gateModern, gateModernNotice } from '../core/gate.ts';
import { acceptable, gatePost, type HeaderOf } from '../core/head.ts';
import { Refusal } from '../core/refusal.ts';
import { errorCodes } from '../model/meta.ts';
import type { Identity, Service } from '../ports/index.ts';
import { headerNames, readMessage, revisions, revisionsOf, type Message } from '../wire/index.ts';
import { elsewhere, receive, type Reception } from './admission.ts';
import { isToRun, parseBody } from './body.ts';
import { Closing, closing, type CloseOptions } from './closing.ts';
import { refuse, type DoorSettings } from './door.ts';
import { HttpExchange } from './http-exchange.ts';
import type { HttpIncoming, HttpOutgoing } from './http-types.ts';
import { identify } from './identify.ts';
import { KeepAlive } from './keep-alive.ts';
import { LegacyDoor } from './legacy-door.ts';
import { RunningCalls } from './running.ts';

/** What a door has open; all 0 when nobody is there. */
export interface OpenCounts {
  /** Legacy sessions. */
  readonly sessions: number;
  /** Event streams: of those who listen, of legacy sessions, and of calls that have told something. */
  readonly streams: number;
  /** Calls that run; subscriptions are none. */
  readonly calls: number;
  /** Events that legacy callers may come back for. */
  readonly kept: number;
}

/**
 * Streamable HTTP, the server's side, both eras at one endpoint (basic/transports/streamable-http). It knows neither
 * Node nor `fetch`: platforms hand in an {@link HttpIncoming} and an {@link HttpOutgoing}.
 */
export class HttpDoor {
  /** For the streams that a platform opens. */
  readonly keepAlive: KeepAlive;
  /** How long a caller may take nothing of an open stream. */
  readonly stalledMs: number;
  readonly #settings: DoorSettings;
  readonly #running: RunningCalls;
  readonly #legacy: LegacyDoor;
  readonly #closing: Closing;
  readonly #reception: Reception;
  readonly #modernOnly: boolean;

  constructor(service: Service, settings: DoorSettings) {
    this.#settings = settings;
    this.#running = new RunningCalls(service, settings.logger);
    this.#legacy = new LegacyDoor(service, this.#running, settings);
    this.#modernOnly = settings.legacy === 'none';
    this.keepAlive = new KeepAlive(settings.clock, settings.keepAliveMs);
    this.stalledMs = settings.stalledMs;
    this.#closing = new Closing(settings.clock, {
      drain: () => this.#running.endListens(new AbortError('the server is closing')),
      end: () => this.#end(),
    });
    const methods = settings.legacy === 'sessions' ? 'GET, POST, DELETE' : 'POST';
    this.#reception = { settings, closing: this.#closing, methods };
  }

  get open(): OpenCounts {
    const { size: sessions, kept } = this.#legacy;
    return { sessions, streams: this.keepAlive.size, calls: this.#running.size, kept };
  }

  /** Serves one HTTP request; never rejects. */
  receive(request: HttpIncoming, out: HttpOutgoing): Promise<void> {
    return receive(this.#reception, request, out, (header, way) => this.#receive(request, header, way));
  }

  /** Answers a request for a path where nothing is. */
  elsewhere(request: HttpIncoming, out: HttpOutgoing): void {
    elsewhere(this.#settings, request, out);
  }

  async #receive(request: HttpIncoming, header: HeaderOf, out: HttpOutgoing): Promise<unknown> {
    if (this.#closing.at !== 'open' && !this.#mayAnswer(request)) return refuse(out, closing);
    const { authenticate } = this.#settings;
    const identity = authenticate === undefined ? anonymous : await identify(authenticate, request, header);
    if (identity instanceof Refusal) return refuse(out, identity);
    if (request.method !== 'POST') return this.#legacy.withoutBody(request, out, identity);
    const unfit = gatePost(this.#settings.policy, header);
    if (unfit !== undefined) return refuse(out, unfit);
    const text = await request.text(this.#settings.policy.maxBodyBytes);
    const parsed = text instanceof Refusal ? text : parseBody(text);
    if (parsed instanceof Refusal) return refuse(out, parsed, this.#legacy.nullErrorId(request));
    if (this.#closing.at !== 'open' && isToRun(parsed)) return refuse(out, closing);
    if (Array.isArray(parsed)) return this.#legacy.batch(parsed, request, out, identity);
    const message = readMessage(parsed);
    if (!this.#modernOnly && eraOf(message, header) === 'legacy')
      return this.#legacy.message(message, request, out, identity);
    return this.#modern(message, header, out, identity);
  }

  /** While what runs may end by itself, legacy callers may answer what it asks of them, and cancel it. */
  #mayAnswer(request: HttpIncoming): boolean {
    return (
      this.#closing.at === 'draining' && request.method === 'POST' && request.header(headerNames.session) !== undefined
    );
  }

  #modern(message: Message, header: HeaderOf, out: HttpOutgoing, identity: Identity): void | Promise<unknown> {
    const served = this.#modernOnly ? modernRevisions : revisions;
    if (message.kind === 'request') {
      const caller = gateModern(message, header, identity, served);
      if (caller instanceof Refusal) return refuse(out, caller);
      const { id, method, params } = message;
      const accepts = acceptable(header('accept'));
      if (method === 'subscriptions/listen' && accepts === 'json') {
        return refuse(
          out,
          new Refusal(406, errorCodes.invalidRequest, `${method} is answered with text/event-stream`, { id }),
        );
      }
      const Way = this.#modernOnly ? ModernOnlyExchange : HttpExchange;
      const exchange = new Way(id, caller, out, accepts === 'none' ? 'both' : accepts);
      return this.#running.serve({ method, params }, exchange);
    }
    if (message.kind === 'notification') {
      const refusal = gateModernNotice(message, header, served);
      if (refusal !== undefined) return refuse(out, refusal);
      // No notification of a modern client means anything here: closing the stream is its way to cancel.
      return out.send(202, {});
    }
    if (message.kind === 'invalid')
      return refuse(out, new Refusal(400, message.code, message.problem, { id: message.id }));
    return refuse(out, noResponses);
  }

  /**
   * Closes the door: what comes is refused with 503, those who listen get their final result, and what runs may end
   * within `drainMs`. Then it is cancelled, and sessions end. Other doors of the same service are not touched.
   *
   * @throws ArgumentError when `drainMs` is no number of milliseconds
   */
  close(options?: CloseOptions): Promise<void> {
    return this.#closing.close(options);
  }

  #end(): void {
    this.#legacy.close();
    this.#running.cancel(new AbortError('the server is closing'));
    this.keepAlive.close();
  }
}

const modernRevisions = revisionsOf('modern');

/** At a door that serves no legacy callers. */
class ModernOnlyExchange extends HttpExchange {
  readonly supportedVersions = modernRevisions;
}

const noResponses = new Refusal(400, errorCodes.invalidRequest, 'responses are not sent to a server in this revision');
