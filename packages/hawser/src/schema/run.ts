import type { Resource } from './document.ts';
import type { Check } from './rule.ts';

/** The work allowed for one validation is done: nothing is known about the value. */
export class BudgetError extends Error {}

/** Everything is evaluated: what stands in {@link Run.marks} for an object or array no member of which is left. */
export const everything = true;

/** A property or index that was evaluated; `-n` for the first n entries of an array. */
export type Mark = string | number | typeof everything;

/** Steps for each member of an object that is gone through: large objects are hash tables. */
export const memberSteps = 4;

/** Steps between two looks at an unbounded budget: as many as a small integer holds. */
const plenty = 2 ** 30 - 1;

/**
 * Most subschemas that are entered one within the other, references followed: what a recursive schema makes of a deep
 * value. Below what the stack of every platform bears.
 */
export const maxNesting = 2_000;

/** The state of one validation. */
export class Run {
  /** Steps left. Who loops takes the steps of the loop first. */
  left: number;
  /** Levels of subschemas that were entered by references. */
  nesting = 0;
  /** Where the marks of the value at hand begin, for `unevaluated*`. */
  start = 0;
  /** What was evaluated, of this value and of those it is in. */
  readonly marks: Mark[] = [];
  /** The resources that were entered, each once, the outermost first (2020-12 core 7.1). */
  readonly scope: Resource[] = [];
  readonly #isEndless: boolean;

  /** @param steps how many are allowed; Infinity for no limit */
  constructor(steps: number) {
    this.#isEndless = steps > plenty;
    this.left = this.#isEndless ? plenty : steps;
  }

  /** @throws BudgetError when no steps are left */
  spend(steps: number): void {
    if ((this.left -= steps) < 0) this.out();
  }

  /** To be called when `left` is below zero. */
  out(): void {
    if (!this.#isEndless) throw new BudgetError('the steps allowed are used up');
    this.left = plenty;
  }

  /** Notes that a resource was entered; false if it had been before. */
  enter(resource: Resource): boolean {
    this.spend(this.scope.length >> 4);
    if (this.scope.includes(resource)) return false;
    this.scope.push(resource);
    return true;
  }

  /** Whether a value fits, checked within a resource. */
  within(resource: Resource, check: Check, value: unknown): boolean {
    const entered = this.enter(resource);
    const fits = check(value, this);
    if (entered) this.scope.pop();
    return fits;
  }

  /** @throws BudgetError when there are too many levels */
  deeper(levels: number): void {
    if ((this.nesting += levels) > maxNesting) throw new BudgetError('subschemas are entered too deeply');
  }
}
