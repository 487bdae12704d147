import { inspect } from 'node:util';
import { connect } from 'hawser';
import type { Client, ConnectOptions, Frame } from 'hawser';
import { explain } from './errors.ts';
import type { Failure, Situation } from './errors.ts';
import { notesTo } from './notes.ts';
import { timeLimits } from './options.ts';
import type { Options } from './options.ts';
import type { Output } from './output.ts';
import { redactor, secretsOf } from './secrets.ts';
import { retype, showTarget } from './target.ts';
import type { ServerTarget } from './target.ts';
import { History, frameLines } from './trace.ts';
import { visible } from './text.ts';
import { UsageError } from './usage-error.ts';

/** All that one run of a command works with. */
export interface Run {
  readonly options: Options;
  readonly target: ServerTarget;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  /** The version of this command. */
  readonly version: string;
}

/** A connection that lives as long as one command, and what was learned on the way. */
export interface Session {
  readonly client: Client;
  readonly history: History;
}

/** An error with the explanation that fits the moment it happened in. */
export class Explained extends Error {
  readonly failure: Failure;
  /** The stack for `--verbose`; none for wrong usage, which no stack explains. */
  readonly trace: string | undefined;

  constructor(error: unknown, situation: Situation, redact: (text: string) => string) {
    const failure = explain(error, situation);
    super(failure.message, { cause: error });
    this.failure = { ...failure, message: redact(failure.message), lines: failure.lines.map(redact) };
    this.trace = error instanceof UsageError ? undefined : redact(visible(inspect(error)));
  }
}

/**
 * Connects, runs `work` and closes again, on every path: a server that was started is ended.
 *
 * @throws Explained for whatever goes wrong
 */
export async function withSession<T>(run: Run, work: (session: Session) => Promise<T>): Promise<T> {
  const history = new History();
  const redact = redactor(secretsOf(run.options, run.target));
  let client: Client | undefined;
  try {
    client = await connect(libraryTarget(run), connectOptions(run, history, redact));
    return await work({ client, history });
  } catch (error) {
    throw new Explained(error, situation(run, history, client), redact);
  } finally {
    run.stderr.clearLive();
    await client?.close();
  }
}

function libraryTarget({ target, options }: Run) {
  return target.kind === 'url' ? { url: target.url } : { command: target.command, env: { ...options.env } };
}

function connectOptions(run: Run, history: History, redact: (text: string) => string): ConnectOptions {
  const { options, stderr } = run;
  const { paint } = stderr.style;
  const startedAt = performance.now();
  return {
    protocol: options.protocol,
    headers: { ...options.headers },
    clientInfo: { name: 'hawser', version: run.version },
    signal: run.signal,
    ...timeLimits(options.timeoutMs),
    logger: notesTo(stderr, options.verbose, redact),
    onFrame: (frame: Frame) => {
      history.see(frame);
      if (!options.verbose) return;
      const [head = '', ...headers] = frameLines(frame, performance.now() - startedAt).map(redact);
      stderr.line([head, ...headers.map(paint.dim)].join('\n'));
    },
  };
}

function situation(run: Run, history: History, client: Client | undefined): Situation {
  return {
    server: showTarget(run.target),
    listTools: retype('tools', run.target),
    agreed: client === undefined ? undefined : { revision: client.protocolVersion, era: client.protocolEra },
    asked: run.options.protocol,
    steps: history.steps,
    credentials: Object.keys(run.options.headers).some((name) => name.toLowerCase() === 'authorization'),
    started: run.target.kind === 'command',
  };
}
