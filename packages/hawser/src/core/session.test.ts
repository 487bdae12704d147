import { describe, expect, test } from 'vitest';
import { order, play } from '../testing/order.ts';
import { walk } from '../testing/walk.ts';
import { initial, step, type Effect, type Input } from './session.ts';

const stream: Input = { on: 'stream' };
const resume: Input = { on: 'resume' };
const gone: Input = { on: 'stream-gone' };
const expired: Input = { on: 'expired' };
const stopped: Input = { on: 'stopped' };
const end: Input = { on: 'end' };

interface Seen {
  readonly dissolved: number;
  /** Streams that were attached and not ended: 0 or 1. */
  readonly attached: number;
  /** A timer runs. */
  readonly waiting: boolean;
}

const observe = {
  initial: { dissolved: 0, attached: 0, waiting: false },
  next: (seen: Seen, effects: readonly Effect[]): Seen => {
    let { dissolved, attached, waiting } = seen;
    for (const effect of effects) {
      if (effect.do === 'dissolve') dissolved = Math.min(dissolved + 1, 2);
      if (effect.do === 'attach-stream') attached++;
      if (effect.do === 'end-stream') attached--;
      // Whoever runs the effects disarms the timer with these two.
      if (effect.do === 'end-stream' || effect.do === 'resume-stream') waiting = false;
      if (effect.do === 'await-return') waiting = true;
    }
    return { dissolved, attached, waiting };
  },
};

const answers = new Set<Effect['do']>(['attach-stream', 'resume-stream', 'refuse-stream']);

describe('every order', () => {
  test('one stream at most, dissolved exactly once, and nothing is attached to what has ended', () => {
    const report = walk({
      initial,
      step,
      inputs: () => [stream, resume, gone, expired, stopped, end],
      observe,
      invariants: {
        'every stream that is asked for is attached, resumed or refused': ({ input, effects }) =>
          (input.on !== 'stream' && input.on !== 'resume') ||
          effects.filter((effect) => answers.has(effect.do)).length === 1,
        'nothing is attached that nobody asked for': ({ input, effects }) =>
          input.on === 'stream' || input.on === 'resume' || !effects.some((effect) => answers.has(effect.do)),
        'a second stream is refused': ({ before, input, effects }) =>
          input.on !== 'stream' ||
          before.at !== 'alive' ||
          before.stream !== 'open' ||
          effects.map((effect) => effect.do).join() === 'refuse-stream',
        'what has ended takes no stream': ({ before, effects }) =>
          before.at === 'alive' || effects.every((effect) => effect.do === 'refuse-stream'),
        'a stream is resumed only if there is one': ({ before, effects }) =>
          !effects.some((effect) => effect.do === 'resume-stream') ||
          (before.at === 'alive' && before.stream !== 'none'),
        'streams are attached one at a time, and there is one exactly where the state says so': ({ state, observed }) =>
          observed.attached === (state.at === 'alive' && state.stream !== 'none' ? 1 : 0),
        'somebody is waited for exactly while away': ({ state, observed }) =>
          observed.waiting === (state.at === 'alive' && state.stream === 'away'),
        'dissolved exactly once, as the last thing': ({ state, observed, effects }) =>
          observed.dissolved === (state.at === 'ended' ? 1 : 0) &&
          effects.findIndex((effect) => effect.do === 'dissolve') === (observedNow(effects) ? effects.length - 1 : -1),
        'the end is final': ({ before, state }) => before.at !== 'ended' || state === before,
      },
    });
    expect(report).toMatchObject({ closed: true, states: 4 });
  });
});

function observedNow(effects: readonly Effect[]): boolean {
  return effects.some((effect) => effect.do === 'dissolve');
}

test.each([
  [
    order<Input>('a new stream after one has gone', [stream, gone, stream]),
    ['attach-stream', 'await-return', 'end-stream', 'attach-stream'],
  ],
  [order<Input>('two at a time', [stream, stream]), ['attach-stream', 'refuse-stream']],
  [
    order<Input>('resumed after it has gone', [stream, gone, resume]),
    ['attach-stream', 'await-return', 'resume-stream'],
  ],
  [
    order<Input>('resumed before it is known to have gone', [stream, resume, gone]),
    ['attach-stream', 'resume-stream', 'await-return'],
  ],
  [
    order<Input>('resumed too late', [stream, gone, expired, resume]),
    ['attach-stream', 'await-return', 'end-stream', 'attach-stream'],
  ],
  [
    order<Input>('the time runs out although it came back', [stream, gone, resume, expired]),
    ['attach-stream', 'await-return', 'resume-stream'],
  ],
  [order<Input>('ended twice', [end, end]), ['dissolve']],
  [
    order<Input>('ended while away', [stream, gone, end, expired]),
    ['attach-stream', 'await-return', 'end-stream', 'dissolve'],
  ],
  [order<Input>('the stream goes after the end', [stream, end, gone]), ['attach-stream', 'end-stream', 'dissolve']],
])('$0.name', (race, effects) => {
  expect(play({ initial, step }, race).effects.map((effect) => effect.do)).toEqual(effects);
});
