import { describe, expect, test } from 'vitest';
import { OrderError } from './machine.ts';
import { randomWalks } from './random-walks.ts';

type State = { at: 'idle' | 'waiting' | 'closed'; lates: number };
type Input = 'send' | 'answer' | 'late' | 'close';
type Effect = 'arm' | 'disarm' | 'settle';

const inputs: Input[] = ['send', 'answer', 'late', 'close'];
const initial: State = { at: 'idle', lates: 0 };

/** Forgets its timer when it is closed while waiting, after two late inputs: out of reach of short orders. */
const step =
  (forgetful: boolean) =>
  (state: State, input: Input): readonly [State, readonly Effect[]] => {
    if (state.at === 'closed') return [state, []];
    if (input === 'late') return [{ ...state, lates: Math.min(state.lates + 1, 2) }, []];
    if (input === 'close') {
      const armed = state.at === 'waiting' && !(forgetful && state.lates === 2);
      return [{ ...state, at: 'closed' }, armed ? ['disarm', 'settle'] : ['settle']];
    }
    if (input === 'send' && state.at === 'idle') return [{ ...state, at: 'waiting' }, ['arm']];
    if (input === 'answer' && state.at === 'waiting') return [{ ...state, at: 'idle' }, ['disarm']];
    return [state, []];
  };

const count = (effects: readonly Effect[], wanted: Effect) => effects.filter((effect) => effect === wanted).length;
const atEnd = {
  'settled once': ({ effects }: { effects: readonly Effect[] }) => count(effects, 'settle') === 1,
  'no armed timer': ({ effects }: { effects: readonly Effect[] }) => count(effects, 'arm') === count(effects, 'disarm'),
};

function failure(run: () => unknown): OrderError<Input> {
  try {
    run();
  } catch (error) {
    if (error instanceof OrderError) return error as OrderError<Input>; // the walks here have these inputs
    throw error;
  }
  throw new Error('nothing was found');
}

describe('randomWalks', () => {
  test('a right machine passes, and the report counts', () => {
    const report = randomWalks({ initial, step: step(false), inputs, atEnd, ending: ['close'], count: 50, length: 20 });
    expect(report).toEqual({ walks: 50, states: 9, transitions: 50 * 21 });
  });

  test('without the ending the promise is not settled in every walk', () => {
    expect(failure(() => randomWalks({ initial, step: step(false), inputs: ['send', 'answer'], atEnd })).rule).toBe(
      'settled once',
    );
  });

  test('a rule over the whole history is caught, cut down to the inputs it needs, with the seed that replays it', () => {
    const machine = { initial, step: step(true), inputs, atEnd, ending: ['close'] as Input[] };
    const found = failure(() => randomWalks(machine));
    expect(found.rule).toBe('no armed timer');
    expect(found.order.toSorted()).toEqual(['close', 'late', 'late', 'send']);
    expect(found.order.at(-1)).toBe('close');
    const seed = Number(/ SEED=(\d+)$/.exec(found.message)?.[1]);
    expect(failure(() => randomWalks({ ...machine, seed, count: 1 })).message).toBe(found.message);
  });

  test('inputs that depend on the state are kept as met', () => {
    const found = failure(() =>
      randomWalks({
        initial: 0,
        step: (state: number): [number, never[]] => [state + 1, []],
        inputs: (state) => (state < 5 ? (['send'] as Input[]) : []),
        atEnd: { 'stays at 0': ({ state }) => state === 0 },
        count: 1,
      }),
    );
    expect(found.order).toHaveLength(5);
  });

  test('the seed decides the walk', () => {
    const orderOf = (seed: number) =>
      failure(() =>
        randomWalks({
          initial: [] as Input[],
          step: (state, input: Input): [Input[], never[]] => [[...state, input], []],
          inputs: () => inputs,
          atEnd: { never: () => false },
          seed,
          length: 30,
        }),
      ).order;
    expect(orderOf(4)).toHaveLength(30);
    expect(orderOf(4)).toEqual(orderOf(4));
    expect(orderOf(4)).not.toEqual(orderOf(5));
  });
});
