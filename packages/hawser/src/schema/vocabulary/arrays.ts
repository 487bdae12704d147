/** Keywords for arrays (2020-12 core 10.3.1, validation 6.4; lists as `items` in older dialects). */
import { JsonSet } from '../equality.ts';
import { ofMembers, type Check, type Compiling, type Inner, type Part, type Rule } from '../rule.ts';
import { everything, memberSteps, type Run } from '../run.ts';
import { many } from '../say.ts';

export function arrayRules(compiling: Compiling): Rule[] {
  const { get } = compiling;
  const rules: Rule[] = [];
  const add = (keyword: string, words: string, fits: (count: number, bound: number) => boolean): void => {
    const bound = get(keyword);
    if (typeof bound !== 'number') return;
    rules.push({
      keyword,
      on: 'array',
      check: (value) => fits((value as unknown[]).length, bound),
      say: (value) => `must have at ${words} ${many(bound, 'entry', 'entries')}, not ${(value as unknown[]).length}`,
    });
  };
  add('minItems', 'least', (count, bound) => count >= bound);
  add('maxItems', 'most', (count, bound) => count <= bound);
  rules.push(...itemRules(compiling));
  if (get('contains') !== undefined) rules.push(containsRule(compiling));
  if (get('uniqueItems') === true) rules.push(uniqueRule());
  return rules;
}

/** `prefixItems` and `items`, or a list as `items` and `additionalItems`: the first entries, then the rest. */
function itemRules({ get, mode, part }: Compiling): Rule[] {
  const items = get('items');
  const isTuple = Array.isArray(items);
  const first = isTuple ? items : get('prefixItems');
  const rest = isTuple ? get('additionalItems') : items;
  const inner = ofMembers(mode);
  const rules: Rule[] = [];
  const parts = Array.isArray(first) ? first.map((schema) => part(schema, inner)) : [];
  if (parts.length > 0) rules.push(firstRule(isTuple ? 'items' : 'prefixItems', parts, mode.tracks));
  if (rest !== undefined)
    rules.push(restRule(isTuple ? 'additionalItems' : 'items', part(rest, inner), parts.length, mode.tracks));
  return rules;
}

function firstRule(keyword: string, parts: readonly Part[], tracks: boolean): Rule {
  return {
    keyword,
    on: 'array',
    check(value, run) {
      const entries = value as unknown[];
      const count = Math.min(parts.length, entries.length);
      run.spend(2 * count);
      for (let at = 0; at < count; at++) if (!(parts[at] as Part).check(entries[at], run)) return false;
      if (tracks && count > 0) run.marks.push(-count);
      return true;
    },
    say: () => `must have entries that fit ${keyword}`,
    inner: (value) =>
      parts.slice(0, (value as unknown[]).length).map((part, at) => [part, (value as unknown[])[at], at, at]),
  };
}

function restRule(keyword: string, part: Part, from: number, tracks: boolean): Rule {
  const { check } = part;
  return {
    keyword,
    on: 'array',
    check(value, run) {
      const entries = value as unknown[];
      run.spend(2 * entries.length);
      for (let at = from; at < entries.length; at++) if (!check(entries[at], run)) return false;
      if (tracks) run.marks.push(everything);
      return true;
    },
    say: () => `must have entries that fit ${keyword}`,
    // Entries that are not set are gone through as well.
    inner: (value) => Array.from((value as unknown[]).slice(from), (entry, at): Inner => [part, entry, from + at]),
  };
}

function containsRule({ node, get, mode, opposed, part }: Compiling): Rule {
  const schema = get('contains');
  const fitting = part(schema, ofMembers(mode)).check;
  const matching = part(schema, ofMembers(opposed)).check;
  const min = (get('minContains') as number | undefined) ?? 1;
  const max = get('maxContains') as number | undefined;
  const marks = mode.tracks && node.resource.dialect.dynamic;
  const count = (entries: readonly unknown[], check: Check, run: Run, enough: number, isMarking: boolean): number => {
    run.spend(2 * entries.length);
    let found = 0;
    for (let at = 0; at < entries.length && found < enough; at++) {
      if (!check(entries[at], run)) continue;
      found++;
      if (isMarking) run.marks.push(at);
    }
    return found;
  };
  return {
    keyword: 'contains',
    on: 'array',
    check(value, run) {
      const entries = value as unknown[];
      const enough = marks ? Infinity : min;
      if ((min > 0 || marks) && count(entries, fitting, run, enough, marks) < min) return false;
      return max === undefined || count(entries, matching, run, max + 1, false) <= max;
    },
    say: () => `must have ${bounds(min, max)} that ${min === 1 && max === undefined ? 'fits' : 'fit'} contains`,
  };
}

function bounds(min: number, max: number | undefined): string {
  if (max === undefined) return `at least ${many(min, 'entry', 'entries')}`;
  return min === 0 ? `at most ${many(max, 'entry', 'entries')}` : `${min} to ${many(max, 'entry', 'entries')}`;
}

function uniqueRule(): Rule {
  const firstRepeated = (entries: readonly unknown[], run: Run): number => {
    run.spend(memberSteps * entries.length);
    const set = new JsonSet();
    return entries.findIndex((entry) => !set.add(entry, run));
  };
  return {
    keyword: 'uniqueItems',
    on: 'array',
    check: (value, run) => firstRepeated(value as unknown[], run) < 0,
    say: (value, run) => `must have no equal entries: entry ${firstRepeated(value as unknown[], run)} is there before`,
  };
}
