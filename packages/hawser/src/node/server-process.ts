import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import type { Clock } from '../base/clock.ts';
import { ConnectionError } from '../base/errors.ts';
import { sample, type Logger } from '../base/logger.ts';
import { within } from '../base/within.ts';
import { LineSplitter } from '../core/ndjson.ts';
import type { Pipe } from '../ports/index.ts';
import { decodeUtf8 } from './stdio.ts';
import { StreamPipe } from './stream-pipe.ts';

const graceMs = 2_000;
const stderrTailBytes = 4_096;
const stderrLineBytes = 65_536;

/** Processes that are to end with this one. */
const running = new Set<ServerProcess>();

function endAll(): void {
  for (const server of running) server.signal('SIGKILL');
}

/** A running server program: its pipe, its last words, and how it is ended. */
export class ServerProcess {
  readonly pipe: Pipe;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #program: string;
  readonly #clock: Clock;
  /** The program has ended. */
  readonly #exited: Promise<void>;
  /** The program has ended, and all that it started and that could still write: its output has been read. */
  readonly #gone: Promise<void>;
  #stderr: Buffer = Buffer.alloc(0);
  #ending: Promise<void> | undefined;

  constructor(
    child: ChildProcessWithoutNullStreams,
    program: string,
    { logger, clock }: { logger: Logger; clock: Clock },
  ) {
    this.#child = child;
    this.#program = program;
    this.#clock = clock;
    this.#exited = new Promise((resolve) => {
      child.once('exit', () => resolve());
    });
    this.#gone = new Promise((resolve) => {
      child.once('close', () => resolve());
    });
    this.#readStderr(logger);
    if (running.size === 0) process.on('exit', endAll);
    running.add(this);
    void this.#exited.then(() => {
      running.delete(this);
      if (running.size === 0) process.off('exit', endAll);
    });
    const streams = new StreamPipe(child.stdout, child.stdin, { close: () => this.#end() });
    this.pipe = {
      start: (sink) =>
        streams.start({
          chunk: (bytes) => sink.chunk(bytes),
          ended: (error) => void this.#diagnosed(error).then((known) => sink.ended(known)),
        }),
      write: (text) => streams.write(text),
      drained: () => streams.drained(),
      close: () => streams.close(),
    };
  }

  /** Undrained, a talkative program would stop at a full pipe. The tail is for the error that may come. */
  #readStderr(logger: Logger): void {
    const show = (text: string): void => logger.debug(`"${this.#program}" on stderr: ${sample(text, 1_000)}`);
    const lines = new LineSplitter({ line: show, oversize: show }, stderrLineBytes, decodeUtf8);
    this.#child.stderr.on('data', (chunk: Buffer) => {
      lines.feed(chunk);
      this.#stderr = Buffer.concat([this.#stderr, chunk.subarray(-stderrTailBytes)]).subarray(-stderrTailBytes);
    });
    this.#child.stderr.on('error', () => undefined);
  }

  /** Why the streams ended: the exit is what the user can act on, and it comes a little after the streams. */
  async #diagnosed(error: Error | undefined): Promise<Error | undefined> {
    if (this.#ending !== undefined) return undefined;
    await this.#goneInTime();
    const { exitCode, signalCode } = this.#child;
    if (exitCode === null && signalCode === null) {
      void this.#end();
      return error ?? new ConnectionError(`"${this.#program}" closed its output`);
    }
    // What the program started may outlive it.
    this.signal('SIGKILL');
    const how = exitCode === null ? `was ended by ${signalCode}` : `ended with exit code ${exitCode}`;
    const tail = this.#stderr
      .toString('utf8')
      .trim()
      .slice(-500)
      .split(/\s*\n\s*/)
      .join(' | ');
    const said = tail === '' ? '' : `; it last wrote to stderr: ${sample(tail, 600)}`;
    return new ConnectionError(`"${this.#program}" ${how}${said}`, { outcome: 'unknown', cause: error });
  }

  #end(): Promise<void> {
    return (this.#ending ??= this.#endPolitely());
  }

  /** End of input, then SIGTERM, then SIGKILL (basic/transports/stdio "Shutdown"). */
  async #endPolitely(): Promise<void> {
    this.#child.stdin.end();
    // A wrapper may end at once while the server it started takes its time.
    if (!(await this.#goneInTime())) {
      this.signal('SIGTERM');
      await this.#goneInTime();
    }
    this.signal('SIGKILL');
    await this.#exited;
    this.#child.stdout.destroy();
    this.#child.stderr.destroy();
  }

  /** Whether all of it is gone within the time there is. */
  #goneInTime(): Promise<boolean> {
    const gone = this.#gone.then(() => true);
    return within(graceMs, gone, false, this.#clock);
  }

  /** To the whole group where there is one. */
  signal(signal: NodeJS.Signals): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    try {
      if (process.platform === 'win32') this.#child.kill(signal);
      else process.kill(-pid, signal);
    } catch {
      // Nobody is left to be ended.
    }
  }
}
