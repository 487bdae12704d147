import { CommanderError } from 'commander';
import { call } from './commands/call.ts';
import { discover } from './commands/discover.ts';
import { tools } from './commands/tools.ts';
import { exit, explain } from './errors.ts';
import type { Failure } from './errors.ts';
import { readOptions } from './options.ts';
import type { Environment } from './options.ts';
import { Output, styleOf } from './output.ts';
import type { OutputStream } from './output.ts';
import { buildProgram } from './program.ts';
import type { Request } from './program.ts';
import { Explained } from './session.ts';
import type { Run } from './session.ts';
import { splitAtDashes, takeTarget } from './target.ts';
import type { Split } from './target.ts';
import { printableJson } from './text.ts';
import { UsageError } from './usage-error.ts';

/** What a run of the command takes from its process. */
export interface World {
  readonly argv: readonly string[];
  readonly environment: Environment;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** Aborted when the command is to stop; its reason is the exit code. */
  readonly signal: AbortSignal;
  readonly version: string;
}

/** Runs the command to its end. Everything is written when it resolves with the exit code; it never rejects. */
export async function main(world: World): Promise<number> {
  const split = splitAtDashes(world.argv);
  const color = !split.own.includes('--no-color');
  const stdout = new Output(world.stdout, styleOf(world.stdout, color, world.environment));
  const stderr = new Output(world.stderr, styleOf(world.stderr, color, world.environment));
  let exitCode: number;
  try {
    exitCode = await perform(world, split, stdout, stderr);
  } catch (error) {
    exitCode = report(error, world, split, stdout, stderr);
  }
  const unwritten = await stdout.flushed();
  if (unwritten !== undefined) {
    stderr.line(`hawser: the output could not be written: ${unwritten}`);
    exitCode = exit.fault;
  }
  await stderr.flushed();
  return exitCode;
}

async function perform(world: World, split: Split, stdout: Output, stderr: Output): Promise<number> {
  const request = parse(world, split, stdout);
  if (request === undefined) return exit.ok;
  const options = readOptions(request.options, world.environment);
  const { target, rest } = takeTarget(request.words, split.command);
  if (target.kind === 'command' && Object.keys(options.headers).length > 0) {
    throw new UsageError('--header is for HTTP, and this server is started as a command', 'use --env NAME=value');
  }
  if (target.kind === 'url' && Object.keys(options.env).length > 0) {
    throw new UsageError('--env is for a server that is started, and this one is a URL', "use --header 'Name: value'");
  }
  const run: Run = { options, target, stdout, stderr, signal: world.signal, version: world.version };
  if (request.command === 'call') {
    const [tool, ...words] = rest;
    if (tool === undefined) throw new UsageError('no tool is named', 'hawser tools lists those of a server');
    return call(run, { tool, words, whole: request.whole });
  }
  if (rest.length > 0) throw new UsageError(`"${rest.join(' ')}" is too much`, `hawser ${request.command} --help`);
  return request.command === 'discover' ? discover(run) : tools(run);
}

/** Reads the command line; undefined when help or the version was asked for and has been printed. */
function parse({ version }: World, { own }: Split, stdout: Output): Request | undefined {
  let request: Request | undefined;
  const help = {
    width: Math.min(stdout.style.width, 100),
    write: (text: string) => stdout.line(text.trimEnd()),
  };
  const program = buildProgram(version, help, (asked) => (request = asked));
  if (own.length === 0) {
    program.outputHelp();
    return undefined;
  }
  try {
    program.parse(own, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return undefined;
    throw usageOf(error, own);
  }
  return request;
}

function usageOf(error: CommanderError, own: readonly string[]): UsageError {
  const [message = '', suggestion] = error.message.replace(/^error: /, '').split('\n');
  const first = own[0] ?? '';
  if (error.code === 'commander.unknownCommand' && /^https?:/i.test(first)) {
    return new UsageError('the command comes first', 'hawser discover https://… or hawser tools https://…');
  }
  return new UsageError(message, suggestion?.replace(/^\(D(.*)\)$/, 'd$1') ?? 'hawser --help');
}

/** Prints a failure: at most three lines on stderr, and with `--json` one document on stdout. */
function report(error: unknown, world: World, split: Split, stdout: Output, stderr: Output): number {
  const { paint } = stderr.style;
  if (world.signal.aborted) {
    stderr.line('hawser: interrupted');
    return world.signal.reason as number; // set by whoever aborts, see World
  }
  const failure: Failure = error instanceof Explained ? error.failure : explain(error);
  const [first = '', ...more] = failure.lines;
  stderr.line([paint.red(first), ...more].join('\n'));
  const stack = error instanceof Explained ? error.trace : undefined;
  if (split.own.includes('--verbose') && stack !== undefined) stderr.line(paint.dim(stack));
  if (split.own.includes('--json')) {
    const { code, exitCode, message } = failure;
    stdout.line(printableJson({ error: { code, exitCode, message } }));
  }
  return failure.exitCode;
}
