/** Several servers at once: hearing of changes, in both eras. */
import { describe, expect, test } from 'vitest';
import type { GroupOptions } from '../../src/client/group.ts';
import { clientGroup } from '../../src/entry/index.node.ts';
import type { Note } from '../../src/ports/index.ts';
import { Server } from '../../src/server/server.ts';
import { VirtualClock } from '../../src/testing/clock.ts';
import type { ScriptedRequest } from '../../src/testing/scripted.ts';
import { settle } from '../../src/testing/settle.ts';
import { handServers } from '../support/group.ts';
import { recorder } from '../support/stdio.ts';

const subscriptionId = 'io.modelcontextprotocol/subscriptionId';

/** A modern server that lists one tool, and the subscriptions it has been asked for. */
function modern() {
  const hand = handServers({ m: 'modern' });
  const { m } = hand.servers;
  m.tools = ['t'];
  const listens: ScriptedRequest[] = [];
  m.handlers['subscriptions/listen'] = (request) => {
    listens.push(request);
    m.peer.notify('notifications/subscriptions/acknowledged', {
      notifications: request.params?.['notifications'],
      _meta: { [subscriptionId]: request.id },
    });
  };
  const change = (kind: string): void =>
    m.peer.notify(`notifications/${kind}/list_changed`, { _meta: { [subscriptionId]: listens.at(-1)?.id } });
  const end = (): void => listens.at(-1)?.reply({ resultType: 'complete' });
  const open = async (options: GroupOptions = {}) => {
    const clock = new VirtualClock();
    return { group: await hand.open({ clock, ...options }), clock };
  };
  return { m, listens, change, end, open };
}

describe('listeners', () => {
  test('[SEED-489] each hears of a notice once, in order, until it is taken away; lists are renewed before', async () => {
    const hand = handServers({ a: 'legacy', b: 'legacy' });
    const { a, b } = hand.servers;
    a.tools = ['old'];
    const logger = recorder();
    const group = await hand.open({ logger });
    await group.callTool('old');
    const heard: [string, string, Note][] = [];
    const calls: Promise<string>[] = [];
    const takeAway = group.onNotification((server, note) => {
      heard.push(['one', server, note]);
      // What is done at the notice already sees the change.
      calls.push(group.callTool('new').then(({ text }) => text));
      throw new Error('of the listener');
    });
    group.onNotification((server, note) => heard.push(['two', server, note]));
    a.tools = ['new'];
    a.changed('tools');
    await settle();
    const note = { method: 'notifications/tools/list_changed' };
    expect(heard).toMatchObject([
      ['one', 'a', note],
      ['two', 'a', note],
    ]);
    expect(await Promise.all(calls)).toEqual(['a:new']);
    expect(a.count('tools/list')).toBe(2);
    expect(logger.of('error')).toEqual(['onNotification threw']);
    takeAway();
    takeAway();
    b.peer.notify('notifications/resources/updated', { uri: 'x://1' });
    await settle();
    expect(heard.slice(2)).toMatchObject([
      ['two', 'b', { method: 'notifications/resources/updated', params: { uri: 'x://1' } }],
    ]);
  });

  test('a listener of one server hears what the group hears', async () => {
    const hand = handServers({ a: 'legacy' });
    hand.servers.a.prompts = ['p'];
    const group = await hand.open();
    const heard: string[] = [];
    group.client('a').onNotification(({ method }) => heard.push(method));
    hand.servers.a.changed('prompts');
    await settle();
    expect(heard).toEqual(['notifications/prompts/list_changed']);
  });
});

describe('servers of the library', () => {
  test.each(['2026-07-28', '2025-11-25'] as const)('a tool that moves is found where it is (%s)', async (protocol) => {
    const [one, two] = [new Server({ name: 'one', version: '1' }), new Server({ name: 'two', version: '1' })];
    one.tool('t', {}, () => 'one');
    two.tool('u', {}, () => 'two');
    await using group = await clientGroup({ one, two }, { protocol });
    expect((await group.callTool('t')).text).toBe('one');
    await settle();
    expect((await group.callTool('t')).text).toBe('one');
    one.removeTool('t');
    two.tool('t', {}, () => 'two');
    await settle();
    expect((await group.callTool('t')).text).toBe('two');
  });
});

describe('modern servers', () => {
  test('are listened to once names matter, and for what they declare', async () => {
    const { m, listens, change, open } = modern();
    const { group } = await open();
    await group.listTools();
    expect(listens).toHaveLength(0);
    await group.callTool('t');
    await settle();
    await group.callTool('t');
    await group.callTool('t');
    expect(listens.map(({ params }) => params?.['notifications'])).toEqual([
      { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true },
    ]);
    // What was listed before the subscription is listed once more.
    expect(m.count('tools/list')).toBe(2);
    const heard: string[] = [];
    group.onNotification((server, { method }) => heard.push(`${server} ${method}`));
    m.tools = ['u'];
    change('tools');
    await settle();
    expect(heard).toEqual(['m notifications/tools/list_changed']);
    await expect(group.callTool('t')).rejects.toMatchObject({ code: 'tool_not_found' });
    expect(m.count('tools/list')).toBe(3);
  });

  test('a subscription that ends may have missed something: lists are asked for and listened to anew', async () => {
    const { m, listens, end, open } = modern();
    const { group, clock } = await open();
    await group.callTool('t');
    await settle();
    await clock.advance(30_000);
    end();
    await settle();
    m.tools = ['u'];
    await expect(group.callTool('t')).rejects.toMatchObject({ code: 'tool_not_found' });
    await settle();
    expect(listens).toHaveLength(2);
  });

  test('one that ends too soon is not asked for again', async () => {
    const { m, listens, end, open } = modern();
    const { group, clock } = await open();
    await group.callTool('t');
    await settle();
    await clock.advance(29_999);
    end();
    await settle();
    m.tools = ['u'];
    await expect(group.callTool('t')).rejects.toMatchObject({ code: 'tool_not_found' });
    await group.callTool('u');
    await settle();
    expect(listens).toHaveLength(1);
    expect(m.count('tools/list')).toBe(2);
  });

  test('one that does not take subscriptions works without', async () => {
    const { m, listens, open } = modern();
    const logger = recorder();
    m.handlers['subscriptions/listen'] = ({ fail }) => fail({ code: -32601, message: 'method not found' });
    const { group } = await open({ logger });
    await group.callTool('t');
    await settle();
    await group.callTool('t');
    await settle();
    expect([listens.length, m.count('subscriptions/listen'), m.count('tools/list')]).toEqual([0, 1, 1]);
    expect(logger.of('debug')).toContain('changes of lists will not be heard of');
  });

  test('closing ends the subscription', async () => {
    const { m, open } = modern();
    const { group } = await open();
    await group.callTool('t');
    await settle();
    await group.close();
    await m.peer.ended;
    expect(m.count('notifications/cancelled')).toBe(1);
  });
});
