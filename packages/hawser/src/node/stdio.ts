import type { Readable, Writable } from 'node:stream';
import { systemClock } from '../base/clock.ts';
import { ArgumentError } from '../base/errors.ts';
import { silent, type Logger } from '../base/logger.ts';
import type { Service } from '../ports/index.ts';
import { servePipe } from '../transport/pipe-server.ts';
import { consoleToStderr } from './console-to-stderr.ts';
import { onEndSignal, type EndSignal } from './signals.ts';
import { StreamPipe } from './stream-pipe.ts';
import { keepSuspensions } from './suspensions.ts';
import { warnOfUnheard } from './unheard.ts';

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
  /**
   * Who the caller is to handlers. Default: `process` with the process's own stdin, whose other end is held by whoever
   * started it; else nobody in particular.
   */
  principal?: string;
  /** Reports what is odd; not to stdout: see `stderrLogger`. Default: silent. */
  logger?: Logger;
  /**
   * What becomes of what `console` would write to stdout (`log`, `info`, `debug`, `table`…) while this serves: it goes
   * to stderr, with a word on why before the first of it, or is left alone and breaks the protocol. Default: `stderr` on
   * the process's own stdout, else `leave`.
   */
  console?: 'stderr' | 'leave';
  /** Longest message taken. Default 16 MiB. */
  maxLineBytes?: number;
  /** Most requests that may run at a time; more are refused. Default 10,000. */
  maxInFlight?: number;
  /** Bytes written that the client has not read, past which nothing more is read from it. Default 16 MiB. */
  maxUnreadBytes?: number;
  /**
   * Ends the process a second after the client has gone, if timers or sockets still keep it alive: a server that
   * outlives its client is an orphan. Default: true with the process's own stdin.
   *
   * With the process's own stdin it also ends the process in good order on SIGINT (Ctrl-C, exit code 130) and SIGTERM
   * (143), as if the client had gone. A second signal ends it at once. A program that listens for the signal itself is
   * left to it.
   */
  exit?: boolean;
}

/** A server at work on stdio. */
export interface StdioServing extends AsyncDisposable {
  /** Resolves when the client has ended the connection, or `close` was called. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

const exitGraceMs = 1_000;

/**
 * Serves the client that started this process (basic/transports/stdio). When the client closes stdin, what runs is
 * cancelled, subscriptions end and the process ends.
 *
 * Nothing else may be written to stdout. `console` is kept off it (see the option `console`); what writes to
 * `process.stdout` itself, or comes from a program that inherits it, is not.
 *
 * @throws ArgumentError for an option that is unusable
 */
export function serveStdio(
  service: Service & { close?(): Promise<void> },
  options: ServeStdioOptions = {},
): StdioServing {
  const { stdin = process.stdin, stdout = process.stdout, logger = silent } = options;
  const { maxLineBytes, maxInFlight, maxUnreadBytes = 16 * 1024 * 1024, exit = options.stdin === undefined } = options;
  const { principal = options.stdin === undefined ? 'process' : undefined } = options;
  const { console: redirect = stdout === process.stdout ? 'stderr' : 'leave' } = options;
  if (redirect !== 'stderr' && redirect !== 'leave')
    throw new ArgumentError(`serveStdio: console is 'stderr' or 'leave', not ${String(redirect)}`);
  keepSuspensions();
  warnOfUnheard();
  const restoreConsole = redirect === 'stderr' ? consoleToStderr() : (): void => undefined;
  const pipe = new StreamPipe(stdin, stdout, { maxUnreadBytes });
  const served = servePipe(service, pipe, { principal, logger, maxLineBytes, maxInFlight, decode: decodeUtf8 });
  let closing = false;
  const exitSoon = (): void => void systemClock.after(exitGraceMs, () => process.exit());
  const endService = async (): Promise<void> => {
    try {
      await service.close?.();
    } catch (error) {
      logger.error('the service could not be closed', error);
    }
  };
  const interrupted = async (signal: EndSignal): Promise<void> => {
    if (signal === 'SIGINT') process.stderr.write('\nExiting...\n');
    exitSoon();
    await endService();
    // Subscriptions have their final result; then it is as if the client had gone.
    await systemClock.turn();
    stdin.destroy();
  };
  const ignoreSignals =
    exit && stdin === process.stdin ? onEndSignal((signal) => void interrupted(signal)) : (): void => undefined;
  const closed = served.closed.then(async (error) => {
    if (error !== undefined) logger.warn('stdio broke', error);
    // An input that was read keeps a process alive, ended or not.
    stdin.pause();
    (stdin as { unref?: () => void }).unref?.();
    const exits = exit && !closing;
    if (exits) exitSoon();
    await endService();
    ignoreSignals();
    // What handlers say on their way out is for nobody on the other side.
    if (!exits) restoreConsole();
  });
  const close = async (): Promise<void> => {
    closing = true;
    await endService();
    // Subscriptions have their final result; it goes out before the end.
    await systemClock.turn();
    await served.close();
    await closed;
  };
  return { closed, close, [Symbol.asyncDispose]: close };
}
