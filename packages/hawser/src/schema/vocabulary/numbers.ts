/** Bounds and steps of numbers (2020-12 validation 6.2). */
import { multiplesOf } from '../decimal.ts';
import type { Check, Compiling, Rule } from '../rule.ts';

export function numberRules({ get }: Compiling): Rule[] {
  const rules: Rule[] = [];
  const add = (keyword: string, words: string, fits: (value: number, bound: number) => boolean): void => {
    const bound = get(keyword);
    if (typeof bound !== 'number') return;
    // Rules on numbers are only asked about numbers.
    const check: Check = (value) => fits(value as number, bound);
    rules.push({ keyword, on: 'number', check, say: () => `must be ${words} ${bound}` });
  };
  add('minimum', 'at least', (value, bound) => value >= bound);
  add('maximum', 'at most', (value, bound) => value <= bound);
  add('exclusiveMinimum', 'more than', (value, bound) => value > bound);
  add('exclusiveMaximum', 'less than', (value, bound) => value < bound);
  const divisor = get('multipleOf');
  if (typeof divisor === 'number') {
    const isMultiple = multiplesOf(divisor);
    const isWhole = Number.isSafeInteger(divisor);
    rules.push({
      keyword: 'multipleOf',
      on: 'number',
      check(value, run) {
        run.spend(isWhole && Number.isSafeInteger(value) ? 1 : 100);
        return isMultiple(value as number);
      },
      say: () => `must be a multiple of ${divisor}`,
    });
  }
  return rules;
}
