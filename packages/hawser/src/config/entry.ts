import { isObject, type JsonObject } from '../base/json.ts';
import type { HttpServerConfig, ServerConfig, StdioServerConfig } from './types.ts';

/** One server of a file, or why it cannot be used. */
export type Entry = { readonly server: ServerConfig } | { readonly problem: string };

const typeNames: Readonly<Record<string, ServerConfig['type'] | 'sse' | 'ws'>> = {
  stdio: 'stdio',
  local: 'stdio',
  http: 'http',
  'streamable-http': 'http',
  streamable_http: 'http',
  streamablehttp: 'http',
  remote: 'http',
  sse: 'sse',
  ws: 'ws',
  websocket: 'ws',
};

/** Reads one server in any of the forms that hosts write. Keys that mean nothing here are skipped. */
export function readEntry(name: string, entry: unknown): Entry {
  if (!isObject(entry)) return { problem: 'it is not an object' };
  const url = entry['url'] ?? entry['serverUrl'] ?? entry['uri'];
  const type = typeOf(entry, url);
  if ('problem' in type) return type;
  const server = type.is === 'stdio' ? readStdio(name, entry) : readHttp(name, entry, url);
  if ('problem' in server) return server;
  return { server: entry['disabled'] === true ? { ...server, disabled: true } : server };
}

function typeOf(entry: JsonObject, url: unknown): { is: ServerConfig['type'] } | { problem: string } {
  const hasCommand = entry['command'] !== undefined;
  const given = entry['type'] ?? entry['transport'];
  if (given === undefined) {
    if (hasCommand && url !== undefined) return { problem: 'it has both a command and a url: say which by "type"' };
    if (hasCommand) return { is: 'stdio' };
    return url === undefined ? { problem: 'it has neither a command nor a url' } : { is: 'http' };
  }
  const key = typeof given === 'string' ? given.toLowerCase() : '';
  const type = Object.hasOwn(typeNames, key) ? typeNames[key] : undefined;
  if (type === undefined) return { problem: 'its type is none that is known (stdio, http)' };
  if (type === 'sse' || type === 'ws') return { problem: `servers of type ${type} are not supported yet` };
  if (type === 'stdio' && !hasCommand) return { problem: 'it is of type stdio, and has no command' };
  if (type === 'http' && url === undefined) return { problem: 'it is of type http, and has no url' };
  return { is: type };
}

function readStdio(name: string, entry: JsonObject): StdioServerConfig | { problem: string } {
  const words = [entry['command'], entry['args'] ?? []].flat().map(textOf);
  const [program, ...args] = words;
  if (program === undefined || program === '') return { problem: 'its command is no text, or an empty one' };
  if (!args.every((arg) => arg !== undefined)) return { problem: 'its args are not a list of texts' };
  const env = readTexts(entry['env']);
  if (env === undefined) return { problem: 'its env is not an object of texts' };
  const { envFile, cwd } = entry;
  if (!isTextOrAbsent(envFile)) return { problem: 'its envFile is no text' };
  if (!isTextOrAbsent(cwd)) return { problem: 'its cwd is no text' };
  return {
    type: 'stdio',
    name,
    command: [program, ...args],
    ...(entry['env'] !== undefined && { env }),
    ...(envFile !== undefined && { envFile }),
    ...(cwd !== undefined && { cwd }),
  };
}

function readHttp(name: string, entry: JsonObject, url: unknown): HttpServerConfig | { problem: string } {
  if (typeof url !== 'string') return { problem: 'its url is no text' };
  if (!url.includes('${') && !/^https?:\/\/[^/]/i.test(url)) return { problem: 'its url does not begin with http' };
  const headers = readTexts(entry['headers']);
  if (headers === undefined) return { problem: 'its headers are not an object of texts' };
  return { type: 'http', name, url, ...(entry['headers'] !== undefined && { headers }) };
}

/** A number in quotes or without: people write ports either way. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

function readTexts(value: unknown): Record<string, string> | undefined {
  if (value === undefined) return {};
  if (!isObject(value)) return undefined;
  const entries: [string, string][] = [];
  for (const [key, member] of Object.entries(value)) {
    const text = textOf(member);
    if (text === undefined) return undefined;
    entries.push([key, text]);
  }
  return Object.fromEntries(entries);
}

function isTextOrAbsent(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string';
}
