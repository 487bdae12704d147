import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LegacyCaller } from '../core/handshake.ts';
import type { Service } from '../ports/index.ts';
import { VirtualClock } from '../testing/clock.ts';
import type { HttpOutgoing } from './http-types.ts';
import { nowhere } from './legacy-outgoing.ts';
import { Keeping } from './keeping.ts';
import { LegacySession } from './legacy-session.ts';
import { LegacySessions, type SessionLimits } from './legacy-sessions.ts';
import { MemoryEventLog } from './memory-event-log.ts';
import { recorder } from '../../test/support/stdio.ts';

const listens: Service = { answer: () => new Promise(() => undefined), notice: () => undefined };

/** A stream whose caller can leave. */
class Out implements HttpOutgoing {
  leave: () => void = () => undefined;
  ended = false;
  send = nowhere.send;
  open = nowhere.open;
  unsent = false;
  write = nowhere.write;
  drained = nowhere.drained;
  end(): void {
    this.ended = true;
  }
  onGone(listener: () => void): void {
    this.leave = listener;
  }
}

class Bench {
  readonly clock = new VirtualClock();
  readonly logger = recorder();
  readonly keeping = new Keeping(this.clock, new MemoryEventLog(), Infinity, this.logger);
  readonly sessions: LegacySessions;

  constructor(limits: Partial<SessionLimits> = {}) {
    const all = { idleMs: 50, max: 100, maxPerPrincipal: 100, streamsKeepAlive: false, ...limits };
    this.sessions = new LegacySessions(all, this.clock, this.logger);
  }

  /** A session that is taken in, if there is room. */
  tryOpen(principal?: string, service = listens): LegacySession | undefined {
    if (!this.sessions.makeRoom(principal)) return undefined;
    const caller = new LegacyCaller('2025-11-25', {}, undefined, principal);
    const session = new LegacySession(this.clock.uuid(), caller, service, this.keeping, this.sessions);
    this.sessions.add(session);
    return session;
  }

  open(principal?: string, service = listens): LegacySession {
    const session = this.tryOpen(principal, service);
    if (session === undefined) throw new Error('no room');
    return session;
  }

  /** Begins a request; gives what ends it. */
  begin(session: LegacySession, id = 1): () => void {
    const exchange = session.exchange(id, nowhere, 'json');
    if (exchange === undefined) throw new Error('the id is in use');
    this.sessions.used(session);
    return () => exchange.finish({ result: {} });
  }

  has(session: LegacySession, principal?: string): boolean {
    return this.sessions.find(session.id, principal) === session;
  }
}

