/** `type`, `enum`, `const` (2020-12 validation 6.1), and the bounds of numbers and strings (6.2, 6.3). */
import { multiplesOf } from '../decimal.ts';
import { JsonSet } from '../equality.ts';
import { Run } from '../run.ts';
import type { Check, Compiling, Rule } from '../rule.ts';
import { list, shown } from '../say.ts';
import { characters } from '../text.ts';

const typeChecks: Record<string, Check> = {
  null: (value) => value === null,
  boolean: (value) => typeof value === 'boolean',
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  array: (value) => Array.isArray(value),
};

/** What a value is, as `type` names it. */
export function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

export function valueRules({ get }: Compiling): Rule[] {
  const rules: Rule[] = [];
  const type = get('type');
  if (type !== undefined) {
    const types = (Array.isArray(type) ? type : [type]) as string[];
    const checks = types.map((one) => typeChecks[one] as Check);
    const [first, second] = checks;
    const check: Check =
      second === undefined
        ? (first as Check)
        : (value, run) => {
            run.spend(1);
            return checks.some((one) => one(value, run));
          };
    rules.push({
      keyword: 'type',
      on: 'any',
      check,
      type: types.length === 1 ? types[0] : undefined,
      say: (value) => `must be ${list(types)}, not ${typeOf(value)}`,
    });
  }
  for (const keyword of ['enum', 'const']) {
    const wanted = get(keyword);
    if (wanted === undefined) continue;
    const values = keyword === 'enum' ? (wanted as unknown[]) : [wanted];
    const set = new JsonSet();
    const unbounded = new Run(Infinity);
    for (const value of values) set.add(value, unbounded);
    const check: Check = (value, run) => {
      run.spend(typeof value === 'string' ? 1 + (value.length >> 8) : 1);
      return set.has(value, run);
    };
    rules.push({ keyword, on: 'any', check, say: () => `must be ${list(values.map(shown))}` });
  }
  return [...rules, ...numberRules(get), ...stringLengthRules(get)];
}

function numberRules(get: Compiling['get']): Rule[] {
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
    rules.push({
      keyword: 'multipleOf',
      on: 'number',
      check(value, run) {
        run.spend(Number.isSafeInteger(value) ? 1 : 20);
        return isMultiple(value as number);
      },
      say: () => `must be a multiple of ${divisor}`,
    });
  }
  return rules;
}

function stringLengthRules(get: Compiling['get']): Rule[] {
  const rules: Rule[] = [];
  const min = get('minLength');
  const max = get('maxLength');
  // A text has at most as many characters as code units, and at least half as many.
  const count = (text: string, run: Run): number => {
    run.spend(text.length >> 4);
    return characters(text);
  };
  if (typeof min === 'number')
    rules.push({
      keyword: 'minLength',
      on: 'string',
      check: (value, run) => {
        const text = value as string;
        return text.length >= min && (text.length >= 2 * min || count(text, run) >= min);
      },
      say: () => `must have at least ${min} characters`,
    });
  if (typeof max === 'number')
    rules.push({
      keyword: 'maxLength',
      on: 'string',
      check: (value, run) => {
        const text = value as string;
        return text.length <= max || (text.length <= 2 * max && count(text, run) <= max);
      },
      say: () => `must have at most ${max} characters`,
    });
  return rules;
}
