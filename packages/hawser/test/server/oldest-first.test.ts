/** What a session's kept events hold on to once they have left. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { OldestFirst } from '../../src/base/oldest-first.ts';

test.each([
  ['of which nothing was ever taken', 0],
  ['of which something was taken', 1],
])('what has left a map %s is not held on to', async (_, taken) => {
  const queue = new OldestFirst<number, object>();
  for (let number = 0; number < 3; number++) queue.set(number, {});
  for (let n = 0; n < taken; n++) queue.take();
  const seen = Array.from({ length: 100 }, (_, n) => crowd(queue, 10 + n * 50));
  setFlagsFromString('--expose-gc');
  // References are held to the end of a turn once they were made.
  await new Promise((resolve) => setImmediate(resolve));
  (runInNewContext('gc') as () => void)();
  // Of 5,000; the engine need not be done with the last of them.
  expect(seen.flat().filter((each) => each.deref() !== undefined).length).toBeLessThan(1_000);
  expect(queue.size).toBe(3 - taken);
});

/** Sets many entries, so that the map has to grow, and deletes them again. */
function crowd(queue: OldestFirst<number, object>, from: number): WeakRef<object>[] {
  const numbers = Array.from({ length: 50 }, (_, n) => from + n);
  const values = numbers.map(() => ({}));
  numbers.forEach((number, n) => queue.set(number, values[n] as object));
  for (const number of numbers) queue.delete(number);
  return values.map((value) => new WeakRef(value));
}
