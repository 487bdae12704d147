import { isObject } from '../base/json.ts';
import { canonicalKey } from './canonical.ts';

/** A pure machine: total, without side effects, deciding everything from its state and one input. */
export interface Machine<State, Input, Effect> {
  initial: State;
  step: (state: State, input: Input) => readonly [State, readonly Effect[]];
}

/** What may come in: always the same, or depending on where the walk stands. */
export type Inputs<State, Input, Observed> =
  | readonly Input[]
  | ((state: State, observed: Observed) => readonly Input[]);

export function asFunction<State, Input, Observed>(
  inputs: Inputs<State, Input, Observed>,
): (state: State, observed: Observed) => readonly Input[] {
  return typeof inputs === 'function' ? inputs : () => inputs;
}

/**
 * What a test remembers of the effects so far, next to the machine's state: whether a promise was settled, which
 * timers are armed. It has to stay small and bounded, since it is part of what makes states distinct.
 */
export interface Observer<Effect, Observed> {
  initial: Observed;
  /** Gives the new value; must not change the old one. */
  next: (observed: Observed, effects: readonly Effect[]) => Observed;
}

/** One step of a walk. */
export interface Visit<State, Input, Effect, Observed> {
  before: State;
  input: Input;
  state: State;
  effects: readonly Effect[];
  /** After this step. */
  observed: Observed;
}

/** Rules by name. One is broken when its function returns false, or throws. */
export type Rules<Subject> = Readonly<Record<string, (subject: Subject) => unknown>>;

/** A machine broke a rule; `order` are the inputs that make it do so. */
export class OrderError<Input> extends Error {
  readonly rule: string;
  readonly order: readonly Input[];

  constructor(rule: string, order: readonly Input[], details: { seed?: number | undefined; cause?: unknown } = {}) {
    const shown = order.length === 0 ? 'no input at all' : order.map(showInput).join(' → ');
    const reason = details.cause instanceof Error ? ` (${details.cause.message})` : '';
    const seed = details.seed === undefined ? '' : ` SEED=${details.seed}`;
    super(`broken: ${rule}${reason}; order: ${shown}${seed}`, { cause: details.cause });
    this.name = 'OrderError';
    this.rule = rule;
    this.order = order;
  }
}

/** The rule that `subject` breaks, with what was thrown; undefined when all hold. */
export function brokenRule<Subject>(
  rules: Rules<Subject>,
  subject: Subject,
): { rule: string; cause?: unknown } | undefined {
  for (const [rule, holds] of Object.entries(rules)) {
    try {
      if (holds(subject) === false) return { rule };
    } catch (cause) {
      return { rule, cause };
    }
  }
  return undefined;
}

/** An input as a person reads it: `close`, or `acknowledged {"filter":…}`. */
export function showInput(input: unknown): string {
  if (typeof input === 'string') return input;
  if (!isObject(input)) return shown(input);
  const { on, ...rest } = input;
  if (typeof on !== 'string') return shown(input);
  return Object.keys(rest).length === 0 ? on : `${on} ${shown(rest)}`;
}

function shown(value: unknown): string {
  try {
    return canonicalKey(value);
  } catch {
    return String(value);
  }
}
