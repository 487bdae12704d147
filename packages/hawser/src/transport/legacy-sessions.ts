import type { Clock, Timer } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import { safely } from '../base/safely.ts';
import { Places } from '../core/places.ts';
import type { LegacySession, SessionKeeper } from './legacy-session.ts';

/** How many legacy sessions a door keeps, and for how long. */
export interface SessionLimits {
  /** How long a session is kept without a request, in milliseconds; `Infinity`: until it is ended. */
  readonly idleMs: number;
  readonly max: number;
  /** Of one principal that has a name: without authentication nobody can be told from the others. */
  readonly maxPerPrincipal: number;
  /** An open GET stream keeps its session, as a request in flight does. */
  readonly streamsKeepAlive: boolean;
}

/**
 * The legacy sessions of a door. Clients rarely end theirs, so those that nobody uses go by themselves: a session is
 * used when a request comes, until it ends. One timer for all, for the session longest unused; none without sessions.
 */
export class LegacySessions implements SessionKeeper {
  readonly #limits: SessionLimits;
  readonly #clock: Clock;
  readonly #logger: Logger;
  /** In order of last use. */
  readonly #sessions = new Map<string, LegacySession>();
  readonly #places: Places;
  #timer: Timer | undefined;
  #closed = false;

  constructor(limits: SessionLimits, clock: Clock, logger: Logger) {
    this.#limits = limits;
    this.#places = new Places(limits.max, limits.maxPerPrincipal);
    this.#clock = clock;
    this.#logger = logger;
  }

  get size(): number {
    return this.#sessions.size;
  }

  /** How many events they keep for callers who may have missed them. */
  get kept(): number {
    let kept = 0;
    for (const { resumption } of this.#sessions.values()) kept += resumption.kept;
    return kept;
  }

  /** The session of that id, whosever it is: for what all may know. */
  get(id: string): LegacySession | undefined {
    return this.#sessions.get(id);
  }

  /** Somebody else's session is as unknown as one that never was, or that has expired. */
  find(id: string, principal: string | undefined): LegacySession | undefined {
    const session = this.#sessions.get(id);
    if (session === undefined || session.caller.principal !== principal) return undefined;
    if (this.#clock.now() - session.lastUsedMs < this.#limits.idleMs || this.#isActive(session)) return session;
    this.end(session);
    return undefined;
  }

  /**
   * Makes room for one more of this principal, if need be: expired sessions go first, whosever they are, then the one
   * of the same principal that is longest idle.
   *
   * @returns false when there is no room
   */
  makeRoom(principal: string | undefined): boolean {
    if (this.#closed) return false;
    if (this.#places.has(principal)) return true;
    this.#reap();
    if (this.#places.has(principal)) return true;
    for (const session of this.#sessions.values()) {
      if (session.caller.principal !== principal || session.inFlight || session.streaming) continue;
      this.end(session);
      return true;
    }
    return false;
  }

  /** Takes in a session that there is room for. */
  add(session: LegacySession): void {
    this.#places.take(session.caller.principal);
    this.#sessions.set(session.id, session);
    session.lastUsedMs = this.#clock.now();
    if (this.#timer === undefined) this.#arm();
  }

  used(session: LegacySession): void {
    // What ends late must not bring a session back that is gone.
    if (!this.#sessions.delete(session.id)) return;
    this.#sessions.set(session.id, session);
    session.lastUsedMs = this.#clock.now();
  }

  streamGone(session: LegacySession): void {
    if (this.#limits.streamsKeepAlive) this.used(session);
  }

  end(session: LegacySession): void {
    if (!this.#sessions.delete(session.id)) return;
    this.#places.leave(session.caller.principal);
    if (this.#sessions.size === 0) this.#disarm();
    safely(this.#logger, () => session.end(), 'a session did not end well');
  }

  #isActive(session: LegacySession): boolean {
    return session.inFlight || (this.#limits.streamsKeepAlive && session.streaming);
  }

  /** Ends what has expired. Whatever is active is used right now, and looked at again when its time has come. */
  #reap(): void {
    const now = this.#clock.now();
    for (const session of this.#sessions.values()) {
      if (now - session.lastUsedMs < this.#limits.idleMs) break;
      if (this.#isActive(session)) this.used(session);
      else this.end(session);
    }
  }

  #arm(): void {
    const [longestUnused] = this.#sessions.values();
    if (longestUnused === undefined || this.#limits.idleMs === Infinity) return;
    const dueMs = longestUnused.lastUsedMs + this.#limits.idleMs - this.#clock.now();
    this.#timer = this.#clock.after(dueMs, () => {
      this.#timer = undefined;
      this.#reap();
      this.#arm();
    });
  }

  #disarm(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  /** Ends all of them; there is no room for others from then on. */
  close(): void {
    this.#closed = true;
    for (const session of this.#sessions.values()) this.end(session);
  }
}
