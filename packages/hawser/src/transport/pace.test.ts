import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../testing/clock.ts';
import { Pace, passes, Pause, type Came } from './pace.ts';

/** The waits of a row of tries; `true` is one that brought something new, `false` one that brought nothing. */
function waits(retryMs: number | undefined, ...tries: (Came | boolean)[]): (number | undefined)[] {
  const pace = new Pace();
  return tries.map((each) => pace.next(retryMs, each === true ? 'news' : each === false ? 'nothing' : each));
}

describe('how long to wait', () => {
  test.each([
    [undefined, 1_000],
    [500, 500],
    [10, 10],
    [9, 10],
    [0, 10],
    [30_001, 30_001],
    [3_600_000, 3_600_000],
    [2 ** 31 - 1, 2 ** 31 - 1],
    [2 ** 31, 2 ** 31 - 1],
    [1e12, 2 ** 31 - 1],
  ])('[SEED-461] what the server wishes, as far as a timer can wait: %s', (retryMs, ms) => {
    expect(waits(retryMs, true, true)).toEqual([ms, ms]);
  });

  test('never shorter than that, however often in vain', () => {
    expect(waits(60_000, true, false, false)).toEqual([60_000, 60_000, 60_000]);
    expect(waits(20_000, true, false, false)).toEqual([20_000, 30_000, 30_000]);
  });

  test('twice as long after each try in vain, half a minute at most, and nine times', () => {
    const vain = Array.from({ length: 10 }, () => false);
    expect(waits(500, true, ...vain)).toEqual([
      500,
      1_000,
      2_000,
      4_000,
      8_000,
      16_000,
      30_000,
      30_000,
      30_000,
      30_000,
      undefined,
    ]);
  });

  test('signs of the server slow it down as well, and are never enough of it', () => {
    const signs = Array.from({ length: 2_000 }, () => 'signs' as const);
    expect(waits(10, true, ...signs.slice(0, 3), true)).toEqual([10, 20, 40, 80, 10]);
    expect(waits(10, ...signs).at(-1)).toBe(30_000);
    const vain = Array.from({ length: 9 }, () => false);
    expect(waits(10, ...vain, 'signs', ...vain, false).indexOf(undefined)).toBe(19);
  });

  test('anything new begins it anew', () => {
    expect(waits(10, true, false, false, true, false)).toEqual([10, 20, 40, 10, 20]);
    expect(waits(10, ...Array.from({ length: 100 }, (_, i) => i % 10 === 0))).not.toContain(undefined);
  });

  test('what may be better later', () => {
    expect([200, 204, 301, 400, 401, 403, 404, 405, 408, 409, 410, 429, 500, 501, 503].filter(passes)).toEqual([
      408, 409, 429, 500, 501, 503,
    ]);
  });
});

describe('a pause', () => {
  test('is over when the time is up', async () => {
    const clock = new VirtualClock();
    let over = false;
    void new Pause(clock, 10).over.then(() => (over = true));
    await clock.advance(9);
    expect(over).toBe(false);
    await clock.advance(1);
    expect(over).toBe(true);
  });

  test('can be cut short, and leaves no timer', async () => {
    const clock = new VirtualClock();
    const pause = new Pause(clock, 10);
    pause.cut();
    await pause.over;
    expect(clock.pending).toBe(0);
    pause.cut();
  });
});
