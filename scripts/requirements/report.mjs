// Prints the state of the requirements for people.
import { groupOf, isMust } from './ledgers.mjs';

const sentence = (row) => row.text ?? row.title;

function short(text, width) {
  return text.length <= width ? text : `${text.slice(0, width - 1)}…`;
}

const number = (value, width) => String(value).padStart(width);

/** What there is of some rows, and how much of it has a test; the same of those that MUST be. */
function counted(rows, claims) {
  const covered = (those) => those.filter((row) => claims.has(row.id)).length;
  const must = rows.filter(isMust);
  return { rows: rows.length, covered: covered(rows), must: must.length, mustCovered: covered(must) };
}

/** How much of what MUST be has a test, in percent, never rounded up. */
export function mustPercent(rows, claims) {
  const { must, mustCovered } = counted(rows, claims);
  return must === 0 ? 100 : Math.floor((mustCovered / must) * 1_000) / 10;
}

function line(name, rows, claims, waived) {
  const count = counted(rows, claims);
  const left = rows.filter((row) => waived.has(row.id)).length;
  const percent = count.must === 0 ? '' : `${number(mustPercent(rows, claims).toFixed(1), 7)} %`;
  const columns = [
    number(count.rows, 6),
    number(count.covered, 8),
    number(count.must, 6),
    number(count.mustCovered, 8),
  ];
  return `  ${short(name, 44).padEnd(44)} ${columns.join(' ')}${percent}${left > 0 ? `  (${left} waived)` : ''}`;
}

/** One table per ledger: rows and covered rows of each area, of all and of those that MUST be, and the totals. */
export function areaTables(ledgers, claims, waived) {
  const lines = [];
  for (const ledger of ledgers) {
    const groups = new Map();
    for (const row of ledger.rows) groups.set(groupOf(ledger, row), [...(groups.get(groupOf(ledger, row)) ?? []), row]);
    lines.push('', `${ledger.title.padEnd(46)}  total  covered   MUST  covered`);
    for (const [name, rows] of groups) lines.push(line(name, rows, claims, waived));
    lines.push(line('all', ledger.rows, claims, waived));
  }
  if (ledgers.length > 1)
    lines.push(
      '',
      line(
        'all of these',
        ledgers.flatMap((ledger) => ledger.rows),
        claims,
        waived,
      ),
    );
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
