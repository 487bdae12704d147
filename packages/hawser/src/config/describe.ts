import { sample } from '../base/logger.ts';
import type { ServerConfig } from './types.ts';

/**
 * A server of a configuration as text for logs and lists: how it is reached, with the names of its variables and
 * headers. Their values are `[secret]`, arguments are counted, and the query of a URL is left out: any of them may
 * hold a credential.
 */
export function describeServer(config: ServerConfig): string {
  const off = config.disabled === true ? ' (disabled)' : '';
  if (config.type === 'http') return `http ${shownUrl(config.url)}${valuesOf('headers', config.headers)}${off}`;
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

/** Without user, password, query and fragment. By hand, since a placeholder may stand anywhere in it. */
function shownUrl(url: string): string {
  const [, before = '', query = ''] = /^([^?#]*)(\??)/.exec(url) ?? [];
  return sample(before.replace(/^([a-z]+:\/\/)?[^/]*@/i, '$1')) + (query === '' ? '' : '?…');
}
