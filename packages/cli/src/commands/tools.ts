import { exit } from '../errors.ts';
import { renderTools } from '../render.ts';
import { withSession } from '../session.ts';
import type { Run } from '../session.ts';
import { printableJson } from '../text.ts';

/** `hawser tools`: all tools of the server, with their parameters. */
export async function tools(run: Run): Promise<number> {
  const list = await withSession(run, ({ client, request }) => client.listTools(request));
  run.stdout.line(run.options.json ? printableJson(list) : renderTools(list, run.stdout.style));
  return exit.ok;
}
