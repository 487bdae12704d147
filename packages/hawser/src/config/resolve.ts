import { ArgumentError } from '../base/errors.ts';
import { sample } from '../base/logger.ts';
import { describeServer } from './describe.ts';
import { parseEnvFile } from './env-file.ts';
import { expand, type Sources } from './expand.ts';
import type { ServerConfig, StdioServerConfig } from './types.ts';

/** Where the values come from that a configuration only names. */
export interface ResolveOptions extends Sources {
  /** Reads an `envFile`; without it such servers cannot be resolved. */
  readonly readFile?: ((path: string) => string) | undefined;
}

/**
 * What to connect to, with every placeholder replaced: `connect(target, options)`. Neither it nor its parts show
 * their values when they are printed, logged or serialized.
 */
export interface ResolvedServer {
  readonly target:
    | {
        command: readonly [string, ...string[]];
        env?: Readonly<Record<string, string>> | undefined;
        cwd?: string | undefined;
      }
    | { url: string };
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
  const { target, options: connecting } = resolved(filled, options);
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

function resolved(config: ServerConfig, options: ResolveOptions): ResolvedServer {
  if (config.type === 'http') {
    const { url, headers } = config;
    return { target: { url }, options: { transport: 'http', headers: headers && hide(headers, '[secret]') } };
  }
  const { command, cwd } = config;
  const env = config.envFile === undefined ? config.env : { ...readEnvFile(config, options), ...config.env };
  return {
    target: { command, env: env && hide(env, '[secret]'), ...(cwd !== undefined && { cwd }) },
    options: { transport: 'stdio' },
  };
}

function readEnvFile(config: StdioServerConfig, { readFile }: ResolveOptions): Record<string, string> {
  const place = `server "${sample(config.name, 100)}": envFile`;
  if (readFile === undefined) throw new ArgumentError(`${place}: there is nothing to read files with here`);
  try {
    return parseEnvFile(readFile(config.envFile ?? ''));
  } catch (cause) {
    throw new ArgumentError(`${place} cannot be read`, { cause });
  }
}

/** Gives `value` a look that tells nothing; its members stay what they are. */
function hide<T extends object>(value: T, shown: string): T {
  const show = { value: () => shown, enumerable: false };
  return Object.defineProperties(Object.defineProperties({}, Object.getOwnPropertyDescriptors(value)) as T, {
    ...(!Object.hasOwn(value, 'toString') && { toString: show }),
    ...(!Object.hasOwn(value, 'toJSON') && { toJSON: show }),
    [Symbol.for('nodejs.util.inspect.custom')]: show,
  });
}
