import { describe, expect, test } from 'vitest';
import { Listener } from '../../test/support/listener.ts';
import { recorder } from '../../test/support/stdio.ts';
import type { Caller, Reply } from '../ports/index.ts';
import { Sessions } from './session.ts';
import { Subscriptions } from './subscriptions.ts';

const server = { name: 's', version: '1' };
const tooMany = { error: { code: -32603, message: 'too many subscriptions' }, status: 503 };

/** Listens; the reply comes when it is refused or over. */
function listen(subscriptions: Subscriptions, listener: Listener): Promise<Reply> {
  const call = {
    method: 'subscriptions/listen',
    params: { notifications: { toolsListChanged: true, resourceSubscriptions: ['x://a'] } },
  };
  return subscriptions.listen(call, listener, { toolsListChanged: true, resourceSubscriptions: true }, server);
}

const refused = async (subscriptions: Subscriptions, caller: Partial<Caller> = {}): Promise<unknown> => {
  const before = subscriptions.size;
  const reply = listen(subscriptions, new Listener(caller));
  if (subscriptions.size > before) return undefined;
  return reply;
};

describe('how many listen', () => {
  test('each principal has its own places, whatever the others take; the nameless share what there is', async () => {
    const subscriptions = new Subscriptions(7, { maxPerPrincipal: 2 });
    const [ann, bob, nobody] = [{ principal: 'ann' }, { principal: 'bob' }, {}];
    const first = new Listener(ann);
    void listen(subscriptions, first);
    expect(await refused(subscriptions, ann)).toBeUndefined();
    expect(await refused(subscriptions, ann)).toEqual(tooMany);
    expect(await refused(subscriptions, bob)).toBeUndefined();
    for (let time = 0; time < 4; time++) expect(await refused(subscriptions, nobody)).toBeUndefined();
    expect(await refused(subscriptions, nobody)).toEqual(tooMany);
    expect(await refused(subscriptions, bob)).toEqual(tooMany);
    first.cancel.cancel('enough');
    expect(await refused(subscriptions, ann)).toBeUndefined();
    expect(await refused(subscriptions, ann)).toEqual(tooMany);
    expect(subscriptions.size).toBe(7);
  });

  test('a place is given back once, however it ends', async () => {
    const subscriptions = new Subscriptions(2, { maxPerPrincipal: 1 });
    const listener = new Listener({ principal: 'ann' });
    const over = listen(subscriptions, listener);
    subscriptions.end();
    listener.cancel.cancel('gone');
    await over;
    expect(await refused(subscriptions, { principal: 'ann' })).toBeUndefined();
    expect(await refused(subscriptions, { principal: 'ann' })).toEqual(tooMany);
    expect(await refused(subscriptions)).toBeUndefined();
    expect(await refused(subscriptions)).toEqual(tooMany);
  });

  test('what doors listen with for legacy sessions is not counted, and not refused', async () => {
    const subscriptions = new Subscriptions(1, { maxPerPrincipal: 1 });
    const sessions = [1, 2, 3].map(() => new Listener({ principal: 'ann', session: {} }));
    for (const session of sessions) void listen(subscriptions, session);
    expect(await refused(subscriptions, { principal: 'ann' })).toBeUndefined();
    void listen(subscriptions, new Listener({ session: {} }));
    expect(subscriptions.size).toBe(5);
    for (const session of sessions) session.cancel.cancel('gone');
    expect(await refused(subscriptions)).toEqual(tooMany);
  });
});

describe('what is dropped', () => {
  test('is counted in the log: the first, and ten times as many each time', async () => {
    const logger = recorder();
    const subscriptions = new Subscriptions(10, { logger });
    const listeners = [new Listener(), new Listener()];
    for (const listener of listeners) {
      void listen(subscriptions, listener);
      listener.full = true;
    }
    for (let at = 0; at <= 1_000; at++) subscriptions.updated(`x://a/${at}`);
    expect(logger.entries).toEqual([]);
    for (let at = 1_001; at < 1_600; at++) subscriptions.updated(`x://a/${at}`);
    expect(logger.of('warn')).toEqual(Array(4).fill('changes were dropped: somebody who listens does not keep up'));
    expect(logger.entries.map(({ details }) => details)).toEqual([1, 10, 100, 1_000].map((dropped) => ({ dropped })));
    for (const listener of listeners) {
      await listener.makeRoom();
      expect(listener.taken).toHaveLength(1_002);
    }
  });

  test('a mebi of characters waits for one who does not read, whatever the URIs', async () => {
    const subscriptions = new Subscriptions(10);
    const listener = new Listener();
    void listen(subscriptions, listener);
    listener.full = true;
    const uri = (at: number): string => `x://a/${at}/${'u'.repeat(60_000)}`;
    for (let at = 0; at < 100; at++) subscriptions.updated(uri(at));
    await listener.makeRoom();
    const waited = listener.taken.slice(2);
    expect(waited).toHaveLength(17);
    expect(waited.at(-1)?.params).toMatchObject({ uri: uri(99) });
  });
});

describe('what is for one session alone', () => {
  test('waits in its order with the changes, and none of it stands for another', async () => {
    const sessions = new Sessions();
    const subscriptions = new Subscriptions(10, { sessions });
    const listener = new Listener({ session: {} });
    void listen(subscriptions, listener);
    const session = sessions.session(listener.caller);
    listener.full = true;
    subscriptions.publish('toolsListChanged', { method: 'notifications/tools/list_changed' });
    for (const n of [1, 1, 2]) expect(session?.notify('notifications/own', { n })).toBe(true);
    subscriptions.publish('toolsListChanged', { method: 'notifications/tools/list_changed' });
    session?.notify('notifications/own');
    await listener.makeRoom();
    expect(listener.taken.slice(1)).toEqual([
      ...[1, 1, 2].map((n) => ({ method: 'notifications/own', params: { n } })),
      { method: 'notifications/tools/list_changed' },
      { method: 'notifications/own' },
    ]);
  });

  test('is bounded like the changes', async () => {
    const logger = recorder();
    const sessions = new Sessions();
    const subscriptions = new Subscriptions(10, { sessions, logger });
    const listener = new Listener({ session: {} });
    void listen(subscriptions, listener);
    const session = sessions.session(listener.caller);
    listener.full = true;
    for (let at = 0; at < 20; at++) session?.notify('notifications/own', { at, text: 'x'.repeat(100_000) });
    session?.notify('notifications/own', { text: 'x'.repeat(3_000_000) });
    await listener.makeRoom();
    expect(listener.taken.slice(1)).toHaveLength(11);
    expect(logger.of('warn')).toHaveLength(1);
  });
});
