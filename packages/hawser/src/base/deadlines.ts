import type { Clock, Timer } from './clock.ts';

/** Something that ends when its time is up. */
export interface Expiring {
  expire(): void;
}

const slotMs = 250;
const exactBelowMs = 5_000;

/** A deadline that was set: move it, or let it go. */
export interface Deadline {
  /** Starts the wait anew, from now. */
  extend(delayMs: number): void;
  /** Disarms it. Every deadline is released on every path. */
  release(): void;
}

/**
 * Deadlines, many at once. While one is armed it keeps a process alive: somebody waits. A timer per request costs
 * 3 µs, so waits of 5 s and more share slots of 250 ms and expire up to two slots late; shorter ones get a timer of
 * their own and are exact.
 */
export class Deadlines {
  readonly #clock: Clock;
  readonly #slots = new Map<number, Set<Expiring>>();
  #timer: Timer | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** How many are armed in shared slots; 0 when nothing is left behind. */
  get size(): number {
    let size = 0;
    for (const slot of this.#slots.values()) size += slot.size;
    return size;
  }

  /** Calls `target.expire()` once, after `delayMs` milliseconds. `Infinity` never expires. */
  set(delayMs: number, target: Expiring): Deadline {
    const deadline = new SetDeadline(this, this.#clock, target);
    deadline.extend(delayMs);
    return deadline;
  }

  /** @internal */
  join(delayMs: number, target: Expiring): number {
    const slot = Math.floor((this.#clock.now() + delayMs) / slotMs) + 1;
    let members = this.#slots.get(slot);
    if (members === undefined) this.#slots.set(slot, (members = new Set()));
    members.add(target);
    if (this.#timer === undefined) this.#arm();
    else if (this.#slots.size === 1 && members.size === 1) this.#timer.hold?.(true);
    return slot;
  }

  /** @internal */
  leave(slot: number, target: Expiring): void {
    const members = this.#slots.get(slot);
    if (members === undefined) return;
    members.delete(target);
    if (members.size > 0) return;
    this.#slots.delete(slot);
    // It may still serve the next one, and nobody waits for it until then.
    if (this.#slots.size === 0) this.#timer?.hold?.(false);
  }

  #arm(): void {
    this.#timer = this.#clock.after(slotMs, () => {
      this.#timer = undefined;
      const due = Math.floor(this.#clock.now() / slotMs);
      try {
        // Each leaves its slot as it expires, so one that is released by another's expiry is not met.
        for (const [slot, members] of this.#slots) if (slot <= due) for (const member of members) member.expire();
      } finally {
        if (this.#slots.size > 0 && this.#timer === undefined) this.#arm();
      }
    });
    this.#timer.hold?.(true);
  }
}

class SetDeadline implements Deadline, Expiring {
  readonly #deadlines: Deadlines;
  readonly #clock: Clock;
  readonly #target: Expiring;
  #slot: number | undefined;
  #timer: Timer | undefined;

  constructor(deadlines: Deadlines, clock: Clock, target: Expiring) {
    this.#deadlines = deadlines;
    this.#clock = clock;
    this.#target = target;
  }

  extend(delayMs: number): void {
    this.release();
    if (delayMs === Infinity) return;
    if (delayMs >= exactBelowMs) this.#slot = this.#deadlines.join(delayMs, this);
    else {
      this.#timer = this.#clock.after(delayMs, () => this.expire());
      this.#timer.hold?.(true);
    }
  }

  release(): void {
    if (this.#slot !== undefined) this.#deadlines.leave(this.#slot, this);
    this.#timer?.cancel();
    this.#slot = undefined;
    this.#timer = undefined;
  }

  expire(): void {
    this.release();
    this.#target.expire();
  }
}
