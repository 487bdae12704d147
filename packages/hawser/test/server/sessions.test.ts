/** What handlers see of a legacy session, and what goes to it alone. */
import { describe, expect, test } from 'vitest';
import type { Client } from '../../src/client/client.ts';
import { connect } from '../../src/entry/index.node.ts';
import type { JsonObject } from '../../src/base/json.ts';
import type { LogLevel } from '../../src/model/types.ts';
import type { Note } from '../../src/ports/index.ts';
import { Server } from '../../src/server/server.ts';
import type { Session } from '../../src/server/session.ts';
import { nextTurn } from '../../src/testing/settle.ts';
import { inTypeScript, root } from '../support/commands.ts';
import { gate, nodeEndpoint, openSession } from '../support/http.ts';
import { everyLink, legacyRevisions, openLink, overEveryLink, standingLinks } from '../support/links.ts';

const legacy = { links: standingLinks, revisions: legacyRevisions };

/** A server that shows what its handlers see, and keeps the sessions. */
function showing() {
  const sessions: (Session | undefined)[] = [];
  const server = new Server({ name: 's', version: '1' })
    .tool('session', {}, (_, { session }) => {
      sessions.push(session);
      if (session === undefined) return 'none';
      const { clientInfo, capabilities, revision, logLevel } = session;
      return JSON.stringify({ clientInfo, capabilities, revision, logLevel });
    })
    .tool(
      'tell',
      {},
      (_, { session, caller }) => `${session?.notify('notifications/own', { to: caller.clientInfo?.name })}`,
    )
    .resource('x:a', { name: 'a' }, (_, { session }) => `${session === sessions[0]}`);
  return { server, sessions };
}

const seenBy = async (client: Client): Promise<unknown> =>
  JSON.parse((await client.callTool('session')).text) as unknown;

describe('ctx.session', () => {
  test.each(everyLink(legacy))(
    '[SEED-145 SEED-148 SEED-147] has what its own client said, and the level that it set ($link, $revision)',
    async ({ link, revision }) => {
      const { server, sessions } = showing();
      const [a, b] = await Promise.all([
        openLink(link, revision, server, { clientInfo: { name: 'a', version: '1' } }),
        openLink(link, revision, server, {
          clientInfo: { name: 'b', version: '2' },
          onSample: () => Promise.reject(new Error('not here')),
        }),
      ]);
      const shown = (name: string, version: string, logLevel: LogLevel, capabilities: object) => ({
        clientInfo: { name, version },
        revision,
        logLevel,
        capabilities,
      });
      expect(await seenBy(a)).toEqual(shown('a', '1', 'info', {}));
      await a.setLogLevel('error');
      expect(await seenBy(a)).toEqual(shown('a', '1', 'error', {}));
      expect(await seenBy(b)).toMatchObject(shown('b', '2', 'info', { sampling: {} }));
      expect(sessions[0]).toBe(sessions[1]);
      expect(sessions[0]).not.toBe(sessions[2]);
      // Handlers of all kinds see the same.
      expect((await a.readResource('x:a')).text).toBe('true');
      expect((await b.readResource('x:a')).text).toBe('false');
    },
  );

  overEveryLink(
    '[BASE-033] modern callers have none',
    { server: () => showing().server, revisions: ['2026-07-28'] },
    async ({ client }) => {
      expect((await client.callTool('session')).text).toBe('none');
    },
  );

  test('[SEED-150] over stdio: one, from the handshake on, and the principal is the process', async () => {
    const command = inTypeScript('ours.ts');
    const clientInfo = { name: 'parent', version: '3' };
    const client = await connect({ command, cwd: root }, { protocol: 'legacy', clientInfo });
    const seen = async (): Promise<unknown> => JSON.parse((await client.callTool('who')).text) as unknown;
    expect(await seen()).toEqual({ principal: 'process', client: 'parent', level: 'info' });
    await client.setLogLevel('alert');
    expect(await seen()).toEqual({ principal: 'process', client: 'parent', level: 'alert' });
    await client.close();
    const modern = await connect({ command, cwd: root }, { protocol: 'modern', clientInfo });
    expect(JSON.parse((await modern.callTool('who')).text)).toEqual({ principal: 'process' });
    await modern.close();
  });
});

