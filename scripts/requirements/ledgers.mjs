// Reads the requirement files and the waivers.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const names = { spec: 'specification', seeds: 'behaviours', cases: 'cases' };

/** Reads the three ledgers: `[{ name, title, rows }]`. Throws when an id occurs twice. */
export function readLedgers(folder) {
  const seen = new Set();
  return Object.entries(names).map(([name, title]) => {
    const rows = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));
    for (const { id } of rows) {
      if (seen.has(id)) throw new Error(`${name}.json: ${id} occurs twice`);
      seen.add(id);
    }
    return { name, title, rows };
  });
}

/** The heading a row is counted under: topics of cases are joined by their first word. */
export function groupOf(ledger, row) {
  return ledger.name === 'cases' ? row.area.split('-')[0] : row.area;
}

/** Keeps the rows of one area. Throws, naming the areas there are, when there is no such area. */
export function selectArea(ledgers, area) {
  const matches = (ledger, row) =>
    row.area === area || groupOf(ledger, row) === area || (ledger.name === 'seeds' && row.area.split(' ')[0] === area);
  const selected = ledgers
    .map((ledger) => ({ ...ledger, rows: ledger.rows.filter((row) => matches(ledger, row)) }))
    .filter((ledger) => ledger.rows.length > 0);
  if (selected.length === 0) {
    const all = ledgers.flatMap((ledger) => ledger.rows.map((row) => groupOf(ledger, row)));
    throw new Error(`there is no area '${area}'; the areas are: ${[...new Set(all)].join(', ')}`);
  }
  return selected;
}

/** Reads waivers.json; `today` is a date such as `2026-12-01`. A waiver holds until the end of its last day. */
export function readWaivers(folder, known, today) {
  const errors = [];
  const ids = new Set();
  for (const { id, reason, until } of JSON.parse(readFileSync(join(folder, 'waivers.json'), 'utf8'))) {
    if (!known.has(id)) errors.push(`waivers.json: there is no requirement ${id}`);
    else if (!reason) errors.push(`waivers.json: the waiver of ${id} has no reason`);
    else if (!/^\d{4}-\d{2}-\d{2}$/.test(until ?? ''))
      errors.push(`waivers.json: the waiver of ${id} needs "until": "YYYY-MM-DD"`);
    else if (until < today) errors.push(`waivers.json: the waiver of ${id} ended on ${until}`);
    else ids.add(id);
  }
  return { ids, errors };
}
