import { inspect } from 'node:util';
import { connect } from 'hawser';
import type { CallOptions, Client, ConnectOptions, Frame } from 'hawser';
import { Elicitor } from './ask/elicitor.ts';
import type { Questions } from './ask/questions.ts';
import { explain } from './errors.ts';
import type { Failure, Situation } from './errors.ts';
import { logsTo } from './logs.ts';
import { notesTo } from './notes.ts';
import { timeLimits } from './options.ts';
import type { Options } from './options.ts';
import type { Output } from './output.ts';
import { progressLine } from './render.ts';
import { Mask, secretsOf } from './secrets.ts';
import { retype, showTarget } from './target.ts';
import type { ServerTarget } from './target.ts';
import { History, frameLines } from './trace.ts';
import { visible } from './text.ts';
import { UsageError } from './usage-error.ts';

/** All that one run of a command works with. */
export interface Run {
  readonly options: Options;
  readonly target: ServerTarget;
  readonly stdin: NodeJS.ReadableStream;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  /** The list that the command takes its names from: `tools`, `resources` or `prompts`. */
  readonly using?: string | undefined;
  /** The version of this command. */
  readonly version: string;
  /** What must not be shown besides headers, variables and the query of the URL. */
  readonly secrets: readonly string[];
  /** Asks the person at the terminal until the signal; undefined when there is none. */
  readonly questions: ((signal: AbortSignal) => Promise<Questions>) | undefined;
  /** Opens a web page; resolves with why that failed. */
  readonly openUrl: (href: string) => Promise<string | undefined>;
}

/** A connection that lives as long as one command, and what was learned on the way. */
export interface Session {
  readonly client: Client;
  readonly history: History;
  /** For every request: how it ends early, and where its progress is shown. */
  readonly request: CallOptions;
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
 * Connects, runs `work` and closes again, on every path: a server that was started is ended. Questions of the server
 * are answered meanwhile; one that cannot be ends the session.
 *
 * @throws Explained for whatever goes wrong
 */
export async function withSession<T>(run: Run, work: (session: Session) => Promise<T>): Promise<T> {
  const history = new History();
  const mask = new Mask([...secretsOf(run.options, run.target), ...run.secrets]);
  const failing = new AbortController();
  const signal = AbortSignal.any([run.signal, failing.signal]);
  let client: Client | undefined;
  const elicitor = new Elicitor({
    questions: run.questions,
    answers: run.options.answers,
    stderr: run.stderr,
    openUrl: run.options.open ? run.openUrl : undefined,
    resends: () => client?.isModern === true,
    hide: (secret) => mask.add(secret),
    fail: (error) => failing.abort(error),
  });
  try {
    client = await connect(libraryTarget(run), {
      ...connectOptions(run, history, mask, failing.signal),
      ...asking(elicitor),
      signal,
    });
    return await work({ client, history, request: { signal, onProgress: progressTo(run) } });
  } catch (error) {
    // The library only tells that the call was given up; why is what counts.
    const cause: unknown = failing.signal.aborted ? failing.signal.reason : error;
    throw new Explained(cause, situation(run, history, client), mask.hide);
  } finally {
    run.stderr.clearLive();
    await client?.close();
  }
}

/** Always asked for, shown or not: progress also extends the time limit. */
function progressTo({ stderr, options }: Run): NonNullable<CallOptions['onProgress']> {
  const show = stderr.isTerminal && !options.verbose;
  return (progress) => {
    if (show) stderr.live(progressLine(progress, stderr.style.width));
  };
}

function asking(elicitor: Elicitor): Pick<ConnectOptions, 'onElicit'> {
  return {
    onElicit: {
      form: ({ message, schema, server }, { signal }) => elicitor.form({ message, schema }, { server, signal }),
      url: ({ message, url, server }, { signal }) => elicitor.url({ message, url }, { server, signal }),
    },
  };
}

function libraryTarget({ target, options }: Run) {
  if (target.kind === 'url') return { url: target.url };
  const { command, cwd } = target;
  return { command, env: { ...options.env }, ...(cwd === undefined ? {} : { cwd }) };
}

function connectOptions(run: Run, history: History, mask: Mask, failed: AbortSignal): ConnectOptions {
  const { options, stderr } = run;
  const { paint } = stderr.style;
  const { logLevel } = options;
  const startedAt = performance.now();
  return {
    protocol: options.protocol,
    headers: { ...options.headers },
    clientInfo: { name: 'hawser', version: run.version },
    ...timeLimits(options.timeoutMs),
    ...(logLevel === undefined ? {} : { logLevel, onLog: logsTo(stderr, logLevel, mask.hide) }),
    // That a call is given up needs no warnings besides the error.
    logger: notesTo(stderr, options.verbose, mask.hide, () => failed.aborted),
    onFrame: (frame: Frame) => {
      history.see(frame);
      if (!options.verbose) return;
      const [head = '', ...headers] = frameLines(frame, performance.now() - startedAt).map(mask.hide);
      stderr.line([head, ...headers.map(paint.dim)].join('\n'));
    },
  };
}

function situation(run: Run, history: History, client: Client | undefined): Situation {
  return {
    server: showTarget(run.target),
    list: (what) => retype(what, run.target),
    using: run.using,
    agreed: client === undefined ? undefined : { revision: client.protocolVersion, era: client.protocolEra },
    asked: run.options.protocol,
    steps: history.steps,
    credentials: Object.keys(run.options.headers).some((name) => name.toLowerCase() === 'authorization'),
    started: run.target.kind === 'command',
  };
}
