import { exit } from '../errors.ts';
import { renderDiscovery } from '../render.ts';
import type { Discovery } from '../render.ts';
import { isObject } from '../schema.ts';
import { withSession } from '../session.ts';
import type { Run, Session } from '../session.ts';
import { printableJson } from '../text.ts';

/** `hawser discover`: who the server is, what it speaks and offers, and how that was found out. */
export async function discover(run: Run): Promise<number> {
  const found = await withSession(run, (session) => describe(session, run.signal));
  run.stdout.line(run.options.json ? printableJson(found) : renderDiscovery(found, run.stdout.style));
  return exit.ok;
}

async function describe({ client, history }: Session, signal: AbortSignal): Promise<Discovery> {
  return {
    server: client.serverInfo,
    protocolVersion: client.protocolVersion,
    era: client.protocolEra,
    supportedVersions: history.supportedVersions ?? (await askVersions(client, signal)),
    capabilities: client.capabilities,
    instructions: client.instructions,
    steps: history.steps,
  };
}

/** A client that was told its revision may not have asked for the others. Only the modern era has that question. */
async function askVersions(client: Session['client'], signal: AbortSignal): Promise<string[] | undefined> {
  if (!client.isModern) return undefined;
  const result = await client.sendRequest('server/discover', undefined, { signal });
  const versions = isObject(result) ? result['supportedVersions'] : undefined;
  return Array.isArray(versions) ? versions.filter((version) => typeof version === 'string') : undefined;
}
