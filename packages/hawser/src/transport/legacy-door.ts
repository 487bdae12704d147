import { errorCodes } from '../model/meta.ts';
import { eraOf } from '../core/gate.ts';
import { LegacyCaller, readInitialize } from '../core/handshake.ts';
import { acceptable, type Accepts, type HeaderOf } from '../core/head.ts';
import { Refusal } from '../core/refusal.ts';
import type { RequestId } from '../model/types.ts';
import type { Caller, Identity, Service } from '../ports/index.ts';
import { assumedOverHttp, headerNames, readMessage, trim, wireFor, wireOf, type Message } from '../wire/index.ts';
import { maxBatch } from './batch.ts';
import { HttpExchange } from './http-exchange.ts';
import { refuse, type DoorSettings } from './door.ts';
import { jsonHeaders, type HttpIncoming, type HttpOutgoing } from './http-types.ts';
import { NamedOutgoing, nowhere } from './legacy-outgoing.ts';
import { Keeping } from './keeping.ts';
import { LegacySession } from './legacy-session.ts';
import { LegacySessions } from './legacy-sessions.ts';
import { MemoryEventLog } from './memory-event-log.ts';
import { replyText } from './reply.ts';
import type { RunningCalls } from './running.ts';
import type { SessionExchange } from './session-exchange.ts';

const noSession = new Refusal(400, errorCodes.invalidRequest, 'Mcp-Session-Id is missing: begin with initialize');
const unknownSession = new Refusal(404, errorCodes.invalidRequest, 'Session not found');
const sessionExists = new Refusal(400, errorCodes.invalidRequest, 'this session is initialized already');
const notAllowed = (allow: string): Refusal =>
  new Refusal(405, errorCodes.invalidRequest, 'method not allowed', { headers: { allow } });
const onlyPost = notAllowed('POST');
const noSuchMethod = notAllowed('GET, POST, DELETE');
const badVersion = new Refusal(400, errorCodes.invalidRequest, 'MCP-Protocol-Version is not one this server speaks');
const secondStream = new Refusal(409, errorCodes.invalidRequest, 'Only one SSE stream is allowed per session');
const unknownEvent = new Refusal(
  400,
  errorCodes.invalidRequest,
  'Last-Event-ID is of no stream that can be resumed: it has been delivered, or never was',
);
const streamRefused = new Refusal(406, errorCodes.invalidRequest, 'Accept must allow text/event-stream');
const noBatch = new Refusal(400, errorCodes.invalidRequest, 'the body must be one JSON-RPC message');
const full = new Refusal(503, errorCodes.internal, 'too many sessions', { headers: { 'retry-after': '5' } });

/** The legacy revisions over HTTP: handshake, sessions, GET stream (2025-11-25 basic/transports). */
export class LegacyDoor {
  readonly #service: Service;
  readonly #running: RunningCalls;
  readonly #settings: DoorSettings;
  readonly #keeping: Keeping;
  readonly #sessions: LegacySessions;

  constructor(service: Service, running: RunningCalls, settings: DoorSettings) {
    this.#service = service;
    this.#running = running;
    this.#settings = settings;
    const { clock, eventLog, maxEventLogBytes, logger } = settings;
    this.#keeping = new Keeping(clock, eventLog ?? new MemoryEventLog(), maxEventLogBytes, logger);
    this.#sessions = new LegacySessions(settings.sessions, clock, logger);
  }

  get size(): number {
    return this.#sessions.size;
  }

  /** How many events are kept for callers who may have missed them. */
  get kept(): number {
    return this.#sessions.kept;
  }

