import { ArgumentError } from '../base/errors.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import { sample } from '../base/logger.ts';
import { readEntry } from './entry.ts';
import { JsoncError, parseJsonc } from './jsonc.ts';
import type { ConfigInput, ParsedConfig, ServerConfig } from './types.ts';

/** Settings of {@link parseConfig}. */
export interface ParseConfigOptions {
  /** What errors and problems call the file: its path. */
  source?: string | undefined;
}

const maxConfigChars = 1024 * 1024;

/** Notes of people, where servers stand. */
const remarks = new Set(['comment', 'description', '_comment', '//', '$schema']);

/**
 * Reads a configuration file of MCP servers: `{ "mcpServers": … }` (`.mcp.json`, `claude_desktop_config.json` and
 * many others), `{ "servers": …, "inputs": … }` (`mcp.json` of VS Code), an array of servers or a single one, which
 * are named `0`, `1` and so on. Comments and trailing commas are fine; the text may have 1 MiB. An entry without a
 * type has the one its `command` or `url` says. Entries that cannot be used are left out and told in `problems`.
 * Placeholders stay: see {@link resolveServer}. Nothing is started.
 *
 * @throws ArgumentError when the text is not JSON (with the line), or neither an object nor an array
 */
export function parseConfig(config: string | object, { source }: ParseConfigOptions = {}): ParsedConfig {
  const place = source === undefined ? 'the configuration' : sample(source, 400);
  const root = typeof config === 'string' ? read(config, place) : config;
  const problems: string[] = [];
  const servers: [string, ServerConfig][] = [];
  for (const [name, value] of entriesOf(root, place, problems)) {
    if (!isObject(value) && remarks.has(name)) continue;
    const entry = readEntry(name, value);
    if ('server' in entry) servers.push([name, entry.server]);
    else problems.push(`${place}: server "${sample(name, 100)}" is left out: ${entry.problem}`);
  }
  const inputs = isObject(root) ? readInputs(root['inputs'], place, problems) : [];
  // Not by assignment: a server may be called `__proto__`.
  return { servers: Object.fromEntries(servers), inputs, problems };
}

function read(text: string, place: string): unknown {
  if (text.length > maxConfigChars)
    throw new ArgumentError(`${place} is larger than a configuration may be (${maxConfigChars} characters)`);
  try {
    return parseJsonc(text);
  } catch (error) {
    if (!(error instanceof JsoncError)) throw error;
    throw new ArgumentError(`${place}, line ${error.line}, column ${error.column}: not JSON: ${error.message}`);
  }
}

function entriesOf(root: unknown, place: string, problems: string[]): [string, unknown][] {
  if (Array.isArray(root)) return listed(root);
  if (!isObject(root)) throw new ArgumentError(`${place}: neither an object nor an array`);
  const found = (['mcpServers', 'servers'] as const).filter((key) => root[key] !== undefined);
  const [key] = found;
  if (key === undefined) {
    if (isServer(root)) return [['0', root]];
    problems.push(`${place}: it has neither mcpServers nor servers`);
    return [];
  }
  if (found.length > 1) problems.push(`${place}: it has both mcpServers and servers: the latter are left out`);
  const servers = root[key];
  if (Array.isArray(servers)) return listed(servers);
  if (isObject(servers)) return Object.entries(servers);
  problems.push(`${place}: ${key} is not an object`);
  return [];
}

function listed(servers: readonly unknown[]): [string, unknown][] {
  return servers.map((server, index) => [String(index), server]);
}

function isServer(root: JsonObject): boolean {
  return ['command', 'url', 'serverUrl', 'uri', 'type', 'transport'].some((key) => root[key] !== undefined);
}

function readInputs(value: unknown, place: string, problems: string[]): ConfigInput[] {
  if (value === undefined) return [];
  const inputs: ConfigInput[] = [];
  for (const input of Array.isArray(value) ? (value as unknown[]) : [value]) {
    const read = readInput(input);
    if (read === undefined) problems.push(`${place}: one of the inputs has no id`);
    else inputs.push(read);
  }
  return inputs;
}

function readInput(input: unknown): ConfigInput | undefined {
  if (!isObject(input) || typeof input['id'] !== 'string') return undefined;
  const { id, type, description, password, options } = input;
  const preset = input['default'];
  return {
    id,
    type: typeof type === 'string' ? type : 'promptString',
    password: password === true,
    ...(typeof description === 'string' && { description }),
    ...(typeof preset === 'string' && { default: preset }),
    ...(Array.isArray(options) && { options: options.flatMap(choiceOf) }),
  };
}

/** VS Code takes plain texts and `{ label, value }`. */
function choiceOf(choice: unknown): string[] {
  const value = isObject(choice) ? choice['value'] : choice;
  return typeof value === 'string' ? [value] : [];
}
