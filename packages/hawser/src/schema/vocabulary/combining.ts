/** `allOf`, `anyOf`, `oneOf`, `not`, `if`: schemas for the value itself (2020-12 core 10.2). */
import type { Run } from '../run.ts';
import type { Check, Compiling, Inner, Part, Rule } from '../rule.ts';
import { modeOf, ofMembers } from '../rule.ts';
import { step } from '../pointer.ts';

export function combiningRules(compiling: Compiling): Rule[] {
  return [allOf(compiling), anyOf(compiling), oneOf(compiling), not(compiling), conditional(compiling)].filter(
    (rule) => rule !== undefined,
  );
}

/** Whether a schema fits; what it marked is forgotten when it does not. */
function tries(check: Check, value: unknown, run: Run): boolean {
  const { length } = run.marks;
  if (check(value, run)) return true;
  run.marks.length = length;
  return false;
}

/** Whether a schema fits, without its marks. */
function matches(check: Check, value: unknown, run: Run): boolean {
  const { length } = run.marks;
  const fits = check(value, run);
  run.marks.length = length;
  return fits;
}

function allOf({ mode, get, part }: Compiling): Rule | undefined {
  const schemas = get('allOf');
  if (!Array.isArray(schemas)) return undefined;
  const parts = schemas.map((schema) => part(schema, mode));
  const checks = parts.map(({ check }) => check);
  return {
    keyword: 'allOf',
    on: 'any',
    check(value, run) {
      run.spend(checks.length);
      for (const check of checks) if (!check(value, run)) return false;
      return true;
    },
    say: () => 'must fit all schemas of allOf',
    inner: (value) => parts.map((one, at): Inner => [one, value, undefined, at]),
  };
}

function anyOf({ mode, get, part }: Compiling): Rule | undefined {
  const schemas = get('anyOf');
  if (!Array.isArray(schemas)) return undefined;
  const parts = schemas.map((schema) => part(schema, mode));
  const checks = parts.map(({ check }) => check);
  const first: Check = (value, run) => {
    run.spend(checks.length);
    for (const check of checks) if (check(value, run)) return true;
    return false;
  };
  const all: Check = (value, run) => {
    run.spend(checks.length);
    let fits = false;
    for (const check of checks) if (tries(check, value, run)) fits = true;
    return fits;
  };
  return {
    keyword: 'anyOf',
    on: 'any',
    check: mode.tracks ? all : first,
    say: () => `must fit at least one of the ${parts.length} schemas of anyOf`,
    into: (value, report, spot) => report.alternatives('anyOf', parts, value, spot),
  };
}

function oneOf({ mode, opposed, get, part }: Compiling): Rule | undefined {
  const schemas = get('oneOf');
  if (!Array.isArray(schemas)) return undefined;
  const parts = schemas.map((schema) => part(schema, mode));
  const choices = schemas.map((schema, at) => ({ part: parts[at] as Part, against: part(schema, opposed) }));
  /** How many fit, and how many count as a match, as far as two of them. */
  const counts = (value: unknown, run: Run): [fitting: number, matching: number] => {
    run.spend(choices.length);
    let fitting = 0;
    let matching = 0;
    for (const { part: one, against } of choices) {
      const fits = tries(one.check, value, run);
      if (fits) fitting++;
      if (one === against ? fits : matches(against.check, value, run)) matching++;
      if (matching > 1) break;
    }
    return [fitting, matching];
  };
  return {
    keyword: 'oneOf',
    on: 'any',
    check(value, run) {
      const [fitting, matching] = counts(value, run);
      return fitting > 0 && matching < 2;
    },
    say: (value, run) =>
      counts(value, run)[1] > 1
        ? `must fit exactly one of the ${parts.length} schemas of oneOf, but fits more`
        : `must fit one of the ${parts.length} schemas of oneOf`,
    into(value, report, spot) {
      if (counts(value, report.run)[0] === 0) report.alternatives('oneOf', parts, value, spot);
    },
  };
}

function not({ opposed, get, part }: Compiling): Rule | undefined {
  const schema = get('not');
  if (schema === undefined) return undefined;
  const { check } = part(schema, ofMembers(opposed));
  return {
    keyword: 'not',
    on: 'any',
    check(value, run) {
      run.spend(1);
      return !check(value, run);
    },
    say: () => 'must not fit the schema of not',
  };
}

function conditional({ mode, opposed, get, part }: Compiling): Rule | undefined {
  const schema = get('if');
  if (schema === undefined) return undefined;
  const [then, otherwise] = ['then', 'else'].map((keyword) => {
    const branch = get(keyword);
    return branch === undefined ? undefined : part(branch, mode);
  });
  if (then === undefined && otherwise === undefined && !mode.tracks) return undefined;
  const loose = part(schema, modeOf(mode.tracks, false));
  const sure = part(schema, modeOf(mode.tracks, true));
  const follows = (branch: Part | undefined, value: unknown, run: Run): boolean =>
    branch === undefined || branch.check(value, run);
  const branchOf = (value: unknown, run: Run): 'then' | 'else' | 'unknown' => {
    if (!tries(loose.check, value, run)) return 'else';
    return loose === sure || matches(sure.check, value, run) ? 'then' : 'unknown';
  };
  return {
    keyword: 'if',
    on: 'any',
    check(value, run) {
      run.spend(2);
      const branch = branchOf(value, run);
      if (branch === 'then') return follows(then, value, run);
      if (branch === 'else') return follows(otherwise, value, run);
      if (opposed.sure)
        return tries((one, state) => follows(then, one, state), value, run) || follows(otherwise, value, run);
      return follows(then, value, run) && follows(otherwise, value, run);
    },
    say: () => 'must fit then if it fits if, and else if it does not',
    into(value, report, { path, schemaPath }) {
      const keyword = branchOf(value, report.run);
      const branch = keyword === 'then' ? then : keyword === 'else' ? otherwise : undefined;
      // `then` and `else` stand beside `if`.
      const around = schemaPath.slice(0, -step('if').length);
      if (branch !== undefined) report.visit(branch, value, { path, schemaPath: around + step(keyword) });
    },
  };
}
