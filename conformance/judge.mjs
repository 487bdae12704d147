// Says what the outcome of one scenario is worth. Pure: files and processes are read elsewhere.

/** Scenarios in which the client is meant to give up, so that an exit code other than 0 is right. */
const clientMayFail = new Set([
  'auth/iss-normalized',
  'auth/iss-supported-missing',
  'auth/iss-unexpected',
  'auth/iss-wrong-issuer',
  'auth/metadata-issuer-mismatch',
  'auth/resource-mismatch',
  'auth/scope-retry-limit',
  'http-invalid-tool-headers',
  'sep-2640-client-verify-digest',
  'sep-2640-client-verify-frontmatter',
  'sep-2640-client-verify-size',
]);

/**
 * Judges one scenario.
 *
 * `run` is `{ leg, scenario, checks?, broken?, exit? }`: the checks the suite wrote (absent: none), the suite's message
 * if the scenario broke, and for clients the record of the process. `expected` is what `expectationsFor` returns.
 *
 * The verdict is `pass`, `expected failure`, `skipped` or `FAIL`; `problems` are `{ check, message }`. `excused` counts
 * the checks that failed or were skipped as listed, when the list names checks and not the whole scenario.
 */
export function judge(run, expected) {
  const checks = run.checks ?? [];
  const count = (status) => checks.filter((check) => check.status === status).length;
  const total = count('SUCCESS') + count('FAILURE') + count('WARNING');
  const outcome = (verdict, problems, reason, excused = 0) => ({
    scenario: run.scenario,
    verdict,
    problems,
    reason,
    excused,
    passed: count('SUCCESS'),
    total,
    skipped: count('SKIPPED'),
  });

  const wrong = [...processProblems(run), ...checkProblems(run)];
  if (total === 0 && run.checks !== undefined)
    wrong.push({ check: 'nothing-checked', message: 'no check succeeded or failed' });
  // A scenario that never began proves nothing, whatever was expected of it.
  if (run.checks === undefined && run.broken === undefined) {
    return outcome('FAIL', [{ check: 'never-ran', message: 'the suite wrote no checks for it' }, ...wrong]);
  }

  if (expected.skips.has('')) {
    if (total === 0 && wrong.every(({ skip, check }) => skip || check === 'nothing-checked'))
      return outcome('skipped', [], expected.skips.get(''));
    return outcome('FAIL', [{ check: 'unexpected-run', message: 'listed as skipped, but it ran' }, ...wrong]);
  }

  const skipped = wrong.filter((problem) => problem.skip && named(expected.skips, problem) !== undefined);
  const left = wrong.filter((problem) => !skipped.includes(problem));
  const noLongerSkipped = unmet(expected.skips, skipped).map((check) => ({
    check,
    message: 'listed as skipped, but it was not',
  }));

  if (expected.failures.has('')) {
    if (left.length === 0)
      return outcome('FAIL', [{ check: 'unexpected-pass', message: 'listed as a failure, but it passes' }]);
    if (noLongerSkipped.length > 0) return outcome('FAIL', noLongerSkipped);
    return outcome('expected failure', left, expected.failures.get(''));
  }

  const excused = left.filter((problem) => named(expected.failures, problem) !== undefined);
  const problems = [
    ...left.filter((problem) => !excused.includes(problem)),
    ...noLongerSkipped,
    ...unmet(expected.failures, excused).map((check) => ({
      check,
      message: 'listed as a failure, but it did not fail',
    })),
  ];
  if (problems.length > 0) return outcome('FAIL', problems);
  if (excused.length > 0)
    return outcome('expected failure', excused, reasons(expected.failures, excused), excused.length);
  return outcome('pass', skipped, reasons(expected.skips, skipped), skipped.length);
}

function processProblems({ leg, scenario, broken, exit }) {
  const problems = broken === undefined ? [] : [{ check: 'broken', message: broken }];
  if (leg !== 'client') return problems;
  if (exit?.started === undefined) problems.push({ check: 'client-exit', message: 'the client was never started' });
  else if (exit.finished === undefined)
    problems.push({ check: 'client-exit', message: 'the client did not end by itself: killed' });
  else if (exit.finished.code !== 0 && !clientMayFail.has(scenario)) {
    problems.push({ check: 'client-exit', message: `the client ended with exit code ${exit.finished.code}` });
  }
  return problems;
}

function checkProblems({ checks = [] }) {
  return checks
    .filter((check) => check.status !== 'SUCCESS' && check.status !== 'INFO')
    .map((check) => ({
      check: check.id,
      name: check.name,
      skip: check.status === 'SKIPPED',
      message: `${check.status}: ${check.errorMessage ?? check.description}`,
    }));
}

/** The reason listed for a problem, by the id or the name of its check. */
function named(list, problem) {
  return list.get(problem.check) ?? list.get(problem.name);
}

function reasons(list, problems) {
  const found = new Set(problems.map((problem) => named(list, problem)));
  return problems.length === 0 ? undefined : [...found].join('; ');
}

function unmet(list, problems) {
  const met = new Set(problems.flatMap((problem) => [problem.check, problem.name]));
  return [...list.keys()].filter((check) => check !== '' && !met.has(check));
}
