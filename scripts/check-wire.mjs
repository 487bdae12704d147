// Compares the wire types of each protocol revision (packages/hawser/src/wire/<revision>/types.ts) with the official
// JSON Schemas, and the official examples with the types. The schemas are not part of this repository: the variable
// MCP_SCHEMA_DIR names a folder with <revision>.json and examples/<revision>/<type>/*.json.

import { existsSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Comparison } from './check-wire/compare.mjs';
import { deliberate, deliberateExamples } from './check-wire/deliberate.mjs';
import { exampleSource, findExamples } from './check-wire/examples.mjs';
import { compile, complaints } from './check-wire/program.mjs';
import { Schemas } from './check-wire/schema-shapes.mjs';
import { selfCheck, selfCheckCount, selfCheckSources } from './check-wire/self-check.mjs';
import { Types } from './check-wire/type-shapes.mjs';

const revisions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'];
const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');
const wire = join(root, 'packages/hawser/src/wire');
let failed = false;

const schemaDir = findSchemas();
const plans = schemaDir ? revisions.map(plan).filter(Boolean) : [];
const sources = new Map(plans.map((p) => [p.examplesFile, exampleSource(schemaDir, p.examples)]));
const inMemory = new Map([...selfCheckSources(root), ...sources]);
const program = compile(
  root,
  plans.map(({ typesFile }) => typesFile),
  inMemory,
);

const mistakes = selfCheck(program, root);
console.log(`self-check: ${selfCheckCount - mistakes.length} of ${selfCheckCount} samples judged right`);
for (const mistake of mistakes) fail(`  ${mistake}`);
for (const one of plans) compareRevision(one);
for (const one of plans) checkExamples(one);
if (schemaDir && !plans.some(({ examples }) => examples.length > 0)) console.log('left out: there are no examples');
process.exitCode = failed ? 1 : 0;

function findSchemas() {
  const named = process.env.MCP_SCHEMA_DIR;
  if (named) {
    if (existsSync(named)) return resolve(named);
    fail(`MCP_SCHEMA_DIR names a folder that does not exist: ${named}`);
    return undefined;
  }
  const beside = join(root, '../shared/mcp-schema');
  if (existsSync(beside)) return beside;
  console.log('Left out, since MCP_SCHEMA_DIR is not set:');
  for (const revision of revisions) console.log(`  the comparison of the types of ${revision} with its schema`);
  console.log('  the check of the official examples');
  return undefined;
}

function plan(revision) {
  const schemaFile = join(schemaDir, `${revision}.json`);
  const examples = findExamples(schemaDir, revision);
  if (!existsSync(schemaFile)) {
    console.log(`${revision}: left out, there is no ${schemaFile}`);
    return undefined;
  }
  const typesFile = join(wire, revision, 'types.ts');
  return { revision, schemaFile, typesFile, examples, examplesFile: join(wire, revision, 'examples-in-memory.ts') };
}

function compareRevision({ revision, schemaFile, typesFile }) {
  const schemas = new Schemas(JSON.parse(readFileSync(schemaFile, 'utf8')));
  const file = program.getSourceFile(typesFile);
  if (!file) {
    fail(`${revision}: there is no ${typesFile}`);
    return;
  }
  const types = new Types(program.getTypeChecker(), file);
  const found = brokenSources(revision);
  for (const definition of types.names) {
    if (!schemas.names.includes(definition)) found.push({ definition, path: '', kind: 'not in the schema' });
  }
  const comparison = new Comparison(schemas, types);
  for (const definition of schemas.names) {
    found.push(...comparison.definition(definition).map((one) => ({ definition, ...one })));
  }
  const accepted = deliberate.filter((entry) => entry.revision === revision);
  const differences = found.filter((one) => !accepted.some((entry) => matches(entry, one)));
  const stale = accepted.filter((entry) => !found.some((one) => matches(entry, one)));
  const compared = schemas.names.filter((name) => types.exported(name)).length;
  console.log(
    `${revision}: ${schemas.names.length} definitions, ${compared} compared, ${differences.length} differences` +
      (accepted.length > 0 ? `, ${accepted.length - stale.length} deliberate` : ''),
  );
  for (const { definition, path, kind, schema, type } of differences) {
    fail(`  ${revision} ${definition}${path}: ${kind}${schema ? `; schema: ${schema}; type: ${type}` : ''}`);
  }
  for (const { definition, path, kind } of stale) {
    fail(`  ${revision} ${definition}${path}: the entry in deliberate.mjs is stale (${kind})`);
  }
}

// A name that does not resolve would count as "anything", so a revision with errors is never without differences.
function brokenSources(revision) {
  const files = program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(join(wire, revision, 'types')));
  return files.flatMap((file) =>
    complaints(program, file).map(({ line, text }) => ({
      definition: `${relative(join(wire, revision), file.fileName)}:${line + 1}`,
      path: '',
      kind: text,
    })),
  );
}

function matches(entry, one) {
  return ['definition', 'path', 'kind', 'schema', 'type'].every((key) => !(key in entry) || entry[key] === one[key]);
}

function checkExamples({ revision, examples, examplesFile }) {
  if (examples.length === 0) return;
  const wrong = new Map();
  for (const { line, text } of complaints(program, program.getSourceFile(examplesFile))) {
    const { file } = examples[line];
    wrong.set(file, [...(wrong.get(file) ?? []), text]);
  }
  const accepted = deliberateExamples.filter(({ file }) => file.startsWith(`examples/${revision}/`));
  const stale = accepted.filter(({ file }) => !wrong.delete(file));
  const good = examples.length - wrong.size - accepted.length + stale.length;
  console.log(
    `${revision}: ${examples.length} examples, ${good} assignable` +
      (accepted.length > 0 ? `, ${accepted.length - stale.length} deliberately not` : ''),
  );
  for (const [file, texts] of wrong) fail(`  ${file}: ${texts.join('\n    ')}`);
  for (const { file } of stale) fail(`  ${file}: the entry in deliberate.mjs is stale`);
}

function fail(text) {
  failed = true;
  console.log(text);
}
