/** `unevaluatedProperties`, `unevaluatedItems` (2020-12 core 11): what no other keyword of the schema has looked at. */
import type { JsonObject } from '../../base/json.ts';
import { ofMembers, type Compiling, type Part, type Rule } from '../rule.ts';
import { everything, memberSteps, type Run } from '../run.ts';

/** These go last: they build on the marks of all others. */
export function unevaluatedRules({ get, mode, part }: Compiling): Rule[] {
  const rules: Rule[] = [];
  const properties = get('unevaluatedProperties');
  const items = get('unevaluatedItems');
  const add = (keyword: string, on: 'object' | 'array', schema: unknown, remaining: Remaining): void => {
    if (schema !== undefined) rules.push(unevaluatedRule(keyword, on, part(schema, ofMembers(mode)), remaining));
  };
  add('unevaluatedProperties', 'object', properties, remainingMembers);
  add('unevaluatedItems', 'array', items, remainingEntries);
  return rules;
}

/** What is not marked yet. */
type Remaining = (value: unknown, run: Run) => [key: string | number, member: unknown][];

const none: ReturnType<Remaining> = [];

function remainingMembers(value: unknown, run: Run): ReturnType<Remaining> {
  const object = value as JsonObject;
  const names = Object.keys(object);
  run.spend(memberSteps * (names.length + run.marks.length - run.start));
  const marked = new Set(run.marks.slice(run.start));
  if (marked.has(everything)) return none;
  return names
    .filter((name) => !marked.has(name) && object[name] !== undefined)
    .map((name): [string, unknown] => [name, object[name]]);
}

function remainingEntries(value: unknown, run: Run): ReturnType<Remaining> {
  const entries = value as unknown[];
  run.spend(memberSteps * (entries.length + run.marks.length - run.start));
  const marked = new Set(run.marks.slice(run.start));
  if (marked.has(everything)) return none;
  let first = 0;
  for (const mark of marked) if (typeof mark === 'number' && mark < 0) first = Math.max(first, -mark);
  const left: [number, unknown][] = [];
  for (let at = first; at < entries.length; at++) if (!marked.has(at)) left.push([at, entries[at]]);
  return left;
}

function unevaluatedRule(keyword: string, on: 'object' | 'array', part: Part, remaining: Remaining): Rule {
  return {
    keyword,
    on,
    check(value, run) {
      const left = remaining(value, run);
      run.spend(left.length);
      for (const [, member] of left) if (!part.check(member, run)) return false;
      run.marks.push(everything);
      return true;
    },
    say: () => 'must have nothing that no other keyword describes',
    inner: (value, run) => remaining(value, run).map(([key, member]) => [part, member, key]),
  };
}
