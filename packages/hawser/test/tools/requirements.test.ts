import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { type Outcome, runScript, temporaryTree } from './run-script.ts';

type Status = 'passed' | 'failed' | 'skipped';

const ledgers = {
  'spec.json': [
    { id: 'HTTP-001', area: 'HTTP', level: 'MUST', role: 'server', era: 'modern', text: 'One path.' },
    { id: 'HTTP-002', area: 'HTTP', level: 'MUST NOT', role: 'both', era: 'modern', text: 'Check the Origin.' },
    { id: 'TASK-024a', area: 'TASK', level: 'MAY', role: 'client', era: 'modern', text: 'Wait.' },
    { id: 'B-01', area: 'APPENDIX-B', level: 'SHOULD', text: 'Which codes: three.' },
  ],
  'seeds.json': [
    { id: 'SEED-001', area: 'B Connect', text: 'Connects.', check: 'It is connected.' },
    { id: 'SEED-002', area: 'P Progress', text: 'Progresses.', check: 'It progressed.' },
  ],
  'cases.json': [
    { id: 'BUG-001', area: 'oauth-scope', role: 'client', title: 'Loops', fault: 'f', repro: 'r', right: 'x' },
  ],
};

const trees: ReturnType<typeof temporaryTree>[] = [];

afterEach(() => {
  for (const tree of trees.splice(0)) tree.remove();
});

function newTree(files: Record<string, string>): string {
  const tree = temporaryTree(files);
  trees.push(tree);
  return tree.path;
}

interface Fixture {
  tests?: readonly (readonly [title: string, status: Status])[];
  waivers?: readonly object[];
  args?: readonly string[];
}

function check({ tests = [], waivers = [], args = [] }: Fixture): Promise<Outcome> {
  const assertionResults = tests.map(([title, status]) => ({ title, fullName: `[HTTP-002] a group ${title}`, status }));
  const files = Object.entries({ ...ledgers, 'waivers.json': waivers }).map(([name, rows]) => [
    `ledgers/${name}`,
    JSON.stringify(rows),
  ]);
  const path = newTree({
    ...Object.fromEntries(files),
    'results.json': JSON.stringify({ testResults: [{ name: '/some/a.test.ts', assertionResults }] }),
  });
  const folders = ['--results', join(path, 'results.json'), '--requirements', join(path, 'ledgers')];
  return runScript('requirements.mjs', [...folders, ...args]);
}

describe('claims', () => {
  test('a passing test covers every id in the brackets that open its title', async () => {
    const { code, stdout } = await check({ tests: [['[HTTP-001 B-01 TASK-024a] one test, three rows', 'passed']] });
    expect(code).toBe(0);
    expect(stdout).toContain('3 rows covered');
    expect(stdout).toMatch(/specification +total +covered +MUST +covered\n/);
    expect(stdout).toMatch(/HTTP +2 +1 +2 +1 +50\.0 %\n/);
    expect(stdout).toMatch(/all +4 +3 +2 +1 +50\.0 %\n/);
    expect(stdout).toMatch(/all of these +7 +3 +5 +1 +20\.0 %\n/);
  });

  test('a failed test and a skipped test cover nothing', async () => {
    const { code, stdout } = await check({
      tests: [
        ['[HTTP-001] fails', 'failed'],
        ['[SEED-001] is skipped', 'skipped'],
      ],
    });
    expect(code).toBe(0);
    expect(stdout).toContain('0 rows covered');
  });

  test('the title of a group, an id later in the title and other brackets claim nothing', async () => {
    const { code, stdout } = await check({
      tests: [
        ['covers [HTTP-001] not', 'passed'],
        ['[service] a container', 'passed'],
      ],
    });
    expect(code).toBe(0);
    expect(stdout).toContain('0 rows covered');
  });

  test('an id that does not exist is an error that names the id and the test, even when the test failed', async () => {
    const { code, stderr } = await check({ tests: [['[HTTP-001 SEED-999] a typo', 'failed']] });
    expect(code).toBe(1);
    expect(stderr).toContain('a.test.ts');
    expect(stderr).toContain("'[HTTP-001 SEED-999] a typo' names SEED-999");
  });

  test('three ids are allowed, a fourth is an error', async () => {
    const { code, stderr } = await check({ tests: [['[HTTP-001 HTTP-002 B-01 BUG-001] too much', 'passed']] });
    expect(code).toBe(1);
    expect(stderr).toContain('names 4 ids, at most 3');
  });
});

