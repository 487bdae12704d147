import { Cancel } from '../base/cancel.ts';
import type { Logger } from '../base/logger.ts';
import { callerOf, legacyCallerOf, loneCallerOf, type LinkCaller } from '../core/caller.ts';
import { eraOf } from '../core/gate.ts';
import { LegacyCaller } from '../core/handshake.ts';
import type { HeaderOf } from '../core/head.ts';
import { Refusal } from '../core/refusal.ts';
import { errorCodes } from '../model/meta.ts';
import type { Call, Exchange, Identity, Note, Pipe, Reply, Service } from '../ports/index.ts';
import { errorText, wireOf, type Message } from '../wire/index.ts';
import { answer } from './answer.ts';
import { BatchAnswer, maxBatch } from './batch.ts';
import { OneAnswer } from './one-answer.ts';
import { Peer, type PeerHandler } from './peer.ts';
import { peerOptions, type PipeOptions } from './pipe-client.ts';
import { AskingExchange, PipeExchange } from './pipe-exchange.ts';
import type { Serving, Way } from './serving.ts';
import { StandingExchange, standingListen } from './standing.ts';

/** A service at work on a pipe. */
export interface ServedPipe {
  /** Resolves when the pipe has ended; rejects never. The error is why, if it broke. */
  readonly closed: Promise<Error | undefined>;
  close(): Promise<void>;
}

/** Options of the server's end of a pipe. */
export interface ServePipeOptions extends PipeOptions {
  /** Whoever has authenticated for the pipe. Default: the callers are anonymous. */
  principal?: string | undefined;
}

/**
 * Serves both eras on one pipe, even mixed: a request with modern `_meta` is served for itself, `initialize` begins
 * a legacy session that lasts as long as the pipe (basic/versioning "Compatibility Matrix").
 */
export function servePipe(service: Service, pipe: Pipe, options: ServePipeOptions = {}): ServedPipe {
  return new PipeDoor(service, pipe, options);
}

/** What a door is told besides the options of a pipe. */
interface PipeDoorOptions extends ServePipeOptions {
  /** What the legacy session is told apart by. Default: an object of its own. */
  session?: object | undefined;
  /** Requests belong to no session: legacy ones are served each for itself. */
  lone?: boolean;
  /** Only legacy callers come this way, and a session comes first. */
  legacyOnly?: boolean;
  /** Nothing but answers can be sent. */
  deaf?: boolean;
}

const cannotListen: Reply = {
  error: { code: errorCodes.invalidRequest, message: 'nothing can be told on this way but answers' },
};

/** What one message came with, where messages come each for itself. */
export interface MessageSource {
  readonly header: HeaderOf;
  readonly identity: Identity;
}

/** See {@link servePipe}. */
export class PipeDoor implements ServedPipe, PeerHandler {
  readonly refuses = true;
  readonly serves = true;
  readonly closed: Promise<Error | undefined>;
  readonly #service: Service;
  readonly #peer: Peer;
  readonly #logger: Logger;
  readonly #caller: LinkCaller;
  readonly #lone: boolean;
  readonly #legacyOnly: boolean;
  readonly #deaf: boolean;
  #resolveClosed!: (error: Error | undefined) => void;
  /** The legacy session, once `initialize` was answered. */
  #session: LegacyCaller | undefined;
  #listening: Cancel | undefined;
  /** Of the message that is being received. */
  #source: MessageSource | undefined;

  constructor(service: Service, pipe: Pipe, options: PipeDoorOptions) {
    this.#service = service;
    this.#caller = options;
    this.#lone = options.lone ?? false;
    this.#legacyOnly = options.legacyOnly ?? false;
    this.#deaf = options.deaf ?? false;
    const settled = peerOptions(options);
    this.#logger = settled.logger;
    this.closed = new Promise((resolve) => {
      this.#resolveClosed = resolve;
    });
    this.#peer = new Peer(pipe, this, settled);
    this.#peer.start();
  }

  close(): Promise<void> {
    return this.#peer.close();
  }

