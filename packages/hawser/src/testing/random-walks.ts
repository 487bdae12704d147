import { canonicalKey } from './canonical.ts';
import { asFunction, OrderError, type Inputs } from './machine.ts';
import { play, Player, type PlayOptions } from './order.ts';
import { pick, seededRandom } from './random.ts';

/** Settings of {@link randomWalks}. */
export interface RandomWalksOptions<State, Input, Effect, Observed> extends PlayOptions<
  State,
  Input,
  Effect,
  Observed
> {
  inputs: Inputs<State, Input, Observed>;
  /** Fed to the machine after each walk, such as a `close`, so that `atEnd` may ask for more. Default none. */
  ending?: readonly Input[];
  /** Seed of the first walk; each further one takes the next number. Default 1. */
  seed?: number;
  /** Steps per walk, without the ending. Default 100. */
  length?: number;
  /** How many walks. Default 300. */
  count?: number;
  /** What makes states distinct in the report. Default {@link canonicalKey}. */
  key?: (state: State, observed: Observed) => string;
}

/** What random walks have seen. */
export interface RandomWalksReport {
  walks: number;
  /** Distinct pairs of state and observation. */
  states: number;
  transitions: number;
}

/**
 * Leads a machine along random orders of inputs, longer ones than {@link walk} reaches.
 *
 * @throws OrderError when a rule is broken or `step` throws. The order is the one met, without the inputs that the
 * failure does not need; the message ends with the walk's seed: `seed` set to it and `count: 1` lead there again
 */
export function randomWalks<State, Input, Effect, Observed = undefined>(
  options: RandomWalksOptions<State, Input, Effect, Observed>,
): RandomWalksReport {
  const { seed = 1, length = 100, count = 300, ending = [] } = options;
  const keyOf = options.key ?? ((state, observed) => canonicalKey([state, observed]));
  const inputsOf = asFunction(options.inputs);
  const seen = new Set<string>();
  let transitions = 0;
  for (let walk = 0; walk < count; walk++) {
    const random = seededRandom(seed + walk);
    const player = new Player(options);
    const note = () => seen.add(keyOf(player.state, player.observed));
    const step = (input: Input) => {
      player.step(input);
      transitions++;
      note();
    };
    note();
    try {
      for (let steps = 0; steps < length; steps++) {
        const inputs = inputsOf(player.state, player.observed);
        if (inputs.length === 0) break;
        step(pick(random, inputs) as Input); // there is at least one
      }
      for (const input of ending) step(input);
      player.end();
    } catch (error) {
      if (!(error instanceof OrderError)) throw error;
      // An order that depends on the state cannot be cut down: what is left might never be offered.
      const met = error as OrderError<Input>; // thrown by the player, whose inputs these are
      const found = typeof options.inputs === 'function' ? met : shorten(options, met);
      throw new OrderError(found.rule, found.order, { seed: seed + walk, cause: found.cause });
    }
  }
  return { walks: count, states: seen.size, transitions };
}

/** Leaves out each input without which the same rule is still broken, until every one left is needed. */
function shorten<State, Input, Effect, Observed>(
  options: PlayOptions<State, Input, Effect, Observed>,
  error: OrderError<Input>,
): OrderError<Input> {
  for (let at = error.order.length - 1; at >= 0; at--) {
    const shorter = failureOf(options, error.order.toSpliced(at, 1));
    if (shorter?.rule === error.rule) return shorten(options, shorter);
  }
  return error;
}

function failureOf<State, Input, Effect, Observed>(
  options: PlayOptions<State, Input, Effect, Observed>,
  inputs: readonly Input[],
): OrderError<Input> | undefined {
  try {
    play(options, inputs);
    return undefined;
  } catch (error) {
    return error instanceof OrderError ? (error as OrderError<Input>) : undefined; // as above
  }
}
