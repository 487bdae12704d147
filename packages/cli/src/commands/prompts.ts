import { exit } from '../errors.ts';
import { renderPrompts } from '../render-prompts.ts';
import { withSession } from '../session.ts';
import type { Run } from '../session.ts';
import { printableJson } from '../text.ts';

/** `hawser prompts`: all prompts of the server, with their arguments. */
export async function prompts(run: Run): Promise<number> {
  const list = await withSession(run, ({ client, request }) => client.listPrompts(request));
  run.stdout.line(run.options.json ? printableJson(list) : renderPrompts(list, run.stdout.style));
  return exit.ok;
}
