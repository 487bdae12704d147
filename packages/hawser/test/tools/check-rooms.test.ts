import { beforeAll, describe, expect, test } from 'vitest';
import { runScript, temporaryTree } from './run-script.ts';

const src = 'packages/hawser/src';

/** Runs the check on a tree of these files. */
async function check(files: Readonly<Record<string, string>>) {
  const tree = temporaryTree(files);
  const { code, stdout, stderr } = await runScript('check-rooms.mjs', ['--root', tree.path]);
  tree.remove();
  const problems = stderr.split('\n').filter(Boolean);
  return { code, stdout, of: (file: string) => problems.filter((problem) => problem.startsWith(`${file}:`)), problems };
}

/** A tree without problems. */
const sound: Readonly<Record<string, string>> = {
  [`${src}/base/clock.ts`]:
    'export const now = () => performance.now() + Date.now();\nexport const wait = setTimeout;\n',
  [`${src}/base/errors.ts`]:
    "import type { Revision } from '../model/types.ts';\nexport class McpError extends Error {\n  revision?: Revision;\n}\n",
  [`${src}/model/types.ts`]:
    "export type Revision = '2025-11-25' | '2026-07-28';\nexport const newest: Revision = '2026-07-28';\n",
  [`${src}/ports/index.ts`]: "export type * from './link.ts';\n",
  [`${src}/ports/link.ts`]: 'export interface Link {\n  close(): void;\n}\n',
  [`${src}/wire/index.ts`]: "export { facts } from './2026-07-28/facts.ts';\n",
  [`${src}/wire/2026-07-28/facts.ts`]: "export const facts = { revision: '2026-07-28' };\n",
  [`${src}/core/gate.ts`]:
    "import { facts } from '../wire/index.ts';\n// not before '2026-07-28', see Date.now\nexport const gate = facts;\n",
  [`${src}/core/gate.test.ts`]:
    "import { serve } from '../server/serve.ts';\nexport const revision = '2026-07-28';\nserve();\n",
  [`${src}/server/serve.ts`]: "import { gate } from '../core/gate.ts';\nexport const serve = (): unknown => gate;\n",
  [`${src}/node/spawn.ts`]:
    "import { spawn } from 'node:child_process';\nexport const run = (): unknown => spawn(process.execPath);\n",
  [`${src}/entry/index.ts`]: "export { serve } from '../server/serve.ts';\n",
  [`${src}/entry/index.node.ts`]:
    "import { Agent } from 'undici';\nexport { run } from '../node/spawn.ts';\nexport const agent = Agent;\n",
  'packages/cli/src/hawser.ts': "import { serve } from 'hawser';\nsetTimeout(serve, 1);\nconsole.log(process.argv);\n",
};

test('a tree that keeps the rules passes, and the summary counts files and imports', async () => {
  const { code, stdout, problems } = await check(sound);
  expect(problems).toEqual([]);
  expect(stdout).toContain('rooms: 14 files, 11 imports, 0 problems');
  expect(code).toBe(0);
});

test('a tree without source fails', async () => {
  const { code } = await check({ 'readme.txt': '' });
  expect(code).toBe(1);
});

