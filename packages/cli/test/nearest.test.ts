import { describe, expect, test } from 'vitest';
import { nearest } from '../src/nearest.ts';

describe('nearest', () => {
  const names = ['echo', 'get-sum', 'get-env', 'print_tree', 'search_issues', 'Search'];

  test.each([
    ['ehco', ['echo']],
    ['eco', ['echo']],
    ['getSum', ['get-sum']],
    ['get_env', ['get-env']],
    ['issues', ['search_issues']],
    ['search', ['Search', 'search_issues']],
    ['xyzzy', []],
    ['', []],
  ])('"%s" is near %j', (wanted, expected) => {
    expect(nearest(wanted, names)).toEqual(expected);
  });

  test('names three at most, and a hostile length costs little', () => {
    expect(nearest('a', ['a1', 'a2', 'a3', 'a4'])).toHaveLength(3);
    expect(nearest('a'.repeat(1e5), ['b'.repeat(1e5)])).toHaveLength(0);
  });
});
