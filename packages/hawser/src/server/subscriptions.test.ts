import { describe, expect, test } from 'vitest';
import { Cancel } from '../base/cancel.ts';
import type { JsonObject } from '../base/json.ts';
import type { RequestId, Revision } from '../model/types.ts';
import type { Caller, Exchange, Note, Reply } from '../ports/index.ts';
import { Subscriptions } from './subscriptions.ts';

const server = { name: 's', version: '1' };
const offered = { toolsListChanged: true };
const changed: Note = { method: 'notifications/tools/list_changed' };
const key = 'io.modelcontextprotocol/subscriptionId';

/** A listener that takes what it is sent, until it is full. */
class Listener implements Exchange {
  readonly cancel = new Cancel();
  readonly caller: Caller;
  readonly id: RequestId;
  readonly taken: Note[] = [];
  full = false;
  #drained: (() => void)[] = [];

  constructor(id: RequestId = 1, revision: Revision = '2026-07-28') {
    this.id = id;
    this.caller = { revision, capabilities: {} };
  }

  emit(note: Note): boolean {
    this.taken.push(note);
    return !this.full;
  }

  drained(): Promise<void> {
    return new Promise((resolve) => {
      this.#drained.push(resolve);
    });
  }

  async makeRoom(): Promise<void> {
    this.full = false;
    for (const resolve of this.#drained.splice(0)) resolve();
    await Promise.resolve();
  }

  get methods(): string[] {
    return this.taken.map(({ method }) => method.replace('notifications/', ''));
  }
}

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
    const [slow, quick] = [new Listener('slow'), new Listener('quick')];
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
      const over = listen(subscriptions, new Listener(id));
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
    const [first, second, third] = [new Listener('1'), new Listener('2'), new Listener('3')];
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
    const listener = new Listener('id');
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
    const listener = new Listener('session', '2025-11-25');
    void listen(subscriptions, listener, { toolsListChanged: true, promptsListChanged: true });
    subscriptions.publish('toolsListChanged', changed);
    expect(listener.taken).toEqual([{ ...changed, params: undefined }]);
  });
});
