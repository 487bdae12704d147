import { describe, expect, test } from 'vitest';
import { nextTurn } from './settle.ts';
import { World } from './world.ts';

describe('assertIdle', () => {
  test('an untouched world is idle', () => {
    expect(() => new World().assertIdle()).not.toThrow();
  });

  test('an armed timer is left over until it has fired or is cancelled', async () => {
    const world = new World();
    world.clock.after(10, () => {});
    const later = world.clock.after(250, () => {});
    expect(() => world.assertIdle()).toThrow('left over: armed timers: 2, due in 10, 250 ms');
    await world.advance(10);
    expect(() => world.assertIdle()).toThrow('armed timers: 1, due in 240 ms');
    later.cancel();
    world.assertIdle();
  });

  test('a tracked count has to be 0, and can be taken back', () => {
    const world = new World();
    let open = 1;
    world.track('open exchanges', () => open);
    const untrack = world.track('pending requests', () => 7);
    expect(() => world.assertIdle()).toThrow('left over: open exchanges: 1; pending requests: 7');
    open = 0;
    untrack();
    world.assertIdle();
    open = Number.NaN;
    expect(() => world.assertIdle()).toThrow('open exchanges: NaN');
  });

  test('listeners on a tracked signal are left over', () => {
    const world = new World();
    const controller = world.abortController('listeners on the caller');
    const listener = () => {};
    controller.signal.addEventListener('abort', listener);
    expect(() => world.assertIdle()).toThrow('listeners on the caller: 1');
    controller.signal.removeEventListener('abort', listener);
    world.assertIdle();
  });

  test('an unhandled rejection is left over and becomes the cause', () => {
    const world = new World();
    const reason = new TypeError('nobody cared');
    world.rejections.push(reason, 'text');
    expect(() => world.assertIdle()).toThrow(
      expect.objectContaining({
        message: 'left over: unhandled rejection: TypeError: nobody cared; unhandled rejection: text',
        cause: reason,
      }),
    );
  });

  test('a turn still waited for is left over', async () => {
    const world = new World();
    const turn = world.clock.turn();
    expect(() => world.assertIdle()).toThrow('turns of the event loop waited for: 1');
    await turn;
    world.assertIdle();
  });
});

test('settle waits for turns and for isQuiet, and does not move time', async () => {
  const world = new World({ startMs: 5 });
  const done: string[] = [];
  const turns = async () => {
    for (let i = 0; i < 10; i++) await world.clock.turn();
    done.push('turns');
  };
  void turns();
  await world.settle();
  expect(done).toEqual(['turns']);
  let quiet = false;
  const work = async () => {
    for (let i = 0; i < 20; i++) await nextTurn();
    quiet = true;
  };
  void work();
  await world.settle(() => quiet);
  expect(quiet).toBe(true);
  expect(world.clock.now()).toBe(5);
});
