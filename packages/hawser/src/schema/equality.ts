/** Equality of JSON values (2020-12 core 4.2.2): numbers by value, objects whatever the order of their members. */
import { BudgetError, memberSteps, type Run } from './run.ts';
import { TextSet } from './text-set.ts';

/** Deepest value that is compared; text that is nested deeper is not parsed. */
export const maxValueDepth = 512;

/** A set of JSON values. */
export class JsonSet {
  readonly #texts = new TextSet();
  /** As canonical text, numbers too: V8 hashes these in a way that anybody can make collide. */
  readonly #others = new TextSet();

  /**
   * Takes a value in; false if an equal one is there.
   *
   * @throws BudgetError also when it is nested deeper than {@link maxValueDepth}
   */
  add(value: unknown, run: Run): boolean {
    return typeof value === 'string' ? this.#texts.add(charged(value, run)) : this.#others.add(textOf(value, run));
  }

  has(value: unknown, run: Run): boolean {
    return typeof value === 'string' ? this.#texts.has(charged(value, run)) : this.#others.has(textOf(value, run));
  }
}

/** A text whose every character is about to be looked at. */
function charged(text: string, run: Run): string {
  run.spend(text.length >> 4);
  return text;
}

function quoted(text: string, run: Run): string {
  run.spend(text.length >> 2);
  return JSON.stringify(text);
}

function textOf(value: unknown, run: Run): string {
  return charged(canonical(value, run, 0), run);
}

/**
 * The same text for equal values, in time linear in their size but for the sorting of names: what is added to a text is
 * not copied.
 */
function canonical(value: unknown, run: Run, depth: number): string {
  if (typeof value === 'string') return quoted(value, run);
  if (typeof value !== 'object' || value === null) return String(value === 0 ? 0 : value);
  if (depth > maxValueDepth) throw new BudgetError('the value is nested too deeply');
  if (Array.isArray(value)) {
    run.spend(memberSteps * value.length);
    let text = '[';
    // By index: entries that are not set are gone through as well.
    for (let at = 0; at < value.length; at++) text += `${canonical(value[at], run, depth + 1)},`;
    return `${text}]`;
  }
  const members = value as Record<string, unknown>;
  const names = Object.keys(members);
  run.spend(2 * memberSteps * names.length);
  let text = '{';
  for (const name of names.sort())
    if (members[name] !== undefined) text += `${quoted(name, run)}:${canonical(members[name], run, depth + 1)},`;
  return `${text}}`;
}
