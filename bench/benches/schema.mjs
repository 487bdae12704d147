// Schema engines: validations per second and time to compile, beside those that others use.
import { host } from '../lib/procs.mjs';
import { f, median, ratio, table } from '../lib/stats.mjs';
import { engines } from '../schema/engines.mjs';
import { compiled, validated } from '../schema/schemas.mjs';

const kinds = ['valid', 'invalid'];
const names = Object.keys(validated).flatMap((name) => kinds.map((kind) => `${name}|${kind}`));

export async function run(_id, { rounds, ms, log }) {
  const ids = Object.keys(engines);
  const hosts = Object.fromEntries(await Promise.all(ids.map(async (id) => [id, await host('schema.mjs', { id })])));
  const out = Object.fromEntries(ids.map((id) => [id, { rounds: [], compile: {} }]));
  const slice = Math.max(50, ms / 10);
  for (const id of ids) for (const name of names) await hosts[id].ask('rate', { name, ms: slice });
  for (let round = 0; round < rounds; round++) {
    const rows = Object.fromEntries(ids.map((id) => [id, {}]));
    for (const name of names)
      for (const id of round % 2 ? ids.toReversed() : ids)
        rows[id][name] = await hosts[id].ask('rate', { name, ms: slice });
    for (const id of ids) out[id].rounds.push(rows[id]);
    log(`schema: round ${round + 1} of ${rounds}`);
  }
  for (const name of Object.keys(compiled))
    for (const id of ids) {
      if (id === 'hawser-flag') continue;
      out[id].compile[name] = await hosts[id].ask('compiling', { name, count: 1000, ms: 8000 }, 60_000);
      log(`schema: ${id} compiles ${name} in ${f(out[id].compile[name].ms, 3)} ms`);
    }
  await Promise.all(Object.values(hosts).map(({ stop }) => stop()));
  return out;
}

/** What is asked for; the rest of the numbers are to be looked at. */
function targets(out) {
  const middle = '20 fields, nested|valid';
  const beside = (id) => ratio(out.hawser.rounds, out[id].rounds, middle);
  const times = (name) => out.hawser.compile[name].ms;
  return [
    ['20 fields, nested, valid: of Ajv', f(beside('ajv'), 2), 'at least 0.15', beside('ajv') >= 0.15],
    ['20 fields, nested, valid: times @hyperjump', f(beside('hyperjump'), 1), 'at least 3', beside('hyperjump') >= 3],
    ['compile 20 fields, ms', f(times('20 fields'), 3), 'under 1', times('20 fields') < 1],
    ['compile 300 fields, ms', f(times('300 fields'), 3), 'under 10', times('300 fields') < 10],
  ].map(([what, value, target, isMet]) => [what, value, target, isMet ? 'met' : 'MISSED']);
}

export function render(out) {
  const rates = Object.entries(out).flatMap(([id, { rounds }]) =>
    kinds.map((kind) => [
      engines[id].label,
      kind,
      ...Object.keys(validated).flatMap((name) => {
        const key = `${name}|${kind}`;
        return [
          f(median(rounds.map((round) => round[key])) / 1000),
          f(ratio(rounds, out.ajv.rounds, key), 2),
          f(ratio(rounds, out.hyperjump.rounds, key), 1),
        ];
      }),
    ]),
  );
  const times = Object.entries(out)
    .filter(([, row]) => Object.keys(row.compile).length > 0)
    .map(([id, row]) => [
      engines[id].label,
      ...Object.keys(compiled).flatMap((name) => {
        const own = row.compile[name];
        return [f(own.ms, 3), f(out.ajv.compile[name].ms / own.ms, 1), f(own.count)];
      }),
    ]);
  const columns = Object.keys(validated).flatMap((name) => [`${name}, 1,000/s`, '× Ajv', '× @hyperjump']);
  const compileColumns = Object.keys(compiled).flatMap((name) => [`${name}, ms`, 'times faster than Ajv', 'runs']);
  return [
    '### Schema engines: validations per second, stopping at the first error',
    table(['engine', 'value', ...columns], rates),
    '### Schema engines: compiling (median; @cfworker and @hyperjump do most of it when they validate, or much else besides)',
    table(['engine', ...compileColumns], times),
    table(['target', 'measured', '', ''], targets(out)),
  ].join('\n\n');
}
