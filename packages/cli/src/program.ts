import { Command, Option } from 'commander';
import { revisions } from 'hawser';
import { callHelp, completeHelp, generalHelp } from './help.ts';
import type { RawOptions } from './options.ts';
import type { WordRule } from './target.ts';

/** What one command understands besides the options that all have. */
interface Grammar {
  readonly about: string;
  /** The words after the server, for the usage line. */
  readonly words?: string;
  /** How many words may follow the server. Default none. */
  readonly rule: WordRule;
  readonly options?: readonly Option[];
  readonly help?: string;
  /** Whether it needs a server at all. */
  readonly serverless?: boolean;
}

const any = Infinity;

const grammars = {
  discover: { about: 'show who the server is, what it speaks and what it offers', rule: { most: 0 } },
  tools: { about: 'list the tools of the server and their parameters', rule: { most: 0 } },
  call: {
    about: 'call a tool and print its result',
    words: '<tool> [arguments]',
    rule: { most: any },
    options: [new Option('--args <json>', "all arguments as one JSON object; '-' reads it from standard input")],
    help: callHelp,
  },
  resources: { about: 'list the resources of the server and their templates', rule: { most: 0 } },
  read: {
    about: 'read a resource and print it',
    words: '<uri>',
    rule: { most: 1, mayBeUrl: true },
    options: [new Option('--output <file>', "write its bytes to a file; '-' is standard output")],
  },
  prompts: { about: 'list the prompts of the server and their arguments', rule: { most: 0 } },
  prompt: { about: 'fill in a prompt and print its messages', words: '<name> [key=value]', rule: { most: any } },
  complete: {
    about: 'complete the value of an argument of a prompt or of a resource template',
    words: '<what> <argument> [value]',
    rule: { most: 3, mayBeUrl: true },
    options: [
      new Option('--context <key=value>', 'another argument that has a value already; repeatable').argParser(collect),
    ],
    help: completeHelp,
  },
  ping: { about: 'ask the server for a sign of life', rule: { most: 0 } },
  servers: { about: 'list the servers of your configuration files', rule: { most: 0 }, serverless: true },
} satisfies Record<string, Grammar>;

/** The name of a command. */
export type CommandName = keyof typeof grammars;

/** Options that only one command has. */
export interface OwnOptions {
  readonly args?: string;
  readonly output?: string;
  readonly context?: readonly string[];
}

/** What the command line asks for. */
export interface Request {
  readonly command: CommandName;
  readonly rule: WordRule;
  readonly words: readonly string[];
  readonly options: RawOptions;
  readonly own: OwnOptions;
}

/** Where the parser writes help and the version. */
export interface HelpOutput {
  /** How wide help may be. */
  readonly width: number;
  write(text: string): void;
}

function collect(value: string, before: readonly string[] | undefined): string[] {
  return [...(before ?? []), value];
}

function repeatable(flags: string, about: string): Option {
  return new Option(flags, `${about}; repeatable`).argParser(collect);
}

function commonOptions(): Option[] {
  const range = `${revisions[0]} … ${revisions.at(-1)}`;
  return [
    new Option('--json', 'print one JSON document, and nothing else, on standard output'),
    new Option('--server <name>', 'a server of a configuration file, in place of a URL or a command'),
    new Option('--config <file>', 'that file; default: .mcp.json, .vscode/mcp.json, upwards, and Claude Desktop’s'),
    new Option('--protocol <which>', `auto (default), modern, legacy, or one revision: ${range}`),
    repeatable('--header <line>', "'Name: value', sent with each HTTP request"),
    repeatable('--header-env <pair>', 'Name=VARIABLE: the same, the value taken from the environment'),
    repeatable('--env <variable>', 'NAME or NAME=value, handed to a server that is started'),
    new Option('--timeout <time>', 'for connecting and for each request: 30 or 30s are seconds, also 500ms, 2m'),
    repeatable('--answer <field=value>', 'the answer to a field that the server may ask for; field:=json for JSON'),
    new Option('--no-open', 'show web pages that the server asks to open, and open none'),
    new Option('--log-level <level>', "show the server's log messages from this level on: debug, info, … emergency"),
    new Option('--verbose', 'show all messages with their times on standard error'),
    new Option('--no-color', 'no colours (the variable NO_COLOR does the same)'),
  ];
}

/** The grammar of the command line, help included. `begin` is told what is asked for. */
export function buildProgram(version: string, help: HelpOutput, begin: (request: Request) => void): Command {
  const program = new Command('hawser')
    .description('Look into an MCP server, call its tools, find out why it does not work.')
    .usage('<command> <url> [options]\n       hawser <command> [options] -- <server command>')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .addHelpText('after', generalHelp)
    .configureHelp({ showGlobalOptions: true, helpWidth: help.width, subcommandTerm: termOf })
    .configureOutput({ writeOut: (text) => help.write(text), writeErr: () => {}, outputError: () => {} })
    .exitOverride();
  for (const option of commonOptions()) program.addOption(option);
  for (const [name, grammar] of Object.entries<Grammar>(grammars)) {
    const command = program.command(name).description(grammar.about).usage(usageOf(name, grammar));
    command.argument('[words...]', wordsOf(grammar));
    for (const option of grammar.options ?? []) command.addOption(option);
    if (grammar.help !== undefined) command.addHelpText('after', grammar.help);
    command.action((words: string[], own: OwnOptions) => {
      // The keys of `grammars` are the names.
      begin({ command: name as CommandName, rule: grammar.rule, words, options: program.opts<RawOptions>(), own });
    });
  }
  return program;
}

function usageOf(name: string, { words = '', serverless }: Grammar): string {
  const more = words === '' ? '' : ` ${words}`;
  if (serverless === true) return '[options]';
  return `<url>${more} [options]\n       hawser ${name}${more} [options] -- <server command>`;
}

function wordsOf({ words, serverless }: Grammar): string {
  if (serverless === true) return 'none';
  return words === undefined ? 'URL of the server' : `URL (unless a command or --server names it), then ${words}`;
}

/** How the list of commands names one: as it is typed, without options. */
function termOf(command: Command): string {
  const { words } = Object.entries<Grammar>(grammars).find(([name]) => name === command.name())?.[1] ?? {};
  return words === undefined ? command.name() : `${command.name()} ${words}`;
}
