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

/** Whether MUST or MUST NOT is said of a row. Behaviours and cases say no level: all of them must be. */
export const isMust = ({ level = 'MUST' }) => level.startsWith('MUST');

/** A letter of the behaviours is an area by itself and as the beginning of an id: `H`, `SEED-H`. */
function isOf(area, ledger, row) {
  if (row.area === area || groupOf(ledger, row) === area) return true;
  return ledger.name === 'seeds' && row.area.split(' ')[0] === area.replace(/^SEED-/, '');
}

const keep = (ledgers, wanted) =>
  ledgers
    .map((ledger) => ({ ...ledger, rows: ledger.rows.filter((row) => wanted(ledger, row)) }))
    .filter((ledger) => ledger.rows.length > 0);

/** Keeps the rows of some areas, named with commas. Throws, naming the areas there are, when there is no such area. */
export function selectArea(ledgers, areas) {
  const all = areas.split(',');
  const unknown = all.find((area) => keep(ledgers, (ledger, row) => isOf(area, ledger, row)).length === 0);
  if (unknown !== undefined) {
    const known = ledgers.flatMap((ledger) => ledger.rows.map((row) => groupOf(ledger, row)));
    throw new Error(`there is no area '${unknown}'; the areas are: ${[...new Set(known)].join(', ')}`);
  }
  return keep(ledgers, (ledger, row) => all.some((area) => isOf(area, ledger, row)));
}

const rolesOf = ({ role }) => (role === 'both' ? ['client', 'server'] : (role?.split(', ') ?? []));

/** Keeps the rows that a role has to keep: its own, and those that name no role. */
export function selectRole(ledgers, role) {
  const known = new Set(ledgers.flatMap((ledger) => ledger.rows.flatMap(rolesOf)));
  if (!known.has(role)) throw new Error(`there is no role '${role}'; the roles are: ${[...known].join(', ')}`);
  return keep(ledgers, (_, row) => row.role === undefined || rolesOf(row).includes(role));
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
