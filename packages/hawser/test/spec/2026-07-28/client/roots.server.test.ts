/** What a server makes of roots (2026-07-28 client/roots). */
import { describe, expect, test } from 'vitest';
import { Server } from '../../../../src/server/server.ts';
import { pathOf } from '../../../../src/server/rounds/questions/places.ts';
import { legacyRevisions } from '../../../support/links.ts';
import { drive, legacyOn, linkTo, textOf, toolCall, type Answering } from '../../../support/rounds.ts';
import { recorder, type Recorder } from '../../../support/stdio.ts';

function rooted(): { server: Server; log: Recorder } {
  const log = recorder();
  const server = new Server({ name: 's', version: '1', logger: log });
  server.tool('t', {}, async (_, ctx) => JSON.stringify(await ctx.roots()));
  return { server, log };
}

const roots = [{ uri: 'file:///tmp/my%20repo', name: 'Mine' }, { uri: 'file:///tmp/a%23b%3Fc%25d' }];
const places = [
  { ...roots[0], path: '/tmp/my repo' },
  { ...roots[1], path: '/tmp/a#b?c%d' },
];

test('[ROOT-002 BUG-154] modern: asked for by an input request, given as paths', async () => {
  const asked: unknown[] = [];
  const outcome = await drive(linkTo(rooted().server, 'direct'), toolCall('t'), (question) => {
    asked.push(question);
    return { roots };
  });
  expect(asked).toEqual([{ key: 'roots', method: 'roots/list', params: {} }]);
  expect(JSON.parse(textOf(outcome))).toEqual(places);
});

describe.each(legacyRevisions)('legacy: %s', (revision) => {
  const tell = async (answering: Answering): Promise<[unknown, string[]]> => {
    const { server, log } = rooted();
    const driver = await legacyOn(server, 'pipe', answering, revision);
    return [JSON.parse(textOf(await driver.call('t'))), log.of('warn')];
  };

  test('[BUG-154] paths, decoded', async () => {
    expect(await tell(() => ({ roots }))).toEqual([places, []]);
  });

  test('[BUG-154] bad ones are left out with a warning, the others stay', async () => {
    const given = ['file:///ok', 'file:///gone', 'http://x', 'file:///etc/../x', 'file://host/share', 'nonsense'];
    const [found, warnings] = await tell(() => ({
      roots: [...given.map((uri) => ({ uri })), { name: 'none' }, null, 5],
    }));
    expect(found).toEqual([
      { uri: 'file:///ok', path: '/ok' },
      { uri: 'file:///gone', path: '/gone' },
      { uri: 'file:///etc/../x', path: '/x' },
    ]);
    expect(warnings).toEqual([
      'a root is left out, its URI is no path: http://x',
      'a root is left out, its URI is no path: file://host/share',
      'a root is left out, its URI is no path: nonsense',
    ]);
  });

  test.each<[string, unknown]>([
    ['an empty list', { roots: [] }],
    ['no list', {}],
    ['a list that is none', { roots: 'file:///x' }],
    ['an error', { rpcError: { code: -32601, message: 'method not found' } }],
  ])('[BUG-154] %s is no roots', async (_, answer) => {
    expect((await tell(() => answer))[0]).toEqual([]);
  });
});

test.each([
  ['file:///', '/'],
  ['file:///a/', '/a'],
  ['file:///a//b', '/a/b'],
  ['file://localhost/a', '/a'],
  ['FILE:///a', '/a'],
  ['file:///a/%2e%2e/b', '/b'],
  ['file:///a/./b/../../..', '/'],
  ['file:///%D0%BA', '/к'],
  ['file:///C:/Users/ann%20b/', 'C:\\Users\\ann b'],
  ['file:///c:/', 'c:\\'],
  ['file:///c%3A/x', 'c:\\x'],
  ['file:///a%2Fb', undefined],
  ['file:///a%5c..%5cb', undefined],
  ['file:///a%00b', undefined],
  ['file:///%ff', undefined],
  ['file://host/share', undefined],
  ['/a', undefined],
  ['', undefined],
  ['data:,x', undefined],
])('[BUG-154] %s is the path %s', (uri, path) => {
  expect(pathOf(uri)).toBe(path);
});
