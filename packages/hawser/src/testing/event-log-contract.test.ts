import { describe, expect, test } from 'vitest';
import type { EventLog } from '../ports/store.ts';
import { MemoryEventLog } from '../transport/memory-event-log.ts';
import { eventLogContract } from './event-log-contract.ts';

describe('the log in memory', () => {
  const log = new MemoryEventLog();
  for (const { name, run } of eventLogContract(() => log))
    test(name, async () => {
      await run();
      expect(log.size).toBe(0);
    });
});

describe('a log that takes its time', () => {
  for (const { name, run } of eventLogContract(() => inTurn(new MemoryEventLog()))) test(name, run);
});

/** The same as a database would: everything later, one after the other. */
function inTurn(log: EventLog): EventLog {
  let queue: Promise<unknown> = Promise.resolve();
  const later = <Value>(run: () => Value): Promise<Awaited<Value>> => {
    const done = queue.then(run);
    queue = done;
    return done as Promise<Awaited<Value>>;
  };
  return {
    append: (...args) => later(() => log.append(...args)),
    after: (...args) => later(() => log.after(...args)),
    forget: (...args) => later(() => log.forget(...args)),
  };
}

/** Runs the contract; gives the names of the checks that fail. */
async function failing(change: (log: MemoryEventLog) => Partial<EventLog>): Promise<string[]> {
  const names: string[] = [];
  const make = (): EventLog => {
    const log = new MemoryEventLog();
    const real: EventLog = {
      append: (...args) => log.append(...args),
      after: (...args) => log.after(...args),
      forget: (...args) => log.forget(...args),
    };
    return { ...real, ...change(log) };
  };
  for (const { name, run } of eventLogContract(make))
    await run().catch(() => names.push(name.replace('event log: ', '')));
  return names;
}

test('it finds logs that are none', async () => {
  expect(await failing(() => ({}))).toEqual([]);
  expect(await failing((log) => ({ after: (stream) => log.after(stream, 0) }))).toContain(
    'gives the events of a stream after a number, in order',
  );
  expect(await failing((log) => ({ append: (_, ...event) => log.append('one for all', ...event) }))).toContain(
    'keeps streams apart',
  );
  expect(await failing(() => ({ forget: () => undefined }))).toContain(
    'gives up one event, or all of a stream, which can begin anew',
  );
  expect(await failing((log) => ({ forget: (stream) => log.forget(stream) }))).toContain(
    'takes it well when there is nothing to give up',
  );
  expect(
    await failing((log) => ({ append: (...event) => Promise.resolve().then(() => log.append(...event)) })),
  ).toContain('does what it is asked in order, without being waited for');
  expect(
    await failing((log) => ({ append: (stream, number, data) => log.append(stream, number, data.trim()) })),
  ).toEqual([]);
  expect(
    await failing((log) => ({
      append: (stream, number, data) => log.append(stream, number, data.replaceAll('\r', '')),
    })),
  ).toEqual(['gives back text as it was, whatever is in it']);
});
