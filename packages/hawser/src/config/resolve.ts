import { ArgumentError } from '../base/errors.ts';
import { sample } from '../base/logger.ts';
import { describeServer, shownAs } from './describe.ts';
import { parseEnvFile } from './env-file.ts';
import { expand, type Sources } from './expand.ts';
import type { ServerConfig, StdioServerConfig } from './types.ts';

const maxEnvFileChars = 1024 * 1024;

/** Where the values come from that a configuration only names. */
export interface ResolveOptions extends Sources {
  /** Reads an `envFile`; without it such servers cannot be resolved. */
  readonly readFile?: ((path: string) => string) | undefined;
}

/**
 * What to connect to, with every placeholder replaced: `connect(target, options)`. Neither it nor its parts (target,
 * command, env, options, headers) show their values when they are printed, logged or serialized. A copy of a part
 * (`{ ...target }`, `[...command]`) is an ordinary one: it shows the texts that are its own members.
 */
export interface ResolvedServer {
  readonly target:
    | {
        command: readonly [string, ...string[]];
        env?: Readonly<Record<string, string>> | undefined;
        cwd?: string | undefined;
      }
    | {
        url: string;
        /** What messages call it, where placeholders were filled in: its path is as the file has it. */
        shownAs?: string | undefined;
      };
  readonly options: {
    readonly transport: 'stdio' | 'http';
    readonly headers?: Readonly<Record<string, string>> | undefined;
  };
}

/**
 * Replaces the placeholders in a server's configuration, each time anew: a value that has changed counts from the
 * next start on. They may stand in command, args, env, envFile, cwd, url and headers: `${NAME}` or `${env:NAME}` (a
 * variable), `${NAME:-text}` (with a default, for one that is empty or not set), `${input:id}`, `${workspaceFolder}`,
 * `${userHome}`; `$${` stands for `${`. What they become is not looked at for placeholders again.
 *
 * @throws ArgumentError that names the server, and each field and variable that lacks a value; never a value
 */
export function resolveServer(config: ServerConfig, options: ResolveOptions = {}): ResolvedServer {
  const problems = new Set<string>();
  const filled = fillServer(config, (field, text) =>
    expand(text, options, (problem) => problems.add(`${field} ${problem}`)),
  );
  if (problems.size > 0) throw new ArgumentError(`server "${sample(config.name, 100)}": ${[...problems].join('; ')}`);
  const { target, options: connecting } = resolved(config, filled, options);
  const shown = describeServer(config);
  return hide({ target: hide(target, shown), options: hide(connecting, shown) }, shown);
}

type Fill = (field: string, text: string) => string;

function fillServer(config: ServerConfig, fill: Fill): ServerConfig {
  if (config.type === 'http') {
    const { url, headers } = config;
    return { ...config, url: fill('url', url), headers: headers && fillAll('headers', headers, fill) };
  }
  const { command, env, envFile, cwd } = config;
  const [program, ...args] = command;
  return {
    ...config,
    command: [fill('command', program), ...args.map((arg, index) => fill(`args[${index}]`, arg))],
    env: env && fillAll('env', env, fill),
    envFile: envFile === undefined ? undefined : fill('envFile', envFile),
    cwd: cwd === undefined ? undefined : fill('cwd', cwd),
  };
}

function fillAll(field: string, texts: Readonly<Record<string, string>>, fill: Fill): Record<string, string> {
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, fill(`${field}.${sample(name, 100)}`, text)]),
  );
}

function resolved(written: ServerConfig, filled: ServerConfig, options: ResolveOptions): ResolvedServer {
  if (filled.type === 'http') {
    const { url, headers } = filled;
    const shown = written.type === 'http' ? shownAs(written.url, url) : undefined;
    return {
      target: { url, ...(shown !== undefined && { shownAs: shown }) },
      options: { transport: 'http', headers: headers && hide(headers, '[secret]') },
    };
  }
  const { command, cwd } = filled;
  const env = filled.envFile === undefined ? filled.env : { ...readEnvFile(filled, options), ...filled.env };
  return {
    target: {
      command: looking([...command], '[secret]'),
      env: env && hide(env, '[secret]'),
      ...(cwd !== undefined && { cwd }),
    },
    options: { transport: 'stdio' },
  };
}

function readEnvFile(config: StdioServerConfig, { readFile }: ResolveOptions): Record<string, string> {
  const place = `server "${sample(config.name, 100)}": envFile`;
  if (readFile === undefined) throw new ArgumentError(`${place}: there is nothing to read files with here`);
  let text: string;
  try {
    text = readFile(config.envFile ?? '');
  } catch (cause) {
    throw new ArgumentError(place + (cause instanceof ArgumentError ? `: ${cause.message}` : ' cannot be read'), {
      cause,
    });
  }
  if (text.length > maxEnvFileChars)
    throw new ArgumentError(`${place}: larger than such a file may be (${maxEnvFileChars} characters)`);
  return parseEnvFile(text);
}

/** A copy of `value` that tells nothing when it is shown; its members stay what they are. */
function hide<T extends object>(value: T, shown: string): T {
  return looking(Object.defineProperties({}, Object.getOwnPropertyDescriptors(value)) as T, shown);
}

/** Gives `value` itself the look of `shown`, unless members of its own have the names for that. */
function looking<T extends object>(value: T, shown: string): T {
  const show = { value: () => shown, enumerable: false };
  return Object.defineProperties(value, {
    ...(!Object.hasOwn(value, 'toString') && { toString: show }),
    ...(!Object.hasOwn(value, 'toJSON') && { toJSON: show }),
    [Symbol.for('nodejs.util.inspect.custom')]: show,
  });
}