describe('ctx.session.notify', () => {
  test.each(everyLink(legacy))(
    '[SEED-145 SEED-151] goes to this session and no other ($link, $revision)',
    async ({ link, revision }) => {
      const { server } = showing();
      const heard: string[] = [];
      const all = gate();
      const hear =
        (name: string) =>
        ({ method, params }: Note): void => {
          if (method === 'notifications/own') heard.push(`${name} hears of ${String(params?.['to'])}`);
          if (method === 'notifications/tools/list_changed') heard.push(`${name} hears of tools`);
          if (heard.length === 4) all.open();
        };
      const [a, b] = await Promise.all(
        ['a', 'b'].map((name) =>
          openLink(link, revision, server, { clientInfo: { name, version: '1' }, onNotification: hear(name) }),
        ),
      );
      // Until the session's own stream is there nothing can be sent.
      for (const client of [a, b]) while ((await client?.callTool('tell'))?.text !== 'true');
      server.changed.tools();
      await all.opened;
      expect(heard.toSorted()).toEqual(['a hears of a', 'a hears of tools', 'b hears of b', 'b hears of tools']);
    },
  );

  test('without a way that belongs to the session nothing is told, and that is said', async () => {
    const { server } = showing();
    const endpoint = await nodeEndpoint(server);
    const session = await openSession(endpoint);
    expect((await endpoint.send(session.call('tell'))).content).toBe('false');
    const stream = await endpoint.fly(session.get()).head;
    expect((await endpoint.send(session.call('tell'))).content).toBe('true');
    expect(await stream.message()).toEqual({ jsonrpc: '2.0', method: 'notifications/own', params: { to: 'by hand' } });
    await endpoint.send(session.delete());
    expect(await stream.message()).toBeUndefined();
  });

  test('after the end of the session it is false', async () => {
    const { server, sessions } = showing();
    const client = await openLink('pipe', '2025-11-25', server);
    await client.callTool('session');
    expect(sessions[0]?.notify('notifications/own')).toBe(true);
    await client.close();
    await nextTurn();
    expect(sessions[0]?.notify('notifications/own')).toBe(false);
  });

  test('what is no notification is refused', async () => {
    const { server, sessions } = showing();
    const client = await openLink('direct', '2025-11-25', server);
    await client.callTool('session');
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    for (const method of ['', 'own', 'notifications/', 'tools/call', 5, undefined])
      expect(() => sessions[0]?.notify(method as string)).toThrow('notify: the method');
    for (const params of [cycle, [], null, 'x', 5, { n: 1n }])
      expect(() => sessions[0]?.notify('notifications/own', params as JsonObject)).toThrow('notify: params');
  });
});

describe("a session's own stream", () => {
  test('is not opened in vain: one on which nothing will be told any more ends, and can be asked for anew', async () => {
    const { server } = showing();
    const endpoint = await nodeEndpoint(server, { legacy: 'sessions' });
    const session = await openSession(endpoint);
    const first = await endpoint.fly(session.get()).head;
    await server.close();
    expect(await first.message()).toBeUndefined();
    const second = await endpoint.fly(session.get()).head;
    expect(second.status).toBe(200);
    server.changed.tools();
    expect(await second.message()).toMatchObject({ method: 'notifications/tools/list_changed' });
  });

  test.each([
    ['is refused', () => Promise.resolve({ error: { code: -32603, message: 'full' } })],
    ['breaks', () => Promise.reject(new Error('broken'))],
  ])('ends when what it listens with %s, so that it is not deaf for good', async (_, listen) => {
    const { server } = showing();
    const service = {
      answer: (...[call, exchange]: Parameters<Server['answer']>) =>
        call.method === 'subscriptions/listen' ? listen() : server.answer(call, exchange),
      notice: () => undefined,
    };
    const endpoint = await nodeEndpoint(service);
    const session = await openSession(endpoint);
    for (let time = 0; time < 2; time++) {
      const stream = await endpoint.fly(session.get()).head;
      expect([stream.status, await stream.message()]).toEqual([200, undefined]);
    }
  });

  test('stays open where a service has no changes to tell of', async () => {
    const { server } = showing();
    const service = {
      answer: (...[call, exchange]: Parameters<Server['answer']>) =>
        call.method === 'subscriptions/listen'
          ? Promise.resolve({ error: { code: -32601, message: 'method not found' } })
          : server.answer(call, exchange),
      notice: () => undefined,
    };
    const endpoint = await nodeEndpoint(service, { keepAliveMs: 5 });
    const stream = await endpoint.fly((await openSession(endpoint)).get()).head;
    const blocks = [await stream.block(), await stream.block(), await stream.block()];
    expect(blocks.at(-1)).toMatch(/^:/);
  });

  test('is no subscription of those that are bounded', async () => {
    const limited = new Server({ name: 's', version: '1', maxSubscriptions: 1 }).tool('t', {}, () => 't');
    const endpoint = await nodeEndpoint(limited);
    const streams = [];
    for (let at = 0; at < 3; at++) streams.push(await endpoint.fly((await openSession(endpoint)).get()).head);
    limited.changed.tools();
    for (const stream of streams)
      expect(await stream.message()).toMatchObject({ method: 'notifications/tools/list_changed' });
  });
});
