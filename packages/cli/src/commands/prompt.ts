import type { Prompt } from 'hawser';
import { exit } from '../errors.ts';
import { offered } from '../offered.ts';
import { renderPrompt } from '../render-prompts.ts';
import { withSession } from '../session.ts';
import type { Run } from '../session.ts';
import { printableJson, short } from '../text.ts';
import { UsageError } from '../usage-error.ts';
import { textArguments } from './arguments.ts';

/** `hawser prompt`: fills in a prompt and prints its messages. */
export async function prompt(run: Run, name: string, words: readonly string[]): Promise<number> {
  const { stdout, options } = run;
  const result = await withSession(run, async ({ client, request }) => {
    const found = offered('prompt', name, await client.listPrompts({ signal: request.signal }), run.target);
    return client.getPrompt(found.name, argumentsOf(found, words), request);
  });
  stdout.line(options.json ? printableJson(result.raw) : renderPrompt(result, stdout.style));
  return exit.ok;
}

function argumentsOf(prompt: Prompt, words: readonly string[]): Record<string, string> {
  const known = prompt.arguments ?? [];
  const args = textArguments(
    words,
    known.map((argument) => argument.name),
  );
  const lacking = known.filter((argument) => argument.required === true && !Object.hasOwn(args, argument.name));
  if (lacking.length === 0) return args;
  const names = lacking.map((argument) => short(argument.name));
  throw new UsageError(
    `the prompt "${short(prompt.name)}" needs ${names.join(', ')}`,
    `add ${names.map((argument) => `${argument}='…'`).join(' ')}`,
  );
}
