import { describe, expect, test } from 'vitest';
import { Listener } from '../../test/support/listener.ts';
import type { JsonObject } from '../base/json.ts';
import type { RequestId } from '../model/types.ts';
import type { Caller, Note, Reply } from '../ports/index.ts';
import { Subscriptions } from './subscriptions.ts';

const server = { name: 's', version: '1' };
const offered = { toolsListChanged: true };
const changed: Note = { method: 'notifications/tools/list_changed' };
const key = 'io.modelcontextprotocol/subscriptionId';

function listen(subscriptions: Subscriptions, listener: Listener, notifications: unknown = offered): Promise<Reply> {
  return subscriptions.listen({ method: 'subscriptions/listen', params: { notifications } }, listener, offered, server);
}

describe('a slow listener', () => {
  test('is told once that there were changes', async () => {
    const subscriptions = new Subscriptions(10);
    const listener = new Listener();
    void listen(subscriptions, listener);
    listener.full = true;
    for (let time = 0; time < 1_000; time++) subscriptions.publish('toolsListChanged', changed);
    expect(listener.methods).toEqual(['subscriptions/acknowledged', 'tools/list_changed']);
    await listener.makeRoom();
    expect(listener.methods).toEqual(['subscriptions/acknowledged', 'tools/list_changed', 'tools/list_changed']);
    subscriptions.publish('toolsListChanged', changed);
    expect(listener.methods).toHaveLength(4);
  });

  test('does not hold up the others', () => {
    const subscriptions = new Subscriptions(10);
    const [slow, quick] = [new Listener({}, 'slow'), new Listener({}, 'quick')];
    void listen(subscriptions, slow);
    void listen(subscriptions, quick);
    slow.full = true;
    for (let time = 0; time < 3; time++) subscriptions.publish('toolsListChanged', changed);
    expect(quick.methods).toHaveLength(4);
  });

  test('that ends while it waits is told nothing more', async () => {
    const subscriptions = new Subscriptions(10);
    const listener = new Listener();
    const over = listen(subscriptions, listener);
    listener.full = true;
    subscriptions.publish('toolsListChanged', changed);
    subscriptions.publish('toolsListChanged', changed);
    subscriptions.end();
    await over;
    await listener.makeRoom();
    expect(listener.methods).toEqual(['subscriptions/acknowledged', 'tools/list_changed']);
  });
});

describe('the end', () => {
  test('[SUB-010 B-18] by the server: a result with the id, in its type, and no cache hints', async () => {
    for (const id of [0, '0', 7, '7']) {
      const subscriptions = new Subscriptions(10);
      const over = listen(subscriptions, new Listener({}, id));
      subscriptions.end();
      const { result } = await over;
      expect(result).toEqual({ resultType: 'complete', _meta: expect.objectContaining({ [key]: id }) as unknown });
    }
  });

  test('by the listener: nothing is kept of it', async () => {
    const subscriptions = new Subscriptions(10);
    const listener = new Listener();
    const over = listen(subscriptions, listener);
    expect(subscriptions.size).toBe(1);
    listener.cancel.cancel('enough');
    await over;
    expect(subscriptions.size).toBe(0);
    subscriptions.publish('toolsListChanged', changed);
    expect(listener.methods).toEqual(['subscriptions/acknowledged']);
  });

  test('by a listener that had gone before', async () => {
    const subscriptions = new Subscriptions(10);
    const listener = new Listener();
    listener.cancel.cancel('gone');
    await listen(subscriptions, listener);
    expect(subscriptions.size).toBe(0);
  });
});

describe('the bound', () => {
  test('at it all is well, one past it is refused, and a place that is free again is given', async () => {
    const subscriptions = new Subscriptions(2);
    const [first, second, third] = [new Listener({}, '1'), new Listener({}, '2'), new Listener({}, '3')];
    void listen(subscriptions, first);
    void listen(subscriptions, second);
    expect(await listen(subscriptions, third)).toMatchObject({ error: { code: -32603 } });
    expect(third.taken).toEqual([]);
    first.cancel.cancel('enough');
    void listen(subscriptions, third);
    expect(third.methods).toEqual(['subscriptions/acknowledged']);
    expect(subscriptions.size).toBe(2);
  });
});

