/** What objects need: how many members, and which where others are (2020-12 validation 6.5, core 10.2.2.4). */
import type { JsonObject } from '../../base/json.ts';
import { countOf, readerOf } from '../members.ts';
import { step } from '../pointer.ts';
import type { Compiling, Part, Rule } from '../rule.ts';
import { memberSteps } from '../run.ts';
import { many, shown } from '../say.ts';

export function objectRules(compiling: Compiling): Rule[] {
  const { get } = compiling;
  const rules: Rule[] = [];
  const add = (keyword: string, words: string, fits: (count: number, bound: number) => boolean): void => {
    const bound = get(keyword);
    if (typeof bound !== 'number') return;
    rules.push({
      keyword,
      on: 'object',
      check(value, run) {
        const count = countOf(value);
        run.spend(memberSteps * count);
        return fits(count, bound);
      },
      say: (value) => `must have at ${words} ${many(bound, 'member')}, not ${countOf(value)}`,
    });
  };
  add('minProperties', 'least', (count, bound) => count >= bound);
  add('maxProperties', 'most', (count, bound) => count <= bound);
  for (const keyword of ['dependentRequired', 'dependentSchemas', 'dependencies']) {
    const dependencies = get(keyword);
    if (dependencies !== undefined) rules.push(dependencyRule(compiling, keyword, dependencies as JsonObject));
  }
  return rules;
}

function dependencyRule({ part, mode }: Compiling, keyword: string, dependencies: JsonObject): Rule {
  const needs: { name: string; needed: readonly string[]; schema: Part | undefined }[] = [];
  for (const [name, value] of Object.entries(dependencies)) {
    const isList = Array.isArray(value);
    needs.push({
      name,
      needed: isList ? (value as string[]) : [],
      schema: isList ? undefined : part(value, mode),
    });
  }
  const readerFor = readerOf(needs.flatMap(({ name, needed }) => [name, ...needed]));
  const steps = needs.reduce((sum, { needed }) => sum + 2 + needed.length, 0);
  return {
    keyword,
    on: 'object',
    check(value, run) {
      run.spend(steps);
      const object = value as JsonObject;
      const read = readerFor(value);
      for (const { name, needed, schema } of needs) {
        if (read(object, name) === undefined) continue;
        for (const one of needed) if (read(object, one) === undefined) return false;
        if (schema !== undefined && !schema.check(value, run)) return false;
      }
      return true;
    },
    say: () => `must have what ${keyword} demands`,
    into(value, report, { path, schemaPath }) {
      const object = value as JsonObject;
      const read = readerFor(value);
      for (const { name, needed, schema } of needs) {
        if (report.isFull) return;
        if (read(object, name) === undefined) continue;
        const spot = { path, schemaPath: schemaPath + step(name) };
        const absent = needed.filter((one) => read(object, one) === undefined);
        if (absent.length > 0)
          report.add(
            keyword,
            spot,
            `must have ${absent.slice(0, 20).map(shown).join(', ')} because it has ${shown(name)}`,
          );
        if (schema !== undefined) report.visit(schema, value, spot);
      }
    },
  };
}
