/**
 * Time and chance. This is the only file that touches the platform's timers, its wall clock or its random
 * source: everything else is handed a {@link Clock}, so that tests can move time by hand.
 */
export interface Timer {
  /** Disarms the timer. Harmless when it has fired already. */
  cancel(): void;
  /** Whether it keeps a process alive while it is pending. It does not until it is told to. */
  hold?(held: boolean): void;
}

/** A source of time, timers and random values. */
export interface Clock {
  /** Milliseconds from a monotonic source; only differences mean anything. */
  now(): number;
  /** Milliseconds since 1970 by the clock on the wall, for what other machines read too. It may be set, even back. */
  wall(): number;
  /** Runs `run` once, after `delayMs` milliseconds. A pending timer keeps no process alive, see {@link Timer.hold}. */
  after(delayMs: number, run: () => void): Timer;
  /** Resolves in a later turn of the event loop, after all that is runnable now. */
  turn(): Promise<void>;
  /** A random number, 0 ≤ n < 1, for jitter. Not for secrets. */
  random(): number;
  /** A random UUID (version 4) from a cryptographic source. */
  uuid(): string;
}

class SystemTimer implements Timer {
  readonly #handle: ReturnType<typeof setTimeout>;
  constructor(handle: ReturnType<typeof setTimeout>) {
    this.#handle = handle;
  }
  cancel(): void {
    clearTimeout(this.#handle);
  }
  /** Timers of platforms other than Node are plain numbers: nothing ends while they are pending, or they do not count. */
  hold(held: boolean): void {
    const handle = this.#handle as unknown as { ref?: () => void; unref?: () => void };
    if (held) handle.ref?.();
    else handle.unref?.();
  }
}

const longestDelayMs = 2 ** 31 - 1;

/** On Node a timer of no milliseconds takes one; `setImmediate` takes a turn. Other platforms may not have it. */
function later(run: () => void): void {
  const { setImmediate } = globalThis as { setImmediate?: (run: () => void) => unknown };
  if (setImmediate === undefined) setTimeout(run, 0);
  else setImmediate(run);
}

/** The clock of the platform. */
export const systemClock: Clock = {
  now: () => performance.now(),
  wall: () => Date.now(),
  after(delayMs, run) {
    const timer = new SystemTimer(setTimeout(run, Math.min(Math.max(delayMs, 0), longestDelayMs)));
    timer.hold(false);
    return timer;
  },
  turn: () =>
    new Promise((resolve) => {
      later(resolve);
    }),
  random: () => Math.random(),
  uuid: () => crypto.randomUUID(),
};
