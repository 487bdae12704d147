import { pick, seededRandom } from './random.ts';
import { settle } from './settle.ts';

/**
 * Where steps come from: a list that is emptied from its front and may grow meanwhile, or something that has a step
 * `ready` or not, such as `pair.source('client')`.
 */
export type Source = (() => unknown)[] | { ready: () => boolean; run: () => unknown };

/** Settings of {@link runInRandomOrder}. */
export interface RandomOrderOptions {
  /** Runs after each step. Default {@link settle}; with a virtual clock `() => clock.settle()`. */
  settle?: () => Promise<void>;
  /** Steps after which the run is given up. Default 10,000. */
  maxSteps?: number;
}

/**
 * Runs steps of several sources, picking the next source by `seed`, until all are empty. Steps of one source keep
 * their order. A step that gives a promise is not waited for, since it may need later steps; when all sources are
 * empty each promise must have settled.
 *
 * ```ts
 * await runInRandomOrder(seed, {
 *   calls: [() => client.ping(), () => client.close()],
 *   toClient: pair.source('client'),
 *   toServer: pair.source('server'),
 *   time: [() => clock.advance(1_000)],
 * }, { settle: () => clock.settle() });
 * ```
 *
 * @returns the names of the sources in the order taken
 * @throws Error when a step throws, its promise rejects or never settles; the message ends with `SEED=` and the seed
 */
export async function runInRandomOrder(
  seed: number,
  sources: Readonly<Record<string, Source>>,
  options: RandomOrderOptions = {},
): Promise<string[]> {
  const { settle: settleAll = () => settle(), maxSteps = 10_000 } = options;
  const random = seededRandom(seed);
  const order: string[] = [];
  const unsettled = new Map<Promise<unknown>, string>();
  const failures: unknown[] = [];
  try {
    await settleAll();
    for (let next = pick(random, readyOnes(sources)); next !== undefined; next = pick(random, readyOnes(sources))) {
      if (order.length >= maxSteps) throw new Error(`the sources are not empty after ${maxSteps} steps`);
      const [name, run] = next;
      order.push(name);
      const result = run();
      if (result instanceof Promise) {
        unsettled.set(result, `${name} (step ${order.length})`);
        result.catch((error: unknown) => failures.push(error)).finally(() => unsettled.delete(result));
      }
      await settleAll();
      if (failures.length > 0) throw failures[0];
    }
    if (unsettled.size > 0) throw new Error(`never settled: ${[...unsettled.values()].join(', ')}`);
    return order;
  } catch (error) {
    const taken = order.length === 0 ? 'nothing' : order.join(' → ');
    throw withSeed(error, seed, `; order: ${taken}`);
  }
}

/** Settings of {@link acrossSeeds}. */
export interface AcrossSeedsOptions {
  /** How many seeds are tried. Default 50. */
  count?: number;
  /** The first seed. Default 1. */
  first?: number;
  /** Tries this one only: the seed that a failure has named. Text, as it comes from an environment, is read. */
  only?: number | string | undefined;
}

/**
 * Runs a test once per seed.
 *
 * ```ts
 * await acrossSeeds({ only: process.env.SEED }, async (seed) => { … });
 * ```
 *
 * @throws Error for the first seed that fails; the message ends with `SEED=` and the seed
 */
export async function acrossSeeds(options: AcrossSeedsOptions, run: (seed: number) => unknown): Promise<void> {
  const { count = 50, first = 1, only } = options;
  if (only !== undefined && !Number.isInteger(Number(only))) throw new RangeError(`the seed ${only} is not a number`);
  const seeds = only === undefined ? Array.from({ length: count }, (_, index) => first + index) : [Number(only)];
  for (const seed of seeds) {
    try {
      await run(seed);
    } catch (error) {
      throw withSeed(error, seed);
    }
  }
}

function readyOnes(sources: Readonly<Record<string, Source>>): [name: string, run: () => unknown][] {
  const ready: [string, () => unknown][] = [];
  for (const [name, source] of Object.entries(sources)) {
    if (!Array.isArray(source)) {
      if (source.ready()) ready.push([name, () => source.run()]);
    } else if (source.length > 0) ready.push([name, () => source.shift()?.()]);
  }
  return ready;
}

function withSeed(error: unknown, seed: number, more = ''): Error {
  const message = error instanceof Error ? error.message : String(error);
  if (message.endsWith(`SEED=${seed}`) && error instanceof Error) return error;
  return new Error(`${message}${more} SEED=${seed}`, { cause: error });
}
