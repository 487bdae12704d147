// Checks what users will install: packs both packages, lints the tarballs, installs them into an empty project, and
// there runs and type-checks a small program. Every failure is reported; exits with 1 when there is one.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundledSize } from './check-pack/bundle.mjs';
import { program, schemaProgram, typedProgram } from './check-pack/consumer.mjs';
import { nodeImports } from './check-pack/reach.mjs';
import { run } from './check-pack/run.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const tool = (name) => join(root, 'node_modules', '.bin', name);
const folder = mkdtempSync(join(tmpdir(), 'hawser-pack-'));
const project = join(folder, 'project');
const installed = join(project, 'node_modules', 'hawser');
const failures = [];

/** Does one step; a failure is kept and the answer is undefined. */
async function step(name, action) {
  try {
    const note = await action();
    console.log(`ok    ${name}${typeof note === 'string' && note !== '' ? `: ${note}` : ''}`);
    return note ?? true;
  } catch (error) {
    failures.push(name);
    console.error(`FAIL  ${name}\n${error.message.replace(/^/gm, '      ')}`);
    return undefined;
  }
}

/** Packs a workspace; returns the tarball's path and the paths in it. */
async function pack(workspace) {
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder, '--workspace', workspace], {
    cwd: root,
  });
  const answer = JSON.parse(stdout);
  const [{ filename, files }] = Array.isArray(answer) ? answer : Object.values(answer);
  return { tarball: join(folder, filename.replace('@', '').replace('/', '-')), paths: files.map((file) => file.path) };
}

/** A tarball holds what was built and the papers, and nothing else. */
function checkFiles({ paths }) {
  const lacking = ['README.md', 'LICENSE', 'package.json'].filter((name) => !paths.includes(name));
  const odd = paths.filter(
    (path) => !/^(dist\/|README\.md$|LICENSE$|package\.json$)/.test(path) || /\.test\./.test(path),
  );
  const problems = [
    ...lacking.map((name) => `${name} is missing`),
    ...odd.map((name) => `${name} does not belong in it`),
  ];
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return `${paths.length} files`;
}

async function install(tarballs) {
  mkdirSync(project);
  const types = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).devDependencies['@types/node'];
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'consumer', private: true, type: 'module' }));
  await run('npm', ['install', '--no-audit', '--no-fund', ...tarballs, `@types/node@${types}`], { cwd: project });
}

/** Runs a program in the project, which has to print so much and no more. */
async function runProgram(source, flag, expected) {
  writeFileSync(join(project, 'program.js'), source);
  const { stdout } = await run(process.execPath, [flag, 'program.js'], { cwd: project, timeout: 60_000 });
  if (stdout.trim() !== expected) throw new Error(`the program printed: ${stdout}`);
}

const runSums = (entry) =>
  runProgram(program(entry), '--unhandled-rejections=strict', 'modern: 2 + 3 = 5\nlegacy: 2 + 3 = 5');

/** Runtimes at the edge forbid `eval`: the schema engine has to do without. */
const runWithoutEval = () =>
  runProgram(schemaProgram, '--disallow-code-generation-from-strings', 'true false true false true false');

const maxSchemaBytes = 12 * 1024;

/** The schema engine is in the bundle of whoever shows tools: it stays small. */
async function checkSchemaSize() {
  const { loaded, later } = await bundledSize(project, join(installed, 'dist', 'schema.js'), ['re2js']);
  const note = `${loaded} bytes, and ${later} for formats and regular expressions of strangers when they are needed`;
  if (loaded > maxSchemaBytes)
    throw new Error(`hawser/schema may have ${maxSchemaBytes} bytes gzipped, but has ${note}`);
  return note;
}

async function typeCheck(module, moduleResolution) {
  writeFileSync(join(project, 'typed.ts'), typedProgram);
  const compilerOptions = {
    target: 'es2022',
    lib: ['es2023', 'dom', 'dom.iterable', 'esnext.disposable'],
    module,
    moduleResolution,
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    verbatimModuleSyntax: true,
    skipLibCheck: false,
    noEmit: true,
    types: ['node'],
  };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['typed.ts'] }));
  await run(tool('tsc'), ['-p', '.'], { cwd: project });
}

function withoutNode(entry) {
  const found = nodeImports(join(installed, 'dist'), entry);
  if (found.length > 0) {
    throw new Error(
      `dist/${entry} has to run without Node, yet it reaches:\n${found.map((way) => way.join(' → ')).join('\n')}`,
    );
  }
}

async function main() {
  if (!(await step('build', () => run('npm', ['run', 'build', '--silent'], { cwd: root }).then(() => undefined))))
    return;
  const library = await step('pack hawser', () => pack('hawser'));
  const cli = await step('pack @hawser/cli', () => pack('@hawser/cli'));
  if (!library || !cli) return;
  await step('files of hawser', () => checkFiles(library));
  await step('files of @hawser/cli', () => checkFiles(cli));
  await step('publint hawser', () => run(tool('publint'), ['run', '--strict', library.tarball]).then(() => undefined));
  await step('publint @hawser/cli', () => run(tool('publint'), ['run', '--strict', cli.tarball]).then(() => undefined));
  await step('are the types wrong', () =>
    run(tool('attw'), [library.tarball, '--profile', 'esm-only', '--format', 'ascii', '--no-color', '--no-emoji']).then(
      () => undefined,
    ),
  );
  if (!(await step('install both into an empty project', () => install([library.tarball, cli.tarball])))) return;
  await step('run a program that serves and calls a tool', () => runSums('hawser'));
  await step('run it with the entry for other platforms', () => runSums('./node_modules/hawser/dist/index.js'));
  await step('compile schemas where no code may be generated', runWithoutEval);
  await step('size of hawser/schema without re2js, gzipped', checkSchemaSize);
  await step('npx hawser --help', async () => {
    const { stdout } = await run('npx', ['--no-install', 'hawser', '--help'], { cwd: project });
    if (!/usage/i.test(stdout)) throw new Error(`it printed: ${stdout}`);
  });
  await step('type-check with nodenext', () => typeCheck('nodenext', 'nodenext'));
  await step('type-check with bundler', () => typeCheck('esnext', 'bundler'));
  for (const entry of ['index.js', 'server.js']) await step(`dist/${entry} needs no Node`, () => withoutNode(entry));
}

try {
  await main();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(failures.length === 0 ? 'pack: no problems' : `pack: ${failures.length} problems: ${failures.join(', ')}`);
process.exitCode = failures.length === 0 ? 0 : 1;
