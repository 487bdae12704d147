import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { statSync } from 'node:fs';
import { systemClock } from '../base/clock.ts';
import { ConnectionError } from '../base/errors.ts';
import { sample, silent, type Logger } from '../base/logger.ts';
import type { Open, Pipe } from '../ports/index.ts';
import { pipeLink } from '../transport/pipe-client.ts';
import { decodeUtf8, StreamPipe } from './stdio.ts';

/** What a started program inherits of this process's environment: what programs need to run, and no secrets. */
const inherited =
  process.platform === 'win32'
    ? [
        'APPDATA',
        'HOMEDRIVE',
        'HOMEPATH',
        'LOCALAPPDATA',
        'PATH',
        'PATHEXT',
        'PROCESSOR_ARCHITECTURE',
        'PROGRAMFILES',
        'SYSTEMDRIVE',
        'SYSTEMROOT',
        'TEMP',
        'TMP',
        'USERNAME',
        'USERPROFILE',
      ]
    : ['HOME', 'LANG', 'LC_ALL', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'TMPDIR', 'TZ', 'USER'];

const graceMs = 2_000;
const stderrTail = 4_096;

/** A program to start. */
interface Command {
  readonly command: readonly [string, ...string[]];
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly cwd?: string | undefined;
}

interface SpawnOptions {
  readonly logger?: Logger | undefined;
  readonly maxResponseBytes?: number | undefined;
  readonly onFrame?: ((frame: { direction: 'in' | 'out'; text: string }) => void) | undefined;
}

/** Opens links to a program that is started for each (basic/transports/stdio). */
export function spawning(command: Command, options: SpawnOptions): Open {
  return async (inbound, { signal }) => {
    const child = await start(command, signal);
    const server = new ServerProcess(child, command.command[0]);
    const { onFrame } = options;
    return pipeLink(server.pipe, inbound, {
      logger: options.logger ?? silent,
      maxLineBytes: options.maxResponseBytes,
      decode: decodeUtf8,
      onFrame: onFrame === undefined ? undefined : (direction, text) => onFrame({ direction, text }),
    });
  };
}

function environment(own: Readonly<Record<string, string>> | undefined): Record<string, string> {
  const env: Record<string, string> = {};
  for (const name of inherited) {
    const value = process.env[name];
    // A value of this form is an exported shell function: code, not data.
    if (value !== undefined && !value.startsWith('()')) env[name] = value;
  }
  return { ...env, ...own };
}

async function start(command: Command, signal: AbortSignal | undefined): Promise<ChildProcessWithoutNullStreams> {
  const [program, ...args] = command.command;
  signal?.throwIfAborted();
  const child = spawn(program, args, {
    cwd: command.cwd,
    env: environment(command.env),
    stdio: ['pipe', 'pipe', 'pipe'],
    shell: false,
    windowsHide: true,
    // A group of its own, so that what the program starts can be ended with it.
    detached: process.platform !== 'win32',
  });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (error) => reject(spawnError(program, command.cwd, error)));
  });
  return child;
}

function spawnError(program: string, cwd: string | undefined, cause: Error): ConnectionError {
  const { code } = cause as NodeJS.ErrnoException;
  let why = cause.message;
  // ENOENT is said of the folder as well as of the program.
  if (code === 'ENOENT' && cwd !== undefined && !isFolder(cwd)) why = `the folder ${cwd} does not exist`;
  else if (code === 'ENOENT') why = `there is no program "${program}" on the PATH`;
  else if (code === 'EACCES') why = `"${program}" cannot be executed`;
  return new ConnectionError(`the server could not be started: ${why}`, {
    origin: 'local',
    outcome: 'not-sent',
    cause,
  });
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** A running server program and how it is ended. */
class ServerProcess {
  readonly pipe: Pipe;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #program: string;
  readonly #exited: Promise<void>;
  #stderr = '';
  #ending = false;

  constructor(child: ChildProcessWithoutNullStreams, program: string) {
    this.#child = child;
    this.#program = program;
    this.#exited = new Promise((resolve) => {
      child.once('exit', () => resolve());
    });
    // Undrained, a talkative program would stop at a full pipe. The tail is for the error that may come.
    child.stderr.on('data', (chunk: Buffer) => {
      this.#stderr = (this.#stderr + chunk.toString('utf8')).slice(-stderrTail);
    });
    const exitWithClient = (): void => this.#signal('SIGKILL');
    process.once('exit', exitWithClient);
    void this.#exited.then(() => process.off('exit', exitWithClient));
    const streams = new StreamPipe(child.stdout, child.stdin, () => this.#end());
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

  /** Why the streams ended: the exit is what the user can act on, and it comes a little after the streams. */
  async #diagnosed(error: Error | undefined): Promise<Error | undefined> {
    if (this.#ending) return undefined;
    await Promise.race([this.#exited, wait(graceMs)]);
    const { exitCode, signalCode } = this.#child;
    if (exitCode === null && signalCode === null) {
      this.#signal('SIGTERM');
      return error ?? new ConnectionError(`"${this.#program}" closed its output`);
    }
    const how = exitCode === null ? `was ended by ${signalCode}` : `ended with exit code ${exitCode}`;
    const tail = this.#stderr.trim();
    const said = tail === '' ? '' : `; it last wrote to stderr: ${sample(tail.slice(-500), 500)}`;
    return new ConnectionError(`"${this.#program}" ${how}${said}`, { outcome: 'unknown', cause: error });
  }

  /** End of input, then SIGTERM, then SIGKILL (basic/transports/stdio "Shutdown"). */
  async #end(): Promise<void> {
    this.#ending = true;
    this.#child.stdin.end();
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      if (await this.#exitsWithin(graceMs)) break;
      this.#signal(signal);
    }
    await this.#exited;
    // What the program started may outlive it.
    this.#signal('SIGKILL');
    this.#child.stdout.destroy();
    this.#child.stderr.destroy();
  }

  async #exitsWithin(ms: number): Promise<boolean> {
    return Promise.race([this.#exited.then(() => true), wait(ms).then(() => false)]);
  }

  /** To the whole group where there is one. */
  #signal(signal: NodeJS.Signals): void {
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

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => {
    systemClock.after(ms, resolve);
  });
}
