/** `unevaluatedProperties`, `unevaluatedItems` (2020-12 core 11): what no other keyword of the schema has looked at. */
import type { JsonObject } from '../../base/json.ts';
import { ofMembers, type Compiling, type Part, type Rule } from '../rule.ts';
import { everything, memberSteps, type Run } from '../run.ts';

/** These go last: they build on the marks of all others. */
export function unevaluatedRules({ get, mode, part }: Compiling): Rule[] {
  const rules: Rule[] = [];
  const add = (keyword: string, on: 'object' | 'array', remaining: Remaining): void => {
    const schema = get(keyword);
    if (schema !== undefined) rules.push(unevaluatedRule(keyword, on, part(schema, ofMembers(mode)), remaining));
  };
  add('unevaluatedProperties', 'object', remainingMembers);
  add('unevaluatedItems', 'array', remainingEntries);
  return rules;
}

/** What is not marked yet. */
type Remaining = (value: unknown, run: Run) => [key: string | number, member: unknown][];

/** What is marked of a value with so many members; undefined when everything is. */
function marked(count: number, run: Run): ReadonlySet<unknown> | undefined {
  run.spend(memberSteps * (count + run.marks.length - run.start));
  const marks = new Set<unknown>(run.marks.slice(run.start));
  return marks.has(everything) ? undefined : marks;
}

function remainingMembers(value: unknown, run: Run): ReturnType<Remaining> {
  const object = value as JsonObject;
  const names = Object.keys(object);
  const marks = marked(names.length, run);
  if (marks === undefined) return [];
  return names.filter((name) => !marks.has(name) && object[name] !== undefined).map((name) => [name, object[name]]);
}

function remainingEntries(value: unknown, run: Run): ReturnType<Remaining> {
  const entries = value as unknown[];
  const left: [number, unknown][] = [];
  const marks = marked(entries.length, run);
  if (marks === undefined) return left;
  let first = 0;
  for (const mark of marks) if (typeof mark === 'number' && mark < 0) first = Math.max(first, -mark);
  for (let at = first; at < entries.length; at++) if (!marks.has(at)) left.push([at, entries[at]]);
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
