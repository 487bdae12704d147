/** Which files of `wire` import which: a revision states only what differs from its elder neighbour. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { revisions } from '../../src/wire/index.ts';

const wire = fileURLToPath(new URL('../../src/wire/', import.meta.url));
const oldestFirst = revisions.toReversed();

function importsOf(path: string): string[] {
  const text = readFileSync(wire + path, 'utf8');
  return [...text.matchAll(/(?:^|\n)\s*(?:import|export)\b[^;]*?from '([^']+)'/g)].map(([, from]) => String(from));
}

/** The revision a path leads to, if it leads to one. */
function revisionIn(path: string): string | undefined {
  return /\d{4}-\d{2}-\d{2}/.exec(path)?.[0];
}

describe.each(oldestFirst.map((revision, index) => ({ revision, elder: oldestFirst[index - 1] })))(
  '$revision',
  ({ revision, elder }) => {
    const files = readdirSync(wire + revision, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => `${revision}/${file.replaceAll('\\', '/')}`);

    test('has the same files as the others', () => {
      for (const twin of ['facts', 'methods', 'lift', 'lower', 'index', 'types']) {
        expect(files).toContain(`${revision}/${twin}.ts`);
      }
    });

    test.each(files)('%s names no revision but its own and its elder neighbour', (file) => {
      const named = importsOf(file)
        .map(revisionIn)
        .filter((each) => each !== undefined);
      expect(elder === undefined ? [] : [elder]).toEqual(expect.arrayContaining([...new Set(named)]));
    });
  },
);

test('every revision but the oldest builds on its elder', () => {
  for (const [index, revision] of oldestFirst.entries()) {
    if (index === 0) continue;
    const from = ['facts', 'lift', 'lower'].flatMap((twin) => importsOf(`${revision}/${twin}.ts`));
    expect(from.map(revisionIn)).toContain(oldestFirst[index - 1]);
  }
});

test('the reading finds imports', () => {
  expect(importsOf('2025-03-26/lower.ts')).toEqual(['../2024-11-05/lower.ts', '../wire.ts']);
  expect(importsOf('2025-03-26/methods.ts')).toEqual(['../2024-11-05/methods.ts']);
});

test('outside of a revision only the index knows them', () => {
  const shared = readdirSync(wire).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
  for (const file of shared.filter((file) => file !== 'index.ts')) {
    expect(importsOf(file).map(revisionIn), file).toEqual(importsOf(file).map(() => undefined));
  }
});
