import { dirname, basename } from 'node:path';
import { resolveServer } from 'hawser';
import type { ConfigInput } from 'hawser';
import type { Questions } from './ask/questions.ts';
import { UnansweredError } from './ask/unanswered-error.ts';
import { readServers } from './config.ts';
import type { FoundServer, Servers, Surroundings } from './config.ts';
import { readText } from './files.ts';
import { nearest } from './nearest.ts';
import { parseUrl } from './target.ts';
import type { ServerTarget } from './target.ts';
import { clip, count, oneLine, short } from './text.ts';
import { UsageError } from './usage-error.ts';

/** A server of a configuration file, ready to be connected to. */
export interface Configured {
  readonly target: ServerTarget;
  readonly headers: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
  /** Values that must not be shown: whatever the file or the environment put in. */
  readonly secrets: readonly string[];
}

/**
 * Finds the server that `--server` names and fills in what its configuration leaves to the environment and to the
 * person (`${input:…}`, asked at the terminal).
 *
 * @throws UsageError for an unknown name, naming those that are close, and for values that are missing
 * @throws UnansweredError when a person has to be asked, and there is no terminal
 */
export async function configured(
  name: string,
  file: string | undefined,
  surroundings: Surroundings,
  questions: (() => Promise<Questions>) | undefined,
): Promise<Configured> {
  const servers = readServers(file, surroundings);
  const found = servers.found.find((candidate) => candidate.name === name);
  if (found === undefined) throw unknown(name, servers);
  if (found.server.disabled === true) {
    throw new UsageError(`the server "${short(name)}" is disabled in ${found.file}`, 'enable it there');
  }
  const inputs = await answerInputs(found, questions);
  const { target, options } = fill(found, inputs, surroundings);
  const headers = { ...options.headers };
  const typed = [...inputs.values()].filter((value) => value !== '');
  if ('url' in target) {
    const url = parseUrl(target.url, {
      what: `the URL of the server "${short(name)}"`,
      withoutCredentials: 'put them into "headers"',
    });
    // The query of a URL is never shown, but its path is.
    const written = found.server.type === 'http' ? found.server.url : '';
    const variables = [...written.matchAll(/\$\{(?:env:)?(\w+)/g)].map(([, variable = '']) => variable);
    const fromEnvironment = variables.flatMap((variable) => surroundings.environment[variable] ?? []);
    return { target: { kind: 'url', url, name }, headers, env: {}, secrets: [...typed, ...fromEnvironment] };
  }
  const { command, env, cwd } = target;
  // Arguments may hold what the environment or a person put in; those of the file itself are nobody's secret.
  const written = found.server.type === 'stdio' ? found.server.command : [];
  const filledIn = command.filter((word, index) => word !== written[index]);
  return {
    target: { kind: 'command', command, name, ...(cwd === undefined ? {} : { cwd }) },
    headers: {},
    env: { ...env },
    secrets: [...typed, ...filledIn],
  };
}

function fill({ server, file }: FoundServer, inputs: ReadonlyMap<string, string>, { environment, home }: Surroundings) {
  const folder = dirname(file);
  try {
    return resolveServer(server, {
      env: environment,
      inputs: (id) => inputs.get(id),
      workspaceFolder: basename(folder) === '.vscode' ? dirname(folder) : folder,
      home,
      readFile: readText,
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), `it stands in ${file}`);
  }
}

async function answerInputs(
  { server, inputs, name }: FoundServer,
  questions: (() => Promise<Questions>) | undefined,
): Promise<Map<string, string>> {
  const answers = new Map<string, string>();
  const wanted = inputs.filter(({ id }) => JSON.stringify(server).includes(`\${input:${id}}`));
  const [first] = wanted;
  if (first === undefined) return answers;
  if (questions === undefined) {
    throw new UnansweredError(
      `the configuration of "${short(name)}" asks for ${wanted.map((input) => `"${short(input.id)}"`).join(', ')}`,
      'run it in a terminal',
    );
  }
  const person = await questions();
  for (const input of wanted) {
    const answer = await askInput(person, input);
    if (answer === undefined) throw new UnansweredError(`"${short(input.id)}" was not answered`);
    answers.set(input.id, answer);
  }
  return answers;
}

function askInput(person: Questions, input: ConfigInput): Promise<string | undefined> {
  const message = clip(oneLine(input.description ?? input.id), 300);
  if (input.password) return person.secret({ message });
  if (input.options !== undefined && input.options.length > 0) {
    const choices = input.options.map((value) => ({ value, label: clip(oneLine(value), 80) || '(empty)' }));
    return person.choose({ message, choices, initial: input.default });
  }
  return person.text({ message, initial: input.default === undefined ? undefined : oneLine(input.default) });
}

function unknown(name: string, { found, files, problems }: Servers): UsageError {
  const names = found.map((candidate) => candidate.name);
  const meant = nearest(name, names).map(short);
  const where =
    files.length === 0
      ? 'no configuration file was found'
      : `there are ${count(names.length, 'server')} in ${count(files.length, 'file')}`;
  const broken = problems.find((problem) => problem.includes(`"${name}"`));
  if (broken !== undefined) return new UsageError(`the server "${short(name)}" cannot be used: ${broken}`);
  const hint =
    meant.length > 0
      ? `did you mean ${meant.join(' or ')}?`
      : files.length === 0
        ? 'name one with --config FILE; hawser looks for .mcp.json and .vscode/mcp.json, here and upwards'
        : 'hawser servers lists them';
  return new UsageError(`no server is called "${short(name)}"; ${where}`, hint);
}
