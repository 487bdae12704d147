import { expect, test } from 'vitest';
import { useWorld } from '../../test/support/world.ts';
import { Cancel } from '../base/cancel.ts';
import type { Exchange, Note, Reply } from '../ports/index.ts';
import { Subscriptions } from './subscriptions.ts';

const world = useWorld();

class Listener implements Exchange {
  readonly cancel = new Cancel();
  readonly caller = { revision: '2026-07-28', capabilities: {} } as const;
  readonly id: number;
  readonly uris: unknown[] = [];
  over: Promise<Reply> | undefined;
  full = false;
  makeRoom = (): void => undefined;

  constructor(id: number) {
    this.id = id;
  }
  emit({ method, params }: Note): boolean {
    if (method !== 'notifications/subscriptions/acknowledged') this.uris.push(params?.['uri'] ?? method);
    return !this.full;
  }
  drained(): Promise<void> {
    return new Promise((resolve) => {
      this.makeRoom = () => {
        this.full = false;
        resolve();
      };
    });
  }
}

/** So many who listen to a resource and the list of tools. */
function listeners(count: number) {
  const subscriptions = new Subscriptions(10_000, { clock: world.clock });
  const all = Array.from({ length: count }, (_, id) => new Listener(id));
  const offered = { toolsListChanged: true, resourceSubscriptions: true };
  const params = { notifications: { toolsListChanged: true, resourceSubscriptions: ['x://'] } };
  for (const listener of all)
    listener.over = subscriptions.listen({ method: 'subscriptions/listen', params }, listener, offered, {
      name: 's',
      version: '1',
    });
  return { subscriptions, all, told: () => all.filter(({ uris }) => uris.length > 0).length };
}

test('256 are told in one turn, the others in the next ones', async () => {
  for (const [count, turns] of [
    [256, [256]],
    [257, [256, 257]],
    [700, [256, 512, 700]],
  ] as const) {
    const { subscriptions, told } = listeners(count);
    subscriptions.updated('x://a');
    const after: number[] = [];
    for (const _ of turns) {
      after.push(told());
      await world.clock.turn();
    }
    expect(after).toEqual(turns);
    await world.settle();
    expect(told()).toBe(count);
  }
});

test('all get all changes, each in their order, whenever they come', async () => {
  const { subscriptions, all } = listeners(600);
  const uris = Array.from({ length: 30 }, (_, n) => `x://${n}`);
  for (const [n, uri] of uris.entries()) {
    subscriptions.updated(uri);
    if (n % 4 === 0) await world.clock.turn();
  }
  await world.settle();
  for (const listener of all) expect(listener.uris).toEqual(uris);
});

test('a change that comes again before its turn is told once', async () => {
  const { subscriptions, all } = listeners(300);
  for (let time = 0; time < 10; time++) subscriptions.publish('toolsListChanged', { method: 'changed' });
  await world.settle();
  expect(all.at(-1)?.uris).toEqual(['changed']);
});

test('one that is full does not use up the turn of others, and is told when it has room', async () => {
  const { subscriptions, all } = listeners(200);
  for (const listener of all.slice(0, 199)) listener.full = true;
  subscriptions.updated('x://first');
  for (let n = 0; n < 50; n++) subscriptions.updated(`x://${n}`);
  expect(all.at(-1)?.uris).toHaveLength(51);
  all[0]?.makeRoom();
  await world.settle();
  expect(all[0]?.uris).toHaveLength(51);
});

test('the end comes after the changes; who has left is told nothing', async () => {
  const { subscriptions, all } = listeners(600);
  subscriptions.updated('x://a');
  all[599]?.cancel.cancel('left');
  expect(all[598]?.uris).toEqual([]);
  subscriptions.end();
  expect(all[598]?.uris).toEqual(['x://a']);
  expect(await all[598]?.over).toHaveProperty('result');
  await world.settle();
  expect(all[599]?.uris).toEqual([]);
  for (const { uris } of all.slice(0, 599)) expect(uris).toEqual(['x://a']);
});
