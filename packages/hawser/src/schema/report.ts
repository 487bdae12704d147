/** Finds out what is wrong with a value that is known not to fit: a second pass, which may take its time. */
import { sample } from '../base/logger.ts';
import type { Issue } from './errors.ts';
import { below } from './pointer.ts';
import type { Kind, Part, Rule, Spot } from './rule.ts';
import type { Run } from './run.ts';
import { shown } from './say.ts';
import { typeOf } from './vocabulary/values.ts';

/** Schemas of `anyOf` and `oneOf` whose problems are told. */
const maxAlternatives = 5;

export class Report {
  readonly run: Run;
  readonly issues: Issue[] = [];
  readonly #max: number;
  readonly #isInner: boolean;

  /**
   * @param max how many issues are wanted
   * @param isInner for one of several alternatives: alternatives within it are not told one by one
   */
  constructor(run: Run, max: number, isInner = false) {
    this.run = run;
    this.#max = max;
    this.#isInner = isInner;
  }

  /** No more issues are wanted. */
  get isFull(): boolean {
    return this.issues.length >= this.#max;
  }

  add(keyword: string, { path, schemaPath }: Spot, message: string): void {
    if (!this.isFull) this.issues.push({ path, schemaPath, keyword, message });
  }

  /** Reports why a value does not fit a subschema; nothing if it does. */
  visit(part: Part, value: unknown, spot: Spot): void {
    if (this.isFull) return;
    const { run } = this;
    if (part.node.schema === false) return this.add('false', spot, 'must not be there');
    const { start } = run;
    const { length } = run.marks;
    // Where nothing is dynamic, the scope is empty.
    const entered = run.scope.length > 0 && run.enter(part.node.resource);
    run.start = length;
    let isWhole = true;
    for (const rule of part.rules ?? []) {
      if (this.isFull) break;
      if (!isOf(rule.on, value) || (rule.keyword.startsWith('unevaluated') && !isWhole)) continue;
      if (!this.#passes(rule, value, spot)) isWhole = false;
    }
    if (entered) run.scope.pop();
    run.marks.length = length;
    run.start = start;
  }

  /** Reports on one keyword. Subschemas are asked first: the keyword itself would ask all of them at every level. */
  #passes(rule: Rule, value: unknown, { path, schemaPath }: Spot): boolean {
    const { run } = this;
    const before = this.issues.length;
    const spot = { path, schemaPath: `${schemaPath}/${rule.keyword}` };
    if (rule.inner !== undefined && Array.isArray(value)) run.spend(2 * value.length);
    const all = rule.inner?.(value, run) ?? [];
    run.spend(all.length);
    for (const [part, member, key, via] of all) {
      const { length } = run.marks;
      const fits = part.check(member, run);
      if (run.marks.length > length) run.marks.length = length;
      if (fits) continue;
      // Names are written into the pointers, and may be long.
      run.spend(String(key).length + String(via).length);
      const inner = { path: below(path, key), schemaPath: below(spot.schemaPath, via) };
      if (part.node.schema === false && key !== undefined)
        this.add(rule.keyword, inner, `must not be there: ${shown(key)} is not described`);
      else this.visit(part, member, inner);
      if (this.isFull) return false;
    }
    if (this.issues.length === before && rule.check(value, run)) return true;
    rule.into?.(value, this, spot);
    if (this.issues.length === before) this.add(rule.keyword, spot, rule.say(value, run));
    return false;
  }

  /** Reports that none of several schemas fits, and the first problem of each. */
  alternatives(keyword: string, parts: readonly Part[], value: unknown, spot: Spot): void {
    // Else the work would double with every level.
    if (this.#isInner) return;
    const problems = parts.slice(0, maxAlternatives).map((part, at) => {
      const report = new Report(this.run, 1, true);
      report.visit(part, value, { path: '', schemaPath: '' });
      const [issue] = report.issues;
      if (issue === undefined) return '';
      return `(${at + 1}) ${issue.path === '' ? '' : `${sample(issue.path)} `}${issue.message}`;
    });
    const more = parts.length > problems.length ? `; and ${parts.length - problems.length} more` : '';
    this.add(keyword, spot, `must fit one of the ${parts.length} schemas of ${keyword}: ${problems.join('; ')}${more}`);
  }
}

/** Whether a keyword says something about a value. */
function isOf(kind: Kind, value: unknown): boolean {
  return kind === 'any' || kind === (typeof value === 'number' ? 'number' : typeOf(value));
}