describe('options', () => {
  test('--results may be said of several runs', async () => {
    const other = [{ title: '[BUG-001] passes elsewhere', fullName: '', status: 'passed' }];
    const path = newTree({
      'more.json': JSON.stringify({ testResults: [{ name: '/some/run.mjs', assertionResults: other }] }),
    });
    const { code, stdout } = await check({
      tests: [['[HTTP-001] passes', 'passed']],
      args: ['--results', join(path, 'more.json')],
    });
    expect(code).toBe(0);
    expect(stdout).toContain('read from 2 tests');
    expect(stdout).toContain('2 rows covered');
  });

  test('--missing lists the rows without a test and no other', async () => {
    const { stdout } = await check({ tests: [['[HTTP-001] passes', 'passed']], args: ['--missing'] });
    expect(stdout).toContain('HTTP-002');
    expect(stdout).toContain('BUG-001');
    expect(stdout).not.toContain('HTTP-001');
  });

  test.each([
    ['HTTP', ['HTTP-001', 'HTTP-002']],
    ['B', ['SEED-001']],
    ['SEED-B', ['SEED-001']],
    ['SEED-P,HTTP', ['HTTP-001', 'HTTP-002', 'SEED-002']],
    ['APPENDIX-B', ['B-01']],
    ['oauth', ['BUG-001']],
  ])('--area %s restricts the answer', async (area, ids) => {
    const { stdout } = await check({ args: ['--area', area, '--missing'] });
    expect(stdout.match(/^[A-Z]+-\d+/gm)).toEqual(ids);
  });

  test('--area with an unknown name fails and names the areas', async () => {
    const { code, stderr } = await check({ args: ['--area', 'HTPP'] });
    expect(code).toBe(1);
    expect(stderr).toContain('HTTP, TASK, APPENDIX-B, B Connect, P Progress, oauth');
  });

  test.each(['HTTP,HTPP', 'SEED-', 'SEED-HTTP'])('--area %s has one that there is not', async (area) => {
    const { code, stderr } = await check({ args: ['--area', area] });
    expect(code).toBe(1);
    expect(stderr).toContain('there is no area');
  });

  test.each([
    ['server', ['HTTP-001', 'HTTP-002', 'B-01', 'SEED-001', 'SEED-002']],
    ['client', ['HTTP-002', 'TASK-024a', 'B-01', 'SEED-001', 'SEED-002', 'BUG-001']],
  ])('--role %s keeps its rows, those of both and those that name no role', async (role, ids) => {
    const { stdout } = await check({ args: ['--role', role, '--missing'] });
    expect(stdout.match(/^[A-Z]+-\d+a?/gm)?.toSorted()).toEqual(ids.toSorted());
  });

  test('--role with an unknown name fails and names the roles', async () => {
    const { code, stderr } = await check({ args: ['--role', 'servant'] });
    expect(code).toBe(1);
    expect(stderr).toContain("there is no role 'servant'; the roles are: server, client");
  });

  test.each([
    ['50', 0],
    ['51', 1],
  ])('--must %s with half of the MUST rows covered exits with %i', async (must, expected) => {
    const tests = [['[HTTP-001 B-01] passes', 'passed']] as const;
    const { code, stderr } = await check({ tests, args: ['--must', must, '--area', 'HTTP'] });
    expect(code).toBe(expected);
    if (expected === 1) expect(stderr).toContain('50 % of what must be is covered, at least 51 % are required');
  });

  test.each([
    ['2', 0],
    ['3', 1],
  ])('--min %s with two covered rows exits with %i', async (min, expected) => {
    const { code } = await check({ tests: [['[HTTP-001 BUG-001] passes', 'passed']], args: ['--min', min] });
    expect(code).toBe(expected);
  });

  test('--prove draws covered rows only, each with its tests, and the same ones for the same seed', async () => {
    const tests = [
      ['[HTTP-001 HTTP-002] first', 'passed'],
      ['[SEED-001 BUG-001 B-01] second', 'passed'],
    ] as const;
    const run = async (seed: string) => (await check({ tests, args: ['--prove', '2', '--seed', seed] })).stdout;
    const drawn = (out: string) => out.match(/^[A-Z]+-\d+/gm);
    const first = await run('monday');
    expect(drawn(first)).toHaveLength(2);
    expect(first).toMatch(/a\.test\.ts: \[(HTTP-001 HTTP-002\] first|SEED-001 BUG-001 B-01\] second)/);
    expect(drawn(await run('monday'))).toEqual(drawn(first));
    const others = await Promise.all(
      ['a', 'b', 'c', 'd', 'e', 'f'].map(async (seed) => drawn(await run(seed))?.join()),
    );
    expect(new Set(others).size).toBeGreaterThan(1);
  });

  test('--json gives the state of every row', async () => {
    const { stdout } = await check({ tests: [['[HTTP-001] passes', 'passed']], args: ['--json', '--area', 'HTTP'] });
    const answer: unknown = JSON.parse(stdout);
    expect(answer).toMatchObject({
      total: 2,
      covered: 1,
      errors: [],
      rows: [
        { id: 'HTTP-001', state: 'covered', tests: [{ title: '[HTTP-001] passes' }] },
        { id: 'HTTP-002', state: 'missing', tests: [] },
      ],
    });
  });

  test('a missing result file is an error that says what makes it', async () => {
    const { code, stderr } = await runScript('requirements.mjs', ['--results', '/nowhere/results.json']);
    expect(code).toBe(1);
    expect(stderr).toContain('npm test');
  });
});

