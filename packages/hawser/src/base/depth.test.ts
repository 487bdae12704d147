import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isDeeperThan } from './depth.ts';

const nested = (depth: number, open = '[', close = ']'): string => open.repeat(depth) + close.repeat(depth);

test('levels of arrays and objects count, at the bound and one past it', () => {
  for (const text of ['null', '1', '"x"', 'true', '']) expect(isDeeperThan(text, 0)).toBe(false);
  expect(isDeeperThan('[]', 0)).toBe(true);
  expect(isDeeperThan('{}', 0)).toBe(true);
  expect(isDeeperThan('{"a":1,"b":[]}', 1)).toBe(true);
  expect(isDeeperThan('{"a":1,"b":[]}', 2)).toBe(false);
  expect(isDeeperThan(nested(64), 64)).toBe(false);
  expect(isDeeperThan(nested(65), 64)).toBe(true);
  expect(isDeeperThan(nested(32, '{"x":[', ']}'), 64)).toBe(false);
  expect(isDeeperThan(nested(33, '{"x":[', ']}'), 64)).toBe(true);
});

test('what lies side by side is not deep', () => {
  expect(isDeeperThan(`[${'[],{},'.repeat(1000)}0]`, 2)).toBe(false);
});

test('brackets in strings do not count, whatever is escaped in them', () => {
  const quoted = JSON.stringify([nested(100), '\\', '"', `\\"${nested(100)}`, '\\\\', `"${nested(100)}\\`]);
  expect(isDeeperThan(quoted, 1)).toBe(false);
  expect(isDeeperThan(`{${quoted.slice(1, -1)},"a":[[]]}`, 2)).toBe(true);
});

test('brackets that nothing closes count, and a string that nothing ends is the rest', () => {
  expect(isDeeperThan('['.repeat(100), 64)).toBe(true);
  expect(isDeeperThan(`"${'['.repeat(100)}`, 64)).toBe(false);
  expect(isDeeperThan(`"\\"${'['.repeat(100)}`, 64)).toBe(false);
});

test('agrees with the depth of any value', () => {
  const depthOf = (value: unknown): number =>
    typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;
  const text = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom('"', '\\', '[', '{', ']', '}', 'x') }));
  const value = fc.jsonValue({ maxDepth: 6 }).chain((json) => text.map((string) => ({ json, [string]: [string] })));
  fc.assert(
    fc.property(value, fc.nat(8), (value, limit) => {
      expect(isDeeperThan(JSON.stringify(value), limit)).toBe(depthOf(value) > limit);
    }),
  );
});
