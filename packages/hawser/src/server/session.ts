import { ArgumentError } from '../base/errors.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import type { ClientCapabilities, Implementation, LogLevel, Revision } from '../model/types.ts';
import type { Caller, Service } from '../ports/index.ts';
import type { MessageDoor, Send } from '../transport/message-door.ts';
import type { Subscription } from './subscription.ts';

/** A legacy session, as handlers see it: the same object for all its calls. Modern callers have none. */
export interface Session {
  /** What the client said of itself when the session began; no proof of anything. */
  readonly clientInfo: Implementation | undefined;
  readonly capabilities: ClientCapabilities;
  readonly revision: Revision | undefined;
  /** The least level of log messages that the client wants: `info` until it sets one. */
  readonly logLevel: LogLevel;
  /**
   * Sends a notification to this session and no other, on the way that belongs to no call: the GET stream of a session
   * over HTTP. What belongs to a call goes by `ctx.progress` and `ctx.log`; changes are told by `server.changed`.
   *
   * @returns false when there is no such way, or not any more: the client is not told
   * @throws ArgumentError when the method is none of a notification, or the params are no JSON object
   */
  notify(method: string, params?: JsonObject): boolean;
}

/** What a server keeps of one legacy session. */
export interface SessionState {
  readonly caller: Caller;
  /** As it was set; undefined until then. */
  logLevel: LogLevel | undefined;
  /** The resources that it has subscribed to. */
  uris: Set<string> | undefined;
  /** What it listens with for changes, if it does. */
  standing: Subscription | undefined;
}

/** Gives a session its state: `own`, or a new one. */
let sessionOn: (state: SessionState, own: ServerSession | undefined) => ServerSession;

/**
 * The door by which the messages of a session come, made with the first of them.
 *
 * @throws ArgumentError when the session belongs to another server
 */
export let doorOf: (
  session: ServerSession,
  server: Service,
  make: (send: Send | undefined) => MessageDoor,
) => MessageDoor;

/**
 * One connection of a transport of one's own, see `Server.handle`. What handlers see of it is the legacy session that
 * `initialize` begins; modern requests may come on it as well.
 *
 * ```ts
 * const session = new ServerSession({ send: (message) => socket.send(JSON.stringify(message)) })
 * socket.on('message', async (text) => {
 *   const answer = await server.handleJson(text, { session })
 *   if (answer !== undefined) socket.send(answer)
 * })
 * socket.on('close', () => session.close())
 * ```
 */
export class ServerSession implements Session {
  readonly #send: Send | undefined;
  #state: SessionState | undefined;
  #door: { readonly server: Service; readonly door: MessageDoor } | undefined;
  #closed = false;

  /**
   * @param options.send takes what is no answer to a message: notifications, and what the server asks a legacy caller,
   *   whose answer comes by `handle` like any message. Without it the caller is told nothing and cannot be asked. If it
   *   gives a promise, the way counts as full until that resolves
   * @throws ArgumentError when `send` is no function
   */
  constructor({ send }: { send?: Send | undefined } = {}) {
    if (send !== undefined && typeof send !== 'function') throw new ArgumentError('ServerSession: send is a function');
    this.#send = send;
  }

  /** The connection has ended: what runs is cancelled, and messages that still come are not answered. */
  close(): void {
    this.#closed = true;
    this.#door?.door.close();
  }

  get clientInfo(): Implementation | undefined {
    return this.#state?.caller.clientInfo;
  }

  get capabilities(): ClientCapabilities {
    return this.#state?.caller.capabilities ?? {};
  }

  get revision(): Revision | undefined {
    return this.#state?.caller.revision;
  }

  get logLevel(): LogLevel {
    return this.#state?.logLevel ?? 'info';
  }

  notify(method: string, params?: JsonObject): boolean {
    if (typeof method !== 'string' || !/^notifications\/./.test(method))
      throw new ArgumentError('notify: the method of a notification begins with "notifications/"');
    const text = textOf(params);
    const standing = this.#state?.standing;
    if (standing === undefined) return false;
    // It may wait for room, and goes out as it is now.
    const copy = text === undefined ? undefined : (JSON.parse(text) as JsonObject);
    return standing.deliverOnce({ method, params: copy }, method.length + (text?.length ?? 0));
  }

  static {
    sessionOn = (state, own) => {
      const session = own ?? new ServerSession();
      session.#state = state;
      return session;
    };
    doorOf = (session, server, make) => {
      const known = session.#door;
      if (known !== undefined && known.server !== server)
        throw new ArgumentError('handle: the session is one of another server');
      if (known !== undefined) return known.door;
      const door = make(session.#send);
      session.#door = { server, door };
      if (session.#closed) door.close();
      return door;
    };
  }
}

/** @throws ArgumentError when it cannot be sent */
function textOf(params: unknown): string | undefined {
  if (params === undefined) return undefined;
  const text = isObject(params) ? written(params) : undefined;
  if (text?.startsWith('{') !== true) throw new ArgumentError('notify: params must be an object');
  return text;
}

function written(params: unknown): string | undefined {
  try {
    return JSON.stringify(params);
  } catch (cause) {
    throw new ArgumentError('notify: params cannot be written as JSON', { cause });
  }
}

interface Kept extends SessionState {
  session: ServerSession | undefined;
}

/** What one server keeps of its legacy sessions: nothing of those that are idle, and nothing once they are gone. */
export class Sessions {
  readonly #states = new WeakMap<object, Kept>();

  /** What is kept of the caller's session, if there is anything yet. */
  known({ session }: Caller): SessionState | undefined {
    return session && this.#states.get(session);
  }

  /** The same, begun if need be; undefined for a caller without a session. */
  of(caller: Caller): SessionState | undefined {
    return this.#of(caller);
  }

  #of(caller: Caller): Kept | undefined {
    const key = caller.session;
    if (key === undefined) return undefined;
    let state = this.#states.get(key);
    if (state === undefined) {
      state = { caller, session: undefined, logLevel: undefined, uris: undefined, standing: undefined };
      this.#states.set(key, state);
    }
    return state;
  }

  /** What handlers see of the caller's session. */
  session(caller: Caller): ServerSession | undefined {
    const state = this.#of(caller);
    if (state === undefined) return undefined;
    const key = caller.session;
    return (state.session ??= sessionOn(state, key instanceof ServerSession ? key : undefined));
  }

  /** `initialize` has come: a session that a transport has made learns who it is with. */
  begin(caller: Caller): void {
    if (caller.session instanceof ServerSession) this.session(caller);
  }
}
