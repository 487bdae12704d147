import { describe, expect, test } from 'vitest';
import { OrderError } from './machine.ts';
import { walk } from './walk.ts';

type State = { at: 'opening' | 'open' } | { at: 'closed' };
type Input = { on: 'opened' | 'close' | 'late' };
type Effect = { do: 'settle' } | { do: 'arm' } | { do: 'disarm' };
type Step = (state: State, input: Input) => readonly [State, readonly Effect[]];

const initial: State = { at: 'opening' };
const inputs: Input[] = [{ on: 'opened' }, { on: 'late' }, { on: 'close' }];

const rightStep: Step = (state, input) => {
  if (state.at === 'closed') return [state, []];
  if (input.on === 'opened') return [{ at: 'open' }, []];
  if (input.on === 'close') return [{ at: 'closed' }, [{ do: 'settle' }]];
  return [state, []];
};

/** Forgets that the final state absorbs late inputs. */
const wrongStep: Step = (state, input) =>
  state.at === 'closed' && input.on === 'late' ? [state, [{ do: 'settle' }]] : rightStep(state, input);

const settled = {
  observe: {
    initial: 0,
    next: (count: number, effects: readonly Effect[]) => count + effects.filter((e) => e.do === 'settle').length,
  },
  invariants: { 'settled once': ({ observed }: { observed: number }) => observed <= 1 },
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

describe('walk', () => {
  test('a right machine: every input in every state, until closed', () => {
    expect(walk({ initial, step: rightStep, inputs, ...settled })).toEqual({
      states: 3,
      transitions: 9,
      depth: 1,
      closed: true,
    });
  });

  test('a machine that settles twice is caught, and the shortest order is named', () => {
    const found = failure(() => walk({ initial, step: wrongStep, inputs, ...settled }));
    expect(found.rule).toBe('settled once');
    expect(found.order).toEqual([{ on: 'close' }, { on: 'late' }]);
    expect(found.message).toBe('broken: settled once; order: close → late');
  });

  test('states that differ in what was observed only are distinct', () => {
    const report = walk({
      initial: 'only',
      step: (): [string, string[]] => ['only', ['armed']],
      inputs: ['arm'],
      observe: { initial: 0, next: (armed: number, effects: readonly string[]) => Math.min(armed + effects.length, 4) },
    });
    expect(report).toEqual({ states: 5, transitions: 5, depth: 4, closed: true });
  });

  test('a rule that throws is broken, and its reason is named', () => {
    const found = failure(() =>
      walk({
        initial,
        step: rightStep,
        inputs,
        invariants: {
          'never closed': ({ state }) => {
            if (state.at === 'closed') throw new Error('it is closed');
          },
        },
      }),
    );
    expect(found.message).toBe('broken: never closed (it is closed); order: close');
  });

  test('a step that throws is caught, and the order is named', () => {
    const step: Step = (state, input) => {
      if (state.at === 'open' && input.on === 'opened') throw new Error('opened twice');
      return rightStep(state, input);
    };
    const found = failure(() => walk({ initial, step, inputs }));
    expect(found.message).toBe('broken: step never throws (opened twice); order: opened → opened');
  });

  test('a step that changes its state is caught', () => {
    const step = (state: { list: string[] }, input: string): [{ list: string[] }, string[]] => {
      state.list.push(input);
      return [state, []];
    };
    expect(() => walk({ initial: { list: [] }, step, inputs: ['a'], maxStates: 5 })).toThrow(/step never throws/);
  });

  test('inputs may depend on the state, and carry data that is shown', () => {
    const step = (state: number, input: { on: string; by?: number }): [number, never[]] => [
      state + (input.by ?? 1),
      [],
    ];
    const walked = () =>
      walk({
        initial: 0,
        step,
        inputs: (state) => (state < 2 ? [{ on: 'add', by: 2 }] : []),
        invariants: { small: ({ state }) => state < 2 },
      });
    expect(walked).toThrow('broken: small; order: add {"by":2}');
  });

  test('maxDepth ends a walk without end, and the report says so', () => {
    const step = (state: number, by: number): [number, never[]] => [state + by, []];
    expect(walk({ initial: 0, step, inputs: [1, 2], maxDepth: 3 })).toEqual({
      states: 7,
      transitions: 10,
      depth: 3,
      closed: false,
    });
  });

  test('a walk over too many states is an error, not a result', () => {
    const step = (state: number): [number, never[]] => [state + 1, []];
    expect(() => walk({ initial: 0, step, inputs: ['next'], maxStates: 50 })).toThrow('more than 50 distinct states');
    const modulo = (state: number): [number, never[]] => [(state + 1) % 50, []];
    expect(walk({ initial: 0, step: modulo, inputs: ['next'], maxStates: 50 }).states).toBe(50);
  });

  test('a key of one’s own makes states distinct', () => {
    const step = (state: { n: number; tell: () => void }): [{ n: number; tell: () => void }, never[]] => [
      { n: (state.n + 1) % 3, tell: () => {} },
      [],
    ];
    const machine = { initial: { n: 0, tell: () => {} }, step, inputs: ['next'] };
    expect(() => walk(machine)).toThrow('a function has no spelling');
    expect(walk({ ...machine, key: (state) => String(state.n) }).states).toBe(3);
  });
});
