import { describe, expect, test } from 'vitest';
import { order, play } from '../testing/order.ts';
import { walk } from '../testing/walk.ts';
import { initial, step, type Effect, type Input } from './session.ts';

const stream: Input = { on: 'stream' };
const gone: Input = { on: 'stream-gone' };
const end: Input = { on: 'end' };

const observe = {
  initial: 0,
  next: (dissolved: number, effects: readonly Effect[]) =>
    Math.min(dissolved + effects.filter((effect) => effect.do === 'dissolve').length, 2),
};

describe('every order', () => {
  test('one stream at most, dissolved exactly once, and nothing is attached to what has ended', () => {
    const report = walk({
      initial,
      step,
      // A stream goes only if there was one; the door that held it says so.
      inputs: (state) => (state.at === 'alive' && !state.stream ? [stream, end] : [stream, gone, end]),
      observe,
      invariants: {
        'every stream that is asked for is attached or refused': ({ input, effects }) =>
          input.on !== 'stream' ||
          effects.filter((effect) => effect.do === 'attach-stream' || effect.do === 'refuse-stream').length === 1,
        'a second stream is refused': ({ before, effects }) =>
          before.at !== 'alive' || !before.stream || !effects.some((effect) => effect.do === 'attach-stream'),
        'what has ended takes no stream': ({ before, effects }) =>
          before.at === 'alive' || effects.every((effect) => effect.do === 'refuse-stream'),
        'a stream is ended only if there is one': ({ before, effects }) =>
          !effects.some((effect) => effect.do === 'end-stream') || (before.at === 'alive' && before.stream),
        'the stream ends before the session is forgotten': ({ before, input, effects }) =>
          before.at !== 'alive' ||
          !before.stream ||
          input.on !== 'end' ||
          effects.map((effect) => effect.do).join() === 'end-stream,dissolve',
        'dissolved exactly once': ({ state, observed }) => observed === (state.at === 'ended' ? 1 : 0),
        'the end is final': ({ before, state }) => before.at !== 'ended' || state === before,
      },
    });
    expect(report).toMatchObject({ closed: true, states: 3 });
  });
});

test.each([
  [order<Input>('a stream again after it has gone', [stream, gone, stream]), ['attach-stream', 'attach-stream']],
  [order<Input>('two at a time', [stream, stream]), ['attach-stream', 'refuse-stream']],
  [order<Input>('ended twice', [end, end]), ['dissolve']],
  [order<Input>('the stream goes after the end', [stream, end, gone]), ['attach-stream', 'end-stream', 'dissolve']],
])('$0.name', (race, effects) => {
  expect(play({ initial, step }, race).effects.map((effect) => effect.do)).toEqual(effects);
});
