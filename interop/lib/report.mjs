/** Judges the outcome against `known.json` and prints it. */

const covers = (entry, row, cell) => entry.cell === cell && entry.rows.includes(row);

/**
 * A red cell is as expected if an entry of `known` names its row and column and its failure contains the entry's text.
 * @returns one verdict per cell: `{ row, cell, ok, message, frames, verdict: 'green' | 'known' | 'red' | 'mended' }`
 */
export function judge(results, known) {
  const verdicts = [];
  for (const [row, { cells }] of results) {
    for (const [cell, { ok, message, note, frames }] of Object.entries(cells)) {
      const entries = known.filter((entry) => covers(entry, row, cell));
      const matched = entries.some((entry) => message?.includes(entry.failure));
      let verdict = 'red';
      if (ok) verdict = entries.some((entry) => !entry.sometimes) ? 'mended' : 'green';
      else if (matched) verdict = 'known';
      verdicts.push({ row, cell, ok, message, note, frames, verdict });
    }
  }
  return verdicts;
}

/** Entries that name a row or a column which the table does not have. */
export function strays(known, rows, columns) {
  const ids = new Set(rows.map((row) => row.id));
  return known.flatMap((entry) => [
    ...entry.rows.filter((id) => !ids.has(id)).map((id) => `no row "${id}"`),
    ...(columns.includes(entry.cell) ? [] : [`no column "${entry.cell}"`]),
    ...(entry.reason && entry.failure && entry.frames?.length > 0
      ? []
      : [`${entry.cell}: an entry needs failure, reason and frames`]),
  ]);
}

const signs = { green: 'ok', known: 'known', red: 'RED', mended: 'MENDED' };

export function table(results, verdicts, columns) {
  const width = Math.max(...[...results.keys()].map((id) => id.length));
  const lines = [`${''.padEnd(width)}  ${columns.map((name) => name.padEnd(10)).join('')}seconds`];
  for (const [id, { seconds }] of results) {
    const cells = columns.map((name) => {
      const found = verdicts.find((each) => each.row === id && each.cell === name);
      return found === undefined ? '–' : signs[found.verdict];
    });
    lines.push(
      `${id.padEnd(width)}  ${cells.map((sign) => sign.padEnd(10)).join('')}${seconds.toFixed(1).padStart(7)}`,
    );
  }
  return lines.join('\n');
}

/** Control characters would upset a terminal. */
// eslint-disable-next-line no-control-regex -- they are what is looked for
const printable = (text) => text.replaceAll(/[\u0000-\u001f\u007f]/g, (char) => (char === '\n' ? '⏎' : '·'));

export function frameLines(frames, length = 400) {
  return frames.map(({ side, way, status, text }) => {
    // Seen from the client: what it sends goes out, whoever recorded it.
    const out = (side === 'client') === (way === 'out');
    const line = printable(`${status === undefined ? '' : `${status} `}${text}`);
    return `    ${side} ${out ? '→' : '←'} ${line.length > length ? `${line.slice(0, length)}…` : line}`;
  });
}
