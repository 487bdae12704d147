import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const requirements = fileURLToPath(
  new URL('../node_modules/@modelcontextprotocol/conformance/requirements', import.meta.url),
);

/**
 * The scenarios of one requirement set that concern one leg: those that count and those the suite runs without
 * scoring them. Read from the suite's own file, because a run drops unknown names without a word.
 */
export async function requiredScenarios(leg, revision) {
  const { parse } = await import('yaml');
  const set = parse(readFileSync(join(requirements, `${revision}.yaml`), 'utf8'));
  const notScored = set.not_scored.filter((entry) => entry.leg === leg).map((entry) => entry.scenario);
  const scenarios = [...set[leg], ...notScored];
  if (scenarios.length === 0) throw new Error(`no ${leg} scenarios in the requirement set ${revision}`);
  return scenarios;
}

/** Reads every checks.json that a run wrote below `folder`: a map from scenario to `{ checks, folder }`. */
export function readResults(leg, folder) {
  const results = new Map();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.name !== 'checks.json') continue;
    const file = join(entry.parentPath ?? entry.path, entry.name);
    const name = relative(folder, dirname(file)).split(sep).join('/');
    const scenario = name.replace(/-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z$/, '');
    results.set(leg === 'server' ? scenario.replace(/^server-/, '') : scenario, {
      checks: JSON.parse(readFileSync(file, 'utf8')),
      folder: dirname(file),
    });
  }
  return results;
}

/** Reads the lines that client processes left behind: a map from scenario to `{ started, finished? }`. */
export function readExits(file) {
  const exits = new Map();
  if (!existsSync(file)) return exits;
  for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
    const { scenario, event, ...rest } = JSON.parse(line);
    exits.set(scenario, { ...exits.get(scenario), [event]: rest });
  }
  return exits;
}

/** The suite's own word on scenarios that broke before their checks were written: a map from scenario to message. */
export function brokenScenarios(output, scenarios) {
  const broken = new Map();
  // The two legs say it differently; a line of the second kind is one of a failed check unless it names a scenario.
  for (const [, scenario, message] of output.matchAll(/^(?:Failed to run scenario| {4}-) (\S+): (.*)$/gm)) {
    if (scenarios.includes(scenario)) broken.set(scenario, message);
  }
  return broken;
}
