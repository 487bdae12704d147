import { statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseConfig } from 'hawser';
import type { ParsedConfig, ServerConfig } from 'hawser';
import { codeOf, readText } from './files.ts';
import type { Environment } from './options.ts';
import { clip, oneLine } from './text.ts';
import { UsageError } from './usage-error.ts';

/** Where configuration files are looked for. */
export interface Surroundings {
  readonly cwd: string;
  readonly home: string;
  readonly platform: NodeJS.Platform;
  readonly environment: Environment;
  /** Who runs this, where there are users by number. */
  readonly uid: number | undefined;
}

/** A server of a configuration file, and which file that was. */
export interface FoundServer {
  readonly name: string;
  readonly server: ServerConfig;
  readonly file: string;
  readonly inputs: ParsedConfig['inputs'];
}

/** What the configuration files hold together. */
export interface Servers {
  /** Those of the nearest file come first; a name that comes again is left out. */
  readonly found: readonly FoundServer[];
  /** What could not be used, and why. */
  readonly problems: readonly string[];
  /** The files that were read. */
  readonly files: readonly string[];
}

/** `.mcp.json` and `.vscode/mcp.json` from the working directory upwards, then the file of Claude Desktop. */
export function candidates({ cwd, home, platform, environment }: Surroundings): string[] {
  const files: string[] = [];
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    files.push(join(folder, '.mcp.json'), join(folder, '.vscode', 'mcp.json'));
    if (folder === dirname(folder)) break;
  }
  return [...files, join(desktopFolder(home, platform, environment), 'Claude', 'claude_desktop_config.json')];
}

function desktopFolder(home: string, platform: NodeJS.Platform, environment: Environment): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  if (platform === 'win32') return environment['APPDATA'] ?? join(home, 'AppData', 'Roaming');
  const config = environment['XDG_CONFIG_HOME'];
  return config === undefined || config === '' ? join(home, '.config') : config;
}

/**
 * Reads the file given with `--config`, or all that are found.
 *
 * @throws UsageError when the given file cannot be read; a file that was only found becomes a problem
 */
export function readServers(given: string | undefined, surroundings: Surroundings): Servers {
  const found: FoundServer[] = [];
  const problems: string[] = [];
  const files: string[] = [];
  for (const file of given === undefined ? candidates(surroundings) : [resolve(surroundings.cwd, given)]) {
    if (given === undefined && isForeign(file, surroundings.uid)) {
      problems.push(`${clip(oneLine(file), 200)} belongs to another user and is left out; --config takes it`);
      continue;
    }
    const parsed = readOne(file, given !== undefined, problems);
    if (parsed === undefined) continue;
    files.push(file);
    problems.push(...parsed.problems);
    for (const [name, server] of Object.entries(parsed.servers)) {
      if (found.some((other) => other.name === name)) continue;
      found.push({ name, server, file, inputs: parsed.inputs });
    }
  }
  return { found, problems, files };
}

/** A folder above may be open to others, as /tmp is: what they put there must not decide which program is started. */
function isForeign(file: string, uid: number | undefined): boolean {
  if (uid === undefined) return false;
  try {
    const owner = statSync(file).uid;
    return owner !== uid && owner !== 0;
  } catch {
    return false; // It is not there, or cannot be read either.
  }
}

function readOne(file: string, demanded: boolean, problems: string[]): ParsedConfig | undefined {
  let text: string;
  try {
    text = readText(file);
  } catch (error) {
    const code = codeOf(error) ?? 'unreadable';
    const problem = `cannot read the configuration ${clip(oneLine(file), 200)} (${code})`;
    if (demanded) throw new UsageError(problem, 'name a file that holds "mcpServers" or "servers"');
    if (code !== 'ENOENT' && code !== 'ENOTDIR') problems.push(problem);
    return undefined;
  }
  try {
    return parseConfig(text, { source: file });
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    if (demanded) throw new UsageError(problem);
    problems.push(problem);
    return undefined;
  }
}
