import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { resolve as resolvePath } from 'node:path';
import { systemClock, type Clock } from '../base/clock.ts';
import { ConnectionError } from '../base/errors.ts';
import { silent, type Logger } from '../base/logger.ts';
import type { Open } from '../ports/index.ts';
import { pipeLink } from '../transport/pipe-client.ts';
import { childEnvironment } from './environment.ts';
import { ServerProcess } from './server-process.ts';
import { decodeUtf8 } from './stdio.ts';

/** A program to start. */
interface Command {
  readonly command: readonly [string, ...string[]];
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly cwd?: string | undefined;
}

interface SpawnOptions {
  readonly logger?: Logger | undefined;
  readonly clock?: Clock | undefined;
  readonly maxResponseBytes?: number | undefined;
  readonly onFrame?: ((frame: { direction: 'in' | 'out'; text: string }) => void) | undefined;
}

/** Opens links to a program that is started for each (basic/transports/stdio). */
export function spawning(command: Command, options: SpawnOptions): Open {
  const { logger = silent, clock = systemClock, onFrame } = options;
  return async (inbound, { signal }) => {
    const child = await start(command, signal);
    const server = new ServerProcess(child, command.command[0], { logger, clock });
    return pipeLink(server.pipe, inbound, {
      logger,
      maxLineBytes: options.maxResponseBytes,
      decode: decodeUtf8,
      onFrame: onFrame === undefined ? undefined : (direction, text) => onFrame({ direction, text }),
    });
  };
}

async function start(command: Command, signal: AbortSignal | undefined): Promise<ChildProcessWithoutNullStreams> {
  const [program, ...args] = command.command;
  signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
    const failed = (error: unknown): void => reject(spawnError(program, command.cwd, error));
    try {
      const child = spawn(program, args, {
        cwd: command.cwd,
        env: childEnvironment(process.env, command.env),
        stdio: ['pipe', 'pipe', 'pipe'],
        shell: false,
        windowsHide: true,
        // A group of its own, so that what the program starts can be ended with it.
        detached: process.platform !== 'win32',
      });
      child.once('spawn', () => resolve(child));
      // Later errors are of signals that could not be sent; they tell nothing that the exit does not.
      child.on('error', failed);
    } catch (error) {
      failed(error);
    }
  });
}

function spawnError(program: string, cwd: string | undefined, cause: unknown): ConnectionError {
  const place = cwd === undefined ? '' : ` in ${cwd}`;
  return new ConnectionError(`"${program}" could not be started${place}: ${reasonOf(program, cwd, cause)}`, {
    origin: 'local',
    outcome: 'not-sent',
    cause,
  });
}

function reasonOf(program: string, cwd: string | undefined, cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  // The system says the same of the folder as of the program.
  if (cwd !== undefined && (code === 'ENOENT' || code === 'ENOTDIR') && !isFolder(cwd))
    return existsSync(cwd) ? 'that is no folder' : 'the folder does not exist';
  if (code === 'EACCES') return 'it is not executable';
  if (code !== 'ENOENT') return cause instanceof Error ? cause.message : String(cause);
  if (!/[/\\]/.test(program)) return 'there is no such program on the PATH';
  return existsSync(resolvePath(cwd ?? '.', program))
    ? 'what it says to be run with is missing'
    : 'there is no such file';
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
