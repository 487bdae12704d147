import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../../testing/clock.ts';
import { MemoryKv } from './memory-kv.ts';

describe('MemoryKv', () => {
  test('compare and set', async () => {
    const kv = new MemoryKv(new VirtualClock());
    expect(await kv.set('a', '1', { ifVersion: null })).toBe(true);
    expect(await kv.set('a', '2', { ifVersion: null })).toBe(false);
    const { version } = (await kv.get('a')) as { version: string };
    expect(await kv.set('a', '3', { ifVersion: version })).toBe(true);
    expect(await kv.set('a', '4', { ifVersion: version })).toBe(false);
    expect((await kv.get('a'))?.value).toBe('3');
    expect(await kv.delete('a', { ifVersion: version })).toBe(false);
    expect(await kv.delete('a')).toBe(true);
    expect(await kv.delete('a')).toBe(false);
    expect(await kv.get('a')).toBeUndefined();
  });

  test('what is too old is not there', async () => {
    const clock = new VirtualClock();
    const kv = new MemoryKv(clock);
    await kv.set('a', '1', { ttlMs: 10 });
    await clock.advance(9);
    expect(await kv.get('a')).toBeDefined();
    await clock.advance(1);
    expect(await kv.get('a')).toBeUndefined();
    expect(await kv.set('a', '2', { ifVersion: null })).toBe(true);
  });

  test('full it refuses, until something is too old', async () => {
    const clock = new VirtualClock();
    const kv = new MemoryKv(clock, { maxEntries: 2, maxChars: 100 });
    await kv.set('a', '1', { ttlMs: 10 });
    await kv.set('b', '1', { ttlMs: 20 });
    await expect(kv.set('c', '1', { ttlMs: 20 })).rejects.toThrow(RangeError);
    await kv.set('b', '2', { ttlMs: 20 });
    await clock.advance(10);
    expect(await kv.set('c', '1', { ttlMs: 20 })).toBe(true);
  });

  test('100 characters fit, one more does not', async () => {
    const kv = new MemoryKv(new VirtualClock(), { maxEntries: 10, maxChars: 100 });
    await kv.set('a', 'x'.repeat(60));
    await expect(kv.set('b', 'x'.repeat(41))).rejects.toThrow('full');
    expect(await kv.set('b', 'x'.repeat(40))).toBe(true);
    await kv.delete('a');
    expect(await kv.set('c', 'x'.repeat(60))).toBe(true);
  });
});

describe('owners', () => {
  const ownerOf = (key: string) => ({ name: key.slice(0, 1), share: key.startsWith('a') ? 0.5 : 0.1 });

  test('have a share of entries each', async () => {
    const clock = new VirtualClock();
    const kv = new MemoryKv(clock, { maxEntries: 10, ownerOf });
    for (let at = 0; at < 5; at++) await kv.set(`a${at}`, '1', { ttlMs: 10 });
    await expect(kv.set('a5', '1')).rejects.toThrow('full');
    expect(await kv.set('b0', '1')).toBe(true);
    await expect(kv.set('b1', '1')).rejects.toThrow('full');
    // What is there may change, and be deleted to make room.
    expect(await kv.set('b0', '2')).toBe(true);
    await kv.delete('b0');
    expect(await kv.set('b1', '1')).toBe(true);
    await clock.advance(10);
    expect(await kv.set('a5', '1')).toBe(true);
  });

  test('and of characters; what gets shorter always fits', async () => {
    const kv = new MemoryKv(new VirtualClock(), { maxChars: 100, ownerOf });
    await kv.set('b', 'x'.repeat(10));
    await expect(kv.set('b', 'x'.repeat(11))).rejects.toThrow('full');
    expect(await kv.set('b', 'x'.repeat(9))).toBe(true);
    expect(await kv.set('b', 'x'.repeat(10))).toBe(true);
  });
});
