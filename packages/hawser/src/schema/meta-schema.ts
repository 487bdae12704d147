/**
 * The meta-schemas of the dialects, as one check: a reference to one of them is answered by the rules that schemas
 * themselves are held to. Like them it does not look into `format`, so a pattern is any string.
 */
import { isObject } from '../base/json.ts';
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
    const entries = Object.entries(schema);
    run.spend(5 * memberSteps * entries.length);
    for (const [name, one] of entries) {
      run.spend(sizeOf(one));
      if (keywordProblem(name, one, dialect) !== undefined) return false;
      for (const place of subschemasOf(name, one, dialect)) open.push(place.schema);
    }
  }
  return true;
}

/** Steps for looking at a keyword: it may be an object of lists, whose entries are compared with one another. */
function sizeOf(keyword: unknown): number {
  let steps = 1;
  if (typeof keyword === 'object' && keyword !== null)
    for (const member of Object.values(keyword))
      steps += memberSteps * (5 + (Array.isArray(member) ? member.length : 0));
  return steps;
}
