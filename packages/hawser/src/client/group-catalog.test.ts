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

test('who comes after a change waits for the next list, and all of those for one', async () => {
  const catalog = new Catalog();
  const answers: (() => void)[] = [];
  const ask = (): Promise<void> =>
    new Promise((resolve) => {
      const names = [`list ${answers.length}`];
      const take = catalog.begin();
      answers.push(() => {
        take(names);
        resolve();
      });
    });
  const seen: string[] = [];
  const find = (): Promise<number> => catalog.refresh(ask).then(() => seen.push([...catalog.names].join()));
  const first = [find(), find()];
  const later: Promise<number>[] = [];
  for (let change = 0; change < 200; change++) {
    catalog.forget();
    later.push(find(), find());
  }
  expect(answers).toHaveLength(1);
  answers[0]?.();
  await Promise.all(first);
  expect([seen, answers.length, catalog.settled]).toEqual([['list 0', 'list 0'], 2, false]);
  answers[1]?.();
  await Promise.all(later);
  expect([new Set(seen.slice(2)), answers.length, catalog.settled]).toEqual([new Set(['list 1']), 2, true]);
});
