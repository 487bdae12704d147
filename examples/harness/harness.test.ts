/** The harness has to find what is wrong: planted examples that fail in every way it knows. */
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { judge, promised, type Ended } from './judge.ts';
import { start } from './start.ts';

const run = fileURLToPath(new URL('../run.ts', import.meta.url));
const planted = fileURLToPath(new URL('./planted', import.meta.url));
/** Processes take their time on a busy machine. */
const slow = { timeout: 60_000 };
const good: Ended = { code: 0, timedOut: false, stdout: 'ok: done\n', stderr: '' };

test('[SEED-492] planted examples fail, each for its own reason, and so does the run', slow, async () => {
  const logs = mkdtempSync(join(tmpdir(), 'hawser-logs-'));
  const { code, stdout, stderr } = await start(run, ['--dir', planted, '--only', 'bad-', '--logs', logs], 60_000);
  expect(stderr).toBe('');
  expect(stdout.trim().split('\n').sort()).toEqual([
    '0 passed, 4 failed, 0 skipped',
    'FAIL  bad-cross: prints ❌',
    'FAIL  bad-exit: exit code 1',
    'FAIL  bad-promise: line 1 is "ok: but something else", its source promises "ok: what it promised"',
    'FAIL  bad-silent: never says "ok: …"',
  ]);
  expect(code).toBe(1);
  expect(readFileSync(join(logs, 'bad-silent.log'), 'utf8')).toBe('ends without a word on how it went\n');
});

test('[SEED-492] an example that does not end in time fails, and is killed', slow, async () => {
  const { code, stdout } = await start(run, ['--dir', planted, '--only', 'sleeper', '--timeout', '200'], 60_000);
  expect(stdout).toBe('FAIL  sleeper: did not end in time (124)\n0 passed, 1 failed, 0 skipped\n');
  expect(code).toBe(1);
});

test('the run succeeds when nothing failed; what is skipped says why', slow, async () => {
  const [passed, skipped, none] = await Promise.all(
    ['good', 'skipped', 'nothing'].map((word) => start(run, ['--dir', planted, '--only', word], 60_000)),
  );
  expect(passed).toMatchObject({ code: 0, stdout: 'PASS  good: it is good\n1 passed, 0 failed, 0 skipped\n' });
  expect(skipped?.stdout).toContain('SKIP  skipped: needs browser, and RUN_BROWSER is not 1\n');
  expect(skipped?.code).toBe(0);
  expect(none?.code).toBe(1);
});

test.each([
  ['a stack trace', '    at thing (file:///a/b.ts:3:7)\nok: done\n'],
  ['an error of its own code', 'TypeError: x is undefined\nok: done\n'],
  ['a rejection nobody took', 'ok: done\n(node:1) UnhandledPromiseRejectionWarning: x\n'],
  ['an error that was not caught', 'Uncaught exception: x\nok: done\n'],
  ['a warning of Node', 'ok: done\n(node:1) MaxListenersExceededWarning: Possible leak\n'],
  ['no memory', 'ok: done\nFATAL ERROR: Reached heap limit\n'],
])('the output is searched on both streams: %s', (_, text) => {
  expect(judge({ ...good, stdout: text }).verdict).toBe('FAIL');
  expect(judge({ ...good, stderr: text }).verdict).toBe('FAIL');
});

test('an example may skip itself, and one that was killed has failed', () => {
  expect(judge({ ...good, stdout: 'skip: there is no printer\n' })).toEqual({
    verdict: 'SKIP',
    reason: 'there is no printer',
  });
  expect(judge({ ...good, code: null }).verdict).toBe('FAIL');
  expect(judge(good)).toEqual({ verdict: 'PASS', reason: 'done' });
});

test('what an example promises stands at its end', () => {
  expect(promised('run();\n')).toBeUndefined();
  expect(promised('run();\n\n// Prints:\n//   a\n//     b\n//\n//   ok: c\n')).toBe('a\n  b\n\nok: c\n');
  expect(judge({ ...good, stdout: 'a\nok: done\n' }, 'a\nok: done\n').verdict).toBe('PASS');
  expect(judge({ ...good, stdout: 'a\nok: done\nmore\n' }, 'a\nok: done\n').verdict).toBe('FAIL');
  expect(judge({ ...good, stdout: 'ok: done\n' }, 'a\nok: done\n').verdict).toBe('FAIL');
});
