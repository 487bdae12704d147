import { describe, expect, test } from 'vitest';
import { order, play } from '../testing/order.ts';
import { walk } from '../testing/walk.ts';
import { initial, step, type Effect, type Input } from './incoming.ts';

const inputs: Input[] = [{ on: 'replied' }, { on: 'cancelled' }, { on: 'ended' }];

type Counts = Record<Effect['do'], number>;
const none: Counts = { 'send-reply': 0, 'stop-handler': 0, forget: 0 };
const observe = {
  initial: none,
  next: (counts: Counts, effects: readonly Effect[]) => {
    const next = { ...counts };
    for (const effect of effects) next[effect.do] = Math.min(next[effect.do] + 1, 2);
    return next;
  },
};

describe('every order', () => {
  test('replies once at most and never after a cancellation; the id is let go exactly once', () => {
    const report = walk({
      initial,
      step,
      inputs,
      observe,
      invariants: {
        'one reply at most': ({ observed }) => observed['send-reply'] <= 1,
        'no reply to what was cancelled or has no reader': ({ before, input, effects }) =>
          !effects.some((effect) => effect.do === 'send-reply') || (before.at === 'running' && input.on === 'replied'),
        'the handler is stopped once at most': ({ observed }) => observed['stop-handler'] <= 1,
        'a handler that has replied is not stopped': ({ observed }) =>
          observed['send-reply'] === 0 || observed['stop-handler'] === 0,
        'the id is let go when it is over, and not before': ({ state, observed }) =>
          observed.forget === (state.at === 'done' ? 1 : 0),
        'the id is free before its reply goes out': ({ effects }) =>
          !effects.some((effect) => effect.do === 'send-reply') || effects[0]?.do === 'forget',
        'the end absorbs': ({ before, state, effects }) =>
          before.at !== 'done' || (state === before && effects.length === 0),
      },
    });
    expect(report).toMatchObject({ closed: true, states: 4 });
  });
});

test.each([
  [order<Input>('reply, then cancellation', [{ on: 'replied' }, { on: 'cancelled' }]), ['forget', 'send-reply']],
  [order<Input>('cancellation, then reply', [{ on: 'cancelled' }, { on: 'replied' }]), ['stop-handler', 'forget']],
  [order<Input>('cancelled twice', [{ on: 'cancelled' }, { on: 'cancelled' }]), ['stop-handler']],
  [order<Input>('cancellation, then the end', [{ on: 'cancelled' }, { on: 'ended' }]), ['stop-handler', 'forget']],
  [order<Input>('the end, then the reply', [{ on: 'ended' }, { on: 'replied' }]), ['forget', 'stop-handler']],
])('$0.name', (race, effects) => {
  expect(play({ initial, step }, race).effects.map((effect) => effect.do)).toEqual(effects);
});
