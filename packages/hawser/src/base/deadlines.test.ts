import { describe, expect, test } from 'vitest';
import { useWorld } from '../../test/support/world.ts';
import { Deadlines, type Deadline } from './deadlines.ts';

const world = useWorld();

/** Notes when its time was up. */
function target(expired: [string, number][], name = 'it', then: () => void = () => {}) {
  return {
    expire() {
      expired.push([name, world.clock.now()]);
      then();
    },
  };
}

/** Lets the shared timer run out after the last deadline. */
const quiet = () => world.advance(250);

describe('short waits', () => {
  test.each([1, 250, 4_999])('%d ms are exact', async (delayMs) => {
    const expired: [string, number][] = [];
    new Deadlines(world.clock).set(delayMs, target(expired));
    await world.advance(delayMs - 1);
    expect(expired).toEqual([]);
    await world.advance(1);
    expect(expired).toEqual([['it', delayMs]]);
  });

  test('no shared slot is taken', () => {
    const deadlines = new Deadlines(world.clock);
    const deadline = deadlines.set(4_999, target([]));
    expect(deadlines.size).toBe(0);
    deadline.release();
  });
});

describe('long waits', () => {
  test.each([
    [0, 5_000],
    [1, 5_000],
    [137, 60_000],
    [249, 5_001],
    [77, 600_000],
  ])('from %d ms on, %d ms never expire early, and two slots late at most', async (startMs, delayMs) => {
    await world.advance(startMs);
    const expired: [string, number][] = [];
    const deadlines = new Deadlines(world.clock);
    deadlines.set(delayMs, target(expired));
    expect(deadlines.size).toBe(1);
    await world.advance(delayMs - 1);
    expect(expired).toEqual([]);
    await world.advance(501);
    expect(expired).toHaveLength(1);
    expect(deadlines.size).toBe(0);
  });

  test('many share one timer', async () => {
    const expired: [string, number][] = [];
    const deadlines = new Deadlines(world.clock);
    for (let n = 0; n < 1_000; n++) deadlines.set(60_000, target(expired));
    expect([deadlines.size, world.clock.pending]).toEqual([1_000, 1]);
    await world.advance(60_500);
    expect([deadlines.size, expired.length, world.clock.pending]).toEqual([0, 1_000, 0]);
  });

  test('one that is released by the expiry of another in its slot does not expire', async () => {
    const expired: [string, number][] = [];
    const deadlines = new Deadlines(world.clock);
    const others: Deadline[] = [];
    deadlines.set(
      5_000,
      target(expired, 'first', () => others.forEach((other) => other.release())),
    );
    others.push(deadlines.set(5_000, target(expired, 'second')), deadlines.set(5_000, target(expired, 'third')));
    await world.advance(6_000);
    expect(expired.map(([name]) => name)).toEqual(['first']);
    expect(deadlines.size).toBe(0);
  });

  test('one that is extended by the expiry of another in its slot expires at its new time', async () => {
    const expired: [string, number][] = [];
    const deadlines = new Deadlines(world.clock);
    let second: Deadline | undefined;
    deadlines.set(
      5_000,
      target(expired, 'first', () => second?.extend(1_000)),
    );
    second = deadlines.set(5_000, target(expired, 'second'));
    await world.advance(7_000);
    const [first, then] = expired;
    expect([first?.[0], then?.[0]]).toEqual(['first', 'second']);
    expect((then?.[1] ?? 0) - (first?.[1] ?? 0)).toBe(1_000);
  });

  test('one that is set while others expire waits its full time', async () => {
    const expired: [string, number][] = [];
    const deadlines = new Deadlines(world.clock);
    deadlines.set(
      5_000,
      target(expired, 'first', () => deadlines.set(5_000, target(expired, 'next'))),
    );
    await world.advance(5_500);
    expect(expired.map(([name]) => name)).toEqual(['first']);
    await world.advance(5_500);
    expect(expired.map(([name]) => name)).toEqual(['first', 'next']);
    expect((expired[1]?.[1] ?? 0) - (expired[0]?.[1] ?? 0)).toBeGreaterThanOrEqual(5_000);
  });

  test('a target that throws keeps no other from expiring', async () => {
    const expired: [string, number][] = [];
    const deadlines = new Deadlines(world.clock);
    const throws = () => {
      throw new Error('oops');
    };
    deadlines.set(5_000, target(expired, 'first', throws));
    deadlines.set(5_000, target(expired, 'second'));
    await expect(world.advance(5_500)).rejects.toThrow('oops');
    await world.advance(500);
    expect(expired.map(([name]) => name)).toEqual(['first', 'second']);
    expect(deadlines.size).toBe(0);
  });
});

describe('moving and releasing', () => {
  test.each([
    [1_000, 2_000],
    [1_000, 6_000],
    [6_000, 1_000],
    [6_000, 9_000],
  ])('set for %d ms and extended to %d ms: it expires once, at the new time', async (firstMs, thenMs) => {
    const expired: [string, number][] = [];
    const deadlines = new Deadlines(world.clock);
    const deadline = deadlines.set(firstMs, target(expired));
    await world.advance(500);
    deadline.extend(thenMs);
    await world.advance(thenMs - 1);
    expect(expired).toEqual([]);
    await world.advance(501);
    expect(expired).toHaveLength(1);
    await quiet();
    expect(deadlines.size).toBe(0);
  });

  test.each([1_000, 6_000])('released, %d ms never come', async (delayMs) => {
    const expired: [string, number][] = [];
    const deadlines = new Deadlines(world.clock);
    const deadline = deadlines.set(delayMs, target(expired));
    deadline.release();
    deadline.release();
    expect(deadlines.size).toBe(0);
    await world.advance(delayMs + 1_000);
    expect(expired).toEqual([]);
  });

  test('Infinity never expires and takes nothing', () => {
    const deadlines = new Deadlines(world.clock);
    deadlines.set(Infinity, target([]));
    expect([deadlines.size, world.clock.pending]).toEqual([0, 0]);
  });

  test('an extension to Infinity disarms', async () => {
    const expired: [string, number][] = [];
    const deadlines = new Deadlines(world.clock);
    const deadline = deadlines.set(6_000, target(expired));
    deadline.extend(Infinity);
    await world.advance(7_000);
    expect([expired, deadlines.size]).toEqual([[], 0]);
  });

  test('after it has expired, extend begins anew', async () => {
    const expired: [string, number][] = [];
    const deadline = new Deadlines(world.clock).set(100, target(expired));
    await world.advance(100);
    deadline.extend(100);
    await world.advance(100);
    expect(expired.map(([, at]) => at)).toEqual([100, 200]);
  });
});

describe('a process', () => {
  test.each([100, 60_000])('is kept alive by a deadline of %d ms, and by none that is released', (delayMs) => {
    const deadlines = new Deadlines(world.clock);
    const first = deadlines.set(delayMs, target([]));
    const second = deadlines.set(delayMs, target([]));
    expect(world.clock.held).toBeGreaterThan(0);
    first.release();
    expect(world.clock.held).toBeGreaterThan(0);
    second.release();
    expect(world.clock.held).toBe(0);
    const third = deadlines.set(delayMs, target([]));
    expect(world.clock.held).toBe(1);
    third.release();
    expect(world.clock.held).toBe(0);
    return quiet();
  });

  test('is kept alive for all of a long wait', async () => {
    const deadline = new Deadlines(world.clock).set(6_000, target([]));
    for (let n = 0; n < 23; n++) {
      await world.advance(250);
      expect(world.clock.held).toBe(1);
    }
    deadline.release();
    expect(world.clock.held).toBe(0);
    await quiet();
  });
});
