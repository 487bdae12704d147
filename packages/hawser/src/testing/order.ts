import { freeze } from './freeze.ts';
import { brokenRule, OrderError, type Machine, type Observer, type Rules, type Visit } from './machine.ts';

/** A sequence of inputs with the name of what it shows: a race that was found, kept as data. */
export interface Order<Input> {
  readonly name: string;
  readonly inputs: readonly Input[];
}

/** Names a sequence of inputs: `order('cancel before ack', [close, acknowledged])`. */
export function order<Input>(name: string, inputs: readonly Input[]): Order<Input> {
  return { name, inputs };
}

/** Settings of {@link play}: a machine and what must hold. */
export interface PlayOptions<State, Input, Effect, Observed> extends Machine<State, Input, Effect> {
  /** What is remembered of the effects. */
  observe?: Observer<Effect, Observed>;
  /** Checked after each step. */
  invariants?: Rules<Visit<State, Input, Effect, Observed>>;
  /** Checked after the last step. */
  atEnd?: Rules<Played<State, Input, Effect, Observed>>;
}

/** Where a sequence of inputs led, and all effects on the way. */
export interface Played<State, Input, Effect, Observed> {
  inputs: readonly Input[];
  state: State;
  effects: readonly Effect[];
  observed: Observed;
}

/**
 * Feeds a machine one sequence of inputs.
 *
 * @throws OrderError when a rule is broken or `step` throws, naming the inputs up to there
 */
export function play<State, Input, Effect, Observed = undefined>(
  options: PlayOptions<State, Input, Effect, Observed>,
  inputs: readonly Input[] | Order<Input>,
): Played<State, Input, Effect, Observed> {
  const sequence = 'name' in inputs ? inputs.inputs : inputs;
  const player = new Player(options);
  for (const input of sequence) player.step(input);
  return player.end();
}

/** A machine in the middle of a sequence. */
export class Player<State, Input, Effect, Observed> {
  state: State;
  observed: Observed;
  readonly #options: PlayOptions<State, Input, Effect, Observed>;
  readonly #inputs: Input[] = [];
  readonly #effects: Effect[] = [];

  constructor(options: PlayOptions<State, Input, Effect, Observed>) {
    this.#options = options;
    this.state = freeze(options.initial);
    // Without an observer `Observed` is `undefined`, its default.
    this.observed = options.observe?.initial as Observed;
  }

  step(input: Input): void {
    const { step, observe, invariants = {} } = this.#options;
    const before = this.state;
    this.#inputs.push(input);
    let result: readonly [State, readonly Effect[]];
    try {
      result = step(before, input);
    } catch (cause) {
      throw new OrderError('step never throws', this.#inputs, { cause });
    }
    const [state, effects] = result;
    this.state = freeze(state);
    this.#effects.push(...effects);
    if (observe !== undefined) this.observed = freeze(observe.next(this.observed, effects));
    const broken = brokenRule(invariants, { before, input, state, effects, observed: this.observed });
    if (broken !== undefined) throw new OrderError(broken.rule, this.#inputs, { cause: broken.cause });
  }

  end(): Played<State, Input, Effect, Observed> {
    const played = { inputs: this.#inputs, state: this.state, effects: this.#effects, observed: this.observed };
    const broken = brokenRule(this.#options.atEnd ?? {}, played);
    if (broken !== undefined) throw new OrderError(broken.rule, this.#inputs, { cause: broken.cause });
    return played;
  }
}
