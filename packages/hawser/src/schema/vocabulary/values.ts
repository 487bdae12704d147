/** `type`, `enum`, `const` (2020-12 validation 6.1). */
import { JsonSet, maxValueDepth } from '../equality.ts';
import { SchemaError } from '../errors.ts';
import { step } from '../pointer.ts';
import { BudgetError, Run } from '../run.ts';
import type { Check, Compiling, Rule } from '../rule.ts';
import { list, shown } from '../say.ts';

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

export function valueRules({ get, node: { path } }: Compiling): Rule[] {
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
            run.spend(checks.length);
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
    const set = setOf(values, path + step(keyword));
    const check: Check = (value, run) => {
      run.spend(1);
      return set.has(value, run);
    };
    let words: string | undefined;
    // Once: the values may be large.
    rules.push({ keyword, on: 'any', check, say: () => (words ??= `must be ${list(values, shown)}`) });
  }
  return rules;
}

/** @throws SchemaError `too_large` when a value is nested too deeply to be compared */
function setOf(values: readonly unknown[], path: string): JsonSet {
  const set = new JsonSet();
  const run = new Run(Infinity);
  try {
    for (const value of values) set.add(value, run);
  } catch (error) {
    if (!(error instanceof BudgetError)) throw error;
    throw new SchemaError('too_large', `holds a value that is nested deeper than ${maxValueDepth} levels`, path);
  }
  return set;
}
