// Checks that every official example is assignable to our type of its name, by a source file that is only in memory.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** The examples of a revision: one folder per type, one JSON file per example. */
export function findExamples(schemaDir, revision) {
  const folder = join(schemaDir, 'examples', revision);
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((type) =>
    readdirSync(join(folder, type))
      .filter((file) => file.endsWith('.json'))
      .map((file) => ({ type, file: relative(schemaDir, join(folder, type, file)) })),
  );
}

/** A file to stand beside types.ts: one line per example, so that the line of an error tells the example. */
export function exampleSource(schemaDir, examples) {
  const lines = examples.map(({ type, file }, number) => {
    const value = JSON.stringify(JSON.parse(readFileSync(join(schemaDir, file), 'utf8')));
    return `export const example${number}: import('./types.ts').${type} = ${value};`;
  });
  return `${lines.join('\n')}\n`;
}