describe('expiry', () => {
  test('[SEED-139] without sessions there is no timer, with many there is one, and it ends with the last', async () => {
    const bench = new Bench();
    expect(bench.clock.pending).toBe(0);
    for (let at = 0; at < 10; at++) bench.open();
    expect([bench.clock.pending, bench.clock.held]).toEqual([1, 0]);
    await bench.clock.advance(50);
    expect([bench.sessions.size, bench.clock.pending]).toEqual([0, 0]);
    const again = bench.open();
    expect(bench.clock.pending).toBe(1);
    bench.sessions.end(again);
    expect(bench.clock.pending).toBe(0);
  });

  test('[SEED-139] the timer is for the one longest unused, whoever was used meanwhile', async () => {
    const bench = new Bench();
    const first = bench.open();
    await bench.clock.advance(10);
    bench.open();
    await bench.clock.advance(30);
    bench.sessions.used(first);
    await bench.clock.advance(10);
    expect([bench.sessions.size, bench.clock.pendingMs]).toEqual([2, [10]]);
    await bench.clock.advance(10);
    expect([bench.sessions.size, bench.clock.pendingMs]).toEqual([1, [30]]);
    expect(bench.has(first)).toBe(true);
    await bench.clock.advance(30);
    expect([bench.sessions.size, bench.clock.pending]).toEqual([0, 0]);
  });

  test('[SEED-140] Infinity: no timer, and nothing expires', async () => {
    const bench = new Bench({ idleMs: Infinity });
    const session = bench.open();
    expect(bench.clock.pending).toBe(0);
    await bench.clock.advance(30 * 24 * 60 * 60_000);
    expect(bench.has(session)).toBe(true);
  });

  test('[SEED-137] a session that is due is not found, also before the timer has fired', () => {
    const bench = new Bench();
    let nowMs = 0;
    bench.clock.now = () => nowMs;
    const session = bench.open();
    nowMs = 49.9;
    expect(bench.has(session)).toBe(true);
    nowMs = 50;
    expect(bench.has(session)).toBe(false);
    expect([bench.sessions.size, bench.clock.pending]).toEqual([0, 0]);
  });

  test('a request in flight keeps its session until it ends, and counts from then on', async () => {
    const bench = new Bench();
    const session = bench.open();
    const end = bench.begin(session);
    await bench.clock.advance(1_000);
    expect(bench.has(session)).toBe(true);
    await bench.clock.advance(30);
    end();
    await bench.clock.advance(49);
    expect(bench.has(session)).toBe(true);
    await bench.clock.advance(1);
    expect([bench.sessions.size, bench.clock.pending]).toEqual([0, 0]);
  });

  test('one that was cancelled runs for nobody, and keeps nothing', async () => {
    const bench = new Bench();
    const session = bench.open();
    bench.begin(session);
    session.cancelled({ requestId: 1 });
    await bench.clock.advance(50);
    expect(bench.sessions.size).toBe(0);
  });

  test('[SEED-142] an open stream does not keep it, and ends with it', async () => {
    const bench = new Bench();
    const out = new Out();
    bench.open().attach(out);
    await bench.clock.advance(50);
    expect([bench.sessions.size, out.ended, bench.clock.pending]).toEqual([0, true, 0]);
  });

  test('with streamsKeepAlive it does, until its caller has gone', async () => {
    const bench = new Bench({ streamsKeepAlive: true });
    const out = new Out();
    const session = bench.open();
    session.attach(out);
    await bench.clock.advance(1_020);
    expect([bench.has(session), out.ended]).toEqual([true, false]);
    out.leave();
    await bench.clock.advance(49);
    expect(bench.has(session)).toBe(true);
    await bench.clock.advance(1);
    expect([bench.sessions.size, bench.clock.pending]).toEqual([0, 0]);
  });

  test('what ends after its session brings it not back', async () => {
    const bench = new Bench();
    const session = bench.open();
    const end = bench.begin(session);
    bench.sessions.end(session);
    end();
    expect([bench.has(session), bench.sessions.size, bench.clock.pending]).toEqual([false, 0, 0]);
  });

  test('a service that throws when a session ends keeps no other', async () => {
    const bench = new Bench();
    const throws: Service = {
      answer: (_, { cancel }) => {
        cancel.onCancel(() => {
          throw new Error('not now');
        });
        return new Promise(() => undefined);
      },
      notice: () => undefined,
    };
    bench.open(undefined, throws).attach(new Out());
    bench.open();
    await bench.clock.advance(50);
    expect([bench.sessions.size, bench.clock.pending]).toEqual([0, 0]);
    expect(bench.logger.of('error')).toEqual(['a session did not end well']);
  });
});

describe('room', () => {
  test('at the bound the one longest idle goes, whose place it is does not matter to the anonymous', () => {
    const bench = new Bench({ max: 2, maxPerPrincipal: 1 });
    const [one, two] = [bench.open(), bench.open()];
    bench.sessions.used(one);
    const three = bench.open();
    expect([one, two, three].map((session) => bench.has(session))).toEqual([true, false, true]);
  });

  test('what is in flight, or has an open stream, is not idle', () => {
    const bench = new Bench({ max: 2 });
    const [one, two] = [bench.open(), bench.open()];
    const end = bench.begin(one);
    const out = new Out();
    two.attach(out);
    expect(bench.tryOpen()).toBe(undefined);
    out.leave();
    const three = bench.open();
    expect([bench.has(one), bench.has(two)]).toEqual([true, false]);
    three.attach(new Out());
    expect(bench.tryOpen()).toBe(undefined);
    end();
    expect(bench.tryOpen()).not.toBe(undefined);
    expect([bench.has(one), bench.has(three)]).toEqual([false, true]);
  });

  test('a principal has its own bound, within which its own have to go', () => {
    const bench = new Bench({ maxPerPrincipal: 2 });
    const ann = [bench.open('ann'), bench.open('ann')];
    const bob = bench.open('bob');
    for (let at = 0; at < 5; at++) bench.open();
    const third = bench.open('ann');
    expect(ann.map((session) => bench.has(session, 'ann'))).toEqual([false, true]);
    expect([bench.has(bob, 'bob'), bench.sessions.size]).toEqual([true, 8]);
    bench.begin(third);
    ann[1]?.attach(new Out());
    expect(bench.tryOpen('ann')).toBe(undefined);
    expect(bench.tryOpen('bob')).not.toBe(undefined);
  });

  test('[SEED-181] expired ones go first, whosever they are', () => {
    const bench = new Bench({ max: 3 });
    let nowMs = 0;
    bench.clock.now = () => nowMs;
    const bob = bench.open('bob');
    nowMs = 40;
    const ann = [bench.open('ann'), bench.open('ann')];
    nowMs = 49;
    expect(bench.tryOpen('cid')).toBe(undefined);
    nowMs = 50;
    bench.open('ann');
    expect(bench.has(bob, 'bob')).toBe(false);
    expect(ann.map((session) => bench.has(session, 'ann'))).toEqual([true, true]);
  });

  test('after the end of all there is room for nobody', () => {
    const bench = new Bench();
    const out = new Out();
    bench.open().attach(out);
    bench.open('ann');
    bench.sessions.close();
    expect([bench.sessions.size, bench.clock.pending, out.ended]).toEqual([0, 0, true]);
    expect(bench.tryOpen()).toBe(undefined);
  });
});

