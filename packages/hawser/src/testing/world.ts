import { sample } from '../base/logger.ts';
import { VirtualClock, type VirtualClockOptions } from './clock.ts';
import { countedController, type CountedController } from './counted.ts';
import { settle } from './settle.ts';

/**
 * All that one test has to leave as it found it: time, and whatever it asked to be counted.
 *
 * ```ts
 * const world = new World();
 * world.track('open exchanges', () => link.size);
 * await world.advance(60_000);
 * world.assertIdle();
 * ```
 */
export class World {
  readonly clock: VirtualClock;
  /** Rejections that nobody handled. The test's set-up puts them here: how they are noticed depends on the platform. */
  readonly rejections: unknown[] = [];
  readonly #tracked = new Set<{ name: string; count: () => number }>();

  constructor(options: VirtualClockOptions = {}) {
    this.clock = new VirtualClock(options);
  }

  /** Moves time by `ms` milliseconds; see {@link VirtualClock.advance}. */
  advance(ms: number): Promise<void> {
    return this.clock.advance(ms);
  }

  /** Runs the event loop until nothing is due without time moving, and `isQuiet`, if given, is true. */
  async settle(isQuiet?: () => boolean): Promise<void> {
    if (isQuiet !== undefined) await settle(isQuiet);
    await this.clock.settle();
  }

  /** Demands that `count()` is 0 at the end. Gives a function that takes the demand back. */
  track(name: string, count: () => number): () => void {
    const tracked = { name, count };
    this.#tracked.add(tracked);
    return () => this.#tracked.delete(tracked);
  }

  /** An `AbortController` that must have no listener at the end: listeners are removed on every path. */
  abortController(name = 'listeners on a signal'): CountedController {
    const controller = countedController();
    this.track(name, () => controller.listeners);
    return controller;
  }

  /** What is left over, each in words. */
  leftovers(): string[] {
    const found: string[] = [];
    const timers = this.clock.pendingMs;
    if (timers.length > 0) found.push(`armed timers: ${timers.length}, due in ${timers.join(', ')} ms`);
    if (this.clock.turning > 0) found.push(`turns of the event loop waited for: ${this.clock.turning}`);
    for (const { name, count } of this.#tracked) {
      const value = count();
      if (value !== 0) found.push(`${name}: ${value}`);
    }
    for (const reason of this.rejections) found.push(`unhandled rejection: ${describe(reason)}`);
    return found;
  }

  /** @throws Error naming everything that is left over */
  assertIdle(): void {
    const found = this.leftovers();
    if (found.length === 0) return;
    const cause: unknown = this.rejections[0];
    throw new Error(`left over: ${found.join('; ')}`, cause === undefined ? undefined : { cause });
  }
}

function describe(reason: unknown): string {
  return sample(reason instanceof Error ? `${reason.name}: ${reason.message}` : String(reason));
}