  /**
   * Takes a message, or JSON text of one or a batch, that came another way than on the pipe.
   *
   * @returns the answer as JSON text; undefined for what has none
   */
  take(
    given: { readonly message: unknown } | { readonly text: string },
    signal?: AbortSignal,
  ): Promise<string | undefined> {
    return new Promise((resolve) => {
      const way = new OneAnswer(this.#peer, signal, resolve);
      if ('text' in given) this.#peer.line(given.text, way);
      else this.#peer.receive(given.message, way);
      way.finish();
    });
  }

  /** Takes a message, or a batch of them, that came another way and is answered on the pipe. */
  receive(parsed: unknown, source: MessageSource): void {
    this.#source = source;
    if (Array.isArray(parsed)) this.batch(parsed, this.#peer);
    else this.#peer.receive(parsed);
    this.#source = undefined;
  }

  serve(message: Message & { kind: 'request' }, serving: Serving): void {
    const caller = this.#callerOf(message);
    if (caller instanceof Refusal) return serving.reply({ error: caller.error, status: caller.status });
    if (caller instanceof LegacyCaller && !this.#lone) this.#session = caller;
    const { method, params } = message;
    if (this.#deaf && method === 'subscriptions/listen') return serving.reply(cannotListen);
    const exchange =
      caller instanceof LegacyCaller && caller === this.#session && !this.#deaf
        ? new AskingExchange(this.#peer, serving, this.#in(caller))
        : new PipeExchange(this.#peer, serving, caller, !this.#deaf);
    this.#run({ method, params }, exchange, serving);
  }

  #callerOf(message: Message & { kind: 'request' }): ReturnType<typeof callerOf> {
    if (this.#lone) return loneCallerOf(message, this.#caller.principal);
    return (this.#legacyOnly ? legacyCallerOf : callerOf)(message, this.#session, this.#caller);
  }

  #in(caller: LegacyCaller): LegacyCaller {
    return this.#source === undefined ? caller : caller.in(this.#source.header, this.#source.identity);
  }

  #run(call: Call, exchange: Exchange, serving: Serving): void {
    answer(this.#service, call, exchange, this.#logger, (reply) => {
      // Over stdio the end of a subscription is announced; the caller may have several on the one pipe.
      if (call.method === 'subscriptions/listen' && reply.error === undefined && serving.running) {
        this.#peer.note({ method: 'notifications/cancelled', params: { requestId: serving.id } });
      }
      serving.reply(reply);
    });
  }

  notice(note: Note): void {
    const session = this.#session;
    const modern = eraOf({ kind: 'notification', method: note.method, params: note.params }, undefined) === 'modern';
    if (modern || session === undefined) return;
    if (note.method === 'notifications/initialized' && !this.#deaf) this.#listen(session);
    this.#service.notice(note, session);
  }

  /** Pushes changes to the legacy session, which cannot ask for them. */
  #listen(session: LegacyCaller): void {
    if (this.#listening !== undefined) return;
    const cancel = new Cancel();
    this.#listening = cancel;
    const exchange = new StandingExchange(session, cancel, this.#peer);
    answer(this.#service, standingListen, exchange, this.#logger, () => undefined);
  }

  /** Batches exist in one revision only, and only within its sessions (2025-03-26 basic "Batching"). */
  batch(messages: readonly unknown[], way: Way): void {
    if (!this.takesBatch(messages)) {
      way.write(
        errorText(
          undefined,
          { code: errorCodes.invalidRequest, message: 'a message is a JSON object' },
          this.nullErrorId(),
        ),
      );
      return;
    }
    const answers = new BatchAnswer(way);
    for (const message of messages) this.#peer.receive(message, answers);
    answers.finish();
  }

  takesBatch({ length }: readonly unknown[]): boolean {
    const session = this.#session;
    return session !== undefined && wireOf(session.revision).facts.batches && length > 0 && length <= maxBatch;
  }

  nullErrorId(): boolean {
    return this.#session !== undefined && wireOf(this.#session.revision).facts.nullErrorId;
  }

  ended(error: Error | undefined): void {
    this.#listening?.cancel('the connection has ended');
    this.#resolveClosed(error);
  }
}
