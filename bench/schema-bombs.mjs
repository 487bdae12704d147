// What hostile schemas and values cost: node bench/schema-bombs.mjs. The outcomes are those of the tests; the times are
// for looking at, since what bounds the work are steps.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { gc } from './lib/procs.mjs';
import { f, median, table } from './lib/stats.mjs';

if (globalThis.gc === undefined) {
  const again = ['--expose-gc', '--import', 'tsx', fileURLToPath(import.meta.url)];
  process.exit(spawnSync(process.execPath, again, { stdio: 'inherit' }).status ?? 1);
}

const { bombs, outcomeOf } = await import('../packages/hawser/test/schema/bombs.ts');
const { compileUntrusted } = await import('../packages/hawser/src/schema/compile.ts');

const timed = async (action) => {
  const start = performance.now();
  const result = await action();
  return [performance.now() - start, result];
};

/** Compiles and validates: how long each kept the event loop, over five times after one to warm up. */
async function measure({ schema, value }) {
  const compile = [];
  const validate = [];
  let outcome;
  for (let again = 0; again < 6; again++) {
    const [given, against] = [schema(), value()];
    outcome = await outcomeOf(given, against);
    const [compileMs, compiled] = await timed(() => compileUntrusted(given).catch(() => undefined));
    const [validateMs] = await timed(() => compiled?.validate(against));
    if (again === 0) continue;
    compile.push(compileMs);
    validate.push(validateMs);
  }
  return { outcome, compile, validate };
}

const heapMb = async () => {
  await gc();
  return process.memoryUsage().heapUsed / 2 ** 20;
};

for (const bomb of bombs) await outcomeOf(bomb.schema(), bomb.value(), bomb.options);
const before = await heapMb();
const rows = [];
const blocks = { compile: { usual: 0, longest: 0 }, validate: { usual: 0, longest: 0 } };
let wrong = 0;
for (const bomb of bombs) {
  const { outcome, ...times } = await measure(bomb);
  for (const [what, block] of Object.entries(blocks)) {
    block.usual = Math.max(block.usual, median(times[what]));
    block.longest = Math.max(block.longest, ...times[what]);
  }
  if (outcome !== bomb.outcome) wrong++;
  rows.push([
    bomb.name,
    outcome === bomb.outcome ? outcome : `${outcome}, NOT ${bomb.outcome}`,
    f(median(times.compile), 1),
    f(median(times.validate), 1),
  ]);
}
const grown = (await heapMb()) - before;
console.log(table(['bomb', 'outcome', 'compile, ms (median of 5)', 'validate, ms (median of 5)'], rows));
for (const [what, { usual, longest }] of Object.entries(blocks))
  console.log(
    `longest block of the event loop to ${what}: ${f(usual, 1)} ms by the medians, ${f(longest, 1)} ms of all`,
  );
console.log(`heap after collection: ${f(grown, 2)} MB more than after the first round (at most 16)`);
process.exitCode = wrong === 0 && grown <= 16 ? 0 : 1;
