/**
 * Clients in a real browser, on pages of another origin, against our server. See README.md.
 *
 *   node browser/run.mjs [--only PATTERN] [--jobs N] [--verbose]
 */
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { record } from '../scripts/requirements/record.mjs';
import { findChromium } from './lib/find.mjs';
import { install } from './lib/install.mjs';

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    jobs: { type: 'string', default: String(Math.min(2, availableParallelism())) },
    verbose: { type: 'boolean', default: false },
  },
});

function fail(message) {
  console.error(`test:browser: ${message}`);
  process.exit(1);
}

function print({ id, passed, error, said, seconds }) {
  const steps = passed.join(', ');
  console.log(
    `${error === undefined ? 'ok  ' : 'FAIL'} ${id.padEnd(46)} ${seconds.toFixed(1).padStart(4)} s  ${steps}`,
  );
  if (error !== undefined) console.log(`     ${String(error.message).replaceAll('\n', '\n     ')}`);
  if (error !== undefined || options.verbose) for (const line of said) console.log(`     console ${line}`);
}

if (!existsSync(fileURLToPath(new URL('../packages/hawser/dist/index.js', import.meta.url))))
  fail('the library is not built; npm run test:browser builds it first');
let executablePath = '';
try {
  executablePath = findChromium();
} catch (error) {
  fail(error.message);
}
install();
const { default: puppeteer } = await import('puppeteer-core');
const { rows } = await import('./rows.mjs');
const { runRow } = await import('./lib/row.mjs');

const chosen = rows.filter(({ id }) => new RegExp(options.only, 'i').test(id));
if (chosen.length === 0) fail(`no row is called ${options.only}`);
const begin = performance.now();
const browser = await puppeteer.launch({
  executablePath,
  // Chromium's sandbox cannot be had as root.
  args: process.getuid?.() === 0 ? ['--no-sandbox', '--disable-dev-shm-usage'] : [],
  protocolTimeout: 30_000,
  defaultViewport: { width: 1_400, height: 900 },
});
const results = [];
try {
  console.log(`${await browser.version()}, ${executablePath}`);
  const queue = [...chosen];
  const worker = async () => {
    for (let row = queue.shift(); row !== undefined; row = queue.shift()) {
      const result = await runRow(row, browser);
      results.push(result);
      print(result);
    }
  };
  await Promise.all(Array.from({ length: Number(options.jobs) }, worker));
} finally {
  await browser.close();
}
// A part of the rows leaves nothing: it would take the place of the whole.
if (options.only === '')
  record(
    'browser',
    import.meta.filename,
    results.map(({ id, claims, error }) => ({ title: `${claims ?? ''} ${id}`.trim(), passed: error === undefined })),
  );
const passed = results.filter(({ error }) => error === undefined).length;
const seconds = ((performance.now() - begin) / 1000).toFixed(1);
console.log(`\n${chosen.length} rows in ${seconds} s: ${passed} passed, ${chosen.length - passed} failed`);
process.exitCode = passed === chosen.length ? 0 : 1;
