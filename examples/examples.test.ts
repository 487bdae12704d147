/** Every example runs, by itself, and every page of the documentation shows nothing but what runs. */
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { promised, type Ended } from './harness/judge.ts';
import { start } from './harness/start.ts';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const features = readdirSync(at('features')).filter((name) => name.endsWith('.ts'));
const pages = ['README.md', 'examples/README.md', ...readdirSync(at('../docs')).map((name) => `docs/${name}`)];

const logs = mkdtempSync(join(tmpdir(), 'hawser-examples-'));
let ran: Ended;
beforeAll(async () => {
  ran = await start(at('run.ts'), ['--jobs', '2', '--logs', logs], 110_000, { RUN_NPX: '0', RUN_AI: '0' });
}, 120_000);

test('[SEED-491] every example passes or says why it is skipped', () => {
  const lines = ran.stdout.trim().split('\n');
  const summary = lines.pop();
  expect(lines.filter((line) => !/^(PASS|SKIP) {2}[\w-]+: ./.test(line))).toEqual([]);
  expect(lines.length).toBe(features.length + 1);
  expect(summary).toBe(`${features.length} passed, 0 failed, 1 skipped`);
  expect(ran.code).toBe(0);
});

test('[SEED-495] the demonstration visits our server four times, and one we did not write', () => {
  const said = readFileSync(join(logs, 'demo.log'), 'utf8');
  const visits = said.split('── ').slice(1);
  expect(visits.map((visit) => / speaks +(\S+) .* is (\S+)/.exec(visit)?.slice(1))).toEqual([
    ['2026-07-28', 'library'],
    ['2026-07-28', 'library'],
    ['2025-11-25', 'library'],
    ['2025-11-25', 'library'],
    ['2025-11-25', 'mcp-servers/everything'],
  ]);
  for (const visit of visits.slice(0, 4)) {
    for (const word of ['log', 'progress', 'search', 'read', 'prompt', 'mistake', 'asks', 'note', 'changed'])
      expect(visit).toMatch(new RegExp(`^   ${word} +\\S`, 'm'));
    expect(visit).toContain('note      Nothing was written.');
    expect(visit).toContain('note      Written: Ropes');
  }
  for (const line of ['echo      Echo: héllo', 'get-sum   The sum of 19 and 23 is 42.', 'model     said Ahoy.'])
    expect(visits[4]).toContain(line);
});

test('the list of examples has all of them', () => {
  const listed = [...readFileSync(at('README.md'), 'utf8').matchAll(/\(features\/(.+)\) \|/g)].map(([, name]) => name);
  expect(new Set(listed)).toEqual(new Set(features));
});

test.each(features)('%s says at its end what it prints, and is short', (name) => {
  const source = readFileSync(at(`features/${name}`), 'utf8');
  expect(promised(source)).toMatch(/^ok: .+$/m);
  expect(source.replace(/\n\/\/ Prints:[^]*/, '').split('\n').length).toBeLessThanOrEqual(75);
});

test.each(pages)('%s shows TypeScript only from examples that run', (page) => {
  const text = readFileSync(at(`../${page}`), 'utf8');
  const blocks = [...text.matchAll(/(?:<!-- examples\/(\S+) -->\n)?```ts\n([^]*?)```/g)];
  expect(blocks.length).toBe(text.split('```ts').length - 1);
  for (const [, name, code] of blocks) {
    expect(name, `an example's name above: ${code}`).toBeDefined();
    expect(code?.trim()).not.toBe('');
    // As it stands there, or as a block of it stands one level in.
    const source = readFileSync(at(name as string), 'utf8');
    expect(
      [code, code?.replaceAll(/^(?=.)/gm, '  ')].some((text) => source.includes(text as string)),
      code,
    ).toBe(true);
    expect(known, name).toContain(basename(name as string));
  }
});

/** The examples that a test of this folder runs. */
const others = [
  'readme-server.ts',
  'readme-client.ts',
  'readme-in-process.ts',
  'demo.ts',
  'library.ts',
  'library-stdio.ts',
];
const known = [...features, ...others];

test.each(pages)('the links of %s lead somewhere', (page) => {
  const text = readFileSync(at(`../${page}`), 'utf8');
  for (const [, link] of text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)) {
    expect(() => readFileSync(new URL(link as string, new URL(`../${page}`, import.meta.url)))).not.toThrow();
  }
});
