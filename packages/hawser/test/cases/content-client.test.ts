/** Content of every kind, good and bad, from a server by hand. The server's side of tools: tool-arguments. */
import { expect, test } from 'vitest';
import { InvalidResponseError } from '../../src/base/errors.ts';
import { decodeBase64 } from '../../src/client/content.ts';
import { revisions } from '../../src/wire/index.ts';
import { askedOf, openDeclaring } from '../support/features.ts';

const link = {
  type: 'resource_link',
  uri: 'http://127.0.0.1:9/never-fetched',
  name: 'report',
  title: 'Report',
  description: 'of last week',
  mimeType: 'text/csv',
  size: 12,
  annotations: { audience: ['user'], priority: 0.5, lastModified: '2026-01-01T00:00:00Z' },
  _meta: { own: 1 },
};
const content = [
  { type: 'text', text: '' },
  { type: 'text', text: 'one', annotations: { priority: 1 } },
  { type: 'image', data: 'AAEC', mimeType: 'image/png' },
  { type: 'audio', data: 'AA==', mimeType: 'audio/wav' },
  link,
  { type: 'resource', resource: { uri: 'x:t', mimeType: 'text/plain', text: 'inside' } },
  { type: 'resource', resource: { uri: 'x:b', blob: 'AA==' } },
  { type: 'future_x', a: 1 },
  { type: 'text' },
  { type: 'text', text: 5 },
  { type: 'resource' },
  { type: 'image', data: '!!!', mimeType: 'image/png' },
  { type: 'text', text: 'two' },
];

const calling = (result: unknown, revision: (typeof revisions)[number] = '2026-07-28') =>
  openDeclaring(revision, { tools: {} }, { 'tools/call': () => result });

test.each(revisions)(
  '[BUG-145] blocks come as they are and in order, unknown and broken ones too (%s)',
  async (revision) => {
    const { client, server } = await calling({ content }, revision);
    const result = await client.callTool('t');
    expect(result.content).toEqual(content);
    expect(result.text).toBe('\none\ntwo');
    expect(result.images.map(({ data }) => data)).toEqual(['AAEC', '!!!']);
    expect(result.links).toEqual([link]);
    expect(result.resources.map(({ uri, text, blob }) => [uri, text, blob])).toEqual([
      ['x:t', 'inside', undefined],
      ['x:b', undefined, 'AA=='],
    ]);
    // Links are not followed.
    expect(askedOf(server)).toEqual(['tools/call']);
  },
);

test('[BUG-145] base64 that is none is an error of whoever decodes it', async () => {
  const { client } = await calling({ content });
  const [good, bad] = (await client.callTool('t')).images;
  expect(decodeBase64(good?.data ?? '')).toEqual(new Uint8Array([0, 1, 2]));
  expect(() => decodeBase64(bad?.data ?? '')).toThrow(InvalidResponseError);
});

test.each([
  [{ structuredContent: { a: 1 } }, { a: 1 }],
  [{ content: null, structuredContent: { a: 1 } }, { a: 1 }],
  [{ content: null }, undefined],
  [{ content: [] }, undefined],
])('[BUG-145] content that is missing is an empty list: %j', async (result, structured) => {
  const { client } = await calling(result);
  const { content: got, text, structured: value } = await client.callTool('t');
  expect([got, text, value]).toEqual([[], '', structured]);
});

test.each([null, 'text', {}, { type: 5 }])('[BUG-145] one that is no block does not lose the rest: %j', async (bad) => {
  const { client } = await calling({ content: [bad, { type: 'text', text: 'kept' }] });
  const result = await client.callTool('t');
  expect(result.text).toBe('kept');
  expect(result.raw['content']).toEqual([bad, { type: 'text', text: 'kept' }]);
});