  /** GET opens the session's stream, DELETE ends the session, anything else is not allowed. */
  withoutBody(request: HttpIncoming, out: HttpOutgoing, identity: Identity): void {
    const version = request.header(headerNames.protocolVersion);
    const wire = version === undefined ? undefined : wireFor(trim(version));
    if (this.#settings.legacy !== 'sessions' || wire?.facts.era === 'modern') return refuse(out, onlyPost);
    if (request.method !== 'GET' && request.method !== 'DELETE') return refuse(out, noSuchMethod);
    if (version !== undefined && wire === undefined) return refuse(out, badVersion);
    if (request.method === 'GET' && !takesStream(request)) return refuse(out, streamRefused);
    const session = this.#find(request, identity.principal);
    if (session instanceof Refusal) return refuse(out, session);
    if (request.method === 'GET') {
      const last = request.header(headerNames.lastEventId);
      if (last === undefined || last === '') {
        if (!session.attach(out)) refuse(out, secondStream);
      } else if (!session.resume(last, out)) refuse(out, unknownEvent);
      return;
    }
    this.#sessions.end(session);
    out.send(200, {});
  }

  message(message: Message, request: HttpIncoming, out: HttpOutgoing, identity: Identity): void | Promise<unknown> {
    if (message.kind === 'invalid') {
      const { id, code, problem } = message;
      return refuse(out, new Refusal(400, code, problem, { id }), this.nullErrorId(request));
    }
    const accept = acceptable(request.header('accept'));
    const accepts = accept === 'none' ? 'both' : accept;
    if (message.kind === 'request' && message.method === 'initialize')
      return this.#initialize(message, request, out, accepts, identity);
    if (this.#settings.legacy === 'stateless') return this.#stateless(message, request, out, accepts, identity);
    if (message.kind === 'notification' && isStrayCancel(message, request)) return out.send(202, {});
    const session = this.#find(request, identity.principal);
    if (session instanceof Refusal) return refuse(out, withId(session, message));
    return this.#inSession(session, message, out, accepts, session.caller.in(headersOf(request), identity));
  }

  #inSession(
    session: LegacySession,
    message: Message,
    out: HttpOutgoing,
    accepts: Accepts,
    caller: Caller,
  ): void | Promise<unknown> {
    if (message.kind !== 'request') {
      this.#take(session, message, caller);
      return out.send(202, {});
    }
    const { id, method, params } = message;
    const exchange = session.exchange(id, out, accepts, caller);
    if (exchange === undefined) {
      return refuse(out, new Refusal(409, errorCodes.invalidRequest, 'the id is still in use', { id }));
    }
    return this.#running.serve({ method, params }, exchange);
  }

  /** A notification, or the answer to something the server asked. */
  #take(session: LegacySession, message: Message, caller: Caller): void {
    if (message.kind === 'notification') {
      if (message.method === 'notifications/cancelled') session.cancelled(message.params);
      else this.#service.notice(message, caller);
    } else if (message.kind === 'result') session.answered(message.id, { result: message.result });
    else if (message.kind === 'error' && message.id !== undefined)
      session.answered(message.id, { error: message.error });
    else if (message.kind === 'broken-response' && message.id !== undefined)
      session.misanswered(message.id, message.problem);
  }

