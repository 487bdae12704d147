/** Many changes of a list at a time: how often it is asked for again. */
import { describe, expect, test } from 'vitest';
import { settle } from '../../src/testing/settle.ts';
import { gate } from '../support/http.ts';
import { handServers } from '../support/group.ts';
import { collectRejections, takeRejections } from '../support/rejections.ts';

collectRejections();

const subscriptionId = 'io.modelcontextprotocol/subscriptionId';

/** A group of one server whose list has been asked for, and who looks for a tool at each notice. */
async function storming(era: 'modern' | 'legacy') {
  const hand = handServers({ s: era });
  const { s } = hand.servers;
  let listen: unknown;
  s.handlers['subscriptions/listen'] = ({ id, params }) => {
    listen = id;
    const notifications = params?.['notifications'];
    s.peer.notify('notifications/subscriptions/acknowledged', { notifications, _meta: { [subscriptionId]: id } });
  };
  s.tools = ['old'];
  const group = await hand.open();
  await group.callTool('old');
  await settle();
  await group.callTool('old');
  const change = (): void => {
    const meta = era === 'modern' ? { _meta: { [subscriptionId]: listen } } : undefined;
    s.peer.notify('notifications/tools/list_changed', meta);
  };
  const found: Promise<string>[] = [];
  let heard = 0;
  group.onNotification(() => {
    heard++;
    found.push(group.callTool('new').then(({ text }) => text, String));
  });
  return { s, group, change, found, heard: () => heard, before: s.count('tools/list') };
}

describe.each(['modern', 'legacy'] as const)('a group and a %s server', (era) => {
  test('[BUG-099] 200 changes at once and one more while the list is asked for: two lists, and the last one counts', async () => {
    const { s, change, found, heard, before } = await storming(era);
    const asked = gate();
    const answer = gate();
    s.handlers['tools/list'] = async () => {
      const tools = s.tools.map((name) => ({ name, inputSchema: { type: 'object' } }));
      asked.open();
      await answer.opened;
      return { ...(era === 'modern' && { resultType: 'complete', ttlMs: 0, cacheScope: 'private' }), tools };
    };
    for (let at = 0; at < 200; at++) change();
    await asked.opened;
    await settle();
    expect(s.count('tools/list') - before).toBe(1);
    s.tools = ['new'];
    change();
    await settle();
    answer.open();
    // Who asked at the first notice has the list of that time, all others the last one.
    expect(new Set((await Promise.all(found)).slice(1))).toEqual(new Set(['s:new']));
    expect([heard(), s.count('tools/list') - before]).toEqual([201, 2]);
  });

  test('[BUG-099] the connection ends while the list is asked for: whoever asked is told, and nobody else', async () => {
    const { s, change, found } = await storming(era);
    takeRejections();
    const asked = gate();
    s.handlers['tools/list'] = () => {
      asked.open();
      return new Promise(() => undefined);
    };
    for (let at = 0; at < 200; at++) change();
    await asked.opened;
    s.broken = new Error('it does not start again');
    await s.peer.close();
    for (const text of await Promise.all(found)) expect(text).not.toBe('s:new');
    await settle();
    expect(takeRejections()).toEqual([]);
  });
});
