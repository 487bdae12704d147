import { isDeeperThan } from '../base/depth.ts';
import { notJson, parseJson } from '../base/json.ts';
import { eraOf, gateModern, gateModernNotice } from '../core/gate.ts';
import { acceptable, gateOrigin, gatePost } from '../core/head.ts';
import { Refusal } from '../core/refusal.ts';
import { errorCodes } from '../model/meta.ts';
import type { Service } from '../ports/index.ts';
import { errorText, readMessage, revisions, revisionsOf, type Message } from '../wire/index.ts';
import { refuse, serve, type DoorSettings } from './door.ts';
import { HttpExchange } from './http-exchange.ts';
import { jsonHeaders, type HttpIncoming, type HttpOutgoing } from './http-types.ts';
import { KeepAlive } from './keep-alive.ts';
import { LegacyDoor } from './legacy-door.ts';

/**
 * Streamable HTTP, the server's side, both eras at one endpoint (basic/transports/streamable-http). It knows neither
 * Node nor `fetch`: platforms hand in an {@link HttpIncoming} and an {@link HttpOutgoing}.
 */
export class HttpDoor {
  /** For the streams that a platform opens. */
  readonly keepAlive: KeepAlive;
  readonly #service: Service;
  readonly #settings: DoorSettings;
  readonly #legacy: LegacyDoor;
  readonly #modernOnly: boolean;

  constructor(service: Service, settings: DoorSettings) {
    this.#service = service;
    this.#settings = settings;
    this.#legacy = new LegacyDoor(service, settings);
    this.#modernOnly = settings.legacy === 'none';
    this.keepAlive = new KeepAlive(settings.clock, settings.keepAliveMs);
  }

  /** How many legacy sessions there are. */
  get sessions(): number {
    return this.#legacy.size;
  }

  /** Serves one HTTP request; never rejects. */
  async receive(request: HttpIncoming, out: HttpOutgoing): Promise<void> {
    try {
      await this.#receive(request, out);
    } catch (error) {
      this.#settings.logger.error('an HTTP request broke', error);
      out.send(500, jsonHeaders, errorText(undefined, { code: errorCodes.internal, message: 'internal error' }));
    }
  }

  async #receive(request: HttpIncoming, out: HttpOutgoing): Promise<unknown> {
    const header = (name: string): string | undefined => request.header(name);
    const stranger = gateOrigin(this.#settings.policy, header);
    if (stranger !== undefined) return refuse(out, stranger);
    let principal: string | undefined;
    if (this.#settings.authenticate !== undefined) {
      const identity = await this.#settings.authenticate({ method: request.method, url: request.url, header });
      if ('status' in identity) return refuse(out, unauthenticated(identity));
      principal = identity.principal;
    }
    if (request.method !== 'POST') return this.#legacy.withoutBody(request, out, principal);
    const unfit = gatePost(this.#settings.policy, header);
    if (unfit !== undefined) return refuse(out, unfit);
    const text = await request.text(this.#settings.policy.maxBodyBytes);
    const parsed = text instanceof Refusal ? text : parse(text);
    if (parsed instanceof Refusal) return refuse(out, parsed, this.#legacy.nullErrorId(request));
    if (Array.isArray(parsed)) return this.#legacy.batch(parsed, request, out, principal);
    const message = readMessage(parsed);
    if (!this.#modernOnly && eraOf(message, header) === 'legacy')
      return this.#legacy.message(message, request, out, principal);
    return this.#modern(message, header, out, principal);
  }

  #modern(
    message: Message,
    header: (name: string) => string | undefined,
    out: HttpOutgoing,
    principal: string | undefined,
  ): void | Promise<unknown> {
    const served = this.#modernOnly ? modernRevisions : revisions;
    if (message.kind === 'request') {
      const caller = gateModern(message, header, principal, served);
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
      return serve(this.#service, { method, params }, exchange, this.#settings.logger);
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

  /** Ends all legacy sessions. */
  close(): void {
    this.#legacy.close();
    this.keepAlive.close();
  }
}

const modernRevisions = revisionsOf('modern');

/** At a door that serves no legacy callers. */
class ModernOnlyExchange extends HttpExchange {
  readonly supportedVersions = modernRevisions;
}

/** How deep arrays and objects of a message may be nested: enough for any arguments, and no stack overflows. */
const maxDepth = 64;

const tooDeep = new Refusal(400, errorCodes.parse, `the body is nested deeper than ${maxDepth} levels`);
const notJsonBody = new Refusal(400, errorCodes.parse, 'the body is not JSON');
const noResponses = new Refusal(400, errorCodes.invalidRequest, 'responses are not sent to a server in this revision');
function parse(text: string): unknown {
  if (isDeeperThan(text, maxDepth)) return tooDeep;
  const parsed = parseJson(text);
  return parsed === notJson ? notJsonBody : parsed;
}

function unauthenticated(refused: {
  status: 401 | 403;
  headers?: Readonly<Record<string, string>> | undefined;
  message?: string | undefined;
}): Refusal {
  const message = refused.message ?? (refused.status === 401 ? 'authentication is required' : 'not allowed');
  return new Refusal(
    refused.status,
    errorCodes.invalidRequest,
    message,
    refused.headers === undefined ? {} : { headers: refused.headers },
  );
}
