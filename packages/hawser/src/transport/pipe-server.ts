import { Cancel } from '../base/cancel.ts';
import type { Logger } from '../base/logger.ts';
import { callerOf, loneCallerOf, type LinkCaller } from '../core/caller.ts';
import { eraOf } from '../core/gate.ts';
import { LegacyCaller } from '../core/handshake.ts';
import { Refusal } from '../core/refusal.ts';
import { errorCodes } from '../model/meta.ts';
import type { Call, Exchange, Note, Pipe, Reply, Service } from '../ports/index.ts';
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
  /** Nothing but answers can be sent. */
  deaf?: boolean;
}

const cannotListen: Reply = {
  error: { code: errorCodes.invalidRequest, message: 'nothing can be told on this way but answers' },
};

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
  readonly #deaf: boolean;
  #resolveClosed!: (error: Error | undefined) => void;
  /** The legacy session, once `initialize` was answered. */
  #session: LegacyCaller | undefined;
  #listening: Cancel | undefined;

  constructor(service: Service, pipe: Pipe, options: PipeDoorOptions) {
    this.#service = service;
    this.#caller = options;
    this.#lone = options.lone ?? false;
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

  serve(message: Message & { kind: 'request' }, serving: Serving): void {
    const caller = this.#lone
      ? loneCallerOf(message, this.#caller.principal)
      : callerOf(message, this.#session, this.#caller);
    if (caller instanceof Refusal) return serving.reply({ error: caller.error, status: caller.status });
    if (caller instanceof LegacyCaller && !this.#lone) this.#session = caller;
    const { method, params } = message;
    if (this.#deaf && method === 'subscriptions/listen') return serving.reply(cannotListen);
    const exchange =
      this.#session === caller && !this.#deaf
        ? new AskingExchange(this.#peer, serving, caller)
        : new PipeExchange(this.#peer, serving, caller);
    this.#run({ method, params }, exchange, serving);
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
    const session = this.#session;
    const batches = session !== undefined && wireOf(session.revision).facts.batches;
    if (!batches || messages.length === 0 || messages.length > maxBatch) {
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

  nullErrorId(): boolean {
    return this.#session !== undefined && wireOf(this.#session.revision).facts.nullErrorId;
  }

  ended(error: Error | undefined): void {
    this.#listening?.cancel('the connection has ended');
    this.#resolveClosed(error);
  }
}
