#!/usr/bin/env node
/**
 * Many callers on one server. See README.md.
 *
 *   node load/run.mjs server [--only idle,fanout,stalled] [--sessions N] [--streams N] [--changes N] [--stalled N] [--peer NAME|none]
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import os from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { install } from '../bench/lib/install.mjs';
import { Checks } from './lib/checks.mjs';

const scenarioNames = ['idle', 'fanout', 'stalled'];

function fail(message) {
  console.error(`load: ${message}`);
  process.exit(1);
}

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', default: scenarioNames.join(',') },
    sessions: { type: 'string', default: '8000' },
    streams: { type: 'string', default: '1000' },
    changes: { type: 'string', default: '10000' },
    stalled: { type: 'string', default: '200000' },
    peer: { type: 'string', default: 'official-v2' },
  },
});

const amount = (name) => {
  const value = Number(options[name]);
  if (!Number.isSafeInteger(value) || value <= 0) fail(`--${name} takes a whole number above 0`);
  return value;
};

if (positionals.length !== 1 || positionals[0] !== 'server') fail("say what: 'server' is what there is");
const only = options.only.split(',');
const stranger = only.find((name) => !scenarioNames.includes(name));
if (stranger !== undefined) fail(`there is no ${stranger}; there are ${scenarioNames.join(', ')}`);
if (!existsSync(fileURLToPath(new URL('../packages/hawser/dist/node.js', import.meta.url))))
  fail('the library is not built; npm run load builds it first');

install();
const { pinned } = await import('../bench/lib/procs.mjs');
// The servers have a core to themselves.
if (pinned && process.env.LOAD_PINNED === undefined) {
  const { status } = spawnSync('taskset', ['-c', '1', process.execPath, ...process.argv.slice(1)], {
    stdio: 'inherit',
    env: { ...process.env, LOAD_PINNED: '1' },
  });
  process.exit(status ?? 1);
}

const checks = new Checks();
const peer = options.peer === 'none' ? undefined : options.peer;
const begin = performance.now();
console.log(
  `${os.cpus().length} × ${os.cpus()[0].model}, Node ${process.version}, ${pinned ? 'pinned' : 'not pinned'}`,
);
for (const name of only) {
  console.log(`\n${name}`);
  const { [name]: scenario } = await import(`./scenarios/${name}.mjs`);
  const counts = {
    idle: () => ({ sessions: amount('sessions') }),
    fanout: () => ({ streams: amount('streams'), changes: Math.ceil(amount('changes') / 100) * 100 }),
    stalled: () => ({ changes: amount('stalled') }),
  };
  try {
    await scenario({ ...counts[name](), peer, checks });
  } catch (error) {
    checks.that(`${name}: ${error.message}`, false);
  }
}
process.exit(checks.end((performance.now() - begin) / 1000));
