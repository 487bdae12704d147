/**
 * The meta-schemas of the dialects, as one check: a reference to one of them is answered by the rules that schemas
 * themselves are held to. Like them it does not look into `format`, so a pattern is any string.
 */
import { isObject, type JsonObject } from '../base/json.ts';
import type { Dialect } from './dialects.ts';
import { keywordProblem, subschemasOf } from './keywords.ts';
import { memberSteps, type Run } from './run.ts';

/** Whether a value is a well-formed schema of a dialect. */
export function isSchema(value: unknown, dialect: Dialect, run: Run): boolean {
  const open: unknown[] = [value];
  while (open.length > 0) {
    const schema = open.pop();
    run.spend(memberSteps);
    if (typeof schema === 'boolean') continue;
    if (!isObject(schema)) return false;
    // Also beside `$ref`, where draft-07 ignores them: its meta-schema looks at all members.
    for (const name of Object.keys(schema)) {
      const keyword = schema[name];
      run.spend(stepsOf(name, 0) + stepsOf(keyword, 2));
      if (keywordProblem(name, keyword, dialect) !== undefined) return false;
      for (const place of subschemasOf(name, keyword, dialect)) open.push(place.schema);
    }
  }
  return true;
}

/** Steps for looking at a value, so many levels of entries and members included. */
function stepsOf(value: unknown, levels: number): number {
  if (typeof value === 'string') return memberSteps + (value.length >> 4);
  let steps = memberSteps;
  if (levels > 0 && typeof value === 'object' && value !== null)
    for (const name of Object.keys(value)) steps += stepsOf(name, 0) + stepsOf((value as JsonObject)[name], levels - 1);
  return steps;
}
