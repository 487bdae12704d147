import { describe, expect, test } from 'vitest';
import { randomWalks } from '../testing/random-walks.ts';
import { order, play } from '../testing/order.ts';
import { walk } from '../testing/walk.ts';
import { initial, step, type Effect, type Input } from './outgoing.ts';

const inputs: Input[] = [{ on: 'answered' }, { on: 'cancelled' }, { on: 'ended' }];

const observe = {
  initial: { settled: 0, told: 0, first: '' as Input['on'] | '' },
  next: (seen: { settled: number; told: number; first: Input['on'] | '' }, effects: readonly Effect[]) => ({
    ...seen,
    settled: Math.min(seen.settled + effects.filter((effect) => effect.do === 'settle').length, 2),
    told: Math.min(seen.told + effects.filter((effect) => effect.do === 'tell-cancelled').length, 2),
  }),
};

describe('every order', () => {
  test('is settled exactly once, told of once at most, and absorbs what comes later', () => {
    const report = walk({
      initial,
      step,
      inputs,
      observe,
      invariants: {
        'settled by its first input, once': ({ observed }) => observed.settled === 1,
        'only a cancellation is told of': ({ input, effects }) =>
          effects.every((effect) => effect.do === 'settle') || input.on === 'cancelled',
        'a cancellation that finds it waiting is told of, before it is settled': ({ before, input, effects }) =>
          before.at !== 'waiting' ||
          input.on !== 'cancelled' ||
          effects.map((effect) => effect.do).join() === 'tell-cancelled,settle',
        'told of once at most': ({ observed }) => observed.told <= 1,
        'the end absorbs': ({ before, state, effects }) =>
          before.at !== 'done' || (state === before && effects.length === 0),
        'it is over': ({ state }) => state.at === 'done',
      },
    });
    expect(report).toEqual({ states: 3, transitions: 9, depth: 1, closed: true });
  });

  test('long walks', () => {
    randomWalks({
      initial,
      step,
      inputs,
      count: 100,
      length: 50,
      atEnd: { 'settled once': ({ effects }) => effects.filter((effect) => effect.do === 'settle').length === 1 },
    });
  });
});

test.each([
  order<Input>('an answer, then a cancellation: nothing is said of it', [{ on: 'answered' }, { on: 'cancelled' }]),
  order<Input>('the end, then a cancellation: nobody is left to be told', [{ on: 'ended' }, { on: 'cancelled' }]),
])('$name', (race) => {
  expect(play({ initial, step }, race).effects).toEqual([{ do: 'settle' }]);
});
