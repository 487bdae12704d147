import { oneLine } from './text.ts';
import { UsageError } from './usage-error.ts';

/** Which server is meant: one at an address, or one to start. */
export type ServerTarget = (
  | { readonly kind: 'url'; readonly url: URL }
  | { readonly kind: 'command'; readonly command: readonly [string, ...string[]]; readonly cwd?: string | undefined }
) & {
  /** How it was named with `--server`. */
  readonly name?: string | undefined;
};

/** A server of a configuration file, named with `--server`. */
export interface Named {
  readonly kind: 'named';
  readonly name: string;
}

/** A command line cut at its first `--`: what is hawser's, and the command of the server if one follows. */
export interface Split {
  readonly own: readonly string[];
  readonly command: readonly string[] | undefined;
}

/** Everything after the first `--` is the server's command, whatever it looks like. */
export function splitAtDashes(argv: readonly string[]): Split {
  const at = argv.indexOf('--');
  return at === -1 ? { own: argv, command: undefined } : { own: argv.slice(0, at), command: argv.slice(at + 1) };
}

/** What the words of a command may be, besides the server. */
export interface WordRule {
  /** How many may follow the server at most. */
  readonly most: number;
  /** Whether the first of them may itself be an address. */
  readonly mayBeUrl?: boolean | undefined;
}

/**
 * Finds the server: `--server`, the command after `--`, else the first word if it is an http(s) URL.
 *
 * @returns the server, and the words that remain
 * @throws UsageError for none, more than one, or a URL that is none
 */
export function takeTarget(
  words: readonly string[],
  command: readonly string[] | undefined,
  server: string | undefined,
  rule: WordRule,
): { target: ServerTarget | Named; rest: readonly string[] } {
  const first = words[0];
  const startsWithUrl = first !== undefined && /^https?:/i.test(first);
  if (command === undefined && server === undefined) {
    if (startsWithUrl) return { target: { kind: 'url', url: parseUrl(first, typed) }, rest: words.slice(1) };
    throw new UsageError('no server is named', hintFor(words));
  }
  if (command !== undefined && server !== undefined) {
    throw new UsageError('both --server and a command after -- are given', 'keep one of the two');
  }
  if (startsWithUrl && (rule.mayBeUrl !== true || words.length > rule.most)) {
    const other = command === undefined ? '--server' : 'a command after --';
    throw new UsageError(`both a URL and ${other} are given`, 'keep one of the two');
  }
  if (server !== undefined) return { target: { kind: 'named', name: server }, rest: words };
  const [program, ...args] = command ?? [];
  if (program === undefined || program === '') {
    throw new UsageError('no command follows --', 'for example: -- npx -y some-server');
  }
  return { target: { kind: 'command', command: [program, ...args] }, rest: words };
}

/** How an address is spoken of when it cannot be used. */
interface UrlWords {
  readonly what: string;
  /** What to do instead of writing credentials into it. */
  readonly withoutCredentials: string;
  /** What a right one looks like. */
  readonly example?: string;
}

const typed: UrlWords = {
  what: 'the URL',
  withoutCredentials: 'leave them out and use --header-env Authorization=VARIABLE',
  example: 'it looks like https://host/mcp',
};

/**
 * Reads the address of a server.
 *
 * @throws UsageError for what is no http(s) URL, and for one with credentials in it
 */
export function parseUrl(text: string, { what, withoutCredentials, example }: UrlWords): URL {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) throw new UsageError(`${what} is not well-formed`, example);
  const url = new URL(text);
  if (url.username === '' && url.password === '') return url;
  throw new UsageError(`${what} holds credentials`, withoutCredentials);
}

function hintFor(words: readonly string[]): string {
  const first = words[0];
  if (first !== undefined && /^(localhost|[\w-]+(\.[\w-]+)+|\d+\.\d+\.\d+\.\d+)(:\d+)?(\/\S*)?$/.test(first)) {
    const scheme = /^(localhost|127\.)/.test(first) ? 'http' : 'https';
    if (first.includes('/') || first.includes(':')) return `a URL begins with http: ${scheme}://${oneLine(first)}`;
  }
  return 'put its URL first, its command last (… -- npx -y some-server), or name one of yours: --server NAME';
}

/** The server for a message: an address without its query, or only the name of the program. */
export function showTarget(target: ServerTarget): string {
  const place = showPlace(target);
  return target.name === undefined ? place : `${oneLine(target.name)} (${place})`;
}

function showPlace(target: ServerTarget): string {
  if (target.kind === 'command') {
    const [program, ...args] = target.command;
    return oneLine(args.length === 0 ? program : `${program} …`);
  }
  const { protocol, host, pathname, search } = target.url;
  return `${protocol}//${host}${pathname}${search === '' ? '' : '?…'}`;
}

/** How to name the same server again in a hint, as a person would type it. */
export function retype(command: string, target: ServerTarget, words = ''): string {
  const middle = words === '' ? '' : ` ${words}`;
  if (target.name !== undefined) return `hawser ${command} --server ${oneLine(target.name)}${middle}`;
  return target.kind === 'url'
    ? `hawser ${command} ${showPlace(target)}${middle}`
    : `hawser ${command}${middle} -- ${showPlace(target)}`;
}
