import type { Duplex, Readable, Writable } from 'node:stream';
import { systemClock, type Clock } from '../base/clock.ts';
import { ArgumentError } from '../base/errors.ts';
import type { Pipe } from '../ports/index.ts';
import { whenDrained } from './when-drained.ts';

/** More than this is not gathered before it is written. */
const batchCharacters = 65_536;
const closeGraceMs = 2_000;

/** Settings of a {@link StreamPipe}. */
export interface StreamPipeOptions {
  /** Ends the streams in their own way; by default the output is ended, and destroyed if nobody reads it. */
  close?: (() => Promise<void>) | undefined;
  /** Bytes written and not yet taken by the other side from which on nothing more is read. Default: no limit. */
  maxUnreadBytes?: number | undefined;
  clock?: Clock | undefined;
}

/** Two byte streams of Node as a pipe. What is written in one turn goes out in one piece. */
export class StreamPipe implements Pipe {
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #options: StreamPipeOptions;
  #batch = '';
  #scheduled = false;
  #holding = false;
  #room: Promise<void> | undefined;

  constructor(input: Readable, output: Writable, options: StreamPipeOptions = {}) {
    this.#input = input;
    this.#output = output;
    this.#options = options;
  }

  start(sink: { chunk(bytes: Uint8Array): void; ended(error?: Error): void }): void {
    let over = false;
    const ended = (error?: Error): void => {
      if (over) return;
      over = true;
      sink.ended(error);
    };
    this.#input.on('data', (chunk: Buffer) => sink.chunk(chunk));
    this.#input.once('end', () => ended());
    this.#input.once('close', () => ended());
    this.#input.on('error', ended);
    // A reader that went away shows as EPIPE.
    this.#output.on('error', ended);
  }

  write(text: string): boolean {
    this.#batch += text;
    if (this.#batch.length >= batchCharacters) this.flush();
    else if (!this.#scheduled) {
      this.#scheduled = true;
      process.nextTick(flushLater, this);
    }
    return !this.#output.writableNeedDrain;
  }

  /** @internal */
  flush(): void {
    this.#scheduled = false;
    const batch = this.#batch;
    this.#batch = '';
    if (batch === '' || !this.#output.writable) return;
    if (!this.#output.write(batch)) this.#holdInput();
  }

  /** Whoever asks and does not read the answers is not listened to until they are read. */
  #holdInput(): void {
    const { maxUnreadBytes = Infinity } = this.#options;
    if (this.#holding || this.#output.writableLength <= maxUnreadBytes) return;
    this.#holding = true;
    this.#input.pause();
    void this.drained().then(() => {
      this.#holding = false;
      this.#input.resume();
    });
  }

  drained(): Promise<void> {
    const output = this.#output;
    if (!output.writable || !output.writableNeedDrain) return Promise.resolve();
    return (this.#room ??= whenDrained(output, () => (this.#room = undefined)));
  }

  async close(): Promise<void> {
    this.flush();
    const { close, clock = systemClock } = this.#options;
    if (close !== undefined) return close();
    const output = this.#output;
    // The two may be one stream, so the input goes when the output is out.
    if (output.writable) {
      await new Promise<void>((resolve) => {
        const timer = clock.after(closeGraceMs, resolve);
        output.end(() => {
          timer.cancel();
          resolve();
        });
      });
    }
    output.destroy();
    this.#input.destroy();
  }
}

/**
 * A pipe over streams of Node, such as a socket: for `servePipe` at one end and `connect({ pipe })` at the other.
 *
 * ```ts
 * net.createServer((socket) => void servePipe(server, streamPipe(socket))).listen(path)
 * const client = await connect({ pipe: () => streamPipe(net.connect(path)) })
 * ```
 *
 * @param output where the input is not a stream in both directions
 */
export function streamPipe(input: Duplex): Pipe;
export function streamPipe(input: Readable, output: Writable): Pipe;
export function streamPipe(input: Readable, output: Writable = input as Duplex): Pipe {
  if (typeof input?.pipe !== 'function' || typeof output?.write !== 'function')
    throw new ArgumentError('streamPipe: a stream to read and one to write, or one that is both');
  return new StreamPipe(input, output, { maxUnreadBytes: 16 * 1024 * 1024 });
}

function flushLater(pipe: StreamPipe): void {
  pipe.flush();
}
