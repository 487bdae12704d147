/**
 * Our client against servers of other implementations, their clients against our server. See README.md.
 *
 *   node interop/run.mjs [--only PATTERN] [--verbose] [--peers] [--jobs N] [--limit-ms N]
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { listenChannel } from './lib/channel.mjs';
import { checks } from './lib/checks.mjs';
import { frameLines, judge, strays, table } from './lib/report.mjs';
import { runRow } from './lib/row.mjs';
import { peerRows, rows as ourRows } from './rows.mjs';

const columns = ['connect', ...Object.keys(checks), 'close'];
const here = (path) => fileURLToPath(new URL(path, import.meta.url));

const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    verbose: { type: 'boolean', default: false },
    peers: { type: 'boolean', default: false },
    jobs: { type: 'string', default: String(Math.min(4, availableParallelism())) },
    'limit-ms': { type: 'string', default: '10000' },
  },
});

/** The peers are installed on first use, and again when the lock has changed. */
function install() {
  const installed = here('node_modules/.package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(here('package-lock.json')).mtimeMs) return;
  console.log('interop: installing the peers');
  const { status } = spawnSync('npm', ['ci', '--loglevel=error'], { cwd: here('.'), stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

/** Runs `jobs` rows at a time and keeps their order. */
async function runAll(rows, channel) {
  const results = new Map(rows.map((row) => [row.id, undefined]));
  const queue = [...rows];
  const limitMs = Number(options['limit-ms']);
  const worker = async () => {
    for (let row = queue.shift(); row !== undefined; row = queue.shift()) {
      const from = performance.now();
      const outcome = await runRow(row, {
        channel,
        columns: columns.filter((name) => row.without?.[name] === undefined),
        limitMs,
      });
      results.set(row.id, { ...outcome, seconds: (performance.now() - from) / 1000 });
    }
  };
  await Promise.all(Array.from({ length: Number(options.jobs) }, worker));
  return results;
}

function print(results, verdicts) {
  console.log(table(results, verdicts, columns));
  const wanted = options.verbose
    ? verdicts
    : verdicts.filter(({ verdict }) => verdict === 'red' || verdict === 'mended');
  const told = new Set();
  for (const { row, cell, verdict, message, note, frames } of wanted) {
    const said = verdict === 'mended' ? 'works, but known.json lists it' : (message ?? note ?? '');
    // A process that does not start spoils all cells of its row alike.
    if (verdict === 'red' && frames.length === 0 && told.has(`${row} ${said}`)) continue;
    told.add(`${row} ${said}`);
    console.log(`\n${row} | ${cell} | ${verdict} ${said}`);
    // Our client has seen what it sent and got; for other clients the server's side tells.
    const own = frames.filter(({ side }) => side === 'client');
    const shown = options.verbose || own.length === 0 ? frames : own;
    for (const line of frameLines(shown, options.verbose ? 2_000 : 400)) console.log(line);
  }
  const loud = new Set(wanted.map(({ row }) => row));
  for (const [id, { log }] of results) {
    if (loud.has(id) && log.length > 0) console.log(`\n${id} | printed\n    ${log.slice(-20).join('\n    ')}`);
  }
}

if (!options.peers && !existsSync(here('../packages/hawser/dist/index.node.js'))) {
  console.error('interop: the library is not built; npm run interop builds it first');
  process.exit(1);
}
install();
const known = JSON.parse(readFileSync(here('known.json'), 'utf8'));
const pattern = new RegExp(options.only ?? '', 'i');
const all = options.peers ? peerRows : ourRows;
const rows = all.filter(({ id }) => pattern.test(id));
const channel = await listenChannel();
const begin = performance.now();
const results = await runAll(rows, channel);
channel.close();

const verdicts = judge(results, known);
print(results, verdicts);
if (options.verbose)
  for (const { id, without = {} } of rows)
    for (const [name, why] of Object.entries(without)) console.log(`${id} | ${name} | left out: ${why}`);
const count = (verdict) => verdicts.filter((each) => each.verdict === verdict).length;
const wrong = strays(known, [...ourRows, ...peerRows], columns);
for (const line of wrong) console.log(`known.json: ${line}`);
const seconds = ((performance.now() - begin) / 1000).toFixed(1);
console.log(
  `\n${rows.length} rows in ${seconds} s: ${count('green')} green, ${count('known')} known, ${count('red')} red, ${count('mended')} mended`,
);
process.exitCode = rows.length > 0 && count('red') + count('mended') + wrong.length === 0 ? 0 : 1;
