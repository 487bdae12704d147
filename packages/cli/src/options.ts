import { logLevels, revisions } from 'hawser';
import type { ConnectOptions, LogLevel, Protocol } from 'hawser';
import { UsageError } from './usage-error.ts';

const protocols: readonly Protocol[] = ['auto', 'modern', 'legacy', ...revisions];

/** Options as the command line gives them. */
export interface RawOptions {
  json?: boolean;
  verbose?: boolean;
  color?: boolean;
  protocol?: string;
  header?: readonly string[];
  headerEnv?: readonly string[];
  env?: readonly string[];
  timeout?: string;
  server?: string;
  config?: string;
  logLevel?: string;
  answer?: readonly string[];
  /** False for `--no-open`. */
  open?: boolean;
}

/** Options as the commands use them. */
export interface Options {
  readonly json: boolean;
  readonly verbose: boolean;
  readonly protocol: Protocol;
  /** Sent with every HTTP request. */
  readonly headers: Readonly<Record<string, string>>;
  /** Added to the environment of a server that is started. */
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number | undefined;
  /** From which level on the server's log messages are shown; undefined: not at all. */
  readonly logLevel: LogLevel | undefined;
  /** `field=value` for forms of the server. */
  readonly answers: readonly string[];
  /** Whether web pages are opened, after consent. */
  readonly open: boolean;
}

/** The environment that `--header-env` and `--env NAME` read. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Checks the options and fills in what they refer to.
 *
 * @throws UsageError that names the option; never with a header's or variable's value
 */
export function readOptions(raw: RawOptions, environment: Environment): Options {
  return {
    json: raw.json === true,
    verbose: raw.verbose === true,
    protocol: oneOf('--protocol', protocols, raw.protocol ?? 'auto'),
    headers: readHeaders(raw.header ?? [], raw.headerEnv ?? [], environment),
    env: readEnv(raw.env ?? [], environment),
    timeoutMs: raw.timeout === undefined ? undefined : readDuration(raw.timeout),
    logLevel: raw.logLevel === undefined ? undefined : oneOf('--log-level', logLevels, raw.logLevel.toLowerCase()),
    answers: (raw.answer ?? []).map(checkAnswer),
    open: raw.open !== false,
  };
}

function oneOf<T extends string>(option: string, values: readonly T[], text: string): T {
  const found = values.find((value) => value === text);
  if (found === undefined) throw new UsageError(`${option} has an unknown value`, `one of: ${values.join(', ')}`);
  return found;
}

function checkAnswer(word: string): string {
  if (word.indexOf('=') > 0) return word;
  throw new UsageError('--answer has no field', "write --answer field=value, or --answer 'field:=json'");
}

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000 };

/** A duration in milliseconds: `30` and `30s` are seconds, `500ms` milliseconds, `2m` minutes. */
export function readDuration(text: string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m)?$/.exec(text);
  const durationMs = match === null ? 0 : Math.round(Number(match[1]) * (unitMs[match[2] ?? 's'] ?? 0));
  if (durationMs > 0 && durationMs <= 86_400_000) return durationMs;
  throw new UsageError(
    '--timeout wants a time above zero, at most a day',
    'seconds (30), or with a unit: 30s, 500ms, 2m',
  );
}

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

function readHeaders(given: readonly string[], fromEnv: readonly string[], environment: Environment) {
  const headers: Record<string, string> = {};
  const names = new Set<string>();
  const add = (option: string, name: string, value: string) => {
    if (!token.test(name)) throw new UsageError(`${option}: "${name}" is no header name`);
    if (names.has(name.toLowerCase())) throw new UsageError(`the header ${name} is given twice`);
    // What HTTP allows in a field value: visible characters of Latin-1, blanks and tabs (RFC 9110, section 5.5).
    if (!/^[\t\x20-\x7e\xa0-\xff]*$/.test(value)) {
      throw new UsageError(`${option}: the value of ${name} has characters that HTTP does not allow`);
    }
    names.add(name.toLowerCase());
    headers[name] = value;
  };
  for (const text of given) {
    const colon = text.indexOf(':');
    if (colon < 1) throw new UsageError('--header has no name', "write --header 'Name: value'");
    add('--header', text.slice(0, colon).trim(), text.slice(colon + 1).trim());
  }
  for (const text of fromEnv) {
    const [name, variable] = splitOnce(text, '=');
    if (name === '' || variable === undefined || variable === '') {
      throw new UsageError('--header-env wants a header and a variable', 'for example: Authorization=MY_TOKEN_HEADER');
    }
    add('--header-env', name, readVariable('--header-env', variable, environment).trim());
  }
  return headers;
}

function readEnv(given: readonly string[], environment: Environment): Record<string, string> {
  const env: Record<string, string> = {};
  for (const text of given) {
    const [name, value] = splitOnce(text, '=');
    if (name === '') throw new UsageError('--env has no name', 'write --env NAME or --env NAME=value');
    env[name] = value ?? readVariable('--env', name, environment);
  }
  return env;
}

function readVariable(option: string, name: string, environment: Environment): string {
  const value = environment[name];
  if (value === undefined) throw new UsageError(`${option}: the environment variable ${name} is not set`);
  return value;
}

function splitOnce(text: string, mark: string): [string, string | undefined] {
  const at = text.indexOf(mark);
  return at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

const longestMs = 600_000;

/**
 * The library's time limits for `--timeout`, which bounds connecting and each request. A stdio server that does not
 * know `server/discover` may stay silent, so half of a short limit is left for the older handshake.
 */
export function timeLimits(timeoutMs: number | undefined): Partial<ConnectOptions> {
  if (timeoutMs === undefined) return {};
  return {
    timeoutMs,
    connectTimeoutMs: timeoutMs,
    discoverTimeoutMs: Math.min(5_000, Math.ceil(timeoutMs / 2)),
    maxTimeoutMs: Math.max(longestMs, timeoutMs),
  };
}
