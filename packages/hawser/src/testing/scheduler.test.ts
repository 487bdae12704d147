import { describe, expect, test } from 'vitest';
import { VirtualClock } from './clock.ts';
import { steppedPair } from './pipes.ts';
import { acrossSeeds, runInRandomOrder } from './scheduler.ts';

const noop = () => {};
const queues = () => ({ a: [noop, noop, noop], b: [noop, noop, noop], c: [noop] });

describe('runInRandomOrder', () => {
  test('takes everything, in an order that the seed decides', async () => {
    const order = await runInRandomOrder(1, queues());
    expect(order.toSorted()).toEqual(['a', 'a', 'a', 'b', 'b', 'b', 'c']);
    expect(await runInRandomOrder(1, queues())).toEqual(order);
    const others = await Promise.all([2, 3, 4].map((seed) => runInRandomOrder(seed, queues())));
    expect(new Set(others.map((other) => other.join())).size).toBeGreaterThan(1);
  });

  test('steps of one source keep their order, and steps may add steps', async () => {
    const done: number[] = [];
    const a: (() => unknown)[] = [() => done.push(1), () => a.push(() => done.push(3)), () => done.push(2)];
    await runInRandomOrder(9, { a, b: [noop, noop] });
    expect(done).toEqual([1, 2, 3]);
  });

  test('what follows from a step has settled before the next', async () => {
    const done: string[] = [];
    const step = (name: string) => async () => {
      done.push(`${name} begins`);
      await Promise.resolve();
      done.push(`${name} ends`);
    };
    await runInRandomOrder(1, { a: [step('x'), step('y')] });
    expect(done).toEqual(['x begins', 'x ends', 'y begins', 'y ends']);
  });

  test('a promise may need later steps; deliveries and time are sources', async () => {
    const clock = new VirtualClock();
    const pair = steppedPair({ seed: 3 });
    let heard = '';
    pair.client.start({ chunk: noop, ended: noop });
    pair.server.start({ chunk: (bytes) => (heard += new TextDecoder().decode(bytes)), ended: () => (heard += '|') });
    let fired = 0;
    clock.after(15, () => fired++);
    await runInRandomOrder(
      3,
      {
        caller: [() => pair.client.write('hello'), () => pair.client.close()],
        toServer: pair.source('server'),
        toClient: pair.source('client'),
        time: [() => clock.advance(10), () => clock.advance(10)],
      },
      { settle: () => clock.settle() },
    );
    expect(heard).toBe('hello|');
    expect(fired).toBe(1);
  });

  test('a step that throws, and one that rejects, name the order and end with the seed', async () => {
    const throws = () => {
      throw new Error('it broke');
    };
    await expect(runInRandomOrder(77, { a: [noop, throws] })).rejects.toThrow(/^it broke; order: a → a SEED=77$/);
    const rejects = () => Promise.reject(new Error('it broke later'));
    await expect(runInRandomOrder(78, { a: [rejects, throws] })).rejects.toThrow(/^it broke later; order: a SEED=78$/);
  });

  test('a promise that never settles is a failure that names its step', async () => {
    const never = () => new Promise(noop);
    await expect(runInRandomOrder(5, { calls: [noop, never] })).rejects.toThrow(
      /^never settled: calls \(step 2\);.*SEED=5$/,
    );
  });

  test('sources that never run dry are a failure', async () => {
    const endless = { ready: () => true, run: noop };
    await expect(runInRandomOrder(5, { endless }, { maxSteps: 3 })).rejects.toThrow('not empty after 3 steps');
  });
});

describe('acrossSeeds', () => {
  test('runs once per seed', async () => {
    const seeds: number[] = [];
    await acrossSeeds({ count: 3, first: 10 }, (seed) => seeds.push(seed));
    expect(seeds).toEqual([10, 11, 12]);
  });

  test('names the seed that fails, once, and stops there', async () => {
    const seeds: number[] = [];
    const run = (seed: number) => {
      seeds.push(seed);
      if (seed === 2) throw new Error('odd');
    };
    await expect(acrossSeeds({ count: 5 }, run)).rejects.toThrow(/^odd SEED=2$/);
    expect(seeds).toEqual([1, 2]);
    const failing = (seed: number) => runInRandomOrder(seed, { a: [() => Promise.reject(new Error('odd'))] });
    await expect(acrossSeeds({}, failing)).rejects.toThrow(/^odd; order: a SEED=1$/);
  });

  test('replays one seed, given as a number or as text', async () => {
    const seeds: number[] = [];
    await acrossSeeds({ only: '42' }, (seed) => seeds.push(seed));
    await acrossSeeds({ only: 43 }, (seed) => seeds.push(seed));
    await expect(acrossSeeds({ only: 'many' }, (seed) => seeds.push(seed))).rejects.toThrow(RangeError);
    expect(seeds).toEqual([42, 43]);
  });
});
