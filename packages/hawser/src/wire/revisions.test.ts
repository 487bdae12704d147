/** Which revisions there are, and which requests and rules each has. */
import { describe, expect, test } from 'vitest';
import type { Revision } from '../model/types.ts';
import { assumedOverHttp, newest, pick, revisions, revisionsOf, wireFor, wireOf, type Facts } from './index.ts';

describe('the revisions', () => {
  test('[VER-009] newest first, one of them modern', () => {
    expect(revisions).toEqual(['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']);
    expect(revisionsOf('modern')).toEqual(['2026-07-28']);
    expect(revisionsOf('legacy')).toEqual(['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']);
    expect(newest).toEqual({ modern: '2026-07-28', legacy: '2025-11-25' });
    expect(assumedOverHttp).toBe('2025-03-26');
  });

  test.each(['', '2025-11-25 ', '2025-11', '1900-01-01', '2099-01-01', 'DRAFT-2026-v1', 'constructor', '__proto__'])(
    'a version nobody speaks: %j',
    (version) => {
      expect(wireFor(version)).toBeUndefined();
    },
  );

  test.each<[string[], Revision | undefined, Revision | undefined]>([
    [[], undefined, undefined],
    [['2025-03-26', '2025-11-25', '2025-06-18'], undefined, '2025-11-25'],
    [['1900-01-01', '2026-07-28', '2024-11-05'], '2026-07-28', '2024-11-05'],
    [['2026-07-28', '2026-07-28'], '2026-07-28', undefined],
  ])('the best of %j', (offered, modern, legacy) => {
    expect(pick(offered, 'modern')).toBe(modern);
    expect(pick(offered, 'legacy')).toBe(legacy);
  });
});

const shared = [
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
  'completion/complete',
];
const legacyOnly = ['initialize', 'ping', 'logging/setLevel', 'resources/subscribe', 'resources/unsubscribe'];
const modernOnly = ['server/discover', 'subscriptions/listen'];
const tasksOfNovember = ['tasks/get', 'tasks/result', 'tasks/list', 'tasks/cancel'];
const never = [
  'roots/list',
  'sampling/createMessage',
  'elicitation/create',
  'tasks/update',
  'tools/get',
  '',
  'constructor',
  'notifications/initialized',
  'notifications/cancelled',
];

describe('requests from client to server', () => {
  test.each(shared)('%s is in all revisions', (method) => {
    for (const revision of revisions) expect(wireOf(revision).has(method), revision).toBe(true);
  });

  test.each(modernOnly)('[BASE-026] %s is modern', (method) => {
    for (const revision of revisions) expect(wireOf(revision).has(method), revision).toBe(revision === newest.modern);
  });

  test.each(legacyOnly)('[BASE-027] %s was removed in 2026-07-28', (method) => {
    for (const revision of revisions) expect(wireOf(revision).has(method), revision).toBe(revision !== newest.modern);
  });

  test.each(tasksOfNovember)('[BASE-027] %s is in 2025-11-25 only', (method) => {
    for (const revision of revisions) expect(wireOf(revision).has(method), revision).toBe(revision === '2025-11-25');
  });

  test.each(never)('[BASE-026 BASE-027] %j is in none', (method) => {
    for (const revision of revisions) expect(wireOf(revision).has(method), revision).toBe(false);
  });
});

describe('what a revision does its own way', () => {
  const column = (fact: keyof Facts): unknown[] =>
    revisions.toReversed().map((revision) => wireOf(revision).facts[fact]);

  test('batches: in 2025-03-26 alone', () => {
    expect(column('batches')).toEqual([false, true, false, false, false]);
  });

  test('the version header of HTTP', () => {
    expect(column('versionHeader')).toEqual(['never', 'never', 'after-initialize', 'after-initialize', 'always']);
  });

  test('going away cancels in the modern era alone', () => {
    expect(column('httpCancel')).toEqual([...Array<string>(4).fill('notification'), 'close']);
  });

  test('arguments that do not fit: a protocol error before 2025-11-25, a tool error since', () => {
    expect(column('inputErrors')).toEqual(['error', 'error', 'error', 'result', 'result']);
  });

  test('errors for messages without a readable id: with id null before 2025-11-25', () => {
    expect(column('nullErrorId')).toEqual([true, true, true, false, false]);
  });

  test('structured content: since 2025-06-18', () => {
    expect(column('structured')).toEqual([false, false, true, true, true]);
  });

  test('subscriptions are requests in the modern era alone', () => {
    expect(column('listens')).toEqual([false, false, false, false, true]);
  });

  test.each([
    ['tools/call', 'name'],
    ['prompts/get', 'name'],
    ['resources/read', 'uri'],
    ['tasks/get', 'taskId'],
    ['tasks/update', 'taskId'],
    ['tasks/cancel', 'taskId'],
    ['tools/list', undefined],
    ['server/discover', undefined],
    ['completion/complete', undefined],
    ['subscriptions/listen', undefined],
  ])('Mcp-Name repeats of %s: %s', (method, param) => {
    expect(wireOf(newest.modern).nameParam(method)).toBe(param);
    for (const revision of revisionsOf('legacy')) expect(wireOf(revision).nameParam(method)).toBeUndefined();
  });
});
