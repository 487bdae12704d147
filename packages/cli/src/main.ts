import type { Readable } from 'node:stream';
import { CommanderError } from 'commander';
import type { Questions } from './ask/questions.ts';
import { call } from './commands/call.ts';
import { complete } from './commands/complete.ts';
import { discover } from './commands/discover.ts';
import { ping } from './commands/ping.ts';
import { prompt } from './commands/prompt.ts';
import { prompts } from './commands/prompts.ts';
import { read } from './commands/read.ts';
import { resources } from './commands/resources.ts';
import { servers } from './commands/servers.ts';
import { tools } from './commands/tools.ts';
import type { Surroundings } from './config.ts';
import { configured } from './configured.ts';
import type { Configured } from './configured.ts';
import { exit, explain } from './errors.ts';
import type { Failure } from './errors.ts';
import { readOptions } from './options.ts';
import type { Environment, Options } from './options.ts';
import { Output, styleOf } from './output.ts';
import type { OutputStream } from './output.ts';
import { buildProgram } from './program.ts';
import type { CommandName, OwnOptions, Request } from './program.ts';
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
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** Aborted when the command is to stop; its reason is the exit code. */
  readonly signal: AbortSignal;
  /** Ctrl-C, while the terminal hands keys over instead of sending signals. */
  readonly interrupt: () => void;
  readonly version: string;
  readonly surroundings: Surroundings;
  /** Opens a web page; resolves with why that failed. */
  readonly openUrl: (href: string) => Promise<string | undefined>;
  /** Asks in place of the terminal. */
  readonly questions?: Questions;
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
  const { command, own, rule } = request;
  const options = readOptions(request.options, world.environment);
  const { config: file, server } = request.options;
  if (command === 'servers') {
    return servers({ json: options.json, file, surroundings: world.surroundings, stdout, stderr });
  }
  if (file !== undefined && server === undefined) {
    throw new UsageError('--config is given, but no server of it', 'add --server NAME; hawser servers lists them');
  }
  const { target, rest } = takeTarget(request.words, split.command, server, rule);
  if (rest.length > rule.most) {
    throw new UsageError(`"${rest.slice(rule.most).join(' ')}" is too much`, `hawser ${command} --help`);
  }
  const questions = questionsOf(world);
  const found =
    target.kind === 'named'
      ? await configured(target.name, file, world.surroundings, questions && (() => questions(world.signal)))
      : { target, headers: {}, env: {}, secrets: [] };
  return runCommand(command, own, rest, {
    using: usedList[command],
    options: withConfigured(options, found),
    target: found.target,
    stdin: world.stdin,
    stdout,
    stderr,
    signal: world.signal,
    version: world.version,
    secrets: found.secrets,
    questions,
    openUrl: world.openUrl,
  });
}

/** Headers and variables of the command line are added to those of the configuration, and win over them. */
function withConfigured(options: Options, { target, headers, env }: Configured): Options {
  if (target.kind === 'command' && Object.keys(options.headers).length > 0) {
    throw new UsageError('--header is for HTTP, and this server is started as a command', 'use --env NAME=value');
  }
  if (target.kind === 'url' && Object.keys(options.env).length > 0) {
    throw new UsageError('--env is for a server that is started, and this one is a URL', "use --header 'Name: value'");
  }
  const given = new Set(Object.keys(options.headers).map((name) => name.toLowerCase()));
  const kept = Object.entries(headers).filter(([name]) => !given.has(name.toLowerCase()));
  return { ...options, headers: { ...Object.fromEntries(kept), ...options.headers }, env: { ...env, ...options.env } };
}

/** Questions need a keyboard and a screen; results may go elsewhere meanwhile. */
function questionsOf({ stdin, stderr, signal, interrupt, questions }: World): Run['questions'] {
  if (questions !== undefined) return () => Promise.resolve(questions);
  if (stdin.isTTY !== true || stderr.isTTY !== true) return undefined;
  return async (until) => {
    const { terminalQuestions } = await import('./ask/terminal.ts');
    const both = AbortSignal.any([signal, until]);
    return terminalQuestions({ input: stdin, output: stderr, signal: both, interrupt });
  };
}

/** Which list helps when a command was given what the server does not have. */
const usedList: Partial<Record<CommandName, string>> = {
  call: 'tools',
  read: 'resources',
  prompt: 'prompts',
};

function runCommand(
  command: Exclude<CommandName, 'servers'>,
  own: OwnOptions,
  words: readonly string[],
  run: Run,
): Promise<number> {
  const [first, ...more] = words;
  switch (command) {
    case 'call':
      return call(run, { tool: named(first, 'tool'), words: more, whole: own.args });
    case 'read':
      return read(run, { uri: named(first, 'resource'), output: own.output });
    case 'prompt':
      return prompt(run, named(first, 'prompt'), more);
    case 'complete':
      return complete(run, { of: first, argument: more[0], value: more[1], context: own.context ?? [] });
    case 'discover':
      return discover(run);
    case 'tools':
      return tools(run);
    case 'resources':
      return resources(run);
    case 'prompts':
      return prompts(run);
    case 'ping':
      return ping(run);
  }
}

function named(word: string | undefined, kind: 'tool' | 'resource' | 'prompt'): string {
  if (word !== undefined) return word;
  throw new UsageError(`no ${kind} is named`, `hawser ${kind}s lists those of a server`);
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
