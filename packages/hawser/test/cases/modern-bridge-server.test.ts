/** The versions of the two eras, as a server of both names them. */
import { describe, expect, test } from 'vitest';
import { example } from '../support/example.ts';
import { call, doors, initialize, modern } from '../support/http.ts';

const everyVersion = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];
const key = 'io.modelcontextprotocol/protocolVersion';

describe.each(doors)('$name', ({ open }) => {
  test('[BUG-136] initialize never agrees on a modern version', async () => {
    const endpoint = await open(example().server);
    for (const version of ['2026-07-28', '2027-01-01'])
      expect((await endpoint.send(initialize(version))).result).toMatchObject({ protocolVersion: '2025-11-25' });
  });

  test('[BUG-136] discovery and -32022 name what is served, modern first, each once; legacy ones by their handshake', async () => {
    const endpoint = await open(example().server);
    const { supportedVersions } = (await endpoint.send(modern('server/discover'))).result as {
      supportedVersions: string[];
    };
    expect(supportedVersions).toEqual(everyVersion);
    const unknown = { headers: { 'mcp-protocol-version': 'x' }, meta: { [key]: 'x' } };
    expect((await endpoint.send(modern('tools/list', {}, unknown))).error.data?.['supported']).toEqual(everyVersion);
    // Each of them is really served, in the way of its era.
    for (const version of supportedVersions) {
      const named = { headers: { 'mcp-protocol-version': version }, meta: { [key]: version } };
      const answer = await endpoint.send(call('echo', {}, named));
      expect(answer.status).toBe(version === '2026-07-28' ? 200 : 400);
      if (version !== '2026-07-28')
        expect((await endpoint.send(initialize(version))).result).toMatchObject({ protocolVersion: version });
    }
  });
});
