import { describe, expect, test } from 'vitest';
import { order, play } from '../testing/order.ts';
import { randomWalks } from '../testing/random-walks.ts';
import { walk } from '../testing/walk.ts';
import { initial, step, type Effect, type Input } from './subscription.ts';

const filter = { toolsListChanged: true };
const acknowledged: Input = { on: 'acknowledged', filter };
const [notice, result, failed, lost, close] = (['notice', 'result', 'failed', 'lost', 'close'] as const).map(
  (on): Input => ({ on }),
) as [Input, Input, Input, Input, Input];
const inputs = [acknowledged, notice, result, failed, lost, close];

type Counts = Record<Effect['do'], number>;
const none: Counts = { opened: 0, 'open-failed': 0, deliver: 0, ended: 0, 'cancel-request': 0 };
const observe = {
  initial: none,
  next: (counts: Counts, effects: readonly Effect[]) => {
    const next = { ...counts };
    for (const effect of effects) next[effect.do] = Math.min(next[effect.do] + 1, 2);
    return next;
  },
};

describe('every order', () => {
  test('opens or fails once, ends once, and delivers only what comes between', () => {
    const report = walk({
      initial,
      step,
      inputs,
      observe,
      invariants: {
        'settles its opening exactly once, by the time it is over': ({ state, observed }) =>
          observed.opened + observed['open-failed'] === (state.at === 'opening' ? 0 : 1),
        'ends exactly once': ({ state, observed }) => observed.ended === (state.at === 'closed' ? 1 : 0),
        'delivers while it is open only': ({ before, effects }) =>
          before.at === 'open' || !effects.some((effect) => effect.do === 'deliver'),
        'the request is cancelled by us only, once at most': ({ input, effects, observed }) =>
          observed['cancel-request'] <= 1 &&
          (input.on === 'close' || !effects.some((effect) => effect.do === 'cancel-request')),
        'what was never open was refused or closed, never lost': ({ state, observed }) =>
          state.at !== 'closed' || observed.opened === 1 || state.end === 'refused' || state.end === 'closed',
        'only a result completes it': ({ before, input, state }) =>
          before.at === 'closed' || state.at !== 'closed' || state.end !== 'completed' || input.on === 'result',
        'the opening fails before the end is told': ({ effects }) => {
          const names = effects.map((effect) => effect.do);
          return !names.includes('open-failed') || names.indexOf('open-failed') < names.indexOf('ended');
        },
        'the end absorbs': ({ before, state, effects }) =>
          before.at !== 'closed' || (state === before && effects.length === 0),
      },
    });
    expect(report.closed).toBe(true);
    expect(report.states).toBeGreaterThan(5);
  });

  test('long walks', () => {
    randomWalks({
      initial,
      step,
      inputs,
      ending: [close],
      count: 200,
      length: 30,
      atEnd: {
        'ended once': ({ effects }) => effects.filter((effect) => effect.do === 'ended').length === 1,
        'settled once': ({ effects }) =>
          effects.filter((effect) => effect.do === 'opened' || effect.do === 'open-failed').length === 1,
      },
    });
  });
});

test.each([
  [order<Input>('close before the acknowledgement', [close, acknowledged]), ['cancel-request', 'open-failed', 'ended']],
  [order<Input>('a notice before the acknowledgement', [notice, acknowledged, notice]), ['opened', 'deliver']],
  [order<Input>('a result before the acknowledgement', [result, acknowledged]), ['open-failed', 'ended']],
  [order<Input>('acknowledged twice', [acknowledged, { on: 'acknowledged', filter: {} }]), ['opened']],
  [order<Input>('a result, then our close', [acknowledged, result, close]), ['opened', 'ended']],
  [order<Input>('our close, then the result', [acknowledged, close, result]), ['opened', 'cancel-request', 'ended']],
  [order<Input>('lost, then a notice', [acknowledged, lost, notice]), ['opened', 'ended']],
])('$0.name', (race, effects) => {
  expect(play({ initial, step }, race).effects.map((effect) => effect.do)).toEqual(effects);
});

test('a second acknowledgement does not change what is honored', () => {
  const { state } = play({ initial, step }, [acknowledged, { on: 'acknowledged', filter: {} }]);
  expect(state).toEqual({ at: 'open', honored: filter });
});