  async #initialize(
    message: Message & { kind: 'request' },
    request: HttpIncoming,
    out: HttpOutgoing,
    accepts: Accepts,
    identity: Identity,
  ): Promise<unknown> {
    const { id, method, params } = message;
    const stateless = this.#settings.legacy === 'stateless';
    const caller = readInitialize(id, params, identity.principal, stateless ? 'no session' : 'session');
    if (caller instanceof Refusal) return refuse(out, caller);
    const here = caller.in(headersOf(request), identity);
    if (stateless) return this.#running.serve({ method, params }, new StatelessExchange(id, here, out, accepts));
    const named = request.header(headerNames.session);
    if (named !== undefined) {
      return refuse(
        out,
        withId(this.#sessions.find(named, identity.principal) === undefined ? unknownSession : sessionExists, message),
      );
    }
    if (!this.#sessions.makeRoom(identity.principal)) return refuse(out, withId(full, message));
    const uuid = this.#settings.clock.uuid();
    const session = new LegacySession(uuid, caller, this.#service, this.#keeping, this.#sessions);
    const way = new NamedOutgoing(out, session.id);
    const exchange = session.exchange(id, way, accepts, here) as SessionExchange;
    this.#sessions.add(session);
    const reply = await this.#running.serve({ method, params }, exchange);
    if (reply.error !== undefined) this.#sessions.end(session);
  }

  /** A caller without session: all there is to know of it is in the request. */
  #stateless(
    message: Message,
    request: HttpIncoming,
    out: HttpOutgoing,
    accepts: Accepts,
    identity: Identity,
  ): void | Promise<unknown> {
    const version = request.header(headerNames.protocolVersion);
    const revision = version === undefined ? assumedOverHttp : wireFor(trim(version))?.revision;
    if (revision === undefined) return refuse(out, withId(badVersion, message));
    if (message.kind !== 'request') return out.send(202, {});
    const { id, method, params } = message;
    const sender = new LegacyCaller(revision, {}, undefined, identity.principal, 'no session');
    const caller = sender.in(headersOf(request), identity);
    return this.#running.serve({ method, params }, new StatelessExchange(id, caller, out, accepts));
  }

  /** Batches exist in one revision only, and only within its sessions (2025-03-26 basic "Batching"). */
  async batch(
    messages: readonly unknown[],
    request: HttpIncoming,
    out: HttpOutgoing,
    identity: Identity,
  ): Promise<void> {
    if (
      this.#settings.legacy !== 'sessions' ||
      isModern(request) ||
      request.header(headerNames.session) === undefined
    ) {
      return refuse(out, noBatch, this.nullErrorId(request));
    }
    const session = this.#find(request, identity.principal);
    if (session instanceof Refusal) return refuse(out, session);
    const { facts } = wireOf(session.caller.revision);
    if (!facts.batches || messages.length === 0 || messages.length > maxBatch)
      return refuse(out, noBatch, facts.nullErrorId);
    const caller = session.caller.in(headersOf(request), identity);
    const replies = await Promise.all(messages.map((message) => this.#batched(session, readMessage(message), caller)));
    const answers = replies.filter((reply) => reply !== undefined);
    if (answers.length === 0) return out.send(202, {});
    out.send(200, jsonHeaders, `[${answers.join(',')}]`);
  }

  async #batched(session: LegacySession, message: Message, caller: Caller): Promise<string | undefined> {
    if (message.kind === 'invalid') {
      return JSON.stringify({
        jsonrpc: '2.0',
        id: message.id ?? null,
        error: { code: message.code, message: message.problem },
      });
    }
    if (message.kind !== 'request') {
      this.#take(session, message, caller);
      return undefined;
    }
    const { id, method, params } = message;
    const error = (problem: string): string =>
      replyText(id, { error: { code: errorCodes.invalidRequest, message: problem } });
    if (method === 'initialize') return error('initialize cannot stand in a batch');
    // Notices have no way out of a batch: its answer is one JSON text.
    const exchange = session.exchange(id, nowhere, 'json', caller);
    if (exchange === undefined) return error('the id is still in use');
    const reply = await this.#running.run({ method, params }, exchange);
    session.finished(id);
    return exchange.cancel.cancelled ? undefined : replyText(id, reply);
  }

  #find(request: HttpIncoming, principal: string | undefined): LegacySession | Refusal {
    const version = request.header(headerNames.protocolVersion);
    if (version !== undefined && wireFor(trim(version)) === undefined) return badVersion;
    const id = request.header(headerNames.session);
    if (id === undefined) return noSession;
    const session = this.#sessions.find(id, principal);
    if (session === undefined) return unknownSession;
    this.#sessions.used(session);
    return session;
  }

  /** Whether an error for a message without a readable id says `id: null`, as far as the caller's revision is known. */
  nullErrorId(request: HttpIncoming): boolean {
    if (this.#settings.legacy === 'none') return false;
    const session = this.#sessions.get(request.header(headerNames.session) ?? '');
    if (session !== undefined) return wireOf(session.caller.revision).facts.nullErrorId;
    const version = request.header(headerNames.protocolVersion);
    return wireFor(version === undefined ? assumedOverHttp : trim(version))?.facts.nullErrorId ?? false;
  }

  close(): void {
    this.#sessions.close();
  }
}

function isModern(request: HttpIncoming): boolean {
  return eraOf({ kind: 'notification', method: '', params: undefined }, (name) => request.header(name)) === 'modern';
}

function takesStream(request: HttpIncoming): boolean {
  const accept = request.header('accept');
  if (accept === undefined) return false;
  const accepts = acceptable(accept);
  return accepts === 'both' || accepts === 'sse';
}

/** A cancellation that names neither version nor session may come from a modern client: harmless, so let it be. */
function isStrayCancel(note: { method: string }, request: HttpIncoming): boolean {
  return (
    note.method === 'notifications/cancelled' &&
    request.header(headerNames.session) === undefined &&
    request.header(headerNames.protocolVersion) === undefined
  );
}

function headersOf(request: HttpIncoming): HeaderOf {
  return (name) => request.header(name);
}

function withId(refusal: Refusal, message: Message): Refusal {
  const id: RequestId | undefined = message.kind === 'request' ? message.id : undefined;
  if (id === undefined) return refusal;
  const { status, error, headers = {} } = refusal;
  return new Refusal(status, error.code, error.message, { id, headers });
}

/** Without a session an error keeps 200 as well, and nobody can be asked. */
class StatelessExchange extends HttpExchange {
  protected override statusOf(): number {
    return 200;
  }
}
