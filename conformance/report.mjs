// Prints verdicts. A line per scenario; below a failing one a line per problem.

import { readFileSync, existsSync } from 'node:fs';
import { join, relative } from 'node:path';

const messageLimit = 600;

/** Prints the table of one leg. */
export function printLeg({ leg, revision, seconds, judged, problems, folder, verbose }) {
  const passed = judged.filter(({ verdict }) => verdict === 'pass').length;
  print(
    `\n${leg} ${revision}: ${passed} of ${judged.length} scenarios pass (${seconds} s, ${relative(process.cwd(), folder)})`,
  );
  for (const problem of problems) print(`  FAIL  ${problem}`);
  const width = Math.max(...judged.map(({ scenario }) => scenario.length));
  for (const one of judged) {
    const checks = `${one.passed}/${one.total}${one.skipped > 0 ? ` ${one.skipped}s` : ''}`;
    print(`  ${one.scenario.padEnd(width)}  ${checks.padEnd(8)}  ${one.verdict}${why(one)}`);
    if (verbose) for (const check of one.checks) print(`      ${check.status.padEnd(7)} ${check.id} (${check.name})`);
    if (one.verdict === 'FAIL' || verbose) printProblems(one);
  }
}

function why({ verdict, reason, excused }) {
  if (reason === undefined) return '';
  if (excused === 0) return `: ${reason}`;
  return ` (${excused} ${excused === 1 ? 'check' : 'checks'}${verdict === 'pass' ? ' skipped' : ''}: ${reason})`;
}

function printProblems({ verdict, problems, folder }) {
  for (const { check, name, message } of problems) {
    const label = name === undefined || name === check ? check : `${check} (${name})`;
    print(`      ${label}\n          ${shorten(message)}`);
  }
  if (verdict !== 'FAIL' || folder === undefined) return;
  const stderr = join(folder, 'stderr.txt');
  const said = existsSync(stderr) ? readFileSync(stderr, 'utf8').trimEnd() : '';
  if (said !== '')
    print(`      the client said:\n          ${shorten(said.split('\n').slice(-12).join('\n          '))}`);
}

/** Prints what is wrong with the list of expected failures. */
export function printFileProblems(file, problems) {
  for (const problem of problems) print(`FAIL  ${file}: ${problem}`);
}

/** Prints the closing line. */
export function printTotals(verdicts, fileProblems) {
  const count = (verdict) => verdicts.filter((each) => each === verdict).length;
  const failed = count('FAIL') + fileProblems;
  print(
    `\n${count('pass')} pass, ${count('expected failure')} expected failures, ${count('skipped')} skipped by the suite, ${failed} FAIL`,
  );
}

function shorten(text) {
  return text.length > messageLimit ? `${text.slice(0, messageLimit)}…` : text;
}

function print(line) {
  process.stdout.write(`${line}\n`);
}
