#!/usr/bin/env node
/**
 * A server among callers who do not behave. See README.md.
 *
 *   node faults/run.mjs server [--seed N] [--long] [--only resets,…] [--broken KIND]
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { host } from '../bench/lib/procs.mjs';
import { Checks } from '../load/lib/checks.mjs';
import { settles } from '../load/lib/until.mjs';
import { brokenKinds } from './broken.mjs';
import { Caller } from './lib/caller.mjs';
import { Honest } from './lib/honest.mjs';
import { Polite } from './lib/polite.mjs';
import { seeded } from './lib/random.mjs';
import { bogus } from './phases/bogus.mjs';
import { halfOpen } from './phases/half-open.mjs';
import { races } from './phases/races.mjs';
import { resets } from './phases/resets.mjs';
import { sigterm } from './phases/sigterm.mjs';
import { slowBodies } from './phases/slow-bodies.mjs';
import { stalled } from './phases/stalled.mjs';
import { storm } from './phases/storm.mjs';

const phases = { resets, halfOpen, slowBodies, stalled, storm, races, bogus, sigterm };

/** Short, so that a run sees them at work. */
const limits = {
  sessionIdleMs: 3_000,
  streamsKeepAlive: true,
  requestTimeoutMs: 1_500,
  stalledMs: 3_000,
  keepAliveMs: 500,
};

function fail(message) {
  console.error(`faults: ${message}`);
  process.exit(1);
}

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    long: { type: 'boolean', default: false },
    only: { type: 'string', default: Object.keys(phases).join(',') },
    broken: { type: 'string' },
  },
});
const only = options.only.split(',');
const seed = Number(options.seed);
if (positionals.length !== 1 || positionals[0] !== 'server') fail("say what: 'server' is what there is");
if (!Number.isSafeInteger(seed) || seed < 0) fail('--seed takes a whole number');
for (const name of only)
  if (!Object.hasOwn(phases, name)) fail(`there is no ${name}; there are ${Object.keys(phases).join(', ')}`);
if (options.broken !== undefined && !brokenKinds.includes(options.broken))
  fail(`--broken takes ${brokenKinds.join(', ')}`);
if (!existsSync(fileURLToPath(new URL('../packages/hawser/dist/node.js', import.meta.url))))
  fail('the library is not built; npm run faults builds it first');

const scale = options.long ? 10 : 1;
const random = seeded(seed);
const good = Array.from({ length: 6 }, (_, n) => new Caller(`honest-${n}`, random));
const bad = Array.from({ length: 10 }, (_, n) => new Caller(`attacker-${n}`, random));
const checks = new Checks();
const begin = performance.now();
console.log(`seed ${seed}: npm run faults -- server --seed ${seed}${options.long ? ' --long' : ''}`);

const callers = [...good, ...bad].map(({ name, token, secret }) => ({ name, token, secret }));
const server = await host(new URL('server.mjs', import.meta.url).href, { callers, limits, broken: options.broken });
const { port } = server;
const honest = good.map((caller) => new Honest(caller, port, random));
const attackers = bad.map((caller) => new Polite(caller, port));
const world = { port, server, honest, attackers, random, checks, scale, limits };

/** When nobody calls, nothing may be open but the two streams of each who behaves. */
async function nothingLeft() {
  await Promise.all(honest.map((each) => each.pause()));
  const streams = honest.length * 2;
  const { open, counts } = await settles(
    () => server.ask('state'),
    ({ open, counts }) => open.streams === streams && open.calls === 0 && counts.started === counts.ended,
    limits.stalledMs * 3,
  );
  checks.that(
    `open afterwards: ${JSON.stringify(open)}, handlers ${counts.started - counts.ended}`,
    open.streams === streams && open.calls === 0 && counts.started === counts.ended,
  );
}

/** Everybody who behaves has had all answers so far, and hears of changes. */
async function honestAreWell(change) {
  await server.ask('change', { names: good.map(({ name }) => name), from: change, count: 1 });
  const deaf = await settles(
    async () => honest.filter(({ lastChange }) => lastChange !== change).length,
    (count) => count === 0,
  );
  checks.equal('of those who behave have not heard of a change', deaf, 0);
  report();
}

let reported = 0;
function report() {
  const problems = honest.flatMap((each) => each.problems);
  const calls = honest.reduce((sum, each) => sum + each.calls, 0);
  checks.that(
    `${calls - reported} calls beside it were answered, whole and in order`,
    problems.length === 0 && calls > reported,
  );
  for (const problem of problems) checks.say(problem);
  for (const each of honest) each.problems = [];
  reported = calls;
}

try {
  await Promise.all(honest.map((each) => each.begin()));
  const first = await server.ask('settled');
  for (const [n, name] of only.filter((name) => name !== 'sigterm').entries()) {
    console.log(`\n${name}`);
    for (const each of honest) each.resume();
    const after = await phases[name](world);
    await nothingLeft();
    after?.();
    await honestAreWell(n);
  }
  console.log('\nin the end');
  const { open } = await settles(
    () => server.ask('state'),
    (now) => now.open.sessions === honest.length,
    limits.sessionIdleMs * 3,
  );
  checks.equal('sessions are open, those of the ones who behave', open.sessions, honest.length);
  const { heapUsed, counts } = await server.ask('settled');
  checks.atMost('heap beside the beginning, MiB', (heapUsed - first.heapUsed) / 2 ** 20, 8);
  checks.equal('errors in the log', counts.errors, 0);
  for (const line of await server.ask('log')) if (line.startsWith('error')) checks.say(line);
  checks.that('no token in the log', !(await server.ask('log')).some((line) => /token-|secret-/.test(line)));
  if (only.includes('sigterm')) {
    console.log('\nsigterm');
    await sigterm(world);
  } else {
    await Promise.all(honest.map((each) => each.end()));
    const last = await settles(
      () => server.ask('state'),
      (now) => Object.values(now.open).every((count) => count === 0),
    );
    checks.that(
      `open: ${JSON.stringify(last.open)}`,
      Object.values(last.open).every((count) => count === 0),
    );
    await server.stop();
  }
} catch (error) {
  checks.that(error.message, false);
  // A caller sees that the connection is gone; why is for the process to say.
  const end = await Promise.race([server.ended, new Promise((resolve) => setTimeout(resolve, 500))]);
  if (end !== undefined) checks.say(`the server has ended with ${end.code ?? end.signal}: ${end.log.slice(-800)}`);
}
console.log('\neverybody');
const foreign = [...good, ...bad].flatMap((caller) => caller.foreign.map((line) => `${caller.name}, ${line}`));
const heard = [...good, ...bad].reduce((sum, caller) => sum + caller.heard, 0);
checks.that(
  `${(heard / 2 ** 20).toFixed(1)} MiB were heard, nobody's secret but one's own`,
  foreign.length === 0 && heard > 0,
);
for (const line of foreign.slice(0, 10)) checks.say(line);
process.exit(checks.end((performance.now() - begin) / 1000));
