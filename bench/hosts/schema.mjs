// One schema engine, in its own process: nothing of another engine is in its caches or on its heap.
import { gc, serveCommands } from '../lib/procs.mjs';
import { median } from '../lib/stats.mjs';
import { engines } from '../schema/engines.mjs';
import { compiled, validated } from '../schema/schemas.mjs';

const engine = engines[JSON.parse(process.argv[2]).id];
const compile = await engine.make();
const compileWarm = (await engine.makeWarm?.()) ?? compile;

// All schemas live in one process, as the tools of a server do.
const cases = {};
for (const [name, { schema, valid, invalid }] of Object.entries(validated)) {
  const check = await compile(structuredClone(schema));
  if (check(valid) !== true || check(invalid) !== false) throw new Error(`${name}: a wrong outcome`);
  // Several copies: a value that is the same every time is not what a server sees.
  for (const [kind, value, fits] of [
    ['valid', valid, true],
    ['invalid', invalid, false],
  ])
    cases[`${name}|${kind}`] = {
      check,
      fits,
      values: Array.from({ length: 16 }, () => JSON.parse(JSON.stringify(value))),
    };
}

/** Validations per second, over so many milliseconds. */
function rate({ name, ms }) {
  const { check, values, fits } = cases[name];
  let count = 0;
  const start = performance.now();
  let now = start;
  for (const end = start + ms; now < end; now = performance.now()) {
    for (let again = 0; again < 16; again++)
      for (const value of values) if (check(value) !== fits) throw new Error(`${name}: a wrong outcome`);
    count += 16 * values.length;
  }
  return (count / (now - start)) * 1000;
}

/** Milliseconds to compile, the median of so many after as many to warm up, or of what is done in a time. */
async function compiling({ name, count, ms }) {
  const text = JSON.stringify(compiled[name]);
  const once = async () => {
    const schema = JSON.parse(text);
    const start = performance.now();
    const made = compileWarm(schema);
    if (made instanceof Promise) await made;
    return performance.now() - start;
  };
  const times = [];
  for (const limit of [ms / 4, ms]) {
    times.length = 0;
    for (const end = performance.now() + limit; times.length < count && performance.now() < end;)
      times.push(await once());
  }
  await gc();
  return { ms: median(times), count: times.length };
}

serveCommands({ id: engine.label }, { rate, compiling });
