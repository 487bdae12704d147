// Reads which requirements the tests of a run claim.
import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

const idsPerTitle = 3;
const looksLikeAnId = /^[A-Z]+-\d+[A-Za-z]?$/;

/** The ids in the brackets that open a title; empty for one that opens otherwise, or with brackets that hold no id. */
export function idsOf(title) {
  const words =
    /^\[([^\]]*)\]/
      .exec(title)?.[1]
      ?.split(/[\s,]+/)
      .filter(Boolean) ?? [];
  return words.some((word) => looksLikeAnId.test(word)) ? words : [];
}

function resultsIn(file) {
  if (!existsSync(file)) throw new Error(`there are no test results at ${file}: run \`npm test\` first`);
  return JSON.parse(readFileSync(file, 'utf8')).testResults;
}

/**
 * Reads the JSON reports of test runs.
 * Returns `claims` (id → the passing tests that claim it), the number of tests, and the errors in titles.
 */
export function readClaims(files, known) {
  const claims = new Map();
  const errors = new Set();
  let tests = 0;
  for (const result of files.flatMap(resultsIn)) {
    for (const { title, status } of result.assertionResults) {
      tests += 1;
      const test = { file: relative(process.cwd(), result.name), title };
      const ids = idsOf(title);
      if (ids.length > idsPerTitle)
        errors.add(`${test.file}: '${title}' names ${ids.length} ids, at most ${idsPerTitle} are allowed`);
      for (const id of ids) {
        if (!known.has(id)) errors.add(`${test.file}: '${title}' names ${id}, which is no requirement`);
        else if (status === 'passed') claims.set(id, [...(claims.get(id) ?? []), test]);
      }
    }
  }
  return { claims, tests, errors: [...errors] };
}