describe('waivers', () => {
  const waiver = { id: 'HTTP-002', reason: 'Needs a browser.', until: '2999-12-31' };

  test('a waived row is not missing', async () => {
    const { code, stdout } = await check({ waivers: [waiver], args: ['--missing', '--area', 'HTTP'] });
    expect(code).toBe(0);
    expect(stdout.match(/^HTTP-\d+/gm)).toEqual(['HTTP-001']);
  });

  test.each([
    ['past its end', { ...waiver, until: '2020-01-01' }, 'ended on 2020-01-01'],
    ['without a reason', { ...waiver, reason: '' }, 'no reason'],
    ['without an end', { id: 'HTTP-002', reason: 'r' }, 'until'],
    ['of an unknown row', { ...waiver, id: 'HTTP-999' }, 'no requirement HTTP-999'],
  ])('a waiver %s fails', async (_name, broken, message) => {
    const { code, stderr } = await check({ waivers: [broken] });
    expect(code).toBe(1);
    expect(stderr).toContain(message);
  });
});

test('the requirements of this repository are complete: every id is unique and no row is empty', async () => {
  const path = newTree({ 'results.json': '{"testResults":[]}' });
  const { code, stdout } = await runScript('requirements.mjs', ['--results', join(path, 'results.json'), '--json']);
  expect(code).toBe(0);
  const answer = JSON.parse(stdout) as { rows: { id: string }[] }; // the script's own output
  const count = (pattern: RegExp) => answer.rows.filter((row) => pattern.test(row.id)).length;
  expect([count(/^SEED-/), count(/^BUG-/), count(/^B-/), answer.rows.length]).toEqual([
    497,
    93,
    75,
    497 + 93 + 75 + 558,
  ]);
});
