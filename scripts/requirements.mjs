// Compares the requirements (requirements/*.json) with the tests that passed. See requirements/README.md.
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { readClaims } from './requirements/claims.mjs';
import { readLedgers, readWaivers, selectArea, selectRole } from './requirements/ledgers.mjs';
import { draw } from './requirements/prove.mjs';
import { areaTables, missingList, mustPercent, proofList } from './requirements/report.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** What the test runner left, and the other runs that have been. */
const defaultResults = () => [
  `${root}.cache/test-results.json`,
  ...['conformance', 'browser'].map((name) => `${root}.cache/${name}-results.json`).filter((file) => existsSync(file)),
];

function readOptions() {
  const { values } = parseArgs({
    args: process.argv
      .slice(2)
      .map((arg, at, all) => (arg === '--prove' && !/^\d+$/.test(all[at + 1] ?? '') ? '--prove=20' : arg)),
    options: {
      results: { type: 'string', multiple: true, default: defaultResults() },
      requirements: { type: 'string', default: `${root}requirements` },
      area: { type: 'string' },
      role: { type: 'string' },
      missing: { type: 'boolean', default: false },
      prove: { type: 'string' },
      seed: { type: 'string' },
      min: { type: 'string' },
      must: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  });
  const count = (name) => {
    if (values[name] === undefined) return undefined;
    if (!/^\d+$/.test(values[name])) throw new Error(`--${name} takes a whole number, not '${values[name]}'`);
    return Number(values[name]);
  };
  return { ...values, min: count('min'), must: count('must'), prove: count('prove') };
}

function main() {
  const options = readOptions();
  const ledgers = readLedgers(options.requirements);
  const known = new Set(ledgers.flatMap((ledger) => ledger.rows.map((row) => row.id)));
  const { claims, tests, errors } = readClaims(options.results, known);
  const waivers = readWaivers(options.requirements, known, new Date().toISOString().slice(0, 10));
  errors.push(...waivers.errors);

  const area = options.area === undefined ? ledgers : selectArea(ledgers, options.area);
  const selected = options.role === undefined ? area : selectRole(area, options.role);
  const rows = selected.flatMap((ledger) => ledger.rows);
  const covered = rows.filter((row) => claims.has(row.id));
  const missing = rows.filter((row) => !claims.has(row.id) && !waivers.ids.has(row.id));
  if (options.min !== undefined && covered.length < options.min) {
    errors.push(`${covered.length} rows are covered, at least ${options.min} are required`);
  }
  const percent = mustPercent(rows, claims);
  if (options.must !== undefined && percent < options.must) {
    errors.push(`${percent} % of what must be is covered, at least ${options.must} % are required`);
  }
  const seed = options.seed ?? String(Date.now());
  const drawn = options.prove === undefined ? [] : draw(covered, options.prove, seed);

  if (options.json) {
    const state = (row) => (claims.has(row.id) ? 'covered' : waivers.ids.has(row.id) ? 'waived' : 'missing');
    const out = {
      rows: rows.map((row) => ({ id: row.id, area: row.area, state: state(row), tests: claims.get(row.id) ?? [] })),
      ...(options.prove === undefined ? {} : { seed, proof: drawn.map((row) => row.id) }),
      total: rows.length,
      covered: covered.length,
      mustPercent: percent,
      errors,
    };
    console.log(JSON.stringify(out, null, 2));
  } else {
    if (options.prove !== undefined) console.log(proofList(drawn, claims, seed));
    else if (options.missing) console.log(missingList(missing));
    else console.log(areaTables(selected, claims, waivers.ids));
    console.log(`\nread from ${tests} tests`);
    for (const id of waivers.ids) if (claims.has(id)) console.log(`notice: ${id} is waived and has a passing test`);
    for (const error of errors) console.error(`error: ${error}`);
    console.log(`${covered.length} rows covered`);
  }
  return errors.length === 0 ? 0 : 1;
}

try {
  process.exitCode = main();
} catch (error) {
  console.error(`error: ${error.message}`);
  process.exitCode = 1;
}
