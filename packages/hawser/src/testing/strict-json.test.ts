import { describe, expect, test } from 'vitest';
import { strictJson } from './strict-json.ts';

describe('strictJson', () => {
  test('a value that survives JSON is copied and frozen all the way down', () => {
    const value = { a: [1, 'x', null, true, { b: [] }], c: { d: -1.5e300 } };
    const copied = strictJson(value);
    expect(copied).toEqual(value);
    expect(JSON.parse(JSON.stringify(value))).toEqual(copied);
    expect(copied).not.toBe(value);
    expect(copied.a).not.toBe(value.a);
    expect(Object.isFrozen(copied)).toBe(true);
    expect(Object.isFrozen(copied.a)).toBe(true);
    expect(Object.isFrozen(copied.a[4])).toBe(true);
    expect(Object.isFrozen(copied.c)).toBe(true);
    expect(Object.isFrozen(value)).toBe(false);
    expect(strictJson('text')).toBe('text');
    expect(strictJson(null)).toBe(null);
  });

  test('undefined members are left out, as JSON does', () => {
    expect(Object.keys(strictJson({ a: undefined, b: 1 }))).toEqual(['b']);
  });

  test('the same object twice is no cycle', () => {
    const shared = { a: 1 };
    expect(strictJson([shared, shared])).toEqual([{ a: 1 }, { a: 1 }]);
  });

  test('a member called __proto__ is a member', () => {
    const value: unknown = JSON.parse('{"__proto__":{"a":1}}');
    const copied = strictJson(value) as object;
    expect(Object.keys(copied)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(copied)).toBe(Object.prototype);
  });

  test('objects without a prototype are plain', () => {
    expect(strictJson(Object.assign(Object.create(null) as object, { a: 1 }))).toEqual({ a: 1 });
  });

  const cycle: unknown[] = [];
  cycle.push({ cycle });
  const hole: number[] = [];
  hole[2] = 3;
  class Mine {
    member = 1;
  }
  test.each([
    ['undefined itself', undefined, 'undefined at the top'],
    ['undefined in an array', { a: [1, undefined] }, 'undefined at /a/1'],
    ['a hole', hole, 'undefined at /0'],
    ['a function', { f: () => 1 }, 'a function at /f'],
    ['a symbol', [Symbol('s')], 'a symbol at /0'],
    ['a symbol as a name', { [Symbol('s')]: 1 }, 'a symbol as a name'],
    ['a BigInt', { n: 1n }, 'a bigint at /n'],
    ['NaN', { n: Number.NaN }, 'NaN at /n'],
    ['infinity', { n: -Infinity }, '-Infinity at /n'],
    ['-0', { n: -0 }, '-0 at /n'],
    ['a Date', { at: new Date(0) }, 'an object of class Date at /at'],
    ['a Map', new Map(), 'an object of class Map at the top'],
    ['bytes', new Uint8Array(1), 'an object of class Uint8Array at the top'],
    ['a class of one’s own', new Mine(), 'an object of class Mine'],
    ['a named member of an array', Object.assign([1], { more: 1 }), 'a named member of an array at /more'],
    ['a cycle', cycle, 'a cycle at /0/cycle'],
    ['a name that needs escaping', { 'a/b~c': Number.NaN }, 'at /a~1b~0c'],
  ])('%s is refused, with its place', (_, value, message) => {
    expect(() => strictJson<unknown>(value)).toThrow(TypeError);
    expect(() => strictJson<unknown>(value)).toThrow(message);
  });
});
