import { describe, expect, test } from 'vitest';
import { Waiting } from './waiting.ts';

const mebi = 1024 * 1024;

function waiting() {
  let dropped = 0;
  const all = new Waiting(() => dropped++);
  const add = (key: string, characters = 10): void =>
    all.add({ key, note: { method: 'notifications/x', params: { key } }, characters });
  return { add, keys: () => [...all].map(({ key }) => key), dropped: () => dropped };
}

describe('notices that wait', () => {
  test('are in the order in which they came, repeats in the place of the first', () => {
    const { add, keys, dropped } = waiting();
    for (const key of ['a', 'b', 'a', 'c', 'b', 'a']) add(key);
    expect(keys()).toEqual(['a', 'b', 'c']);
    expect(dropped()).toBe(0);
  });

  test('a thousand may wait; of one more the oldest gives way, a repeat drops nothing', () => {
    const { add, keys, dropped } = waiting();
    for (let at = 0; at < 1_000; at++) add(`${at}`);
    for (let at = 0; at < 1_000; at++) add(`${at}`);
    expect([keys().length, dropped()]).toEqual([1_000, 0]);
    add('more');
    expect([keys().length, dropped(), keys()[0], keys().at(-1)]).toEqual([1_000, 1, '1', 'more']);
  });

  test('so may a mebi of characters; past it as many of the oldest give way as it takes', () => {
    const { add, keys, dropped } = waiting();
    for (const key of ['a', 'b', 'c', 'd']) add(key, mebi / 4);
    expect([keys(), dropped()]).toEqual([['a', 'b', 'c', 'd'], 0]);
    for (const key of ['a', 'd', 'a']) add(key, mebi / 4);
    expect([keys(), dropped()]).toEqual([['a', 'b', 'c', 'd'], 0]);
    add('e', 1);
    expect([keys(), dropped()]).toEqual([['b', 'c', 'd', 'e'], 1]);
    add('f', mebi / 2);
    expect([keys(), dropped()]).toEqual([['d', 'e', 'f'], 3]);
    add('g', mebi);
    expect([keys(), dropped()]).toEqual([['g'], 6]);
  });

  test('one that is past all by itself keeps its turn and pushes none out, and gives way to the next of that kind', () => {
    const { add, keys, dropped } = waiting();
    add('a', mebi / 2);
    add('huge', mebi + 1);
    add('b', mebi / 2);
    expect([keys(), dropped()]).toEqual([['a', 'huge', 'b'], 0]);
    add('vast', 10 * mebi);
    expect([keys(), dropped()]).toEqual([['a', 'b', 'vast'], 1]);
    for (let at = 0; at < 1_000; at++) add(`${at}`);
    expect([keys().length, dropped()]).toEqual([1_000, 4]);
    add('huge', mebi + 1);
    expect([keys().length, keys().at(-1), dropped()]).toEqual([1_000, 'huge', 5]);
  });
});
