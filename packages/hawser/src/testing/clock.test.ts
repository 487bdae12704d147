import { describe, expect, test } from 'vitest';
import { VirtualClock } from './clock.ts';

describe('time', () => {
  test('begins at 0 or where the test says, and stands still', async () => {
    expect(new VirtualClock().now()).toBe(0);
    const clock = new VirtualClock({ startMs: 500 });
    await clock.settle();
    expect(clock.now()).toBe(500);
  });

  test('a timer fires at its time and not before', async () => {
    const clock = new VirtualClock();
    const fired: number[] = [];
    clock.after(100, () => fired.push(clock.now()));
    await clock.advance(99);
    expect(fired).toEqual([]);
    expect(clock.pendingMs).toEqual([1]);
    await clock.advance(1);
    expect(fired).toEqual([100]);
    expect(clock.pending).toBe(0);
    expect(clock.now()).toBe(100);
  });

  test('timers fire by time, then in the order armed', async () => {
    const clock = new VirtualClock();
    const fired: string[] = [];
    clock.after(20, () => fired.push('c'));
    clock.after(10, () => fired.push('a'));
    clock.after(10, () => fired.push('b'));
    clock.after(-5, () => fired.push('past'));
    await clock.advance(1_000);
    expect(fired).toEqual(['past', 'a', 'b', 'c']);
  });

  test('a cancelled timer does not fire, and cancelling twice harms no other', async () => {
    const clock = new VirtualClock();
    const fired: string[] = [];
    const cancelled = clock.after(10, () => fired.push('cancelled'));
    clock.after(10, () => fired.push('kept'));
    cancelled.cancel();
    cancelled.cancel();
    expect(clock.pending).toBe(1);
    await clock.advance(10);
    expect(fired).toEqual(['kept']);
  });

  test('timers armed on the way fire in the same advance, each at its own time', async () => {
    const clock = new VirtualClock();
    const fired: number[] = [];
    const again = () => {
      fired.push(clock.now());
      clock.after(30, again);
    };
    clock.after(30, again);
    await clock.advance(100);
    expect(fired).toEqual([30, 60, 90]);
    expect(clock.pendingMs).toEqual([20]);
  });

  test('promises settle between two timers', async () => {
    const clock = new VirtualClock();
    const seen: string[] = [];
    clock.after(10, () => {
      void Promise.resolve()
        .then(() => clock.turn())
        .then(() => seen.push(`follows at ${clock.now()}`));
    });
    clock.after(11, () => seen.push('next timer'));
    await clock.advance(20);
    expect(seen).toEqual(['follows at 10', 'next timer']);
  });

  test('what is runnable before time moves runs at the old time', async () => {
    const clock = new VirtualClock();
    const seen: number[] = [];
    void clock.turn().then(() => clock.after(5, () => seen.push(clock.now())));
    await clock.advance(10);
    expect(seen).toEqual([5]);
  });

  test('what a timer throws comes out of advance', async () => {
    const clock = new VirtualClock();
    clock.after(10, () => {
      throw new Error('from the timer');
    });
    await expect(clock.advance(20)).rejects.toThrow('from the timer');
    expect(clock.now()).toBe(10);
    await clock.advance(1);
    expect(clock.now()).toBe(11);
  });

  test('timers without end are an error instead of an endless test', async () => {
    const clock = new VirtualClock();
    const again = () => void clock.after(0, again);
    again();
    await expect(clock.advance(1)).rejects.toThrow('time stands still');
  });

  test('settle waits for an advance under way', async () => {
    const clock = new VirtualClock();
    for (let i = 1; i <= 10; i++) clock.after(i, () => {});
    void clock.advance(10);
    await clock.settle();
    expect(clock.now()).toBe(10);
  });

  test('two advances at once, time running backwards and a delay that is no number are refused', async () => {
    const clock = new VirtualClock();
    const first = clock.advance(10);
    await expect(clock.advance(10)).rejects.toThrow('moved already');
    await first;
    expect(clock.now()).toBe(10);
    await expect(clock.advance(-1)).rejects.toThrow(RangeError);
    await expect(clock.advance(Infinity)).rejects.toThrow(RangeError);
    expect(() => clock.after(Number.NaN, () => {})).toThrow(RangeError);
  });

  test('an infinite delay is armed and never fires', async () => {
    const clock = new VirtualClock();
    let fired = false;
    clock.after(Infinity, () => (fired = true));
    await clock.advance(1e12);
    expect(fired).toBe(false);
    expect(clock.pending).toBe(1);
  });

  test('a turn is a later turn of the event loop and is counted', async () => {
    const clock = new VirtualClock();
    let turned = false;
    const turn = clock.turn().then(() => (turned = true));
    expect(clock.turning).toBe(1);
    for (let i = 0; i < 100; i++) await Promise.resolve();
    expect(turned).toBe(false);
    await turn;
    expect(clock.turning).toBe(0);
  });
});

describe('chance', () => {
  test('the same seed gives the same numbers and ids, another seed others', () => {
    const draw = (seed: number) => {
      const clock = new VirtualClock({ seed });
      return [clock.random(), clock.uuid(), clock.random(), clock.uuid()];
    };
    expect(draw(7)).toEqual(draw(7));
    expect(draw(7)).not.toEqual(draw(8));
    expect(new VirtualClock().uuid()).toBe(new VirtualClock({ seed: 1 }).uuid());
  });

  test('an id more does not change the numbers that follow', () => {
    const one = new VirtualClock({ seed: 3 });
    const other = new VirtualClock({ seed: 3 });
    other.uuid();
    expect(one.random()).toBe(other.random());
  });

  test('ids are version 4, distinct; numbers lie in [0, 1) and spread', () => {
    const clock = new VirtualClock();
    const ids = Array.from({ length: 1_000 }, () => clock.uuid());
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(new Set(ids).size).toBe(1_000);
    const numbers = Array.from({ length: 1_000 }, () => clock.random());
    expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...numbers)).toBeLessThan(1);
    const mean = numbers.reduce((sum, n) => sum + n, 0) / 1_000;
    expect(mean).toBeGreaterThan(0.45);
    expect(mean).toBeLessThan(0.55);
  });
});

test('timers that are told to hold a process are counted until they fire, are cancelled or are told otherwise', async () => {
  const clock = new VirtualClock();
  const timers = [1, 2, 3, 4].map((ms) => clock.after(ms, () => undefined));
  expect(clock.held).toBe(0);
  for (const timer of timers.slice(0, 3)) timer.hold?.(true);
  expect([clock.held, clock.pending]).toEqual([3, 4]);
  await clock.advance(1);
  expect(clock.held).toBe(2);
  timers[1]?.cancel();
  timers[2]?.hold?.(false);
  expect([clock.held, clock.pending]).toEqual([0, 2]);
});
