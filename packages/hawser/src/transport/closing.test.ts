import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../testing/clock.ts';
import { Closing } from './closing.ts';

/** A door by hand, and what it was told. */
function door() {
  const clock = new VirtualClock();
  const told: string[] = [];
  const closing = new Closing(clock, { drain: () => told.push('drain'), end: () => told.push('end') });
  const close = (drainMs?: number): void => {
    void closing.close({ drainMs }).then(() => told.push('closed'));
  };
  return { clock, told, closing, close };
}

describe('a door that is closed', () => {
  test('ends at once when nothing is under way', async () => {
    const { closing, told } = door();
    await closing.close();
    expect(told).toEqual(['drain', 'end']);
    expect(closing.at).toBe('closed');
  });

  test('ends with the last answer', async () => {
    const { clock, closing, told, close } = door();
    closing.enter();
    closing.enter();
    close();
    closing.leave();
    await clock.advance(4_999);
    expect([closing.at, told]).toEqual(['draining', ['drain']]);
    closing.leave();
    await clock.settle();
    expect([closing.at, told]).toEqual(['closed', ['drain', 'end', 'closed']]);
  });

  test.each([
    ['5,000 ms', undefined, 5_000],
    ['what it is given', 70, 70],
  ])('ends when the time is up: %s', async (_, drainMs, ms) => {
    const { clock, closing, told, close } = door();
    closing.enter();
    close(drainMs);
    await clock.advance(ms - 1);
    expect(told).toEqual(['drain']);
    await clock.advance(1);
    expect(told).toEqual(['drain', 'end', 'closed']);
    // Whatever is answered later changes nothing, and no timer is left.
    closing.leave();
    await clock.advance(100_000);
    expect(told).toEqual(['drain', 'end', 'closed']);
  });

  test('ends at once with no time at all, and never before its calls with all the time', async () => {
    const first = door();
    first.closing.enter();
    first.close(0);
    await first.clock.settle();
    expect(first.told).toEqual(['drain', 'end', 'closed']);
    const second = door();
    second.closing.enter();
    second.close(Infinity);
    await second.clock.advance(10 * 24 * 3_600_000);
    expect(second.told).toEqual(['drain']);
    second.closing.leave();
    await second.clock.settle();
    expect(second.told).toEqual(['drain', 'end', 'closed']);
  });

  test('may be closed again, which can only hasten it', async () => {
    const { clock, closing, told, close } = door();
    closing.enter();
    close(1_000);
    close(5_000);
    await clock.advance(500);
    close(100);
    await clock.advance(99);
    expect(told).toEqual(['drain']);
    await clock.advance(1);
    expect(told).toEqual(['drain', 'end', 'closed', 'closed', 'closed']);
    close();
    await clock.settle();
    expect(told).toHaveLength(6);
  });

  test('counts those that come and are refused meanwhile', async () => {
    const { clock, closing, told, close } = door();
    closing.enter();
    close();
    closing.enter();
    closing.leave();
    expect(told).toEqual(['drain']);
    closing.leave();
    await clock.settle();
    expect(told).toEqual(['drain', 'end', 'closed']);
  });

  test.each([-1, Number.NaN, '5', null])('%j is no time, and changes nothing', (drainMs) => {
    const { closing, told } = door();
    expect(() => closing.close({ drainMs: drainMs as number })).toThrow(/drainMs must be a number of milliseconds/);
    expect([closing.at, told]).toEqual(['open', []]);
  });
});
