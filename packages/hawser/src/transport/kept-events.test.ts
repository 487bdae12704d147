import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EventBudget } from './event-budget.ts';
import { KeptEvents, type EventKind, type KeptEvent } from './kept-events.ts';

/** What a session keeps, and what it has given up, by numbers. */
function session(budget = new EventBudget(Infinity)) {
  const kept = new Set<number>();
  const gone: KeptEvent[] = [];
  const events = new KeptEvents(budget, (event) => {
    gone.push(event);
    kept.delete(event.number);
  });
  let last = 0;
  const add = (kind: EventKind, bytes: number, stream = 's', key?: string): number => {
    const number = ++last;
    kept.add(number);
    events.add({ number, stream, bytes, kind, key });
    return number;
  };
  return { events, add, kept, gone: () => gone.map(({ number }) => number) };
}

const mebi = 1024 * 1024;

describe('within a session', () => {
  test('at 1,000 events nothing goes, one past it the oldest', () => {
    const { add, gone } = session();
    for (let n = 0; n < 1_000; n++) add('notice', 2);
    expect(gone()).toEqual([]);
    add('notice', 2);
    expect(gone()).toEqual([1]);
  });

  test('at 4 MiB nothing goes, one past it the oldest', () => {
    const { add, gone, events } = session();
    add('notice', mebi);
    add('notice', 3 * mebi);
    expect([gone(), events.bytes]).toEqual([[], 4 * mebi]);
    add('notice', 2);
    expect([gone(), events.bytes]).toEqual([[1], 3 * mebi + 2]);
  });

  test('questions and replies go last, the oldest of them first; a notice finds no room among them', () => {
    const { add, gone } = session();
    add('reply', mebi);
    add('question', mebi);
    add('notice', mebi);
    add('notice', mebi);
    add('reply', mebi);
    expect(gone()).toEqual([3]);
    add('reply', mebi);
    expect(gone()).toEqual([3, 4]);
    add('reply', mebi);
    expect(gone()).toEqual([3, 4, 1]);
    add('notice', 2);
    expect(gone()).toEqual([3, 4, 1, 8]);
    add('question', mebi);
    expect(gone()).toEqual([3, 4, 1, 8, 2]);
  });

  test('what is too large by itself goes at once, and takes the room of nothing', () => {
    const { add, gone } = session();
    add('notice', 4 * mebi);
    add('reply', 4 * mebi + 1);
    expect(gone()).toEqual([2]);
  });

  test('what has a key can be superseded; a stream is struck off without a word', () => {
    const { add, gone, events } = session();
    add('notice', 2, 'a', 'x');
    add('question', 2, 'b', 'q');
    add('notice', 2, 'a');
    events.supersede('x');
    events.supersede('x');
    events.supersede('never');
    events.supersede('q');
    expect([gone(), events.size]).toEqual([[1, 2], 1]);
    add('reply', 2, 'b');
    events.forget('a');
    expect([gone(), events.size, events.bytes]).toEqual([[1, 2], 1, 2]);
  });

  test('of a thousand events each is superseded by itself: it takes as long for the last as for the first', () => {
    const { add, events, gone } = session();
    for (let n = 0; n < 1_000; n++) add('notice', 2, 's', `key ${n}`);
    for (let n = 0; n < 3_000; n++) {
      events.supersede(`key ${n % 1_000}`);
      add('notice', 2, 's', `key ${n % 1_000}`);
    }
    expect([events.size, gone().length]).toEqual([1_000, 3_000]);
  });
});

describe('over all sessions', () => {
  test('at the bound nothing goes; past it the session that keeps most gives up an eighth', () => {
    const budget = new EventBudget(100);
    const [modest, greedy] = [session(budget), session(budget)];
    for (let n = 0; n < 10; n++) modest.add('notice', 2);
    for (let n = 0; n < 40; n++) greedy.add('notice', 2);
    expect([budget.bytes, greedy.gone(), modest.gone()]).toEqual([100, [], []]);
    modest.add('notice', 2);
    expect([budget.bytes, greedy.gone(), modest.gone()]).toEqual([92, [1, 2, 3, 4, 5], []]);
  });

  test('notices go first, then replies; whoever leaves much behind loses it, and nobody else', () => {
    const budget = new EventBudget(1_000);
    const [other, ...many] = Array.from({ length: 50 }, () => session(budget));
    other?.add('reply', 20);
    for (const { add } of many) {
      add('reply', 40);
      add('notice', 10);
    }
    expect(budget.bytes).toBeLessThanOrEqual(1_000);
    expect(other?.gone()).toEqual([]);
    for (const { gone } of many) if (gone().length > 0) expect(gone()[0]).toBe(2);
  });

  test('one event that is larger than all of it is not kept', () => {
    const budget = new EventBudget(10);
    const { add, gone } = session(budget);
    add('reply', 12);
    expect([gone(), budget.bytes]).toEqual([[1], 0]);
  });
});

test('whatever happens, the bounds hold and the bytes are those of what is there', () => {
  const step = fc.record({
    at: fc.nat(3),
    stream: fc.constantFrom('a', 'b'),
    bytes: fc.integer({ min: 2, max: 60 }),
    kind: fc.constantFrom<EventKind>('notice', 'question', 'reply'),
    key: fc.option(fc.constantFrom('x', 'y'), { nil: undefined }),
    after: fc.constantFrom('nothing', 'nothing', 'forget', 'supersede'),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const budget = new EventBudget(300);
      const sessions = Array.from({ length: 4 }, () => session(budget));
      const there = sessions.map(() => new Map<number, { stream: string; bytes: number }>());
      for (const { at, stream, bytes, kind, key, after } of steps) {
        const { events, add } = sessions[at] as ReturnType<typeof session>;
        const mine = there[at] as Map<number, { stream: string; bytes: number }>;
        if (key !== undefined) events.supersede(key);
        mine.set(add(kind, bytes, stream, key), { stream, bytes });
        if (after === 'supersede') events.supersede('x');
        if (after === 'forget') {
          events.forget(stream);
          for (const [number, event] of mine) if (event.stream === stream) mine.delete(number);
        }
        let total = 0;
        sessions.forEach(({ events: each, gone }, index) => {
          const left = there[index] as Map<number, { bytes: number }>;
          for (const number of gone()) left.delete(number);
          const sum = [...left.values()].reduce((all, event) => all + event.bytes, 0);
          expect([each.size, each.bytes]).toEqual([left.size, sum]);
          total += sum;
        });
        expect(budget.bytes).toBe(total);
        expect(total).toBeLessThanOrEqual(300);
      }
    }),
    { numRuns: 300 },
  );
});
