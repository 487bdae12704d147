import { describe, expect, test } from 'vitest';
import { settle } from '../testing/settle.ts';
import { KeyedLock } from './lock.ts';

/** Work that notes when it begins and ends, and ends when told. */
function work(trace: string[], name: string) {
  let end: (error?: Error) => void = () => {};
  const ended = new Promise<string>((resolve, reject) => {
    end = (error) => (error === undefined ? resolve(name) : reject(error));
  });
  const run = async () => {
    trace.push(`${name} begins`);
    try {
      return await ended;
    } finally {
      trace.push(`${name} ends`);
    }
  };
  return { run, end: (error?: Error) => end(error) };
}

describe('KeyedLock', () => {
  test('one at a time per key, first come first served', async () => {
    const lock = new KeyedLock();
    const trace: string[] = [];
    const works = ['a', 'b', 'c'].map((name) => work(trace, name));
    const results = works.map((each) => lock.run('key', each.run));
    await settle();
    expect(trace).toEqual(['a begins']);
    works[1]?.end();
    await settle();
    expect(trace).toEqual(['a begins']);
    works[0]?.end();
    works[2]?.end();
    expect(await Promise.all(results)).toEqual(['a', 'b', 'c']);
    expect(trace).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  });

  test('keys do not wait for each other', async () => {
    const lock = new KeyedLock();
    const trace: string[] = [];
    const one = work(trace, 'one');
    const other = work(trace, 'other');
    const first = lock.run('1', one.run);
    const second = lock.run('2', other.run);
    await settle();
    expect(trace).toEqual(['one begins', 'other begins']);
    one.end();
    other.end();
    await Promise.all([first, second]);
  });

  test('work that fails rejects for its caller only, and lets the next one in', async () => {
    const lock = new KeyedLock();
    const trace: string[] = [];
    const bad = work(trace, 'bad');
    const good = work(trace, 'good');
    const first = lock.run('key', bad.run);
    const second = lock.run('key', good.run);
    bad.end(new Error('no'));
    good.end();
    await expect(first).rejects.toThrow('no');
    expect(await second).toBe('good');
    const throws = lock.run('key', () => {
      throw new Error('at once');
    });
    await expect(throws).rejects.toThrow('at once');
  });

  test('a key that nobody uses takes no memory; one that is waited for stays', async () => {
    const lock = new KeyedLock();
    const trace: string[] = [];
    const a = work(trace, 'a');
    const b = work(trace, 'b');
    const first = lock.run('key', a.run);
    const second = lock.run('key', b.run);
    expect(lock.size).toBe(1);
    a.end();
    await first;
    expect(lock.size).toBe(1);
    b.end();
    await second;
    expect(lock.size).toBe(0);
    const third = lock.run('key', async () => 'c');
    expect(lock.size).toBe(1);
    expect(await third).toBe('c');
    expect(lock.size).toBe(0);
  });
});
