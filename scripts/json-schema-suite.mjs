// Runs the public JSON-Schema-Test-Suite against the engine: `npm run test:json-schema-suite -- --suite DIR`.
// `--untrusted` adds a run in which patterns go through the linear engine; `--failures` prints every test that failed.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { explained } from './json-schema-suite/explained.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const { values: options } = parseArgs({
  options: {
    suite: { type: 'string', default: process.env.JSON_SCHEMA_SUITE },
    engine: { type: 'string' },
    untrusted: { type: 'boolean', default: false },
    failures: { type: 'boolean', default: false },
  },
});
const usual = resolve(here, '../../shared/json-schema-test-suite');
const suite = options.suite ?? usual;
if (!existsSync(join(suite, 'tests'))) {
  console.error(`there is no JSON-Schema-Test-Suite in ${suite}: name its folder with --suite or JSON_SCHEMA_SUITE`);
  process.exit(options.suite === undefined ? 0 : 1);
}
const engine = resolve(here, '..', options.engine ?? 'packages/hawser/dist/schema.js');
const { compile, compileUntrusted } = await import(engine);

const dialects = [
  { name: '2020-12', folder: 'draft2020-12', $schema: 'https://json-schema.org/draft/2020-12/schema' },
  { name: '2019-09', folder: 'draft2019-09', $schema: 'https://json-schema.org/draft/2019-09/schema' },
  { name: 'draft-07', folder: 'draft7', $schema: 'http://json-schema.org/draft-07/schema#' },
];

/** The files of a folder of the suite. */
function filesIn(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
    .map(({ name }) => ({ name, groups: JSON.parse(readFileSync(join(folder, name), 'utf8')) }));
}

/** A schema that names its dialect: what the suite says by its folders. */
function named(schema, { $schema }) {
  return typeof schema === 'object' && schema.$schema === undefined ? { $schema, ...schema } : schema;
}

/** Needs a document that is not in it, or a meta-schema that is none of the dialects': refused by design. */
const refusals = new Set(['external_reference', 'unknown_dialect']);

async function run(dialect, files, { make = compile, assertFormats = false } = {}) {
  const outcome = { tests: 0, passed: 0, refused: [], unusable: [], failed: [] };
  for (const { name, groups } of files) {
    for (const { description, schema, tests } of groups) {
      outcome.tests += tests.length;
      const title = `${name.replace('.json', '')}: ${description}`;
      let compiled;
      try {
        // A schema that is only true or false is none for a tool; here it stands in an object.
        const given = typeof schema === 'boolean' ? { allOf: [schema] } : schema;
        compiled = await make(named(given, dialect), { assertFormats });
      } catch (error) {
        const list = refusals.has(error.code) ? outcome.refused : outcome.unusable;
        list.push({ title, tests: tests.length, why: error.message.replace('the JSON Schema cannot be used: ', '') });
        continue;
      }
      for (const test of tests) {
        const { valid, issues } = compiled.validate(test.data, { maxIssues: 10 });
        const quick = compiled.isValid(test.data);
        if (valid === test.valid && quick === valid) outcome.passed++;
        else outcome.failed.push({ title, test: test.description, issues });
      }
    }
  }
  return outcome;
}

const sum = (list) => list.reduce((all, { tests }) => all + tests, 0);
let isGreen = true;

/** Prints one line, and what is not as it should be. */
function show(label, { tests, passed, refused, unusable, failed }, { optional = false } = {}) {
  const counts = [`${passed} of ${tests} passed`];
  if (refused.length > 0) counts.push(`${sum(refused)} refused`);
  if (unusable.length > 0) counts.push(`${sum(unusable)} in unusable schemas`);
  if (failed.length > 0) counts.push(`${failed.length} failed`);
  console.log(`${label}: ${counts.join(', ')}`);
  for (const { title, tests: count, why } of refused) console.log(`    refused  ${title} (${count}): ${why}`);
  const misses = [
    ...unusable.map(({ title, tests: count, why }) => ({ title, text: `unusable ${title} (${count}): ${why}` })),
    ...failed.map(({ title, test, issues }) => ({
      title: `${title} / ${test}`,
      text: `failed   ${title} / ${test}${options.failures ? ` ${JSON.stringify(issues ?? 'valid')}` : ''}`,
    })),
  ];
  for (const { title, text } of misses) {
    const reason = explained.find(({ matches }) => matches.test(title))?.reason;
    if (reason === undefined || !optional) isGreen = false;
    console.log(`    ${text}\n             ${reason ?? 'not explained'}`);
  }
}

for (const dialect of dialects) {
  const folder = join(suite, 'tests', dialect.folder);
  const required = filesIn(folder);
  show(`${dialect.name} required`, await run(dialect, required));
  const groups = filesIn(join(folder, 'optional'));
  for (const file of groups) {
    show(`${dialect.name} optional/${file.name}`, await run(dialect, [file]), { optional: true });
  }
  for (const file of filesIn(join(folder, 'optional/format'))) {
    const outcome = await run(dialect, [file], { assertFormats: true });
    show(`${dialect.name} format/${file.name}`, outcome, { optional: true });
  }
  if (options.untrusted) {
    const outcome = await run(dialect, required, { make: compileUntrusted });
    show(`${dialect.name} required, untrusted`, outcome, { optional: true });
  }
}
console.log(isGreen ? 'suite: all required tests passed, every optional miss is explained' : 'suite: NOT as expected');
process.exitCode = isGreen ? 0 : 1;
