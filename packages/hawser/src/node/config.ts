import { closeSync, openSync, readSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { ArgumentError } from '../base/errors.ts';
import { parseConfig, type ParsedConfig, type ParseConfigOptions, type ResolveOptions } from '../config/index.ts';

const maxFileBytes = 4 * 1024 * 1024;
const maxEnvFileBytes = 1024 * 1024;

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
 * the files that an `envFile` names, of 1 MiB at most. For `resolveServer(config, localSources())` and the `sources` of
 * a group.
 *
 * @param own what to add or to replace: `inputs`, `workspaceFolder`
 */
export function localSources(own: ResolveOptions = {}): ResolveOptions {
  return { env: process.env, home: homedir(), readFile: readEnvFile, ...own };
}

/** No file is trusted to have the size that it says: a device has none. */
function readEnvFile(path: string): string {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.allocUnsafe(maxEnvFileBytes + 1);
    let length = 0;
    for (let read = 1; read > 0 && length < bytes.length; length += read)
      read = readSync(file, bytes, length, bytes.length - length, null);
    if (length > maxEnvFileBytes) throw new ArgumentError(`larger than such a file may be (${maxEnvFileBytes} bytes)`);
    return bytes.toString('utf8', 0, length);
  } finally {
    closeSync(file);
  }
}
