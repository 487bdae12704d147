// Lets runs that are no tests of the test runner claim requirements too: the public suite, the browser.
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../.cache/', import.meta.url));

/**
 * Writes `.cache/<name>-results.json`, which `npm run requirements` reads beside the tests. Each outcome is
 * `{ title, passed }`; a title claims rows as that of a test does.
 */
export function record(name, file, outcomes) {
  mkdirSync(folder, { recursive: true });
  const assertionResults = outcomes.map(({ title, passed }) => ({
    title,
    fullName: title,
    status: passed ? 'passed' : 'failed',
  }));
  writeFileSync(`${folder}${name}-results.json`, JSON.stringify({ testResults: [{ name: file, assertionResults }] }));
}
