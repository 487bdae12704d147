/** One server object, many callers: what belongs to one never reaches another. */
import { describe, expect, test } from 'vitest';
import { Server } from '../../src/server/server.ts';
import { serveHttp } from '../../src/node/http.ts';
import { connect } from '../../src/entry/index.node.ts';
import { gate } from '../support/http.ts';
import { legacyRevisions, links, openLink, overEveryLink, standingLinks } from '../support/links.ts';

const sessions = new Map<unknown, number>();

/** The number of a session object; the same object, the same number. */
function numberOf(session: object | undefined): number | undefined {
  if (session === undefined) return undefined;
  if (!sessions.has(session)) sessions.set(session, sessions.size);
  return sessions.get(session);
}

function telling(): Server {
  return new Server({ name: 's', version: '1' }).tool('who', {}, (_, { caller }) =>
    JSON.stringify({ name: caller.clientInfo?.name, revision: caller.revision, session: numberOf(caller.session) }),
  );
}

const who = async (client: { callTool(name: string): Promise<{ text: string }> }): Promise<Record<string, unknown>> =>
  JSON.parse((await client.callTool('who')).text) as Record<string, unknown>;

describe('legacy sessions', () => {
  for (const revision of legacyRevisions)
    test.each(standingLinks)(
      `[SEED-144 SEED-146] have each their own client and session, the same for all calls (%s, ${revision})`,
      async (link) => {
        const server = telling();
        const clients = await Promise.all(
          ['a', 'b'].map((name) => openLink(link, revision, server, { clientInfo: { name, version: '1' } })),
        );
        const rounds = [await Promise.all(clients.map(who)), await Promise.all(clients.map(who))];
        expect(rounds[0]?.map(({ name }) => name)).toEqual(['a', 'b']);
        expect(rounds[1]).toEqual(rounds[0]);
        const [first, second] = rounds[0]?.map(({ session }) => session) ?? [];
        expect(first).toBeTypeOf('number');
        expect(second).toBeTypeOf('number');
        expect(first).not.toBe(second);
      },
    );
});

describe('modern callers', () => {
  overEveryLink(
    '[BASE-033 CAP-012] have no session, and say who they are with every request',
    { server: telling, revisions: ['2026-07-28'] },
    async ({ client }) => {
      expect(await who(client)).toEqual({ name: 'hawser', revision: '2026-07-28' });
      const meta = { 'io.modelcontextprotocol/clientInfo': { name: 'ignored', version: '1' } };
      const { content } = await client.sendRequest('tools/call', { name: 'who', _meta: meta });
      expect(content).toEqual([{ type: 'text', text: '{"name":"hawser","revision":"2026-07-28"}' }]);
    },
  );
});

describe('progress', () => {
  test.each(links)('[SEED-149 SEED-151] reaches its caller alone, changes reach all (%s)', async (link) => {
    const server = new Server({ name: 's', version: '1' });
    const both = gate();
    let running = 0;
    server.tool(
      'report',
      { input: { type: 'object', properties: { from: { type: 'number' } } } },
      async (args, ctx) => {
        if (++running === 2) both.open();
        await both.opened;
        await ctx.progress(Number(args['from']) + 1);
        await ctx.progress(Number(args['from']) + 2);
        return 'done';
      },
    );
    const [first, second] = await Promise.all([
      openLink(link, '2026-07-28', server),
      openLink(link, '2026-07-28', server),
    ]);
    const heard = [gate(), gate()] as const;
    const listening = await Promise.all([
      first.listen({ toolsListChanged: true }, { onNotification: () => heard[0].open() }),
      second.listen({ toolsListChanged: true }, { onNotification: () => heard[1].open() }),
    ]);
    const steps: number[][] = [[], []];
    await Promise.all([
      first.callTool('report', { from: 10 }, { onProgress: ({ progress }) => steps[0]?.push(progress) }),
      second.callTool('report', { from: 20 }, { onProgress: ({ progress }) => steps[1]?.push(progress) }),
    ]);
    expect(steps).toEqual([
      [11, 12],
      [21, 22],
    ]);
    server.removeTool('report');
    await Promise.all(heard.map(({ opened }) => opened));
    await Promise.all(listening.map((subscription) => subscription.close()));
  });
});

describe('one server on several links at a time', () => {
  test('[SEED-144 BUG-101] serves them all, each in its own revision', async () => {
    const server = telling();
    const http = await serveHttp(server);
    const over = await Promise.all([
      openLink('direct', '2025-11-25', server, { clientInfo: { name: 'direct', version: '1' } }),
      openLink('pipe', '2024-11-05', server, { clientInfo: { name: 'pipe', version: '1' } }),
      connect(http.url, { protocol: '2025-06-18', clientInfo: { name: 'http', version: '1' } }),
      connect(http.url, { clientInfo: { name: 'modern', version: '1' } }),
    ]);
    const expected = ['direct 2025-11-25', 'pipe 2024-11-05', 'http 2025-06-18', 'modern 2026-07-28'];
    const rounds = Array.from({ length: 10 }, () => Promise.all(over.map(who)));
    for (const answers of await Promise.all(rounds))
      expect(answers.map(({ name, revision }) => `${String(name)} ${String(revision)}`)).toEqual(expected);
    await Promise.all(over.map((client) => client.close()));
    await http.close();
  });
});
