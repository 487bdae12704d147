/** Equality of JSON values (2020-12 core 4.2.2): numbers by value, objects whatever the order of their members. */
import { BudgetError, memberSteps, type Run } from './run.ts';
import { TextSet } from './text-set.ts';

/** Deepest value that is compared; text that is nested deeper is not parsed. */
export const maxValueDepth = 512;

/** A set of JSON values. */
export class JsonSet {
  readonly #plain = new Set<unknown>();
  readonly #texts = new TextSet();
  #composite: TextSet | undefined;

  /**
   * Takes a value in; false if an equal one is there.
   *
   * @throws BudgetError also when it is nested deeper than {@link maxValueDepth}
   */
  add(value: unknown, run: Run): boolean {
    if (typeof value === 'string') return this.#texts.add(charged(value, run));
    if (typeof value === 'object' && value !== null)
      return (this.#composite ??= new TextSet()).add(canonical(value, run, 0));
    if (this.#plain.has(value)) return false;
    this.#plain.add(value);
    return true;
  }

  has(value: unknown, run: Run): boolean {
    if (typeof value === 'string') return this.#texts.has(charged(value, run));
    if (typeof value !== 'object' || value === null) return this.#plain.has(value);
    return this.#composite?.has(canonical(value, run, 0)) === true;
  }
}

/** A text whose every character is about to be looked at. */
function charged(text: string, run: Run): string {
  run.spend(text.length >> 4);
  return text;
}

/** The same text for equal values, in time linear in their size but for the sorting of names. */
function canonical(value: unknown, run: Run, depth: number): string {
  run.spend(memberSteps);
  if (typeof value === 'string') return JSON.stringify(charged(value, run));
  if (typeof value !== 'object' || value === null) return String(value === 0 ? 0 : value);
  if (depth > maxValueDepth) throw new BudgetError('the value is nested too deeply');
  // Entries that are not set are gone through as well.
  if (Array.isArray(value)) return `[${Array.from(value, (entry) => canonical(entry, run, depth + 1)).join()}]`;
  const members = value as Record<string, unknown>;
  const names = Object.keys(members).filter((name) => members[name] !== undefined);
  run.spend(memberSteps * names.length);
  return `{${names
    .toSorted()
    .map((name) => `${JSON.stringify(charged(name, run))}:${canonical(members[name], run, depth + 1)}`)
    .join()}}`;
}