/** What is known of a session without looking at it. */
interface Kept {
  readonly session: LegacySession;
  readonly principal: string | undefined;
  usedMs: number;
  finish: (() => void) | undefined;
  out: Out | undefined;
}

/** The same as the table, worked out the long way. */
class Expected {
  readonly bench: Bench;
  readonly #limits: SessionLimits;
  kept: Kept[] = [];

  constructor(limits: SessionLimits) {
    this.#limits = limits;
    this.bench = new Bench(limits);
  }

  #active({ finish, out }: Kept): boolean {
    return finish !== undefined || (this.#limits.streamsKeepAlive && out !== undefined);
  }

  async wait(ms: number): Promise<void> {
    await this.bench.clock.advance(ms);
    const now = this.bench.clock.now();
    this.kept = this.kept.filter((one) => this.#active(one) || now - one.usedMs < this.#limits.idleMs);
  }

  open(principal: string | undefined): void {
    const own = this.kept.filter((one) => one.principal === principal);
    const full =
      this.kept.length >= this.#limits.max || (principal !== undefined && own.length >= this.#limits.maxPerPrincipal);
    const idle = own.filter(({ finish, out }) => finish === undefined && out === undefined);
    const leastMs = Math.min(...idle.map(({ usedMs }) => usedMs));
    const session = this.bench.tryOpen(principal);
    expect(session === undefined).toBe(full && idle.length === 0);
    if (session === undefined) return;
    if (full) {
      const gone = idle.filter((one) => !this.bench.has(one.session, principal));
      expect(gone.map(({ usedMs }) => usedMs)).toEqual([leastMs]);
      this.kept = this.kept.filter((one) => !gone.includes(one));
    }
    this.kept.push({ session, principal, usedMs: this.bench.clock.now(), finish: undefined, out: undefined });
  }

  act(one: Kept, what: Act): void {
    if (this.#acts(one, what)) one.usedMs = this.bench.clock.now();
  }

  /** Whether it counts as use. */
  #acts(one: Kept, what: Act): boolean {
    const { finish, out } = one;
    switch (what) {
      case 'use':
        this.bench.sessions.used(one.session);
        return true;
      case 'begin':
        one.finish ??= this.bench.begin(one.session);
        return finish === undefined;
      case 'finish':
        one.finish = undefined;
        finish?.();
        return finish !== undefined;
      case 'attach':
        one.out ??= new Out();
        one.session.attach(one.out);
        return false;
      case 'leave':
        one.out = undefined;
        out?.leave();
        return this.#limits.streamsKeepAlive && out !== undefined;
      case 'delete':
        this.bench.sessions.end(one.session);
        this.kept = this.kept.filter((other) => other !== one);
        return false;
    }
  }
}

const acts = ['use', 'begin', 'finish', 'attach', 'leave', 'delete'] as const;
type Act = (typeof acts)[number];

test.each([false, true])(
  'whatever happens, exactly those are there that are used (streamsKeepAlive: %s)',
  async (streamsKeepAlive) => {
    const step = fc.oneof(
      fc.record({ principal: fc.constantFrom('ann', 'bob', undefined) }),
      fc.record({ what: fc.constantFrom(...acts), at: fc.nat(9) }),
      fc.record({ ms: fc.nat(60) }),
    );
    const limits = { idleMs: 50, max: 6, maxPerPrincipal: 3, streamsKeepAlive };
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const expected = new Expected(limits);
        const { bench } = expected;
        for (const step of steps) {
          const one = 'at' in step ? expected.kept[step.at] : undefined;
          if ('ms' in step) await expected.wait(step.ms);
          else if ('principal' in step) expected.open(step.principal);
          else if (one !== undefined) expected.act(one, step.what);
          expect(bench.sessions.size).toBe(expected.kept.length);
          for (const { session, principal } of expected.kept) expect(bench.has(session, principal)).toBe(true);
        }
        bench.sessions.close();
        expect([bench.sessions.size, bench.clock.pending]).toEqual([0, 0]);
      }),
      { numRuns: 200 },
    );
  },
);
