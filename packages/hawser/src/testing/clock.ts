import type { Clock, Timer } from '../base/clock.ts';
import { seededRandom } from './random.ts';
import { nextTurn, settle } from './settle.ts';

/** Settings of a {@link VirtualClock}. */
export interface VirtualClockOptions {
  /** What `now()` gives at first, in milliseconds. Default 0. */
  startMs?: number;
  /** Where `random()` and `uuid()` begin; the same seed gives the same values. Default 1. */
  seed?: number;
}

interface Armed {
  readonly dueMs: number;
  readonly run: () => void;
  held: boolean;
}

/** How many timers may fire at one instant: more are timers that arm themselves anew without end. */
const maxFiredAtOnce = 10_000;

/**
 * A clock that stands still until the test moves it.
 *
 * ```ts
 * const clock = new VirtualClock();
 * clock.after(1_000, expire);
 * await clock.advance(1_000); // calls expire
 * ```
 */
export class VirtualClock implements Clock {
  #nowMs: number;
  // In the order in which they fire: by time, then by arming.
  readonly #armed: Armed[] = [];
  #turns = 0;
  #advancing = false;
  readonly #random: () => number;
  readonly #uuidRandom: () => number;

  constructor(options: VirtualClockOptions = {}) {
    const { startMs = 0, seed = 1 } = options;
    this.#nowMs = startMs;
    this.#random = seededRandom(seed);
    // A source of its own: one more id must not change the jitter that follows.
    this.#uuidRandom = seededRandom(seed ^ 0x5bd1e995);
  }

  /** How many timers are armed. */
  get pending(): number {
    return this.#armed.length;
  }

  /** How many of them would keep a process alive. */
  get held(): number {
    return this.#armed.filter((timer) => timer.held).length;
  }

  /** In how many milliseconds each armed timer fires, the next one first. */
  get pendingMs(): number[] {
    return this.#armed.map((timer) => timer.dueMs - this.#nowMs);
  }

  /** How many calls of {@link turn} have not resolved yet. */
  get turning(): number {
    return this.#turns;
  }

  now(): number {
    return this.#nowMs;
  }

  /** The same, counted from the start of 2026. */
  wall(): number {
    return 1_767_225_600_000 + this.#nowMs;
  }

  /** @throws RangeError when `delayMs` is not a number */
  after(delayMs: number, run: () => void): Timer {
    if (Number.isNaN(delayMs)) throw new RangeError('after: the delay is not a number');
    const timer: Armed = { dueMs: this.#nowMs + Math.max(delayMs, 0), run, held: false };
    let at = this.#armed.length;
    while (at > 0 && (this.#armed[at - 1]?.dueMs ?? 0) > timer.dueMs) at--;
    this.#armed.splice(at, 0, timer);
    return {
      cancel: () => this.#disarm(timer),
      hold: (held) => {
        timer.held = held;
      },
    };
  }

  async turn(): Promise<void> {
    this.#turns++;
    await nextTurn();
    this.#turns--;
  }

  random(): number {
    return this.#random();
  }

  /** Has the shape of a random UUID, but is the same for the same seed. */
  uuid(): string {
    const digits = Array.from({ length: 32 }, () => Math.floor(this.#uuidRandom() * 16).toString(16));
    digits[12] = '4';
    digits[16] = (8 + Math.floor(this.#uuidRandom() * 4)).toString(16);
    return digits.join('').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  }

  /** Runs the event loop until nothing is due without time moving; an {@link advance} under way is waited for. */
  settle(): Promise<void> {
    return settle(() => this.#turns === 0 && !this.#advancing);
  }

  /**
   * Moves time by `ms` milliseconds. Stops at each timer on the way, those armed meanwhile included, fires it and
   * lets what follows from it settle. `advance(0)` fires timers that are due already.
   *
   * @throws whatever a timer's function throws; time stays where it is then
   * @throws Error when time is being moved already, or timers fire without end
   */
  async advance(ms: number): Promise<void> {
    if (!(ms >= 0 && ms < Infinity)) throw new RangeError(`advance: ${ms} ms is no way forward`);
    if (this.#advancing) throw new Error('advance: time is being moved already; await the earlier call');
    this.#advancing = true;
    const turned = () => this.#turns === 0;
    try {
      await settle(turned);
      const targetMs = this.#nowMs + ms;
      let firedAtOnce = 0;
      for (let next = this.#armed[0]; next !== undefined && next.dueMs <= targetMs; next = this.#armed[0]) {
        firedAtOnce = next.dueMs > this.#nowMs ? 1 : firedAtOnce + 1;
        if (firedAtOnce > maxFiredAtOnce) throw new Error('advance: timers arm themselves anew and time stands still');
        this.#armed.shift();
        this.#nowMs = Math.max(this.#nowMs, next.dueMs);
        next.run();
        await settle(turned);
      }
      this.#nowMs = targetMs;
    } finally {
      this.#advancing = false;
    }
  }

  #disarm(timer: Armed): void {
    const at = this.#armed.indexOf(timer);
    if (at >= 0) this.#armed.splice(at, 1);
  }
}
