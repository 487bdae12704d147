import { describe, expect, test } from 'vitest';
import { OrderError, showInput } from './machine.ts';
import { order, play } from './order.ts';

type Input = { on: 'add'; by: number } | { on: 'stop' };
const counter = {
  initial: { count: 0, stopped: false },
  step: (state: { count: number; stopped: boolean }, input: Input) => {
    if (state.stopped) return [state, []] as const;
    if (input.on === 'stop') return [{ ...state, stopped: true }, ['stopped']] as const;
    return [{ ...state, count: state.count + input.by }, [`added ${input.by}`]] as const;
  },
};
const stop: Input = { on: 'stop' };
const add = (by: number): Input => ({ on: 'add', by });

describe('play', () => {
  test('gives the last state and all effects', () => {
    const played = play(counter, order('add after stop', [add(1), add(2), stop, add(4)]));
    expect(played.state).toEqual({ count: 3, stopped: true });
    expect(played.effects).toEqual(['added 1', 'added 2', 'stopped']);
    expect(play(counter, []).state).toBe(counter.initial);
  });

  test('remembers what is observed', () => {
    const observe = { initial: 0, next: (seen: number, effects: readonly string[]) => seen + effects.length };
    expect(play({ ...counter, observe }, [add(1), stop, stop]).observed).toBe(2);
  });

  test('a broken rule names the inputs up to there', () => {
    const invariants = { 'below 3': ({ state }: { state: { count: number } }) => state.count < 3 };
    expect(() => play({ ...counter, invariants }, [add(1), add(2), stop])).toThrow(
      'broken: below 3; order: add {"by":1} → add {"by":2}',
    );
  });

  test('a rule for the end is checked at the end only', () => {
    const atEnd = { 'is stopped': ({ state }: { state: { stopped: boolean } }) => state.stopped };
    expect(play({ ...counter, atEnd }, [add(1), stop]).state.stopped).toBe(true);
    expect(() => play({ ...counter, atEnd }, [add(1)])).toThrow('broken: is stopped; order: add {"by":1}');
    expect(() => play({ ...counter, atEnd }, [])).toThrow('order: no input at all');
  });

  test('a step that throws keeps its error as the cause', () => {
    const cause = new Error('oops');
    const step = () => {
      throw cause;
    };
    expect(() => play({ initial: 0, step }, ['x'])).toThrow(
      expect.objectContaining({ cause, rule: 'step never throws' }),
    );
    expect(() => play({ initial: 0, step }, ['x'])).toThrow(OrderError);
  });
});

test('inputs are shown for reading', () => {
  expect(showInput('close')).toBe('close');
  expect(showInput({ on: 'close' })).toBe('close');
  expect(showInput({ on: 'reply', id: 1 })).toBe('reply {"id":1}');
  expect(showInput({ id: 1 })).toBe('{"id":1}');
  expect(showInput(7)).toBe('7');
  expect(showInput({ on: 'call', done: () => 1 })).toMatch(/^call /);
});
