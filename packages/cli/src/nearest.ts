/** Names that may have been meant, best first: few changes away, or one contains the other. At most three. */
export function nearest(wanted: string, names: readonly string[]): string[] {
  const plain = (text: string) => text.toLowerCase().replaceAll(/[-_. ]/g, '');
  const target = plain(wanted);
  const limit = Math.min(4, Math.max(1, Math.floor(target.length / 3)));
  const rated: { name: string; distance: number }[] = [];
  for (const name of names) {
    const other = plain(name);
    const contained = target.length >= 3 && (other.includes(target) || target.includes(other));
    const distance = editDistance(target, other);
    if (distance <= limit || contained) rated.push({ name, distance });
  }
  return rated
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ name }) => name);
}

const longest = 100;

/** How many characters to insert, delete, replace or swap with their neighbour. Long names are compared in part. */
function editDistance(a: string, b: string): number {
  const from = a.slice(0, longest);
  const to = b.slice(0, longest);
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const same = from[i - 1] === to[j - 1];
      let best = Math.min(cell(last, j) + 1, cell(row, j - 1) + 1, cell(last, j - 1) + (same ? 0 : 1));
      const swapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      if (swapped) best = Math.min(best, cell(beforeLast, j - 2) + 1);
      row.push(best);
    }
    beforeLast = last;
    last = row;
  }
  return cell(last, to.length);
}

function cell(row: readonly number[], index: number): number {
  return row[index] ?? Infinity;
}
