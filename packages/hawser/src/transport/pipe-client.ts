import { silent, type Logger } from '../base/logger.ts';
import type { Link, Note, Pipe, Service, Why } from '../ports/index.ts';
import type { Message } from '../wire/index.ts';
import { answer } from './answer.ts';
import { legacyServer } from './legacy-server.ts';
import { Peer, type PeerHandler, type PeerOptions } from './peer.ts';
import { PipeExchange } from './pipe-exchange.ts';
import type { Serving } from './serving.ts';

/** Options of both ends of a pipe. */
export interface PipeOptions {
  logger?: Logger | undefined;
  /** Longest line taken, in bytes. Default 16 MiB. */
  maxLineBytes?: number | undefined;
  /** Most requests of the other side that may run at a time. Default 10,000. */
  maxInFlight?: number | undefined;
  /** UTF-8 to text, if the platform has something quicker than `TextDecoder`. */
  decode?: ((bytes: Uint8Array) => string) | undefined;
  /** Sees every line, for debugging. */
  onFrame?: ((direction: 'in' | 'out', text: string) => void) | undefined;
}

/** The options with their defaults. */
export function peerOptions(options: PipeOptions): PeerOptions {
  return {
    logger: options.logger ?? silent,
    maxLineBytes: options.maxLineBytes ?? 16 * 1024 * 1024,
    maxInFlight: options.maxInFlight ?? 10_000,
    decode: options.decode,
    onFrame: options.onFrame,
  };
}

/**
 * The client's end of a pipe: stdio of a process, a socket, memory.
 *
 * @param inbound serves what a legacy server asks, and takes notices that belong to no request
 */
export function pipeLink(pipe: Pipe, inbound: Service, options: PipeOptions = {}): Link {
  return new PipeLink(pipe, inbound, options);
}

class PipeLink implements Link, PeerHandler {
  readonly refuses = false;
  readonly closed: Promise<Why>;
  readonly #peer: Peer;
  readonly #inbound: Service;
  readonly #logger: Logger;
  #resolveClosed!: (why: Why) => void;
  #legacy = false;
  #closing: Promise<void> | undefined;

  constructor(pipe: Pipe, inbound: Service, options: PipeOptions) {
    this.#inbound = inbound;
    const settled = peerOptions(options);
    this.#logger = settled.logger;
    this.closed = new Promise((resolve) => {
      this.#resolveClosed = resolve;
    });
    this.#peer = new Peer(pipe, this, settled);
    this.#peer.start();
  }

  /** How many exchanges are open; 0 when nothing is left behind. */
  get open(): number {
    return this.#peer.open;
  }

  request: Link['request'] = (call, options) => {
    if (call.method === 'initialize') this.#legacy = true;
    return this.#peer.request(call, options);
  };

  async notify(note: Note): Promise<void> {
    if (!this.#peer.note(note)) await this.#peer.drained();
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#peer.close());
  }

  /** A modern client sends no responses, whatever it is asked (basic/transports/stdio "Sending Messages"). */
  get serves(): boolean {
    return this.#legacy;
  }

  serve({ method, params }: Message & { kind: 'request' }, serving: Serving): void {
    const exchange = new PipeExchange(this.#peer, serving, legacyServer);
    answer(this.#inbound, { method, params }, exchange, this.#logger, (reply) => {
      // A server that asks and does not read the answers has as many requests open as it may have, and no more.
      void this.#peer.drained().then(() => serving.reply(reply));
    });
  }

  batch(messages: readonly unknown[]): void {
    for (const message of messages) this.#peer.receive(message);
  }

  notice(note: Note): void {
    // A modern server sends log messages only while a request is open that asked for them (server/utilities/logging).
    if (note.method === 'notifications/message' && !this.#legacy && !this.#peer.logs) return;
    this.#inbound.notice(note, legacyServer);
  }

  nullErrorId(): boolean {
    return false;
  }

  ended(error: Error | undefined): void {
    if (this.#closing !== undefined) this.#resolveClosed({ by: 'us' });
    else if (error === undefined) this.#resolveClosed({ by: 'peer', reason: 'the server ended the connection' });
    else this.#resolveClosed({ by: 'fault', error });
  }
}
