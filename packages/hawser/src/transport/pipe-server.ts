import { Cancel } from '../base/cancel.ts';
import type { Logger } from '../base/logger.ts';
import { callerOf, legacyCallerOf } from '../core/caller.ts';
import { eraOf } from '../core/gate.ts';
import { LegacyCaller } from '../core/handshake.ts';
import type { HeaderOf } from '../core/head.ts';
import { Refusal } from '../core/refusal.ts';
import { errorCodes } from '../model/meta.ts';
import type { Call, Exchange, Identity, Note, Pipe, Service } from '../ports/index.ts';
import { errorText, wireOf, type Message } from '../wire/index.ts';
import { answer } from './answer.ts';
import { BatchAnswer, maxBatch } from './batch.ts';
import { Peer, type PeerHandler } from './peer.ts';
import { peerOptions, type PipeOptions } from './pipe-client.ts';
import { AskingExchange, PipeExchange } from './pipe-exchange.ts';
import type { Serving } from './serving.ts';
import { StandingExchange, standingListen } from './standing.ts';

/** A service at work on a pipe. */
export interface ServedPipe {
  /** Resolves when the pipe has ended; rejects never. The error is why, if it broke. */
  readonly closed: Promise<Error | undefined>;
  close(): Promise<void>;
}

/**
 * Serves both eras on one pipe, even mixed: a request with modern `_meta` is served for itself, `initialize` begins
 * a legacy session that lasts as long as the pipe (basic/versioning "Compatibility Matrix").
 */
export function servePipe(service: Service, pipe: Pipe, options: PipeOptions = {}): ServedPipe {
  return new PipeDoor(service, pipe, options);
}

/** What a door is told besides the options of a pipe. */
export interface PipeDoorOptions extends PipeOptions {
  /** Whoever has authenticated for a pipe of legacy callers. */
  principal?: string | undefined;
  /** Only legacy callers come this way. */
  legacyOnly?: boolean;
}

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
  readonly #legacyOnly: boolean;
  readonly #principal: string | undefined;
  #resolveClosed!: (error: Error | undefined) => void;
  /** The legacy session, once `initialize` was answered. */
  #session: LegacyCaller | undefined;
  #listening: Cancel | undefined;
  /** Of the message that is being received. */
  #source: MessageSource | undefined;

  constructor(service: Service, pipe: Pipe, options: PipeDoorOptions) {
    this.#service = service;
    this.#legacyOnly = options.legacyOnly ?? false;
    this.#principal = options.principal;
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

  /** Takes a message, or a batch of them, that came another way than as a line. */
  receive(parsed: unknown, source: MessageSource): void {
    this.#source = source;
    if (Array.isArray(parsed)) this.batch(parsed);
    else this.#peer.receive(parsed);
    this.#source = undefined;
  }

  serve(message: Message & { kind: 'request' }, serving: Serving): void {
    const caller = this.#legacyOnly
      ? legacyCallerOf(message, this.#session, this.#principal)
      : callerOf(message, this.#session);
    if (caller instanceof Refusal) return serving.reply({ error: caller.error, status: caller.status });
    if (caller instanceof LegacyCaller) this.#session = caller;
    const { method, params } = message;
    const exchange =
      caller instanceof LegacyCaller
        ? new AskingExchange(this.#peer, serving, this.#in(caller))
        : new PipeExchange(this.#peer, serving, caller);
    this.#run({ method, params }, exchange, serving);
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
    if (note.method === 'notifications/initialized') this.#listen(session);
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
  batch(messages: readonly unknown[]): void {
    if (!this.takesBatch(messages)) {
      this.#peer.write(
        errorText(
          undefined,
          { code: errorCodes.invalidRequest, message: 'a message is a JSON object' },
          this.nullErrorId(),
        ),
      );
      return;
    }
    const answers = new BatchAnswer(this.#peer);
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
