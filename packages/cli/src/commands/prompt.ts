import type { Prompt } from 'hawser';
import { parseArguments } from '../args.ts';
import { exit } from '../errors.ts';
import { missing } from '../missing.ts';
import { renderPrompt } from '../render-prompts.ts';
import { withSession } from '../session.ts';
import type { Run } from '../session.ts';
import { clip, oneLine, printableJson } from '../text.ts';
import { UsageError } from '../usage-error.ts';
import { readText } from './arguments.ts';

/** `hawser prompt`: fills in a prompt and prints its messages. */
export async function prompt(run: Run, name: string, words: readonly string[]): Promise<number> {
  const { stdout, options } = run;
  const result = await withSession(run, async ({ client, request }) => {
    const found = find(name, await client.listPrompts({ signal: request.signal }), run);
    return client.getPrompt(found.name, argumentsOf(found, words), request);
  });
  stdout.line(options.json ? printableJson(result.raw) : renderPrompt(result, stdout.style));
  return exit.ok;
}

function find(name: string, prompts: readonly Prompt[], { target }: Run): Prompt {
  const found = prompts.find((candidate) => candidate.name === name);
  if (found !== undefined) return found;
  throw missing(
    { kind: 'prompt', list: 'prompts' },
    name,
    prompts.map((candidate) => candidate.name),
    target,
  );
}

/** Arguments of prompts are texts, and nothing else. */
function argumentsOf(prompt: Prompt, words: readonly string[]): Record<string, string> {
  const known = prompt.arguments ?? [];
  const properties = Object.fromEntries(known.map((argument) => [argument.name, { type: 'string' }]));
  const args = texts(parseArguments(words, { type: 'object', properties }, readText));
  const lacking = known.filter((argument) => argument.required === true && !Object.hasOwn(args, argument.name));
  if (lacking.length === 0) return args;
  const names = lacking.map((argument) => clip(oneLine(argument.name), 60));
  throw new UsageError(
    `the prompt "${clip(oneLine(prompt.name), 60)}" needs ${names.join(', ')}`,
    `add ${names.map((argument) => `${argument}='…'`).join(' ')}`,
  );
}

/** @throws UsageError when one of the values is no text */
export function texts(args: Record<string, unknown>): Record<string, string> {
  for (const [name, value] of Object.entries(args)) {
    if (typeof value === 'string') continue;
    throw new UsageError(`${clip(oneLine(name), 60)} has to be text here`, `write ${clip(oneLine(name), 60)}='…'`);
  }
  return args as Record<string, string>; // just checked
}
