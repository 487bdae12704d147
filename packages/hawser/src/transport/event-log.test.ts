import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EventLog } from './event-log.ts';

/** What is kept of a stream, as numbers. */
const numbers = (log: EventLog, stream: number, after = 0): number[] => log.after(after, stream).map(([at]) => at);

describe('what is kept', () => {
  test('the events of a stream after a number, in order, and those of no other', () => {
    const log = new EventLog({ maxEvents: 10, maxBytes: 1_000 });
    for (let number = 1; number <= 6; number++) log.add(number, number % 2, `text ${number}`, 'notice');
    expect(log.after(1, 1)).toEqual([
      [3, 'text 3'],
      [5, 'text 5'],
    ]);
    expect(numbers(log, 0, 2)).toEqual([4, 6]);
    expect(numbers(log, 1, 5)).toEqual([]);
    log.forget(1);
    expect(numbers(log, 1)).toEqual([]);
    expect(numbers(log, 0)).toEqual([2, 4, 6]);
    log.forget(0, 'text 4');
    expect(numbers(log, 0)).toEqual([2, 6]);
  });

  test('at the bound of events nothing goes, one past it the oldest', () => {
    const log = new EventLog({ maxEvents: 3, maxBytes: 1_000 });
    for (const number of [1, 2, 3]) log.add(number, 7, 'x', 'notice');
    expect(numbers(log, 7)).toEqual([1, 2, 3]);
    expect(log.add(4, 7, 'x', 'notice')).toEqual([]);
    expect(numbers(log, 7)).toEqual([2, 3, 4]);
  });

  test('at the bound of bytes nothing goes, one past it the oldest', () => {
    const log = new EventLog({ maxEvents: 100, maxBytes: 20 });
    log.add(1, 7, 'xxxxx', 'notice');
    log.add(2, 7, 'xxxxx', 'notice');
    expect([numbers(log, 7), log.bytes]).toEqual([[1, 2], 20]);
    log.add(3, 7, 'x', 'notice');
    expect([numbers(log, 7), log.bytes]).toEqual([[2, 3], 12]);
  });

  test('the ends of streams go last, and whose end goes is told', () => {
    const log = new EventLog({ maxEvents: 2, maxBytes: 1_000 });
    log.add(1, 1, 'the response', 'reply');
    log.add(2, 2, 'a notice', 'notice');
    expect(log.add(3, 2, 'another', 'notice')).toEqual([]);
    expect([numbers(log, 1), numbers(log, 2)]).toEqual([[1], [3]]);
    expect(log.add(4, 3, 'the response', 'reply')).toEqual([]);
    expect(log.add(5, 4, 'the response', 'reply')).toEqual([1]);
    expect([numbers(log, 3), numbers(log, 4)]).toEqual([[4], [5]]);
    // A notice finds no room among them.
    expect(log.add(6, 2, 'a notice', 'notice')).toEqual([]);
    expect(numbers(log, 2)).toEqual([]);
  });

  test('questions go last as well: of them and the ends the oldest, without a word for a question', () => {
    const log = new EventLog({ maxEvents: 2, maxBytes: 1_000 });
    log.add(1, 1, 'a question', 'question');
    log.add(2, 1, 'a notice', 'notice');
    expect(log.add(3, 1, 'another', 'notice')).toEqual([]);
    expect(numbers(log, 1)).toEqual([1, 3]);
    expect(log.add(4, 2, 'the response', 'reply')).toEqual([]);
    expect([numbers(log, 1), numbers(log, 2)]).toEqual([[1], [4]]);
    expect(log.add(5, 2, 'a question', 'question')).toEqual([]);
    expect([numbers(log, 1), numbers(log, 2)]).toEqual([[], [4, 5]]);
  });

  test('what is too large by itself is not kept, and takes the room of nothing', () => {
    const log = new EventLog({ maxEvents: 10, maxBytes: 20 });
    log.add(1, 1, 'x', 'notice');
    log.add(2, 1, 'x'.repeat(10), 'notice');
    expect(numbers(log, 1)).toEqual([2]);
    expect(log.add(3, 1, 'x'.repeat(11), 'notice')).toEqual([]);
    expect(log.add(4, 1, 'x'.repeat(11), 'reply')).toEqual([1]);
    expect(numbers(log, 1)).toEqual([2]);
  });

  test('whatever is added and forgotten, the bounds hold and the bytes are those of what is there', () => {
    const kind = fc.constantFrom('notice' as const, 'question' as const, 'reply' as const);
    const event = fc.record({ stream: fc.nat(3), size: fc.nat(15), kind, forget: fc.boolean() });
    fc.assert(
      fc.property(fc.array(event, { maxLength: 60 }), (events) => {
        const log = new EventLog({ maxEvents: 5, maxBytes: 24 });
        events.forEach(({ stream, size, kind, forget }, at) => {
          log.add(at + 1, stream, 'x'.repeat(size), kind);
          if (forget) log.forget((stream + 1) % 4);
          expect(log.size).toBeLessThanOrEqual(5);
          expect(log.bytes).toBeLessThanOrEqual(24);
        });
        const texts = [0, 1, 2, 3].flatMap((stream) => log.after(0, stream).map(([, text]) => text));
        expect(texts.length).toBe(log.size);
        expect(texts.join('').length * 2).toBe(log.bytes);
      }),
      { numRuns: 200 },
    );
  });
});
