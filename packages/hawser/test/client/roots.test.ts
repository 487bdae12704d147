/** The client's roots, as servers of both eras are told of them. */
import { describe, expect, test, vi } from 'vitest';
import { ArgumentError, InputRequiredError } from '../../src/base/errors.ts';
import { connect } from '../../src/entry/index.node.ts';
import type { Root } from '../../src/model/inputs.ts';
import { afresh, ask, declaredBy, openAsker } from '../support/asking.ts';
import { legacyPeer } from '../support/http-peer.ts';
import { gate } from '../support/http.ts';
import { legacyRevisions } from '../support/links.ts';
import { recorder, type Recorder } from '../support/stdio.ts';

const method = 'roots/list';
const both = ['2025-11-25', '2026-07-28'] as const;
const home: Root = { uri: 'file:///home/me', name: 'Home' };
const work: Root = { uri: 'file:///work', _meta: { a: 1 } };

describe('answers', () => {
  test.each([...legacyRevisions, '2026-07-28'] as const)(
    '[ROOT-003] are the roots as they were set (%s)',
    async (revision) => {
      expect((await ask(revision, { roots: [home, work] }, method)).answer).toEqual({ roots: [home, work] });
    },
  );

  test.each(both)('[ROOT-002] with _meta or without (%s)', async (revision) => {
    expect((await ask(revision, { roots: [home] }, method, { _meta: { x: 1 } })).answer).toEqual({ roots: [home] });
  });

  test.each(both)('[SEED-271] are an empty list until there are roots (%s)', async (revision) => {
    expect((await ask(revision, {}, method)).answer).toEqual({ roots: [] });
  });

  test('[SEED-271] hold what was set later, without another connection', async () => {
    const { client, server } = await openAsker('2025-11-25');
    expect((await server.request(method))['result']).toEqual({ roots: [] });
    client.roots = [home];
    expect((await server.request(method))['result']).toEqual({ roots: [home] });
  });

  test('come from a function anew each time', async () => {
    const roots = vi.fn<() => Promise<Root[]>>().mockResolvedValueOnce([home]).mockResolvedValueOnce([work]);
    const { client, server } = await openAsker('2025-11-25', { roots });
    expect(client.roots).toEqual([]);
    expect((await server.request(method))['result']).toEqual({ roots: [home] });
    expect((await server.request(method))['result']).toEqual({ roots: [work] });
    expect(client.roots).toEqual([work]);
    client.roots = [home];
    expect((await server.request(method))['result']).toEqual({ roots: [home] });
    expect(roots).toHaveBeenCalledTimes(2);
  });

  test('are those set last, although a function was being asked', async () => {
    const [asked, answered] = [gate(), gate<Root[]>()];
    const { client, server } = await openAsker('2025-11-25', {
      roots: () => {
        asked.open();
        return answered.opened;
      },
    });
    const replying = server.request(method);
    await asked.opened;
    client.roots = [home];
    answered.open([work]);
    expect((await replying)['result']).toEqual({ roots: [home] });
    expect(client.roots).toEqual([home]);
  });

  test.each(both)('[ROOT-005 ROOT-006] of a function that fails are an error, or none (%s)', async (revision) => {
    const logger = recorder();
    for (const roots of [
      () => Promise.reject(new Error('secret')),
      () => [{ uri: 'http://secret.test/' }],
      () => 'secret' as never,
    ]) {
      const { answer, rpc, thrown, written } = await ask(revision, { roots, logger }, method);
      expect(answer).toBeUndefined();
      expect(written).not.toContain('secret');
      if (revision === '2025-11-25') expect(rpc).toEqual({ code: -32603, message: 'the client could not answer' });
      else expect(thrown).toBeInstanceOf(InputRequiredError);
    }
    expect(logger.of('error')).toHaveLength(3);
  });
});

describe('setting', () => {
  test.each<[string, unknown]>([
    ['http', [{ uri: 'http://x' }]],
    ['no scheme', [{ uri: '/home' }]],
    ['no slashes', [{ uri: 'file:home' }]],
    ['no uri', [{ name: 'x' }]],
    ['a name that is no text', [{ uri: 'file:///x', name: 1 }]],
    ['no object', ['file:///x']],
    ['no list', { uri: 'file:///x' }],
    ['one bad among good', [home, { uri: 'https://x' }]],
  ])('[SEED-269 ROOT-007] wrong roots is an error that changes nothing: %s', async (_, roots) => {
    const { client } = await openAsker('2025-11-25', { roots: [work] });
    expect(() => {
      client.roots = roots as Root[];
    }).toThrow(ArgumentError);
    expect(client.roots).toEqual([work]);
    await expect(openAsker('2025-11-25', { roots: roots as Root[] })).rejects.toThrow(ArgumentError);
  });

  test('[SEED-269] the getter gives a copy', async () => {
    const { client } = await openAsker('2025-11-25');
    const given = [{ ...home }];
    client.roots = given;
    (given[0] as Root).uri = 'file:///other';
    const got = client.roots;
    (got[0] as Root).uri = 'file:///other';
    got.push(work);
    expect(client.roots).toEqual([home]);
  });
});

describe('declared', () => {
  test('[SEED-273 ROOT-001] only when there are roots among the options, an empty list at least', async () => {
    expect(await declaredBy('2025-11-25', {})).toEqual({});
    expect(await declaredBy('2025-11-25', { roots: [] })).toEqual({ roots: { listChanged: true } });
    expect(await declaredBy('2026-07-28', {})).toEqual({});
    expect(await declaredBy('2026-07-28', { roots: [] })).toEqual({ roots: {} });
  });
});

describe('changes', () => {
  const changed = 'notifications/roots/list_changed';

  test.each(legacyRevisions)('[ROOT-004] are told to a session that roots were declared to (%s)', async (revision) => {
    const { client, server } = await openAsker(revision, { roots: [] });
    client.roots = [home];
    expect(await server.expectNote(changed)).toEqual({ jsonrpc: '2.0', method: changed });
  });

  test('[SEED-270] and to no other', async () => {
    const modern = await openAsker('2026-07-28', { roots: [] });
    const undeclared = await openAsker('2025-11-25');
    for (const { client, server } of [modern, undeclared]) {
      client.roots = [home];
      const calling = client.callTool('t');
      (await server.expect('tools/call')).reply({ content: [] });
      await calling;
      expect(server.lines.map(({ text }) => text).join()).not.toContain(changed);
    }
    const peer = await legacyPeer();
    const client = await connect(peer.url, { protocol: 'legacy', roots: [] });
    client.roots = [home];
    expect((await peer.next(changed)).seen.message).toEqual({ jsonrpc: '2.0', method: changed });
    await client.close();
  });
});

describe('notices', () => {
  const notices = (logger: Recorder): number =>
    logger.of('warn').filter((line) => line.includes('roots are deprecated')).length;

  test('[SEED-271] an empty list brings none, roots set later bring one', async () => {
    const { openAsker: open } = await afresh();
    const logger = recorder();
    const { client, server } = await open('2025-11-25', { logger, roots: [] });
    await server.request(method);
    client.roots = [];
    expect(notices(logger)).toBe(0);
    client.roots = [home];
    client.roots = [work];
    await server.request(method);
    expect(notices(logger)).toBe(1);
  });

  test('the option brings one, and so does an answer of a function', async () => {
    for (const roots of [[home], () => [home]]) {
      const { openAsker: open } = await afresh();
      const logger = recorder();
      const { server } = await open('2025-11-25', { logger, roots });
      await server.request(method);
      expect(notices(logger)).toBe(1);
    }
  });
});
