// Runs the public conformance suite against this repository's server and client, and judges what it wrote.
// See README.md beside this file.

import { spawn } from 'node:child_process';
import { createWriteStream, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { record } from '../scripts/requirements/record.mjs';
import { expectationsFor, staleExpectations } from './expectations.mjs';
import { judge } from './judge.mjs';
import { printFileProblems, printLeg, printTotals } from './report.mjs';
import { runSuite } from './suite/command.mjs';
import { installSuite } from './suite/install.mjs';
import { brokenScenarios, readExits, readResults, requiredScenarios } from './suite/results.mjs';

const folder = fileURLToPath(new URL('.', import.meta.url));
const legs = ['server', 'client'];
const revisions = ['2025-11-25', '2026-07-28'];
// Relative, since the suite splits it on blanks. It goes through a shell, which `exec` replaces: the suite ends a client
// that takes too long by a signal to that process, and a client left alive would keep the suite waiting.
const clientCommand = `${process.platform === 'win32' ? '' : 'exec '}node client-process.mjs`;

const files = {
  server: join(folder, 'server.mjs'),
  client: join(folder, 'client.mjs'),
  expected: join(folder, 'expected-failures.json'),
};
const { values: options } = parseArgs({
  options: {
    leg: { type: 'string' },
    revision: { type: 'string' },
    scenario: { type: 'string' },
    protocol: { type: 'string' },
    verbose: { type: 'boolean', default: false },
    server: { type: 'string', default: files.server },
    client: { type: 'string', default: files.client },
    expected: { type: 'string', default: files.expected },
  },
});
only(options.leg, legs, '--leg');
only(options.revision, revisions, '--revision');
only(options.protocol, ['auto'], '--protocol');

installSuite();
const sets = new Map();
for (const leg of legs) {
  for (const revision of revisions) sets.set(`${leg} ${revision}`, await requiredScenarios(leg, revision));
}
const scenariosOf = (leg, revision) => sets.get(`${leg} ${revision}`);
const expected = JSON.parse(readFileSync(options.expected, 'utf8'));
const stale = staleExpectations(expected, revisions, scenariosOf);
printFileProblems(relative(process.cwd(), options.expected), stale);

const verdicts = [];
const outcomes = [];
for (const { leg, revision, scenarios } of chosenRuns()) {
  const startedAt = performance.now();
  const run = await runLeg(leg, revision, scenarios);
  const judged = scenarios.map((scenario) => ({
    ...judge(
      {
        leg,
        scenario,
        checks: run.results.get(scenario)?.checks,
        broken: run.broken.get(scenario),
        exit: run.exits.get(scenario),
      },
      expectationsFor(expected, leg, revision, scenario),
    ),
    checks: run.results.get(scenario)?.checks ?? [],
    folder: run.results.get(scenario)?.folder,
  }));
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  printLeg({ leg, revision, seconds, judged, problems: run.problems, folder: run.folder, verbose: options.verbose });
  const found = [...judged.map(({ verdict }) => verdict), ...run.problems.map(() => 'FAIL')];
  verdicts.push(...found);
  const sound = found.length > 0 && !found.includes('FAIL') && stale.length === 0;
  if (leg === 'server')
    outcomes.push({ title: `[SEED-177] ${revision}: nothing fails but what is listed`, passed: sound });
}
// A part of the suite, or somebody else's server, says nothing of the whole.
const whole = Object.entries(options).every(([name, value]) => value === files[name] || value === false);
if (whole) record('conformance', import.meta.filename, outcomes);
printTotals(verdicts, stale.length);
process.exitCode = stale.length > 0 || verdicts.includes('FAIL') || verdicts.length === 0 ? 1 : 0;

/** The legs to run, with the scenarios to judge in each. */
function chosenRuns() {
  const runs = legs
    .filter((leg) => options.leg === undefined || leg === options.leg)
    .flatMap((leg) => revisions.map((revision) => ({ leg, revision })))
    .filter(({ revision }) => options.revision === undefined || revision === options.revision);
  const name = options.scenario;
  if (name === undefined) return runs.map((run) => ({ ...run, scenarios: scenariosOf(run.leg, run.revision) }));
  const inSets = runs.filter(({ leg, revision }) => scenariosOf(leg, revision).includes(name));
  // A scenario of no requirement set (an extension, an old revision) can still be asked for, once the leg is known.
  const chosen = inSets.length > 0 || options.leg === undefined ? inSets : runs;
  if (chosen.length === 0) {
    refuse(`no requirement set has the scenario ${name}; with --leg server|client it is run all the same`);
  }
  return chosen.map((run) => ({ ...run, scenarios: [name] }));
}

async function runLeg(leg, revision, scenarios) {
  const results = join(folder, 'results', `${leg}-${revision}`);
  rmSync(results, { recursive: true, force: true });
  mkdirSync(results, { recursive: true });
  const what =
    options.scenario === undefined
      ? ['--requirements', revision]
      : ['--scenario', options.scenario, '--spec-version', revision, '--force'];
  const run = leg === 'server' ? await runServerLeg(results, what) : await runClientLeg(results, what);
  const problems = [...run.problems];
  if (run.suite?.timedOut) problems.push('the suite did not end and was killed');
  else if (run.suite?.signal) problems.push(`the suite was ended by ${run.suite.signal}`);
  return {
    folder: results,
    results: readResults(leg, results),
    broken: brokenScenarios(run.suite?.output ?? '', scenarios),
    exits: readExits(join(results, 'exits.jsonl')),
    problems,
  };
}

async function runClientLeg(results, what) {
  const suite = await runSuite(
    ['client', '--command', clientCommand, ...what, '--timeout', '120000', '--verbose', '-o', results],
    {
      logFile: join(results, 'suite.log'),
      env: {
        CONFORMANCE_CLIENT: resolve(options.client),
        CONFORMANCE_EXITS: join(results, 'exits.jsonl'),
        ...(options.protocol === undefined ? {} : { CONFORMANCE_PROTOCOL: options.protocol }),
        ...(options.verbose ? { CONFORMANCE_FRAMES: '1' } : {}),
      },
    },
  );
  return { suite, problems: [] };
}

async function runServerLeg(results, what) {
  const server = startServer(results);
  const problems = [];
  let suite;
  try {
    const url = await server.url;
    suite = await runSuite(['server', '--url', url, ...what, '--timeout', '15000', '-o', results], {
      logFile: join(results, 'suite.log'),
    });
    if (server.ended()) problems.push('the server ended before the suite did');
  } catch (error) {
    problems.push(error.message);
    await server.stop();
    return { suite, problems };
  }
  const end = await server.stop();
  if (end !== 0) problems.push(`the server did not close in order (${end}), see ${join(results, 'server.log')}`);
  return { suite, problems };
}

/** Starts the server fixture, which prints its URL once it listens, and writes all else it prints to server.log. */
function startServer(results) {
  const recorder = options.verbose ? ['--import', new URL('./suite/record-frames.mjs', import.meta.url).href] : [];
  const child = spawn(process.execPath, [...recorder, resolve(options.server)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, CONFORMANCE_FRAMES: join(results, 'frames.log') },
  });
  const log = createWriteStream(join(results, 'server.log'));
  child.stderr.pipe(log, { end: false });
  const exited = new Promise((done) => child.once('close', (code, signal) => log.end(() => done(code ?? signal))));
  let over = false;
  void exited.then(() => (over = true));
  const url = new Promise((found, failed) => {
    let text = '';
    const timer = setTimeout(() => failed(new Error('the server printed no URL within 15 s')), 15_000);
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      log.write(chunk);
      text += chunk;
      const match = /^(http:\/\/\S+)$/m.exec(text);
      if (match === null) return;
      clearTimeout(timer);
      found(match[1]);
    });
    void exited.then((end) => {
      clearTimeout(timer);
      failed(new Error(`the server ended (${end}) before it listened, see ${join(results, 'server.log')}`));
    });
  });
  return {
    url,
    ended: () => over,
    /** Asks the server to end; resolves to its exit code, or to the signal that was needed. */
    async stop() {
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), 5000);
      const end = await exited;
      clearTimeout(timer);
      return end;
    },
  };
}

function only(value, allowed, option) {
  if (value === undefined || allowed.includes(value)) return;
  refuse(`${option} takes ${allowed.join(' or ')}, not ${value}`);
}

function refuse(message) {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}
