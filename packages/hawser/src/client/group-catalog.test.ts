import { expect, test } from 'vitest';
import { Catalog } from './group-catalog.ts';

test('a list that was asked for before a change does not replace one from after it', () => {
  const catalog = new Catalog();
  const early = catalog.begin();
  catalog.forget();
  const late = catalog.begin();
  late(['new']);
  early(['old']);
  expect([...catalog.names]).toEqual(['new']);
  expect(catalog.settled).toBe(true);
});

test('a list that a change overtakes counts until there is a better one', () => {
  const catalog = new Catalog();
  const first = catalog.begin();
  catalog.forget();
  first(['first']);
  expect([[...catalog.names], catalog.settled]).toEqual([['first'], false]);
  catalog.begin()(['second']);
  expect([[...catalog.names], catalog.settled]).toEqual([['second'], true]);
});
