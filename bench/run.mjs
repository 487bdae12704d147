#!/usr/bin/env node
// node run.mjs [A B C D E F G schema A1 F2 ...] [--only a,b|all] [--rounds 3] [--ms 2000] [--out results] [--no-retain]
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync, existsSync } from 'node:fs';
import os from 'node:os';
import { parseArgs } from 'node:util';
import { install } from './lib/install.mjs';

// The peers are installed on first use, apart from the library's own dependencies.
install();
const { contenders } = await import('./lib/contenders.mjs');
const { pinned } = await import('./lib/procs.mjs');

const benches = {
  A: () => import('./benches/http.mjs'),
  B: () => import('./benches/http.mjs'),
  C: () => import('./benches/sessions.mjs'),
  D: () => import('./benches/stdio.mjs'),
  E: () => import('./benches/client.mjs'),
  F: () => import('./benches/stream.mjs'),
  G: () => import('./benches/cold.mjs'),
  schema: () => import('./benches/schema.mjs'),
};
/** A1, B2, F1 …: one row of a bench. */
const benchOf = (id) => (benches[id] ?? benches[id[0]])();

const { values: o, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', default: 'hawser,official-v2' },
    rounds: { type: 'string', default: '3' },
    ms: { type: 'string', default: '2000' },
    out: { type: 'string', default: 'results' },
    'no-retain': { type: 'boolean', default: false },
    report: { type: 'boolean', default: false },
  },
});

// Everything here drives servers: keep it off their core.
if (pinned && !process.env.BENCH_PINNED) {
  const r = spawnSync('taskset', ['-c', '1', process.execPath, ...process.argv.slice(1)], {
    stdio: 'inherit',
    env: { ...process.env, BENCH_PINNED: '1' },
  });
  process.exit(r.status ?? 1);
}

const out = new URL(`${o.out}/`, import.meta.url);
mkdirSync(out, { recursive: true });
const all = await contenders(o.only === 'all' ? undefined : o.only.split(','));
const labels = Object.fromEntries((await contenders()).map((c) => [c.id, { label: c.label, floor: c.floor }]));
const ids = positionals.length ? positionals : Object.keys(benches);
const log = (line) => process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);

if (!o.report) {
  for (const id of ids) {
    const bench = await benchOf(id);
    log(`== ${id}`);
    const result = await bench.run(id, {
      contenders: all,
      rounds: Number(o.rounds),
      ms: Number(o.ms),
      retain: !o['no-retain'],
      log,
    });
    const machine = `${os.cpus().length} × ${os.cpus()[0].model}, Node ${process.version}, ${pinned ? 'pinned' : 'not pinned'}`;
    writeFileSync(
      new URL(`${id}.json`, out),
      JSON.stringify(
        { id, date: new Date().toISOString(), machine, rounds: Number(o.rounds), ms: Number(o.ms), result },
        null,
        1,
      ),
    );
  }
}
const parts = [];
for (const id of o.report || !positionals.length ? Object.keys(benches) : ids) {
  const file = new URL(`${id}.json`, out);
  if (!existsSync(file)) continue;
  const saved = JSON.parse(readFileSync(file, 'utf8'));
  parts.push(
    `<!-- ${id}: ${saved.date}, ${saved.machine}, ${saved.rounds} rounds of ${saved.ms} ms -->\n${(await benchOf(id)).render(saved.result, labels)}`,
  );
}
const text = parts.join('\n\n') + '\n';
writeFileSync(new URL('report.md', out), text);
process.stdout.write(text);
process.exit(0);
