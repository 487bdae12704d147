// Prints the state of the requirements for people.
import { groupOf } from './ledgers.mjs';

const sentence = (row) => row.text ?? row.title;

function short(text, width) {
  return text.length <= width ? text : `${text.slice(0, width - 1)}…`;
}

function line(name, total, covered, waived) {
  const note = waived > 0 ? `  (${waived} waived)` : '';
  return `  ${short(name, 44).padEnd(44)} ${String(total).padStart(6)} ${String(covered).padStart(8)}${note}`;
}

/** One table per ledger: rows and covered rows of each area, and the ledger's total. */
export function areaTables(ledgers, claims, waived) {
  const lines = [];
  for (const ledger of ledgers) {
    const groups = new Map();
    for (const row of ledger.rows) groups.set(groupOf(ledger, row), [...(groups.get(groupOf(ledger, row)) ?? []), row]);
    const count = (rows) => [
      rows.length,
      rows.filter((row) => claims.has(row.id)).length,
      rows.filter((row) => waived.has(row.id)).length,
    ];
    lines.push('', `${ledger.title.padEnd(46)} ${'total'.padStart(6)} ${'covered'.padStart(8)}`);
    for (const [name, rows] of groups) lines.push(line(name, ...count(rows)));
    lines.push(line('all', ...count(ledger.rows)));
  }
  return lines.slice(1).join('\n');
}

/** The rows without a test, one a line. */
export function missingList(rows) {
  return rows
    .map((row) => `${row.id.padEnd(10)} ${(row.level ?? 'MUST').padEnd(10)} ${short(sentence(row), 98)}`)
    .join('\n');
}

/** The drawn rows, each with what it demands and the tests that claim it. */
export function proofList(rows, claims, seed) {
  const entries = rows.map((row) => {
    const tests = claims.get(row.id).map((test) => `    ${test.file}: ${test.title}`);
    return [`${row.id}  ${sentence(row)}`, ...(row.check ? [`  check: ${row.check}`] : []), ...new Set(tests)].join(
      '\n',
    );
  });
  return [`${rows.length} covered rows, drawn with --seed ${seed}`, ...entries].join('\n\n');
}
