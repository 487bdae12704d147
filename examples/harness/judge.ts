/** How an example's process ended, and what it wrote to stdout and stderr. */
export interface Ended {
  readonly code: number | null;
  readonly timedOut: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Verdict {
  readonly verdict: 'PASS' | 'FAIL' | 'SKIP';
  readonly reason: string;
}

/** What an example that works never prints. */
const signatures: readonly (readonly [RegExp, string])[] = [
  [/❌/u, 'prints ❌'],
  [/^ {4}at .+:\d+:\d+\)?$/m, 'prints a stack trace'],
  [/unhandled ?(promise ?)?rejection|uncaught exception/i, 'has an error that nobody took'],
  [/\b(Type|Reference|Range|Syntax|Assertion)Error\b/, 'prints an error of its own code'],
  [/\bMaxListenersExceededWarning\b|\bDeprecationWarning\b/, 'prints a warning of Node'],
  [/FATAL ERROR/, 'ran out of memory'],
];

/** Judges an example by its exit code and its output; `expected` is the output its source promises, if it does. */
export function judge({ code, timedOut, stdout, stderr }: Ended, expected?: string): Verdict {
  if (timedOut) return fail('did not end in time (124)');
  if (code !== 0) return fail(`exit code ${code ?? 'none: killed'}`);
  const all = `${stdout}\n${stderr}`;
  const found = signatures.find(([signature]) => signature.test(all));
  if (found !== undefined) return fail(found[1]);
  const skipped = /^skip: (.+)$/m.exec(stdout)?.[1];
  if (skipped !== undefined) return { verdict: 'SKIP', reason: skipped };
  const ok = /^ok: (.+)$/m.exec(stdout)?.[1];
  if (ok === undefined) return fail('never says "ok: …"');
  const difference = expected === undefined ? undefined : differ(stdout, expected);
  return difference === undefined ? { verdict: 'PASS', reason: ok } : fail(difference);
}

/** The lines below `// Prints:` at the end of an example, if it has them. */
export function promised(source: string): string | undefined {
  const lines = /^\/\/ Prints:\n((?:\/\/.*\n?)+)/m.exec(source)?.[1];
  return lines?.replaceAll(/^\/\/(?: {3})?/gm, '');
}

function differ(actual: string, expected: string): string | undefined {
  const [is, should] = [actual.trimEnd().split('\n'), expected.trimEnd().split('\n')];
  const at = Array.from({ length: Math.max(is.length, should.length) }, (_, i) => i).find((i) => is[i] !== should[i]);
  if (at === undefined) return undefined;
  return `line ${at + 1} is ${JSON.stringify(is[at])}, its source promises ${JSON.stringify(should[at])}`;
}

function fail(reason: string): Verdict {
  return { verdict: 'FAIL', reason };
}
