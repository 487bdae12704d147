import { canonicalKey } from './canonical.ts';
import { freeze } from './freeze.ts';
import {
  asFunction,
  brokenRule,
  OrderError,
  type Inputs,
  type Machine,
  type Observer,
  type Rules,
  type Visit,
} from './machine.ts';

/** Settings of {@link walk}. */
export interface WalkOptions<State, Input, Effect, Observed> extends Machine<State, Input, Effect> {
  inputs: Inputs<State, Input, Observed>;
  /** What is remembered of the effects; needed for rules such as “settled once”. */
  observe?: Observer<Effect, Observed>;
  /** Checked after each step. */
  invariants?: Rules<Visit<State, Input, Effect, Observed>>;
  /** What makes states distinct. Default {@link canonicalKey} of both. */
  key?: (state: State, observed: Observed) => string;
  /** Longest order tried; Default: none, the walk ends when no step leads to anything new. */
  maxDepth?: number;
  /** Distinct states after which the walk gives up. Default 100,000. */
  maxStates?: number;
}

/** What a walk has seen. */
export interface WalkReport {
  /** Distinct pairs of state and observation. */
  states: number;
  transitions: number;
  /** Length of the longest of the shortest ways to a state. */
  depth: number;
  /** Whether every input was tried in every state; false when `maxDepth` ended the walk. */
  closed: boolean;
}

interface Place<State, Input, Observed> {
  readonly state: State;
  readonly observed: Observed;
  readonly depth: number;
  readonly from: Place<State, Input, Observed> | undefined;
  readonly input: Input | undefined;
}

/**
 * Tries a machine in every order: breadth-first, every input in every distinct state, until there is nothing new.
 *
 * ```ts
 * walk({
 *   initial,
 *   step,
 *   inputs: [{ on: 'acknowledged' }, { on: 'close' }],
 *   observe: { initial: 0, next: (settled, effects) => settled + effects.filter((e) => e.do === 'settle').length },
 *   invariants: { 'settled once at most': ({ observed }) => observed <= 1 },
 * });
 * ```
 *
 * States are frozen before they are handed to `step`, so a step that changes its state fails.
 *
 * @throws OrderError when a rule is broken or `step` throws, with the shortest order of inputs that does it
 * @throws Error when there are more than `maxStates` distinct states
 */
export function walk<State, Input, Effect, Observed = undefined>(
  options: WalkOptions<State, Input, Effect, Observed>,
): WalkReport {
  const { step, observe, invariants = {}, maxDepth = Infinity, maxStates = 100_000 } = options;
  const keyOf = options.key ?? ((state, observed) => canonicalKey([state, observed]));
  const inputsOf = asFunction(options.inputs);
  const initial: Place<State, Input, Observed> = {
    state: freeze(options.initial),
    // Without an observer `Observed` is `undefined`, its default.
    observed: freeze(observe?.initial as Observed),
    depth: 0,
    from: undefined,
    input: undefined,
  };
  const seen = new Set([keyOf(initial.state, initial.observed)]);
  const report = { states: 1, transitions: 0, depth: 0, closed: true };

  // The list grows while it is walked.
  const places = [initial];
  for (const place of places) {
    if (place.depth >= maxDepth) {
      report.closed = false;
      break;
    }
    for (const input of inputsOf(place.state, place.observed)) {
      const order = () => [...orderOf(place), input];
      let result: readonly [State, readonly Effect[]];
      try {
        result = step(place.state, input);
      } catch (cause) {
        throw new OrderError('step never throws', order(), { cause });
      }
      const [state, effects] = result;
      const observed = observe === undefined ? place.observed : freeze(observe.next(place.observed, effects));
      report.transitions++;

      const broken = brokenRule(invariants, { before: place.state, input, state, effects, observed });
      if (broken !== undefined) throw new OrderError(broken.rule, order(), { cause: broken.cause });

      const key = keyOf(state, observed);
      if (seen.has(key)) continue;
      if (seen.size >= maxStates) throw new Error(`walk: more than ${maxStates} distinct states`);
      seen.add(key);
      places.push({ state: freeze(state), observed, depth: place.depth + 1, from: place, input });
      report.states++;
      report.depth = place.depth + 1;
    }
  }
  return report;
}

function orderOf<State, Input, Observed>(place: Place<State, Input, Observed>): Input[] {
  const order: Input[] = [];
  for (let at = place; at.from !== undefined; at = at.from) order.push(at.input as Input); // all but the first have one
  return order.toReversed();
}
