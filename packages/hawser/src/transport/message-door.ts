import type { JsonObject } from '../base/json.ts';
import type { Logger } from '../base/logger.ts';
import type { Pipe, Service } from '../ports/index.ts';
import { PipeDoor } from './pipe-server.ts';

/** Takes a message for the other side. The way is full until the promise resolves, if there is one. */
export type Send = (message: JsonObject) => unknown;

/** What a door for messages is told. */
interface MessageDoorOptions {
  readonly logger: Logger;
  readonly principal?: string | undefined;
  /** What the legacy session is told apart by; without it each request is served for itself. */
  readonly session?: object | undefined;
  /** Takes what is no answer: notices, and what a legacy caller is asked. */
  readonly send?: Send | undefined;
}

/** The door for transports of the user's own that hand over messages and take the answers; both eras, as on a pipe. */
export class MessageDoor {
  readonly principal: string | undefined;
  readonly #door: PipeDoor;
  #closed = false;

  constructor(service: Service, { logger, principal, session, send }: MessageDoorOptions) {
    this.principal = principal;
    const pipe = new SendPipe(send, logger);
    const lone = session === undefined;
    this.#door = new PipeDoor(service, pipe, { logger, principal, session, lone, deaf: send === undefined });
  }

  /**
   * Takes one message, or JSON text of one or a batch.
   *
   * @returns the answer as JSON text; undefined for what has none
   */
  async take(
    given: { readonly message: unknown } | { readonly text: string },
    signal: AbortSignal | undefined,
  ): Promise<string | undefined> {
    if (this.#closed || signal?.aborted === true) return undefined;
    return this.#door.take(given, signal);
  }

  /** Cancels what runs; nothing more is taken or sent. */
  close(): void {
    this.#closed = true;
    void this.#door.close();
  }
}

/** A pipe that nothing comes in by: what is written on it is handed on as messages. */
class SendPipe implements Pipe {
  readonly #send: Send | undefined;
  readonly #logger: Logger;
  #ended: (() => void) | undefined;
  /** Resolves when there is room again. */
  #full: Promise<void> | undefined;

  constructor(send: Send | undefined, logger: Logger) {
    this.#send = send;
    this.#logger = logger;
  }

  start(sink: { ended(): void }): void {
    this.#ended = () => sink.ended();
  }

  write(text: string): boolean {
    if (this.#send === undefined) return true;
    try {
      const sent = this.#send(JSON.parse(text) as JsonObject);
      if (!(sent instanceof Promise)) return true;
      const full = this.#room(this.#full, sent);
      this.#full = full;
      return false;
    } catch (error) {
      this.#logger.error('send failed', error);
      return true;
    }
  }

  async #room(before: Promise<void> | undefined, sent: Promise<unknown>): Promise<void> {
    try {
      await sent;
    } catch (error) {
      this.#logger.error('send failed', error);
    }
    await before;
  }

  async drained(): Promise<void> {
    for (let full = this.#full; full !== undefined; full = this.#full) {
      await full;
      if (this.#full === full) this.#full = undefined;
    }
  }

  async close(): Promise<void> {
    this.#ended?.();
  }
}