describe('the filter', () => {
  test.each([null, true, 'all', 5, []])('%j is none: -32602', async (notifications) => {
    const subscriptions = new Subscriptions(10);
    expect(await listen(subscriptions, new Listener(), notifications)).toMatchObject({ error: { code: -32602 } });
    expect(subscriptions.size).toBe(0);
  });

  test.each<[JsonObject, JsonObject]>([
    [{}, {}],
    [{ toolsListChanged: true }, { toolsListChanged: true }],
    [{ toolsListChanged: false }, {}],
    [{ toolsListChanged: 'yes' }, {}],
    [{ toolsListChanged: 1 }, {}],
    [{ promptsListChanged: true, resourcesListChanged: true }, {}],
    [
      { toolsListChanged: true, resourceSubscriptions: ['x:y'], taskIds: ['t'], later: true },
      { toolsListChanged: true },
    ],
  ])('[SUB-004 SUB-002 B-17] of %j is honored: %j', (notifications, honored) => {
    const subscriptions = new Subscriptions(10);
    const listener = new Listener({}, 'id');
    void listen(subscriptions, listener, notifications);
    expect(listener.taken).toEqual([
      {
        method: 'notifications/subscriptions/acknowledged',
        params: { notifications: honored, _meta: { [key]: 'id' } },
      },
    ]);
    subscriptions.publish('toolsListChanged', changed);
    expect(listener.taken.slice(1)).toEqual(
      'toolsListChanged' in honored ? [{ ...changed, params: { _meta: { [key]: 'id' } } }] : [],
    );
  });

  test('[SUB-018] a legacy session is told without acknowledgement and without an id', () => {
    const subscriptions = new Subscriptions(10);
    const listener = new Listener({ revision: '2025-11-25' }, 'session');
    void listen(subscriptions, listener, { toolsListChanged: true, promptsListChanged: true });
    subscriptions.publish('toolsListChanged', changed);
    expect(listener.taken).toEqual([{ ...changed, params: undefined }]);
  });
});

