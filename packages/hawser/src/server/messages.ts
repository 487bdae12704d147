import { ArgumentError } from '../base/errors.ts';
import { isObject, parseJson, type JsonObject } from '../base/json.ts';
import type { Logger } from '../base/logger.ts';
import { checkNames } from '../base/options.ts';
import { errorCodes } from '../model/meta.ts';
import type { Service } from '../ports/index.ts';
import { MessageDoor, type Send } from '../transport/message-door.ts';
import { errorText, readMessage } from '../wire/index.ts';
import { doorOf, ServerSession } from './session.ts';

/** Who sent a message, and the ways back. */
export interface MessageCaller {
  /** Whoever has authenticated, to be said with every message. Default: the caller is anonymous. */
  principal?: string | undefined;
  /**
   * What the messages of one connection have in common: the legacy session that `initialize` begins, which requests run,
   * what waits for an answer. Without it each message is served for itself, and legacy callers have no session.
   */
  session?: ServerSession | undefined;
  /** Aborts when the caller has gone: what runs for this message is cancelled, and it has no answer. */
  signal?: AbortSignal | undefined;
  /**
   * Takes what belongs to this message besides its answer: progress, log messages, what a subscription brings. Without
   * it nothing can be told on the way. A session has a `send` of its own.
   */
  send?: Send | undefined;
}

type Given = { readonly message: unknown } | { readonly text: string };

/** Serves messages that transports of the user's own hand over. */
export class Messages {
  readonly #service: Service;
  readonly #logger: Logger;

  constructor(service: Service, logger: Logger) {
    this.#service = service;
    this.#logger = logger;
  }

  /** Takes a message, and gives the answer. */
  async message(message: unknown, caller: MessageCaller | undefined): Promise<JsonObject | undefined> {
    const text = await this.#take({ message }, caller);
    // The answer exactly as other transports would carry it.
    return text === undefined ? undefined : (JSON.parse(text) as JsonObject);
  }

  /** Takes a message or a batch as JSON text, and gives the answer as JSON text. */
  async text(text: string, caller: MessageCaller | undefined): Promise<string | undefined> {
    if (typeof text !== 'string') throw new ArgumentError('handleJson: a text of JSON; handle takes a message');
    return this.#take({ text }, caller);
  }

  async #take(given: Given, caller: MessageCaller = {}): Promise<string | undefined> {
    check(caller);
    const { principal, session, signal, send } = caller;
    const service = this.#service;
    const logger = this.#logger;
    if (session === undefined) {
      const door = new MessageDoor(service, { logger, principal, send });
      try {
        return await door.take(given, signal);
      } finally {
        door.close();
      }
    }
    const door = doorOf(session, service, (own) => new MessageDoor(service, { logger, principal, session, send: own }));
    if (door.principal === principal) return door.take(given, signal);
    return notFound('text' in given ? parseJson(given.text) : given.message);
  }
}

/** Somebody else's session is as unknown as one that never was. Notifications and answers are never answered. */
function notFound(given: unknown): string | undefined {
  const message = readMessage(given);
  if (message.kind !== 'request' && message.kind !== 'invalid') return undefined;
  return errorText(message.id, { code: errorCodes.invalidRequest, message: 'Session not found' });
}

/** All that there is; a name that is missing here does not compile. */
const known: Readonly<Record<keyof MessageCaller, true>> = { principal: true, session: true, signal: true, send: true };

/** @throws ArgumentError for a caller that is none */
function check(caller: MessageCaller): void {
  if (!isObject(caller)) throw new ArgumentError('handle: the caller is { principal, session, signal, send }');
  checkNames('handle', caller, known);
  const { principal, session, signal, send } = caller;
  if (principal !== undefined && typeof principal !== 'string')
    throw new ArgumentError('handle: principal has to be text');
  if (session !== undefined && !(session instanceof ServerSession))
    throw new ArgumentError('handle: session is a ServerSession');
  if (signal !== undefined && !(signal instanceof AbortSignal))
    throw new ArgumentError('handle: signal is an AbortSignal');
  if (send !== undefined && typeof send !== 'function') throw new ArgumentError('handle: send is a function');
  if (send !== undefined && session !== undefined)
    throw new ArgumentError('handle: send is given to the ServerSession, once for all its messages');
}
