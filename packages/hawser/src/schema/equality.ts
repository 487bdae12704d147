/** Equality of JSON values (2020-12 core 4.2.2): numbers by value, objects whatever the order of their members. */
import { BudgetError, memberSteps, type Run } from './run.ts';

/** Deepest value that is compared; text that is nested deeper is not parsed. */
const maxValueDepth = 512;

/** A set of JSON values. */
export class JsonSet {
  readonly #plain = new Set<unknown>();
  readonly #composite = new Set<string>();

  /** Takes a value in; false if an equal one is there. */
  add(value: unknown, run: Run): boolean {
    const before = this.#plain.size + this.#composite.size;
    if (typeof value === 'object' && value !== null) this.#composite.add(canonical(value, run, 0));
    else this.#plain.add(value);
    return this.#plain.size + this.#composite.size > before;
  }

  has(value: unknown, run: Run): boolean {
    if (typeof value !== 'object' || value === null) return this.#plain.has(value);
    return this.#composite.size > 0 && this.#composite.has(canonical(value, run, 0));
  }
}

/** The same text for equal values, in time linear in their size but for the sorting of names. */
function canonical(value: unknown, run: Run, depth: number): string {
  run.spend(memberSteps);
  if (typeof value === 'string') {
    run.spend(value.length >> 4);
    return JSON.stringify(value);
  }
  if (typeof value !== 'object' || value === null) return String(value === 0 ? 0 : value);
  if (depth > maxValueDepth) throw new BudgetError('the value is nested too deeply');
  if (Array.isArray(value)) return `[${value.map((entry) => canonical(entry, run, depth + 1)).join()}]`;
  const members = value as Record<string, unknown>;
  const names = Object.keys(members).filter((name) => members[name] !== undefined);
  run.spend(memberSteps * names.length);
  return `{${names
    .toSorted()
    .map((name) => `${JSON.stringify(name)}:${canonical(members[name], run, depth + 1)}`)
    .join()}}`;
}
