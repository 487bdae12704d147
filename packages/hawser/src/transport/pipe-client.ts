import { silent, type Logger } from '../base/logger.ts';
import type { Caller, Link, Note, Pipe, Service, Why } from '../ports/index.ts';
import { newest, readMessage, type Message } from '../wire/index.ts';
import { PipeExchange } from './pipe-exchange.ts';
import { Peer, type PeerHandler, type PeerOptions, type Serving } from './peer.ts';
import { brokenHandler } from './reply.ts';

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

/** Only legacy servers ask and tell of their own accord. */
const server: Caller = { revision: newest.legacy, capabilities: {} };

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
  #resolveClosed!: (why: Why) => void;
  #closing: Promise<void> | undefined;

  constructor(pipe: Pipe, inbound: Service, options: PipeOptions) {
    this.#inbound = inbound;
    this.closed = new Promise((resolve) => {
      this.#resolveClosed = resolve;
    });
    this.#peer = new Peer(pipe, this, peerOptions(options));
    this.#peer.start();
  }

  /** How many exchanges are open; 0 when nothing is left behind. */
  get open(): number {
    return this.#peer.open;
  }

  request: Link['request'] = (call, options) => this.#peer.request(call, options);

  async notify(note: Note): Promise<void> {
    if (!this.#peer.note(note)) await this.#peer.drained();
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#peer.close());
  }

  serve({ method, params }: Message & { kind: 'request' }, serving: Serving): void {
    const exchange = new PipeExchange(this.#peer, serving, server);
    this.#inbound.handle({ method, params }, exchange).then(
      (reply) => serving.reply(reply),
      () => serving.reply(brokenHandler),
    );
  }

  batch(messages: readonly unknown[]): void {
    for (const message of messages) this.#peer.receive(readMessage(message));
  }

  notice(note: Note): void {
    this.#inbound.notice(note, server);
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
