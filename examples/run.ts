// Runs every example as a process of its own and says what became of it:
//   npm run examples -- [--list] [--only WORD] [--timeout MS] [--logs DIR] [--jobs N] [--dir DIR]
// Exit code 0 when none failed; one that was skipped has not failed. RUN_NPX=0 leaves out what needs npx;
// RUN_AI=1 and RUN_BROWSER=1 take in what costs money or needs a person.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { judge, promised, type Verdict } from './harness/judge.ts';
import { start } from './harness/start.ts';

const { values } = parseArgs({
  options: {
    dir: { type: 'string' },
    list: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    timeout: { type: 'string', default: '30000' },
    logs: { type: 'string' },
    jobs: { type: 'string', default: '3' },
  },
});
const here = fileURLToPath(new URL('.', import.meta.url));
const all =
  values.dir === undefined ? [join(here, 'demo.ts'), ...inFolder(join(here, 'features'))] : inFolder(values.dir);
const files = all.filter((file) => basename(file).includes(values.only));
if (values.list) {
  for (const file of files) console.log(file);
} else {
  process.exitCode = await runAll();
}

function inFolder(folder: string): string[] {
  const names = readdirSync(resolve(folder)).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
  return names.sort().map((name) => join(resolve(folder), name));
}

async function runAll(): Promise<number> {
  if (values.logs !== undefined) mkdirSync(values.logs, { recursive: true });
  const count = { PASS: 0, FAIL: 0, SKIP: 0 };
  const queue = files.values();
  const worker = async (): Promise<void> => {
    for (const file of queue) {
      const { verdict, reason } = await run(file);
      count[verdict] += 1;
      console.log(`${verdict}  ${basename(file, '.ts')}: ${reason}`);
    }
  };
  await Promise.all(Array.from({ length: Number(values.jobs) }, worker));
  console.log(`${count.PASS} passed, ${count.FAIL} failed, ${count.SKIP} skipped`);
  if (count.PASS + count.SKIP + count.FAIL === 0) console.log('there are no such examples');
  return count.FAIL === 0 && count.PASS + count.SKIP > 0 ? 0 : 1;
}

async function run(file: string): Promise<Verdict> {
  const source = readFileSync(file, 'utf8');
  const lacking = needs(source);
  if (lacking !== undefined) return { verdict: 'SKIP', reason: lacking };
  const ended = await start(file, [], Number(values.timeout));
  if (values.logs !== undefined) {
    writeFileSync(join(values.logs, `${basename(file, '.ts')}.log`), `${ended.stdout}${ended.stderr}`);
  }
  return judge(ended, promised(source));
}

/** Why an example with `// Needs: …` is not run, if it is not. */
function needs(source: string): string | undefined {
  const need = /^\/\/ Needs: (npx|ai|browser)$/m.exec(source)?.[1];
  if (need === undefined) return undefined;
  const flag = `RUN_${need.toUpperCase()}`;
  const wanted = process.env[flag] ?? (need === 'npx' ? '1' : '0');
  return wanted === '0' ? `needs ${need}, and ${flag} is not 1` : undefined;
}
