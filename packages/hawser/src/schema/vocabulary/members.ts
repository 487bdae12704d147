/** `properties`, `required`, `patternProperties`, `additionalProperties`, `propertyNames` (2020-12 core 10.3.2). */
import type { JsonObject } from '../../base/json.ts';
import { readerOf } from '../members.ts';
import { ofMembers, type Check, type Compiling, type Inner, type Part, type Rule } from '../rule.ts';
import { everything, memberSteps, type Run } from '../run.ts';
import { shown } from '../say.ts';

export function memberRules(compiling: Compiling): Rule[] {
  const { get, mode, part, pattern } = compiling;
  const inner = ofMembers(mode);
  const properties = new Map<string, Part>();
  for (const [name, schema] of Object.entries((get('properties') as JsonObject | undefined) ?? {}))
    properties.set(name, part(schema, inner));
  const patterns = Object.entries((get('patternProperties') as JsonObject | undefined) ?? {}).map(
    ([source, schema]) => ({
      source,
      part: part(schema, inner),
      isIn: pattern(source),
    }),
  );
  const required = (get('required') as string[] | undefined) ?? [];
  const rules: Rule[] = [];
  if (properties.size > 0) rules.push(propertiesRule(properties, required, mode.tracks));
  if (required.length > 0) rules.push(requiredRule(required, properties.size > 0));
  if (patterns.length > 0) rules.push(patternPropertiesRule(patterns, mode.tracks));
  const additional = get('additionalProperties');
  if (additional !== undefined)
    rules.push(additionalPropertiesRule(part(additional, inner), new Set(properties.keys()), patterns, mode.tracks));
  const names = get('propertyNames');
  if (names !== undefined) rules.push(propertyNamesRule(part(names, inner)));
  return rules;
}

interface MatchedBy {
  readonly source: string;
  readonly part: Part;
  readonly isIn: (text: string, run: Run) => boolean;
}

function propertiesRule(properties: ReadonlyMap<string, Part>, required: readonly string[], tracks: boolean): Rule {
  const names = [...properties.keys()];
  const checks = [...properties.values()].map((part) => part.check);
  const readerFor = readerOf([...names, ...required]);
  const needed = new Set(required);
  const isNeeded = names.map((name) => needed.has(name));
  const others = required.filter((name) => !properties.has(name));
  // Work is taken for all at once: a step for each property, one for each check.
  const steps = 2 * names.length + others.length;
  const loop =
    (demands: readonly boolean[], more: readonly string[]): Check =>
    (value, run) => {
      if ((run.left -= steps) < 0) run.out();
      const object = value as JsonObject;
      const read = readerFor(value);
      for (let at = 0; at < names.length; at++) {
        const member = read(object, names[at] as string);
        if (member === undefined) {
          if (demands[at] === true) return false;
        } else if ((checks[at] as Check)(member, run)) {
          if (tracks) run.marks.push(names[at] as string);
        } else return false;
      }
      for (const name of more) if (read(object, name) === undefined) return false;
      return true;
    };
  return {
    keyword: 'properties',
    on: 'object',
    check: loop([], []),
    fast: loop(isNeeded, others),
    say: () => 'must have members that fit properties',
    inner(value) {
      const read = readerFor(value);
      const inner: Inner[] = [];
      for (const [name, part] of properties) {
        const member = read(value as JsonObject, name);
        if (member !== undefined) inner.push([part, member, name, name]);
      }
      return inner;
    },
  };
}

function requiredRule(required: readonly string[], isElsewhere: boolean): Rule {
  const readerFor = readerOf(required);
  const missing = (value: unknown): string[] => {
    const read = readerFor(value);
    return required.filter((name) => read(value as JsonObject, name) === undefined);
  };
  const check: Check = (value, run) => {
    run.spend(required.length);
    const read = readerFor(value);
    for (const name of required) if (read(value as JsonObject, name) === undefined) return false;
    return true;
  };
  return {
    keyword: 'required',
    on: 'object',
    check,
    fast: isElsewhere ? 'elsewhere' : check,
    say: (value) => `must have ${missing(value).slice(0, 20).map(shown).join(', ')}`,
  };
}

/** Goes through all members; an undefined one is none. */
function everyMember(value: unknown, run: Run, fits: (name: string, member: unknown) => boolean): boolean {
  const object = value as JsonObject;
  const names = Object.keys(object);
  run.spend(memberSteps * names.length);
  for (const name of names) {
    const member = object[name];
    if (member !== undefined && !fits(name, member)) return false;
  }
  return true;
}

function innerMembers(value: unknown, run: Run, of: (name: string, member: unknown) => Inner[]): Inner[] {
  const inner: Inner[] = [];
  everyMember(value, run, (name, member) => {
    inner.push(...of(name, member));
    return true;
  });
  return inner;
}

function patternPropertiesRule(patterns: readonly MatchedBy[], tracks: boolean): Rule {
  return {
    keyword: 'patternProperties',
    on: 'object',
    check: (value, run) =>
      everyMember(value, run, (name, member) => {
        for (const { part, isIn } of patterns) {
          if (!isIn(name, run)) continue;
          if (!part.check(member, run)) return false;
          if (tracks) run.marks.push(name);
        }
        return true;
      }),
    say: () => 'must have members that fit patternProperties',
    inner: (value, run) =>
      innerMembers(value, run, (name, member) =>
        patterns.flatMap(({ source, part, isIn }): Inner[] => (isIn(name, run) ? [[part, member, name, source]] : [])),
      ),
  };
}

function additionalPropertiesRule(
  part: Part,
  known: ReadonlySet<string>,
  patterns: readonly MatchedBy[],
  tracks: boolean,
): Rule {
  const isAdditional =
    patterns.length === 0
      ? (name: string) => !known.has(name)
      : (name: string, run: Run) => !known.has(name) && !patterns.some(({ isIn }) => isIn(name, run));
  const { check } = part;
  return {
    keyword: 'additionalProperties',
    on: 'object',
    check(value, run) {
      const object = value as JsonObject;
      const names = Object.keys(object);
      run.spend(memberSteps * names.length);
      for (const name of names) {
        // Most members are known: they need not be read.
        if (!isAdditional(name, run)) continue;
        const member = object[name];
        if (member !== undefined && !check(member, run)) return false;
      }
      if (tracks) run.marks.push(everything);
      return true;
    },
    say: () => 'must have no other members',
    inner: (value, run) =>
      innerMembers(value, run, (name, member) => (isAdditional(name, run) ? [[part, member, name]] : [])),
  };
}

function propertyNamesRule(part: Part): Rule {
  return {
    keyword: 'propertyNames',
    on: 'object',
    check: (value, run) => everyMember(value, run, (name) => part.check(name, run)),
    say: () => 'must have other names',
    inner: (value, run) => innerMembers(value, run, (name) => [[part, name, name]]),
  };
}