describe('resources', () => {
  const all = { ...offered, resourceSubscriptions: true };
  const updatesOf = (listener: Listener): unknown[] =>
    listener.taken
      .filter(({ method }) => method === 'notifications/resources/updated')
      .map(({ params }) => params?.['uri']);

  function subscribed(subscriptions: Subscriptions, uris: unknown, id: RequestId = 1): Listener {
    const listener = new Listener({}, id);
    const call = { method: 'subscriptions/listen', params: { notifications: { resourceSubscriptions: uris } } };
    void subscriptions.listen(call, listener, all, server);
    return listener;
  }
  const honoredBy = (listener: Listener): unknown => {
    const filter = listener.taken[0]?.params?.['notifications'] as JsonObject | undefined;
    return filter?.['resourceSubscriptions'];
  };

  test('[SUB-014 RES-015] an update goes to those who named the resource, or one that it is below of', () => {
    const subscriptions = new Subscriptions(10);
    const named = ['x://a/b', 'x://a', 'x://a/', 'x://', 'x://ab', 'x://a/b/c', 'y://a/b', 'X://a/b'];
    const listeners = named.map((uri) => subscribed(subscriptions, [uri]));
    subscriptions.updated('x://a/b');
    expect(named.filter((_, at) => updatesOf(listeners[at] as Listener).length > 0)).toEqual([
      'x://a/b',
      'x://a',
      'x://a/',
      'x://',
    ]);
    expect(listeners[0]?.taken.at(-1)).toEqual({
      method: 'notifications/resources/updated',
      params: { uri: 'x://a/b', _meta: { [key]: 1 } },
    });
  });

  test('[SUB-014] where resources cannot be subscribed to, there is no update', () => {
    for (const unable of [{}, { ...all, resourceSubscriptions: false }]) {
      const subscriptions = new Subscriptions(10);
      const listener = new Listener();
      const call = { method: 'subscriptions/listen', params: { notifications: { resourceSubscriptions: ['x://a'] } } };
      void subscriptions.listen(call, listener, unable, server);
      subscriptions.updated('x://a');
      expect(listener.methods).toEqual(['subscriptions/acknowledged']);
      expect(honoredBy(listener)).toBeUndefined();
    }
  });

  test('one who named it in several ways is told once', () => {
    const subscriptions = new Subscriptions(10);
    const listener = subscribed(subscriptions, ['x://a/b', 'x://a', 'x://a/', 'x://a/b']);
    subscriptions.updated('x://a/b');
    expect(updatesOf(listener)).toEqual(['x://a/b']);
  });

  test('[RES-015] what is no URI, or too long, is not honored', () => {
    const subscriptions = new Subscriptions(10);
    const long = `x:${'a'.repeat(8_190)}`;
    const listener = subscribed(subscriptions, ['x://a', 5, 'nothing', '', null, long, `${long}a`, 'x://a']);
    expect(honoredBy(listener)).toEqual(['x://a', long]);
    for (const odd of ['x://a', { 0: 'x://a' }, true]) {
      const notices = subscribed(subscriptions, odd).taken[0]?.params?.['notifications'];
      expect(notices).toEqual({});
    }
  });

  test('of 1,001 the first 1,000 are honored', () => {
    const uris = Array.from({ length: 1_001 }, (_, at) => `x://${at}`);
    const subscriptions = new Subscriptions(10);
    expect(honoredBy(subscribed(subscriptions, uris.slice(1)))).toHaveLength(1_000);
    const listener = subscribed(subscriptions, uris, 2);
    expect(honoredBy(listener)).toEqual(uris.slice(0, 1_000));
    subscriptions.updated('x://1000');
    expect(updatesOf(listener)).toEqual([]);
  });

  test('who has gone is forgotten, whoever else named the same', () => {
    const subscriptions = new Subscriptions(10);
    const gone = subscribed(subscriptions, ['x://a', 'x://b']);
    const stays = subscribed(subscriptions, ['x://a'], 2);
    gone.cancel.cancel('gone');
    expect(subscriptions.resources).toBe(1);
    subscriptions.updated('x://a');
    expect([updatesOf(gone), updatesOf(stays)]).toEqual([[], ['x://a']]);
    subscriptions.end();
    expect([subscriptions.resources, subscriptions.size]).toEqual([0, 0]);
  });

  test('while there is no room, updates of one resource are one, those of others are others', async () => {
    const subscriptions = new Subscriptions(10);
    const listener = subscribed(subscriptions, ['x://a']);
    listener.full = true;
    for (const name of ['first', '1', '2', '1', '2', '1']) subscriptions.updated(`x://a/${name}`);
    await listener.makeRoom();
    expect(updatesOf(listener)).toEqual(['x://a/first', 'x://a/1', 'x://a/2']);
  });

  test('a thousand wait, of one more the oldest is dropped', async () => {
    const subscriptions = new Subscriptions(10);
    const listener = subscribed(subscriptions, ['x://a']);
    listener.full = true;
    for (let at = 0; at <= 1_001; at++) subscriptions.updated(`x://a/${at}`);
    await listener.makeRoom();
    const updates = updatesOf(listener);
    expect(updates).toHaveLength(1_001);
    expect(updates.slice(0, 2)).toEqual(['x://a/0', 'x://a/2']);
  });

  describe('of a legacy session', () => {
    const session = (): Caller => ({ revision: '2025-11-25', capabilities: {}, session: {} });
    function stand(subscriptions: Subscriptions, caller: Caller): Listener {
      const listener = new Listener(caller, 'session');
      void listen(subscriptions, listener);
      return listener;
    }

    test('[SUB-018] it is told what it subscribed to, before it listens and after, without an id', () => {
      const subscriptions = new Subscriptions(10);
      const caller = session();
      expect(subscriptions.subscribe('x://a', caller)).toBeUndefined();
      const listener = stand(subscriptions, caller);
      const other = stand(subscriptions, session());
      expect(subscriptions.subscribe('x://b', caller)).toBeUndefined();
      for (const uri of ['x://a', 'x://b', 'x://c']) subscriptions.updated(uri);
      expect(listener.taken.map(({ params }) => params)).toEqual([{ uri: 'x://a' }, { uri: 'x://b' }]);
      expect(other.taken).toEqual([]);
    });

    test('[SUB-018] what it takes back is over, and what it never had is no error', () => {
      const subscriptions = new Subscriptions(10);
      const caller = session();
      subscriptions.subscribe('x://a', caller);
      const listener = stand(subscriptions, caller);
      expect(subscriptions.unsubscribe('x://a', caller)).toBeUndefined();
      expect(subscriptions.unsubscribe('x://never', caller)).toBeUndefined();
      expect(subscriptions.unsubscribe('x://a', session())).toBeUndefined();
      subscriptions.updated('x://a');
      expect(listener.taken).toEqual([]);
      expect(subscriptions.resources).toBe(0);
    });

    test('a stream that is opened again goes on with the same resources', () => {
      const subscriptions = new Subscriptions(10);
      const caller = session();
      const first = stand(subscriptions, caller);
      subscriptions.subscribe('x://a', caller);
      first.cancel.cancel('gone');
      expect(subscriptions.resources).toBe(0);
      const second = stand(subscriptions, caller);
      subscriptions.updated('x://a');
      expect([first.taken, second.taken.length]).toEqual([[], 1]);
    });

    test('[RES-013] a thousand resources, of 8,192 characters each; what is no URI is refused', () => {
      const subscriptions = new Subscriptions(10);
      const caller = session();
      const long = `x:${'a'.repeat(8_190)}`;
      expect(subscriptions.subscribe(long, caller)).toBeUndefined();
      for (const uri of [`${long}a`, 'nothing', '', undefined, 5])
        expect(subscriptions.subscribe(uri, caller)?.error?.code).toBe(-32602);
      expect(subscriptions.unsubscribe('nothing', caller)?.error?.code).toBe(-32602);
      for (let at = 1; at < 1_000; at++) expect(subscriptions.subscribe(`x://${at}`, caller)).toBeUndefined();
      expect(subscriptions.subscribe('x://1', caller)).toBeUndefined();
      expect(subscriptions.subscribe('x://more', caller)?.error?.code).toBe(-32602);
      subscriptions.unsubscribe('x://1', caller);
      expect(subscriptions.subscribe('x://more', caller)).toBeUndefined();
    });
  });
});
