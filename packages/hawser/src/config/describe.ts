import { sample } from '../base/logger.ts';
import { maskUrlText } from '../base/secret.ts';
import type { ServerConfig } from './types.ts';

/**
 * A server of a configuration as text for logs and lists: how it is reached, with the names of its variables and
 * headers. Their values are `[secret]`, arguments are counted, and the query of a URL is left out: any of them may
 * hold a credential.
 */
export function describeServer(config: ServerConfig): string {
  const off = config.disabled === true ? ' (disabled)' : '';
  if (config.type === 'http')
    return `http ${sample(maskUrlText(config.url))}${valuesOf('headers', config.headers)}${off}`;
  const [program, ...args] = config.command;
  const more = args.length === 0 ? '' : ` … (${args.length} ${args.length === 1 ? 'argument' : 'arguments'})`;
  const file = config.envFile === undefined ? '' : `, envFile ${sample(config.envFile)}`;
  const place = config.cwd === undefined ? '' : `, in ${sample(config.cwd)}`;
  return `stdio ${shownProgram(program)}${more}${valuesOf('env', config.env)}${file}${place}${off}`;
}

function valuesOf(title: string, values: Readonly<Record<string, string>> | undefined): string {
  const names = Object.keys(values ?? {});
  return names.length === 0 ? '' : `, ${title} ${names.map((name) => `${sample(name, 100)}=[secret]`).join(' ')}`;
}

/** Some write a whole command line, with all that is in it, where only the program belongs. */
function shownProgram(program: string): string {
  const [word = ''] = program.split(/\s/);
  return sample(word) + (word === program ? '' : '…');
}

/**
 * What to call a URL whose placeholders are filled in: where it really leads, and the path as the file has it, since
 * what was filled in may be a credential. Undefined where nothing was, or it is no URL.
 */
export function shownAs(written: string, filled: string): string | undefined {
  if (written === filled || !URL.canParse(filled)) return undefined;
  const { origin, pathname, search } = new URL(filled);
  const [, path = ''] = /^[a-z]+:\/\/[^/?#]*([^?#]*)/i.exec(written) ?? [];
  const unknown = path === '' && pathname !== '/';
  return sample(maskUrlText(`${origin}${unknown ? '/…' : path}${search}`));
}
