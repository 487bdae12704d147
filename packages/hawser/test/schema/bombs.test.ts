import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { bombs, outcomeOf, patternBombs, type Bomb } from './bombs.ts';

describe('hostile schemas and values have a typed outcome', () => {
  const check = async ({ schema, value, outcome, steps, options }: Bomb): Promise<void> => {
    const [given, against] = [schema(), value()];
    expect(await outcomeOf(given, against, options)).toBe(outcome);
    if (steps === undefined) return;
    // The same at every run and on every machine: what is counted are steps.
    expect(await outcomeOf(given, against, { ...options, maxSteps: steps })).toBe(outcome);
    expect(await outcomeOf(given, against, { ...options, maxSteps: steps / 2 })).toBe('budget');
  };

  test.each(patternBombs)('[SEED-211] $name', check);

  test.each(bombs.filter((bomb) => !patternBombs.includes(bomb)))('[SEED-229 JS-007] $name', check);

  test('work is not only put off: where the budget is the end, it is with ten times as much', async () => {
    for (const { schema, value, outcome, name } of bombs) {
      if (outcome !== 'budget' || !/twice|itself|two|doubles/.test(name)) continue;
      expect(await outcomeOf(schema(), value(), { maxSteps: 5_000_000 })).toBe('budget');
    }
  });

  test('[SEED-229] nothing of them is kept', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const heap = (): number => {
      collect();
      return process.memoryUsage().heapUsed;
    };
    // The tests before this one have warmed it up.
    const before = heap();
    for (const { schema, value, options } of bombs) await outcomeOf(schema(), value(), options);
    expect((heap() - before) / 2 ** 20).toBeLessThan(16);
  });
});
