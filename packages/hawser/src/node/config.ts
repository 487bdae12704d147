import { readFileSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { ArgumentError } from '../base/errors.ts';
import { parseConfig, type ParsedConfig, type ParseConfigOptions, type ResolveOptions } from '../config/index.ts';

const maxFileBytes = 4 * 1024 * 1024;

/**
 * Reads a configuration file of MCP servers: see {@link parseConfig}.
 *
 * @throws ArgumentError that names the file, when it cannot be read or is not JSON
 */
export async function readConfig(path: string, options: ParseConfigOptions = {}): Promise<ParsedConfig> {
  const source = options.source ?? path;
  return parseConfig(await readText(path, source), { ...options, source });
}

async function readText(path: string, source: string): Promise<string> {
  try {
    const { size } = await stat(path);
    if (size <= maxFileBytes) return await readFile(path, 'utf8');
  } catch (cause) {
    throw new ArgumentError(`${source}: ${reasonOf(cause)}`, { cause });
  }
  throw new ArgumentError(`${source}: larger than a configuration may be (${maxFileBytes} bytes)`);
}

function reasonOf(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'there is no such file';
  if (code === 'EACCES') return 'it may not be read';
  if (code === 'EISDIR') return 'it is a folder';
  return 'it cannot be read';
}

/**
 * Where the values of placeholders come from on this machine: the environment of this process, the user's folder, and
 * the files that an `envFile` names. For `resolveServer(config, localSources())` and the `sources` of a group.
 *
 * @param own what to add or to replace: `inputs`, `workspaceFolder`
 */
export function localSources(own: ResolveOptions = {}): ResolveOptions {
  return { env: process.env, home: homedir(), readFile: (path) => readFileSync(path, 'utf8'), ...own };
}