/** [what is broken, the file, its text, what the one message says] */
const broken: readonly (readonly [rule: string, file: string, text: string, message: string])[] = [
  [
    'a room that imports upwards',
    'core/up.ts',
    "import { serve } from '../server/serve.ts';\nserve();\n",
    'core/up.ts:1 imports server/serve.ts; core/ may import wire, base, model, ports',
  ],
  [
    'a type-only import upwards',
    'core/up2.ts',
    "\nimport type { serve } from '../server/serve.ts';\nexport type S = typeof serve;\n",
    'core/up2.ts:2 imports server/serve.ts',
  ],
  [
    'a dynamic import upwards',
    'core/up3.ts',
    "export const load = () => import('../server/serve.ts');\n",
    'imports server/serve.ts',
  ],
  [
    'an import between client and server',
    'client/x.ts',
    "export { serve } from '../server/serve.ts';\n",
    'client/ may import schema, wire, core, transport, config, base, model, ports',
  ],
  [
    'a revision imported outside wire',
    'server/x.ts',
    "export { facts } from '../wire/2026-07-28/facts.ts';\n",
    'a revision is imported only inside wire/',
  ],
  ['a file in no room', 'loose.ts', 'export const a = 1;\n', 'loose.ts:1 is in no room'],
  ['an import of the own package by name', 'core/self.ts', "export { connect } from 'hawser';\n", "imports 'hawser'"],
  [
    'an import out of the package',
    'core/out.ts',
    "export { x } from '../../../cli/src/hawser.ts';\n",
    'other packages are imported by name',
  ],
  ['code in ports', 'ports/code.ts', 'export const limit = 1;\n', 'ports/ holds types only'],
  [
    'a function in model',
    'model/code.ts',
    'export const double = (n: number) => n * 2;\n',
    'model/ holds types and constants only',
  ],
  [
    'a Node module',
    'core/n.ts',
    "import { join } from 'node:path';\njoin();\n",
    "core/n.ts:1 imports 'node:path'; Node's modules and undici are allowed only in src/node, ",
  ],
  [
    'a Node module without its prefix',
    'core/n2.ts',
    "import type { Stats } from 'fs';\nexport type S = Stats;\n",
    "imports 'fs'",
  ],
  ['undici', 'transport/n.ts', "export const load = () => import('undici');\n", "imports 'undici'"],
  [
    'a Node global',
    'core/n3.ts',
    'export const a = 1;\nexport const env = process.env;\n',
    'core/n3.ts:2 uses process;',
  ],
  ['a Node global by way of globalThis', 'core/n4.ts', 'export const b = globalThis.Buffer;\n', 'uses Buffer;'],
  ['a Node type', 'core/n5.ts', 'export type B = Buffer;\n', 'uses Buffer;'],
  [
    'a revision by name',
    'core/v.ts',
    "export const modern = (v: string) => v === '2026-07-28';\n",
    "core/v.ts:1 names the revision '2026-07-28'",
  ],
  ['Date.now', 'core/t.ts', 'export const a = Date.now();\n', 'uses Date.now;'],
  ['new Date()', 'core/t2.ts', 'export const a = new Date();\n', 'uses new Date();'],
  ['performance.now', 'core/t3.ts', 'export const a = performance.now();\n', 'uses performance.now;'],
  ['setTimeout', 'core/t4.ts', 'export const a = () => setTimeout(() => {}, 1);\n', 'uses setTimeout;'],
  ['setInterval', 'testing/t.ts', 'export const a = () => globalThis.setInterval(() => {}, 1);\n', 'uses setInterval;'],
  ['Math.random', 'core/t5.ts', 'export const a = Math.random();\n', 'uses Math.random;'],
  ['randomUUID', 'core/t6.ts', 'export const a = crypto.randomUUID();\n', 'uses crypto.randomUUID;'],
  [
    'an imported randomUUID',
    'node/t.ts',
    "import { randomUUID as id } from 'node:crypto';\nid();\n",
    'uses randomUUID;',
  ],
  ['AbortSignal.timeout', 'core/t7.ts', 'export const a = AbortSignal.timeout(5);\n', 'uses AbortSignal.timeout;'],
  [
    "Node's timers",
    'node/t2.ts',
    "export { setTimeout } from 'node:timers/promises';\n",
    "uses 'node:timers/promises';",
  ],
  ['a default export', 'core/d.ts', 'export default class A {}\n', 'has a default export'],
  [
    'a default export by name',
    'core/d2.ts',
    'const a = 1;\nexport { a as default };\n',
    'core/d2.ts:2 has a default export',
  ],
  ["'export *'", 'server/all.ts', "export * from './serve.ts';\n", "has 'export *'; it is allowed only in an index.ts"],
  [
    'a file of 501 lines',
    'core/long.ts',
    '// line\n'.repeat(501),
    'core/long.ts:501 has 501 lines; at most 500 are allowed',
  ],
  ['console', 'entry/c.ts', "console.error('x');\n", 'uses console.error;'],
];

