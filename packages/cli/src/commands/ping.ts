import { exit } from '../errors.ts';
import { withSession } from '../session.ts';
import type { Run } from '../session.ts';
import { oneLine, printableJson } from '../text.ts';

/** `hawser ping`: asks for a sign of life and says how long it took. */
export async function ping(run: Run): Promise<number> {
  const { stdout, options } = run;
  const found = await withSession(run, async ({ client, request }) => {
    const startedAt = performance.now();
    await client.ping(request);
    const elapsedMs = Math.round((performance.now() - startedAt) * 10) / 10;
    return {
      elapsedMs,
      server: client.serverInfo,
      protocolVersion: client.protocolVersion,
      era: client.protocolEra,
    };
  });
  const { server, elapsedMs, protocolVersion, era } = found;
  const name = server === undefined ? 'the server' : oneLine(`${server.name} ${server.version}`);
  stdout.line(options.json ? printableJson(found) : `${name} answered in ${elapsedMs} ms, ${protocolVersion} (${era})`);
  return exit.ok;
}
