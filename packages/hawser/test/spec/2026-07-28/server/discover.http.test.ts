/** MCP 2026-07-28, server/discover over HTTP. */
import { describe, expect, test } from 'vitest';
import { Server } from '../../../../src/server/server.ts';
import { example } from '../../../support/example.ts';
import { doors, modern } from '../../../support/http.ts';

describe.each(doors)('$name', ({ open }) => {
  test('[VER-006 B-19 CAP-005] the result: versions, capabilities, caching, and the server in _meta alone', async () => {
    const endpoint = await open(example().server);
    expect((await endpoint.send(modern('server/discover'))).result).toEqual({
      resultType: 'complete',
      supportedVersions: ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'],
      capabilities: { tools: { listChanged: true }, logging: {} },
      instructions: 'Ask for an echo.',
      ttlMs: 0,
      cacheScope: 'private',
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'example', version: '1.2.3' } },
    });
  });

  test('[CAP-002] capabilities say nothing that the revision does not have', async () => {
    const endpoint = await open(example().server);
    const { capabilities } = (await endpoint.send(modern('server/discover'))).result as { capabilities: object };
    const known = ['experimental', 'logging', 'completions', 'prompts', 'resources', 'tools', 'extensions'];
    expect(known).toEqual(expect.arrayContaining(Object.keys(capabilities)));
    expect(capabilities).not.toHaveProperty('tasks');
  });

  test('[BASE-043] all that a server says of itself arrives', async () => {
    const info = {
      name: 'full',
      version: '2',
      title: 'Full',
      description: 'All of it.',
      websiteUrl: 'https://example.test/',
      icons: [{ src: 'https://example.test/i.png', mimeType: 'image/png', sizes: ['48x48'], theme: 'dark' as const }],
    };
    const endpoint = await open(new Server(info));
    const { _meta } = (await endpoint.send(modern('server/discover'))).result;
    expect(_meta).toEqual({ 'io.modelcontextprotocol/serverInfo': info });
  });

  test('whatever is offered answers, whatever is not does not', async () => {
    const endpoint = await open(example().server);
    const { capabilities } = (await endpoint.send(modern('server/discover'))).result as { capabilities: object };
    const lists = { tools: 'tools/list', prompts: 'prompts/list', resources: 'resources/list' };
    for (const [name, method] of Object.entries(lists))
      expect((await endpoint.send(modern(method))).status).toBe(name in capabilities ? 200 : 404);
  });
});
