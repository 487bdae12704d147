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
