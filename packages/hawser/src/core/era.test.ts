import { describe, expect, test } from 'vitest';
import type { RpcErrorObject } from '../base/errors.ts';
import { revisionsOf } from '../wire/index.ts';
import { judgeProbe, negotiated, supportedBy, tellsModern, type Outcome, type Verdict } from './era.ts';

const modern: Verdict = { do: 'modern', revision: '2026-07-28' };
const legacy: Verdict = { do: 'legacy', revision: '2025-11-25' };
const surface: Verdict = { do: 'surface' };
const failModern: Verdict = { do: 'fail-modern' };
const none = (...supported: string[]): Verdict => ({ do: 'no-common-version', supported });

const error = (code: number, data?: unknown, status?: number): Outcome => ({
  on: 'error',
  error: { code, message: 'no', ...(data !== undefined && { data }) },
  status,
});
const result = (members: Record<string, unknown>): Outcome => ({ on: 'result', result: members });
const status = (number: number): Outcome => ({ on: 'status', status: number });
const supported = (...versions: unknown[]): { supported: unknown[]; requested: string } => ({
  supported: versions,
  requested: '2026-07-28',
});

describe('what a probe tells', () => {
  test.each<[string, Outcome, Verdict]>([
    ['a result with our version', result({ supportedVersions: ['2026-07-28'] }), modern],
    ['a result with both eras', result({ supportedVersions: ['2025-11-25', '2026-07-28'] }), modern],
    [
      'a result of duplicates out of order',
      result({ supportedVersions: ['2025-06-18', '2026-07-28', '2026-07-28'] }),
      modern,
    ],
    ['a result with members that are no text', result({ supportedVersions: [null, 7, '2026-07-28'] }), modern],
    ['a result with unknown versions only', result({ supportedVersions: ['2027-01-01'] }), none('2027-01-01')],
    ['a result with no versions', result({ supportedVersions: [] }), none()],
  ])('[VER-007] %s', (_, outcome, verdict) => {
    expect(judgeProbe(outcome, false)).toEqual(verdict);
  });

  test.each<[string, Outcome, Verdict]>([
    ['-32020', error(-32020), failModern],
    ['-32020 at 400', error(-32020, undefined, 400), failModern],
    ['-32021 with what is required', error(-32021, { requiredCapabilities: { sampling: {} } }), failModern],
    ['-32021 without', error(-32021), legacy],
    ['-32021 with something else', error(-32021, { requiredCapabilities: ['sampling'] }), legacy],
    ['-32022 with our version', error(-32022, supported('2026-07-28')), { do: 'probe-again', revision: '2026-07-28' }],
    ['-32022 with unknown versions', error(-32022, supported('2099-01-01')), none('2099-01-01')],
    ['-32601', error(-32601), legacy],
    ['-32601 at 404', error(-32601, undefined, 404), legacy],
    ['-32602', error(-32602, ''), legacy],
    ['-32602 at 400', error(-32602, undefined, 400), legacy],
    ['-32600', error(-32600), legacy],
    ['-32603', error(-32603), legacy],
    ['-32700', error(-32700), legacy],
    ['-32002', error(-32002), legacy],
    ['-32042', error(-32042), legacy],
    ['-1', error(-1), legacy],
    ...Array.from({ length: 20 }, (_, i): [string, Outcome, Verdict] => [`${-32000 - i}`, error(-32000 - i), legacy]),
  ])('[VER-018 B-01] %s', (_, outcome, verdict) => {
    expect(judgeProbe(outcome, false)).toEqual(verdict);
  });

  test.each([-32001, -32003, -32004])('[LHTTP-034] %i of drafts and of old servers is not modern', (code) => {
    for (const data of [undefined, supported('2026-07-28'), { requiredCapabilities: {} }])
      for (const at of [200, 400, 404]) expect(judgeProbe(error(code, data, at), false)).toEqual(legacy);
  });

  test.each<[string, unknown, Verdict]>([
    ['one legacy version', supported('2025-11-25'), { do: 'legacy', revision: '2025-11-25' }],
    ['an older one', supported('2024-11-05'), { do: 'legacy', revision: '2024-11-05' }],
    [
      'several, unsorted and twice',
      supported('2025-03-26', '2025-06-18', '2025-03-26'),
      { do: 'legacy', revision: '2025-06-18' },
    ],
    [
      'an unknown modern one and a legacy one',
      supported('2027-01-01', '2025-06-18'),
      { do: 'legacy', revision: '2025-06-18' },
    ],
    ['an empty list', supported(), none()],
    ['no list', { requested: '2026-07-28' }, none()],
    ['a list that is none', { supported: '2026-07-28' }, none()],
    ['no data', undefined, none()],
    ['members that are no text', supported(1, null, {}), none()],
  ])('[B-02] -32022 with %s', (_, data, verdict) => {
    for (const again of [false, true]) expect(judgeProbe(error(-32022, data, 400), again)).toEqual(verdict);
  });

  test('[VER-003 B-04] -32022 that lists the very version it refused is believed once', () => {
    const refusal = error(-32022, supported('2026-07-28', '2025-11-25'), 400);
    expect(judgeProbe(refusal, false)).toEqual({ do: 'probe-again', revision: '2026-07-28' });
    expect(judgeProbe(refusal, true)).toEqual(none('2026-07-28', '2025-11-25'));
  });

  test.each<[number, Verdict]>([
    ...[200, 202, 204, 400, 402, 404, 405, 406, 409, 410, 411, 413, 415, 422, 426, 431, 451].map(
      (code): [number, Verdict] => [code, legacy],
    ),
    ...[301, 302, 303, 307, 308, 401, 403, 407, 408, 429].map((code): [number, Verdict] => [code, surface]),
    ...[500, 501, 502, 503, 504, 520, 599].map((code): [number, Verdict] => [code, surface]),
  ])('[VER-022 VER-023] status %i alone', (code, verdict) => {
    expect(judgeProbe(status(code), false)).toEqual(verdict);
    expect(judgeProbe(error(-32000, undefined, code), false)).toEqual(verdict);
  });

  test('a modern error counts at any status', () => {
    for (const at of [200, 400, 404, 500]) expect(judgeProbe(error(-32020, undefined, at), false)).toEqual(failModern);
  });

  test.each<[string, Outcome]>([
    ['nothing in time', { on: 'silence' }],
    ['what is no response', { on: 'garbage' }],
    ['a result without versions', result({})],
    ['a result whose versions are no list', result({ supportedVersions: '2026-07-28' })],
  ])('[VER-016] %s means legacy', (_, outcome) => {
    expect(judgeProbe(outcome, false)).toEqual(legacy);
  });
});

