import { array, assert, constantFrom, property } from 'fast-check';
import { expect, test } from 'vitest';
import { TextSet } from './text-set.ts';

const long = (...parts: string[]): string => parts.map((part) => part.repeat(8_192 / part.length)).join('');

test('a text is there once, however long it is', () => {
  const texts = [
    '',
    'a',
    long('a'),
    `${long('a')}b`,
    long('a', 'b'),
    long('b', 'a'),
    long('a', 'a'),
    `${long('a', 'a')}b`,
  ];
  assert(
    property(array(constantFrom(...texts)), constantFrom(...texts), (added, asked) => {
      const set = new TextSet();
      const known = new Set<string>();
      for (const text of added) {
        expect(set.add(text)).toBe(!known.has(text));
        known.add(text);
      }
      expect(set.has(asked)).toBe(known.has(asked));
      // Asking takes nothing in.
      expect(set.add(asked)).toBe(!known.has(asked));
    }),
  );
});
