import { EventEmitter } from 'node:events';
import { describe, expect, test, vi } from 'vitest';
import { useWorld } from './world.ts';

describe('useWorld', () => {
  const world = useWorld({ startMs: 100, seed: 5 });
  const uuids: string[] = [];

  test.each(['one test', 'the next'])('%s has a world of its own', async () => {
    expect(world.clock.now()).toBe(100);
    uuids.push(world.clock.uuid());
    expect(new Set(uuids).size).toBe(1);
    await world.advance(50);
    expect(world.clock.now()).toBe(150);
  });

  test.fails('a timer left over fails the test', () => {
    world.clock.after(1_000, () => {});
  });

  test.fails('a count left over fails the test', () => {
    world.track('open exchanges', () => 1);
  });

  test.fails('a rejection fails the test', () => {
    world.rejections.push(new Error('nobody cared'));
  });

  test('what is due after the test is run before the check', () => {
    void world.clock.turn();
  });
});

describe('outside a test', () => {
  const world = useWorld();
  let thrown: unknown;
  try {
    void world.clock;
  } catch (error) {
    thrown = error;
  }

  test('there is no world', () => {
    expect(String(thrown)).toContain('while a test runs only');
    expect(world.clock.now()).toBe(0);
  });
});

test('rejections are collected once and given once', async () => {
  vi.resetModules();
  const { collectRejections, takeRejections } = await import('./rejections.ts');
  const source = new EventEmitter();
  collectRejections(source);
  collectRejections(source);
  source.emit('unhandledRejection', 'why');
  expect(takeRejections()).toEqual(['why']);
  expect(takeRejections()).toEqual([]);
});