describe('which errors tell that a server is modern', () => {
  test.each<[RpcErrorObject, boolean]>([
    [{ code: -32020, message: '' }, true],
    [{ code: -32021, message: '', data: { requiredCapabilities: {} } }, true],
    [{ code: -32021, message: '' }, false],
    [{ code: -32022, message: '', data: { supported: ['2026-07-28'] } }, true],
    [{ code: -32022, message: '' }, true],
    [{ code: -32601, message: '' }, false],
    [{ code: -32602, message: '', data: { supported: ['2025-11-25'], requested: '2026-07-28' } }, false],
    [{ code: -32001, message: '' }, false],
  ])('%j: %s', (refusal, tells) => {
    expect(tellsModern(refusal)).toBe(tells);
  });
});

describe('supportedBy', () => {
  test.each<[unknown, string[]]>([
    [undefined, []],
    [null, []],
    ['2026-07-28', []],
    [{ supported: ['a', 1, 'b'] }, ['a', 'b']],
  ])('%j', (data, versions) => {
    expect(supportedBy({ code: -32022, message: '', ...(data !== undefined && { data }) })).toEqual(versions);
  });
});

describe('what an initialize was answered with', () => {
  test('every legacy revision, and no other', () => {
    for (const revision of revisionsOf('legacy')) expect(negotiated(revision)).toBe(revision);
    for (const other of ['2026-07-28', '1999-01-01', '', 20251125, null, undefined, ['2025-11-25']])
      expect(negotiated(other)).toBeUndefined();
  });
});
