import { Command, Option } from 'commander';
import { revisions } from 'hawser';
import type { RawOptions } from './options.ts';

/** What the command line asks for. */
export type Request =
  | { readonly command: 'discover' | 'tools'; readonly words: readonly string[]; readonly options: RawOptions }
  | {
      readonly command: 'call';
      readonly words: readonly string[];
      readonly whole: string | undefined;
      readonly options: RawOptions;
    };

/** Where the parser writes help and the version. */
export interface HelpOutput {
  /** How wide help may be. */
  readonly width: number;
  write(text: string): void;
}

const examples = `
A server is a URL, or a command to start, which comes last, after --

Examples:
  hawser discover https://example.com/mcp
  hawser tools -- npx -y some-server --flag
  hawser call https://example.com/mcp add a=1 b=2
  hawser call echo text=hi -- node server.js

Exit codes:
  0 done    1 the tool reported an error    2 wrong usage    3 no connection
  4 the server broke the protocol, refused the request or the revision
  5 credentials missing or not sufficient    130 stopped with Ctrl-C`;

const callHelp = `
Arguments of the tool:
  key=value      text, or what the tool's schema wants: number, boolean, list, object (as JSON)
  key:=json      any JSON value
  key=@file      text from a file          key:=@file    JSON from a file
  a.b=value      a member of an object     a\\.b=value    a key with a dot in it

Examples:
  hawser call https://example.com/mcp search query='red shoes' limit=5 filter.size=42
  hawser call https://example.com/mcp send to:='["a@example.com"]' body=@letter.txt
  echo '{"text": "hi"}' | hawser call echo --args - -- node server.js`;

/** How the list of commands names one: as it is typed, without options. */
function termOf(command: Command): string {
  return command.name() === 'call' ? 'call <tool> [arguments]' : command.name();
}

function collect(value: string, before: readonly string[] | undefined): string[] {
  return [...(before ?? []), value];
}

/** The grammar of the command line, help included. `begin` is told what is asked for. */
export function buildProgram(version: string, help: HelpOutput, begin: (request: Request) => void): Command {
  const program = new Command('hawser')
    .description('Look into an MCP server, call its tools, find out why it does not work.')
    .usage('<command> <url> [options]\n       hawser <command> [options] -- <server command>')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .addOption(new Option('--json', 'print one JSON document, and nothing else, on standard output'))
    .addOption(
      new Option(
        '--protocol <which>',
        `auto (default), modern, legacy, or one revision: ${revisions[0]} … ${revisions.at(-1)}`,
      ),
    )
    .addOption(
      new Option('--header <line>', "'Name: value', sent with each HTTP request; repeatable").argParser(collect),
    )
    .addOption(
      new Option('--header-env <pair>', 'Name=VARIABLE: the same, the value taken from the environment').argParser(
        collect,
      ),
    )
    .addOption(
      new Option('--env <variable>', 'NAME or NAME=value, handed to a server that is started; repeatable').argParser(
        collect,
      ),
    )
    .addOption(
      new Option('--timeout <time>', 'for connecting and for each request: 30 or 30s are seconds, also 500ms, 2m'),
    )
    .addOption(new Option('--verbose', 'show all messages with their times on standard error'))
    .addOption(new Option('--no-color', 'no colours (the variable NO_COLOR does the same)'))
    .addHelpText('after', examples)
    .configureHelp({ showGlobalOptions: true, helpWidth: help.width, subcommandTerm: termOf })
    .configureOutput({ writeOut: (text) => help.write(text), writeErr: () => {}, outputError: () => {} })
    .exitOverride();
  const options = () => program.opts<RawOptions>();
  for (const [command, about] of [
    ['discover', 'show who the server is, what it speaks and what it offers'],
    ['tools', 'list the tools of the server and their parameters'],
  ] as const) {
    program
      .command(command)
      .description(about)
      .usage(`<url> [options]\n       hawser ${command} [options] -- <server command>`)
      .argument('[url]', 'http:// or https:// address of the server')
      .argument('[more...]')
      .action((url: string | undefined, more: string[]) => {
        begin({ command, words: url === undefined ? [] : [url, ...more], options: options() });
      });
  }
  program
    .command('call')
    .description('call a tool and print its result')
    .usage('<url> <tool> [arguments] [options]\n       hawser call <tool> [arguments] [options] -- <server command>')
    .argument('[words...]', 'URL (unless a command follows --), name of the tool, its arguments')
    .addOption(new Option('--args <json>', "all arguments as one JSON object; '-' reads it from standard input"))
    .addHelpText('after', callHelp)
    .action((words: string[], own: { args?: string }) => {
      begin({ command: 'call', words, whole: own.args, options: options() });
    });
  return program;
}
