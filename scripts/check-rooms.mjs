// Checks how the source of both packages is laid out: who imports whom, and what may be used where.
// `--root DIR` checks another tree with the same folders.
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { cycleProblems } from './check-rooms/cycles.mjs';
import { fileProblems } from './check-rooms/rules.mjs';
import { readSource } from './check-rooms/source.mjs';
import { manyLines, maxLines } from './check-rooms/table.mjs';

const { values } = parseArgs({
  options: { root: { type: 'string', default: fileURLToPath(new URL('..', import.meta.url)) } },
});
const files = readSource(values.root);
const all = [...files.values()];
const problems = [...all.flatMap(fileProblems), ...cycleProblems(files)];
problems.sort((a, b) => a.path.localeCompare(b.path) || a.line - b.line);

for (const { path, line, text } of problems) console.error(`${path}:${line} ${text}`);
for (const { path, lines } of all) {
  if (lines > manyLines && lines <= maxLines) console.log(`notice: ${path} has ${lines} lines`);
}
const imports = all.reduce((sum, file) => sum + file.imports.length, 0);
console.log(`rooms: ${all.length} files, ${imports} imports, ${problems.length} problems`);
if (all.length === 0) console.error(`error: there is no source below ${values.root}`);
process.exitCode = problems.length === 0 && all.length > 0 ? 0 : 1;
