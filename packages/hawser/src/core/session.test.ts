import { expect, test } from 'vitest';
import { walk } from '../testing/walk.ts';
import { initial, step, type Effect, type Input } from './session.ts';

const inputs: Input[] = [{ on: 'stream' }, { on: 'stream-gone' }, { on: 'end' }];

interface Seen {
  streams: number;
  dissolved: number;
}

function see(seen: Seen, effects: readonly Effect[]): Seen {
  let { streams, dissolved } = seen;
  for (const effect of effects) {
    if (effect.do === 'attach-stream') streams++;
    if (effect.do === 'end-stream') streams--;
    if (effect.do === 'dissolve') dissolved++;
  }
  return { streams, dissolved };
}

test('in every order: one stream at most, dissolved once, a refusal changes nothing', () => {
  const report = walk({
    initial,
    step,
    // A stream that is not there cannot go.
    inputs: (state) => inputs.filter(({ on }) => on !== 'stream-gone' || (state.at === 'alive' && state.stream)),
    invariants: {
      'a second stream is refused': ({ before, input, state, effects }) =>
        !(input.on === 'stream' && before.at === 'alive' && before.stream) ||
        (state === before && effects.length === 1 && effects[0]?.do === 'refuse-stream'),
      'a session that is over takes no stream': ({ before, input, effects }) =>
        !(before.at === 'ended' && input.on === 'stream') || effects[0]?.do === 'refuse-stream',
      'the end is final': ({ before, state }) => before.at !== 'ended' || state.at === 'ended',
      'the end takes the stream along': ({ before, input, effects }) =>
        !(input.on === 'end' && before.at === 'alive' && before.stream) || effects[0]?.do === 'end-stream',
    },
  });
  expect(report).toMatchObject({ closed: true, states: 3 });
});

test('the effects of every order of five inputs add up', () => {
  const walkAll = (length: number, order: Input[]): void => {
    if (length > 0) for (const input of inputs) walkAll(length - 1, [...order, input]);
    let state = initial;
    let seen: Seen = { streams: 0, dissolved: 0 };
    for (const input of order) {
      const [next, effects] = step(state, input);
      if (input.on === 'stream-gone' && state.at === 'alive' && state.stream)
        seen = { ...seen, streams: seen.streams - 1 };
      state = next;
      seen = see(seen, effects);
      expect(seen.streams).toBe(state.at === 'alive' && state.stream ? 1 : 0);
      expect(seen.dissolved).toBe(state.at === 'ended' ? 1 : 0);
    }
  };
  walkAll(5, []);
});
