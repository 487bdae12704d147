import type { Readable, Writable } from 'node:stream';
import { silent, type Logger } from '../base/logger.ts';
import type { Pipe, Service } from '../ports/index.ts';
import { servePipe } from '../transport/pipe-server.ts';

/** Two byte streams of Node as a pipe. What is written in one turn goes out in one piece. */
export class StreamPipe implements Pipe {
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #close: (() => Promise<void>) | undefined;
  #batch = '';
  #scheduled = false;

  /** @param close ends the streams in their own way; by default the output is ended */
  constructor(input: Readable, output: Writable, close?: () => Promise<void>) {
    this.#input = input;
    this.#output = output;
    this.#close = close;
  }

  start(sink: { chunk(bytes: Uint8Array): void; ended(error?: Error): void }): void {
    let over = false;
    const ended = (error?: Error): void => {
      if (over) return;
      over = true;
      sink.ended(error);
    };
    this.#input.on('data', (chunk: Buffer) => {
      if (!over) sink.chunk(chunk);
    });
    this.#input.once('end', () => ended());
    this.#input.once('close', () => ended());
    this.#input.on('error', ended);
    // A reader that went away shows as EPIPE here; the end of the input tells the same story.
    this.#output.on('error', ended);
  }

  write(text: string): boolean {
    this.#batch += text;
    if (!this.#scheduled) {
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
    if (batch !== '' && this.#output.writable) this.#output.write(batch);
  }

  drained(): Promise<void> {
    const output = this.#output;
    if (!output.writable || !output.writableNeedDrain) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (): void => {
        output.off('drain', done);
        output.off('close', done);
        resolve();
      };
      output.on('drain', done);
      output.on('close', done);
    });
  }

  async close(): Promise<void> {
    this.flush();
    if (this.#close !== undefined) return this.#close();
    this.#input.destroy();
    await new Promise<void>((resolve) => {
      this.#output.end(() => resolve());
    });
  }
}

function flushLater(pipe: StreamPipe): void {
  pipe.flush();
}

/** UTF-8 to text by Node's own decoder, which beats `TextDecoder` on short lines. */
export function decodeUtf8(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}

/** Settings of a stdio server. */
export interface ServeStdioOptions {
  /** Default: the process's own. */
  stdin?: Readable;
  /** Default: the process's own. */
  stdout?: Writable;
  logger?: Logger;
  /** Longest message taken. Default 16 MiB. */
  maxLineBytes?: number;
}

/** A server at work on stdio. */
export interface StdioServing {
  /** Resolves when the client has ended the connection, or `close` was called. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

/**
 * Serves the client that started this process (basic/transports/stdio). When the client closes stdin, what runs is
 * cancelled, subscriptions end and the process is free to end. Nothing else may be written to stdout.
 */
export function serveStdio(
  service: Service & { close?(): Promise<void> },
  options: ServeStdioOptions = {},
): StdioServing {
  const { stdin = process.stdin, stdout = process.stdout, logger = silent, maxLineBytes } = options;
  const served = servePipe(service, new StreamPipe(stdin, stdout), { logger, maxLineBytes, decode: decodeUtf8 });
  const closed = served.closed.then(async (error) => {
    if (error !== undefined) logger.warn('stdio broke', error);
    // An input that was read keeps a process alive, ended or not.
    stdin.pause();
    (stdin as { unref?: () => void }).unref?.();
    await service.close?.();
  });
  return {
    closed,
    async close() {
      await service.close?.();
      await served.close();
      await closed;
    },
  };
}
