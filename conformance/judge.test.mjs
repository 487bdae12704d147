import { describe, expect, test } from 'vitest';
import { expectationsFor, staleExpectations } from './expectations.mjs';
import { judge } from './judge.mjs';

const success = { id: 'good', name: 'Good', description: 'works', status: 'SUCCESS' };
const failure = { id: 'bad', name: 'Bad', description: 'works', status: 'FAILURE', errorMessage: 'it did not' };
const skipped = { id: 'left-out', name: 'LeftOut', description: 'works', status: 'SKIPPED' };
const ended = { started: {}, finished: { code: 0 } };

function server(checks, { failures = [], skips = [] } = {}) {
  return judge({ leg: 'server', scenario: 'one', checks }, { failures: new Map(failures), skips: new Map(skips) });
}

function client(exit, scenario = 'tools_call') {
  return judge({ leg: 'client', scenario, checks: [success], exit }, { failures: new Map(), skips: new Map() });
}

const names = ({ problems }) => problems.map(({ check }) => check);

describe('a scenario with no expectations', () => {
  test('passes when a check succeeds and none fails', () => {
    expect(server([success, { ...success, status: 'INFO' }])).toMatchObject({ verdict: 'pass', passed: 1, total: 1 });
  });

  test.each(['FAILURE', 'WARNING', 'SKIPPED'])('fails on a check that says %s', (status) => {
    expect(server([success, { ...failure, status }])).toMatchObject({
      verdict: 'FAIL',
      problems: [{ check: 'bad', message: `${status}: it did not` }],
    });
  });

  test('fails when no check said anything', () => {
    expect(names(server([]))).toEqual(['nothing-checked']);
    expect(names(server([{ ...success, status: 'INFO' }]))).toEqual(['nothing-checked']);
  });

  test('fails when it never ran', () => {
    expect(names(server(undefined))).toEqual(['never-ran']);
  });
});

describe('a scenario listed as a failure', () => {
  const failures = [['', 'not built']];

  test('is excused when a check fails, when it broke and when nothing was checked', () => {
    expect(server([success, failure], { failures })).toMatchObject({
      verdict: 'expected failure',
      reason: 'not built',
    });
    expect(server([], { failures }).verdict).toBe('expected failure');
    const broken = { leg: 'server', scenario: 'one', broken: 'TypeError' };
    expect(judge(broken, { failures: new Map(failures), skips: new Map() }).verdict).toBe('expected failure');
  });

  test('fails when it passes', () => {
    expect(names(server([success], { failures }))).toEqual(['unexpected-pass']);
  });

  test('fails when it never ran', () => {
    expect(server(undefined, { failures }).verdict).toBe('FAIL');
  });
});

describe('single checks', () => {
  test('are excused by id or by name, other checks are not', () => {
    for (const key of ['bad', 'Bad']) {
      const failures = [[key, 'not built']];
      expect(server([success, failure], { failures })).toMatchObject({ verdict: 'expected failure', excused: 1 });
      expect(names(server([{ ...failure, id: 'other', name: 'Other' }, failure], { failures }))).toEqual(['other']);
    }
  });

  test('fail their scenario when they do not fail any more', () => {
    expect(names(server([success], { failures: [['bad', 'not built']] }))).toEqual(['bad']);
  });

  test('may be skipped when listed, and fail their scenario when they run after all', () => {
    const skips = [['LeftOut', 'not claimed']];
    expect(server([success, skipped], { skips })).toMatchObject({ verdict: 'pass', excused: 1 });
    expect(names(server([success], { skips }))).toEqual(['LeftOut']);
  });
});

describe('a scenario listed as skipped', () => {
  const skips = [['', 'the suite skips it']];

  test('is skipped while no check succeeds or fails', () => {
    expect(server([skipped], { skips }).verdict).toBe('skipped');
    expect(names(server([success, skipped], { skips }))).toContain('unexpected-run');
  });
});

describe('a client process', () => {
  test('passes when it ended by itself with 0', () => {
    expect(client(ended).verdict).toBe('pass');
  });

  test.each([
    ['was killed', { started: {} }],
    ['was never started', undefined],
    ['ended with another code', { started: {}, finished: { code: 1 } }],
  ])('fails when it %s', (_, exit) => {
    expect(names(client(exit))).toEqual(['client-exit']);
  });

  test('may end with another code, but not be killed, where it is meant to give up', () => {
    expect(client({ started: {}, finished: { code: 1 } }, 'http-invalid-tool-headers').verdict).toBe('pass');
    expect(client({ started: {} }, 'http-invalid-tool-headers').verdict).toBe('FAIL');
  });
});

describe('the list of expectations', () => {
  const file = (entry) => ({ failures: [{ leg: 'server', reason: 'not built', ...entry }], skips: [] });
  const sets = { old: ['a', 'b/c'], new: ['a', 'd'] };
  const stale = (entry) => staleExpectations(file(entry), ['old', 'new'], (_, revision) => sets[revision]);

  test('is picked by leg, revision and scenario', () => {
    const list = file({ revisions: ['new'], scenarios: ['a', 'a:check'] });
    expect([...expectationsFor(list, 'server', 'new', 'a').failures.keys()]).toEqual(['', 'check']);
    expect(expectationsFor(list, 'server', 'old', 'a').failures.size).toBe(0);
    expect(expectationsFor(list, 'client', 'new', 'a').failures.size).toBe(0);
    expect(expectationsFor(list, 'server', 'new', 'd').failures.size).toBe(0);
  });

  test('may not name a scenario that does not run, or one twice, or give no reason', () => {
    expect(stale({ scenarios: ['a', 'b/c', 'd:check'] })).toEqual([]);
    expect(stale({ scenarios: ['gone'] })).toHaveLength(1);
    expect(stale({ revisions: ['old', 'new'], scenarios: ['d'] })).toHaveLength(1);
    expect(stale({ revisions: ['old'], scenarios: ['a', 'a'] })).toHaveLength(1);
    expect(stale({ reason: '', scenarios: ['a'] })).toHaveLength(1);
  });
});
