import { array, assert, boolean, constantFrom, integer, property } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ArgumentError } from '../base/errors.ts';
import type { Reply } from '../ports/index.ts';
import { checkedPageSize, cursorOf, defaultPageSize, placeOf } from './pages.ts';
import { Registry } from './registry.ts';

interface Listed {
  names: string[];
  nextCursor: string | undefined;
}

function page(registry: Registry<string>, cursor?: unknown): Listed {
  const reply = ask(registry, cursor);
  expect(reply.error).toBeUndefined();
  return reply.result as unknown as Listed;
}

function ask(registry: Registry<string>, cursor?: unknown): Reply {
  const params = cursor === undefined ? {} : { cursor };
  return registry.list({ method: 'x/list', params }, '2026-07-28', ({ entries, nextCursor }) => ({
    names: entries,
    nextCursor,
  }));
}

function all(registry: Registry<string>): string[] {
  const names: string[] = [];
  let cursor: string | undefined;
  do {
    const next = page(registry, cursor);
    names.push(...next.names);
    cursor = next.nextCursor;
  } while (cursor !== undefined);
  return names;
}

function registryOf(pageSize: number, ...names: string[]): Registry<string> {
  const registry = new Registry<string>('tools', pageSize);
  for (const name of names) registry.add('tool', name, name);
  return registry;
}

describe('pages', () => {
  test.each([
    [0, [[]]],
    [1, [['0']]],
    [2, [['0', '1']]],
    [3, [['0', '1'], ['2']]],
    [
      4,
      [
        ['0', '1'],
        ['2', '3'],
      ],
    ],
  ])('of %i entries, two a page', (count, pages) => {
    const registry = registryOf(2, ...Array.from({ length: count }, (_, at) => String(at)));
    const seen: string[][] = [];
    let cursor: string | undefined;
    do {
      const next = page(registry, cursor);
      seen.push(next.names);
      cursor = next.nextCursor;
    } while (cursor !== undefined);
    expect(seen).toEqual(pages);
  });

  test('[PAG-003] a cursor holds its place when entries before, at and after it go and come', () => {
    const registry = registryOf(2, 'a', 'b', 'c', 'd', 'e');
    const { nextCursor } = page(registry);
    for (const name of ['a', 'b', 'd']) registry.remove(name);
    registry.add('tool', 'a', 'a');
    expect(page(registry, nextCursor).names).toEqual(['c', 'e']);
    expect(page(registry, page(registry, nextCursor).nextCursor).names).toEqual(['a']);
  });

  test('[PAG-003] whatever goes while somebody pages, what stays is listed once', () => {
    const names = Array.from({ length: 20 }, (_, at) => `t${at}`);
    assert(
      property(integer({ min: 1, max: 7 }), array(constantFrom(...names)), boolean(), (size, gone, back) => {
        const registry = registryOf(size, ...names);
        const seen: string[] = [];
        let times = 0;
        let cursor: string | undefined;
        do {
          const next = page(registry, cursor);
          seen.push(...next.names);
          cursor = next.nextCursor;
          for (const name of gone.splice(0, 2)) {
            registry.remove(name);
            if (back) registry.add('tool', name, `${name}, again ${++times}`);
          }
        } while (cursor !== undefined);
        const stayed = registry.all.map(({ entry }) => entry).filter((name) => !name.includes('again'));
        expect(seen).toEqual(expect.arrayContaining(stayed));
        expect(new Set(seen).size).toBe(seen.length);
      }),
    );
  });

  test('[PAG-005] another instance with the same entries serves the next page', () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    const { nextCursor } = page(registryOf(3, ...names));
    expect(page(registryOf(3, ...names), nextCursor).names).toEqual(['d', 'e']);
    expect(page(registryOf(1, ...names), nextCursor).names).toEqual(['d']);
  });

  test.each([
    '',
    'x',
    '1',
    'dG9vbHM',
    null,
    5,
    {},
    [],
    'é',
    btoa('tools 1'),
    btoa('tools 01 0'),
    btoa('tools 1 0 '),
    btoa('tools -1 0'),
    btoa('tools 1 0') + 'A',
    cursorOf('prompts', { after: 1, within: 0 }),
    'A'.repeat(1_000_000),
  ])('[PAG-003] %.20j is no cursor of the list', (cursor) => {
    expect(ask(registryOf(1, 'a', 'b'), cursor).error).toMatchObject({ code: -32602 });
  });

  test('a cursor is text without a meaning to others, and its place comes out of it', () => {
    const cursor = cursorOf('tools', { after: 12, within: 3 });
    expect(cursor).toMatch(/^[A-Za-z0-9+/]+$/);
    expect(placeOf('tools', cursor)).toEqual({ after: 12, within: 3 });
    expect(placeOf('prompts', cursor)).toBeUndefined();
  });

  test('sizes', () => {
    expect([checkedPageSize(undefined), checkedPageSize(1)]).toEqual([defaultPageSize, 1]);
    for (const size of [0, -1, 1.5, NaN, Infinity, '5' as unknown as number])
      expect(() => checkedPageSize(size)).toThrow(ArgumentError);
  });
});

describe('entries', () => {
  test('come in order of registration; a name is taken once, and one that came back is last', () => {
    const registry = registryOf(10, 'b', 'a', '10', '9');
    expect(() => registry.add('tool', 'a', 'a')).toThrow('there is a tool "a" already');
    registry.remove('b');
    registry.add('tool', 'b', 'b');
    expect(all(registry)).toEqual(['a', '10', '9', 'b']);
    expect(registry.remove('nobody')).toBeUndefined();
  });

  test('names of the prototype are names like others', () => {
    const registry = registryOf(10, '__proto__', 'constructor');
    expect(all(registry)).toEqual(['__proto__', 'constructor']);
    expect(registry.get('toString')).toBeUndefined();
  });

  test('the first page is written once per change', () => {
    const registry = registryOf(1, 'a', 'b');
    const first = ask(registry);
    expect(ask(registry)).toBe(first);
    expect(first).toHaveProperty('json', JSON.stringify(first.result));
    registry.add('tool', 'c', 'c');
    expect(ask(registry)).not.toBe(first);
    registry.remove('nobody');
    expect(registry.used).toBe(true);
  });

  test('who walks along them keeps the list it began with', () => {
    const registry = registryOf(10, 'a', 'b');
    const seen: string[] = [];
    for (const { entry } of registry.all) {
      seen.push(entry);
      registry.remove('b');
      if (registry.get('c') === undefined) registry.add('tool', 'c', 'c');
    }
    expect(seen).toEqual(['a', 'b']);
  });

  test('a registry that was used stays so', () => {
    const registry = registryOf(10);
    expect(registry.used).toBe(false);
    registry.add('tool', 'a', 'a');
    registry.remove('a');
    expect(registry.used).toBe(true);
    expect(all(registry)).toEqual([]);
  });
});