const cycle: Readonly<Record<string, string>> = {
  [`${src}/core/a.ts`]: "import { b } from './b.ts';\nexport const a = () => b;\n",
  [`${src}/core/b.ts`]: "import { c } from './c.ts';\nexport const b = () => c;\n",
  [`${src}/core/c.ts`]: "import { a } from './a.ts';\nexport const c = () => a;\n",
  [`${src}/model/to.ts`]: "import type { B } from '../ports/fro.ts';\nexport type A = B;\n",
  [`${src}/ports/fro.ts`]: "import type { A } from '../model/to.ts';\nexport type B = A[];\n",
};

describe('each rule is broken once', () => {
  let outcome: Awaited<ReturnType<typeof check>>;

  beforeAll(async () => {
    const files = broken.map(([, file, text]) => [`${src}/${file}`, text]);
    const cli = { 'packages/cli/src/t.ts': 'setTimeout(() => {}, performance.now());\nsetInterval(() => {}, 1);\n' };
    outcome = await check({ ...sound, ...Object.fromEntries(files), ...cycle, ...cli });
  }, 60_000);

  test.each(broken)('%s', (_rule, file, _text, message) => {
    expect(outcome.of(`${src}/${file}`)).toEqual([expect.stringContaining(message)]);
  });

  test('a cycle between files is reported once, with the way round', () => {
    expect(outcome.of(`${src}/core/a.ts`)).toEqual([
      expect.stringContaining('core/a.ts → core/b.ts → core/c.ts → core/a.ts'),
    ]);
  });

  test('a cycle through a type-only import between two rooms counts', () => {
    expect(outcome.of(`${src}/model/to.ts`)).toEqual([
      expect.stringContaining('model/to.ts → ports/fro.ts → model/to.ts'),
    ]);
  });

  test('the command line may wait and measure, and use nothing else of a clock', () => {
    expect(outcome.of('packages/cli/src/t.ts')).toEqual([
      expect.stringContaining('packages/cli/src/t.ts:2 uses setInterval'),
    ]);
  });

  test('the summary counts the problems and the exit code is 1', () => {
    expect(outcome.problems).toHaveLength(broken.length + 3);
    expect(outcome.stdout).toContain(`, ${broken.length + 3} problems`);
    expect(outcome.code).toBe(1);
  });
});

/** [what looks like a breach and is none, the file, its text] */
const allowed: readonly (readonly [what: string, file: string, text: string])[] = [
  [
    'a name the file declares itself',
    'core/a1.ts',
    'export function run(process: { env: string }) {\n  return process.env;\n}\n',
  ],
  [
    'a member of that name',
    'core/a2.ts',
    'export const take = (x: { process: number; setTimeout(): void }) => [x.process, x.setTimeout()];\n',
  ],
  ['the type of a timer', 'core/a3.ts', 'export type Handle = ReturnType<typeof setTimeout>;\n'],
  ['a date from a number', 'core/a4.ts', 'export const at = (ms: number) => new Date(ms).toISOString();\n'],
  ['queueMicrotask', 'core/a5.ts', 'queueMicrotask(() => {});\n'],
  ['a revision as a type', 'core/a6.ts', "export type Old = '2025-11-25';\n"],
  ['a file of 500 lines', 'core/a7.ts', '// line\n'.repeat(500)],
  ["'export *' in a folder's index for Node", 'entry/index.node.ts', "export * from './index.ts';\n"],
  ['the clock of the testing room', 'testing/clock.ts', 'export const real = setTimeout;\n'],
  ['a type-only cycle inside one room', 'core/a8.ts', "import type { B } from './a9.ts';\nexport type A = B;\n"],
  ['the other half of that cycle', 'core/a9.ts', "import type { A } from './a8.ts';\nexport type B = A[];\n"],
];

describe('what looks like a breach and is none', () => {
  let outcome: Awaited<ReturnType<typeof check>>;

  beforeAll(async () => {
    outcome = await check({
      ...sound,
      ...Object.fromEntries(allowed.map(([, file, text]) => [`${src}/${file}`, text])),
    });
  }, 60_000);

  test.each(allowed)('%s', (_what, file) => {
    expect(outcome.of(`${src}/${file}`)).toEqual([]);
  });

  test('a file of more than 300 lines is a notice, and the exit code stays 0', () => {
    expect(outcome.stdout).toContain('notice: packages/hawser/src/core/a7.ts has 500 lines');
    expect(outcome.code).toBe(0);
  });
});
