/**
 * Reads a file of `NAME=value` lines: `#` begins a comment, `export` before a name is skipped, quotes around a value
 * are taken off, and between double ones `\n`, `\r`, `\t`, `\"` and `\\` are escapes. Values are taken as they are,
 * placeholders too. Lines that are no such thing are skipped.
 */
export function parseEnvFile(text: string): Record<string, string> {
  const entries: [string, string][] = [];
  for (const line of text.replace(/^\uFEFF/, '').split(/\r?\n/)) {
    const [, name, value] = /^\s*(?:export\s+)?([A-Za-z_][\w.]*)\s*=\s*(.*)$/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) entries.push([name, unquote(value)]);
  }
  return Object.fromEntries(entries);
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

function unquote(value: string): string {
  const single = /^'([^']*)'/.exec(value)?.[1];
  if (single !== undefined) return single;
  const double = /^"((?:[^"\\]|\\.)*)"/.exec(value)?.[1];
  if (double !== undefined) return double.replace(/\\(["\\nrt])/g, (_whole, c: string) => escapes[c] ?? c);
  const comment = value.search(/(?:^|\s)#/);
  return (comment === -1 ? value : value.slice(0, comment)).trim();
}
