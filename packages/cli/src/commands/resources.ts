import { MethodNotFoundError } from 'hawser';
import { exit } from '../errors.ts';
import { renderResources } from '../render-resources.ts';
import { withSession } from '../session.ts';
import type { Run } from '../session.ts';
import { printableJson } from '../text.ts';

/** `hawser resources`: all resources of the server, and the templates of those it makes up on demand. */
export async function resources(run: Run): Promise<number> {
  const found = await withSession(run, async ({ client, request }) => ({
    resources: await client.listResources(request),
    resourceTemplates: await templates(() => client.listResourceTemplates(request)),
  }));
  run.stdout.line(run.options.json ? printableJson(found) : renderResources(found, run.stdout.style));
  return exit.ok;
}

/** A server without templates may not know the method. */
async function templates<T>(list: () => Promise<T[]>): Promise<T[]> {
  try {
    return await list();
  } catch (error) {
    if (error instanceof MethodNotFoundError) return [];
    throw error;
  }
}
