import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { array, assert, constantFrom, nat, property, tuple } from 'fast-check';
import { expect, test } from 'vitest';
import { OldestFirst } from './oldest-first.ts';

test('whatever is set, deleted and taken, it gives what a plain map would', () => {
  const step = tuple(constantFrom('set', 'set', 'delete', 'take'), nat(6));
  assert(
    property(array(step, { maxLength: 200 }), (steps) => {
      const [queue, plain] = [new OldestFirst<number, string>(), new Map<number, string>()];
      steps.forEach(([what, key], at) => {
        if (what === 'set') {
          queue.set(key, `${at}`);
          plain.set(key, `${at}`);
        } else if (what === 'delete') expect(queue.delete(key)).toBe(plain.delete(key));
        else {
          const [first] = plain;
          if (first !== undefined) plain.delete(first[0]);
          expect(queue.take()).toBe(first?.[1]);
        }
        expect([queue.size, [...queue.values()], queue.get(key)]).toEqual([
          plain.size,
          [...plain.values()],
          plain.get(key),
        ]);
      });
    }),
  );
});

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
