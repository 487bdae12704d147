/** Resources that are not there, URIs that are none, and URIs made to hold a matcher up. */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { Server } from '../../src/server/server.ts';
import { openLink, overEveryLink } from '../support/links.ts';
import { rpcOf } from '../support/rpc.ts';

const bare = (): Server => new Server({ name: 's', version: '1' });

overEveryLink(
  '[BUG-159] not found is not found, malformed is malformed, and what breaks says nothing of itself',
  {
    server: () =>
      bare()
        .resource('file:///a', { name: 'a' }, () => 'a')
        .resource('x://empty', { name: 'empty' }, () => [])
        .template('y://{id}', { name: 'y' }, () => {
          throw new Error('ENOENT: no such file, open /srv/secret/db.sqlite');
        }),
  },
  async ({ client, revision }) => {
    const read = (params: JsonObject) => client.sendRequest('resources/read', params);
    const notFound = revision === '2026-07-28' ? -32602 : -32002;
    for (const uri of ['x://nope', 'FILE:///A', 'FILE:///a', 'file:///A', 'file:///%61'])
      expect(await rpcOf(read({ uri }))).toEqual({ code: notFound, message: 'resource not found', data: { uri } });
    for (const params of [
      { uri: 'not a uri' },
      { uri: '' },
      {},
      { uri: 'x://100%' },
      { uri: '%' },
      { uri: ['file:///a'] },
    ])
      expect(await rpcOf(read(params))).toEqual({ code: -32602, message: 'params.uri must be a URI' });
    expect(await rpcOf(read({ uri: 'y://1' }))).toEqual({
      code: -32603,
      message: "internal error: the server's log says more",
    });
    expect(await read({ uri: 'file:///a' })).toMatchObject({ contents: [{ uri: 'file:///a', text: 'a' }] });
    // Nothing in it is not the same as not there: its author says so.
    expect(await read({ uri: 'x://empty' })).toMatchObject({ contents: [] });
  },
);

describe('hostile URIs', () => {
  const server = (): Server =>
    bare()
      .template('u:/users{/id*}', { name: 'a' }, ({ id = '' }) => String(id.length))
      .template('x://{a}-{b}-{c}-{d}-{e}-{f}-{g}-{h}', { name: 'b' }, ({ a = '' }) => String(a.length))
      .template('q://all{?q*}', { name: 'c' }, ({ q = '' }) => String(q.split(',').length));

  test('[BUG-143] are read or are not there; a template that is too long is refused when it is registered', async () => {
    const client = await openLink('direct', '2026-07-28', server());
    const text = async (uri: string) =>
      ((await client.sendRequest('resources/read', { uri }))['contents'] as JsonObject[])[0]?.['text'];
    const lists = `u:/users/${'user1,user2,user3,'.repeat(200)}X/`;
    expect(await text(lists)).toBe(String(lists.length - 'u:/users/'.length));
    expect(await rpcOf(client.sendRequest('resources/read', { uri: `x://${'-'.repeat(5_000)}/` }))).toMatchObject({
      message: 'resource not found',
    });
    expect(await text(`x://${'-'.repeat(5_000)}`)).toBe(String(4_986));
    expect(await text(`q://all?${'q=1&'.repeat(10_000)}q=1`)).toBe('10001');
    expect(() => bare().template(`x://${'{a}-'.repeat(25_000)}`, { name: 'long' }, () => '')).toThrow(
      '10000 characters',
    );
  });

  test('[BUG-143] a URI of 65,536 characters is looked at, a longer one is none', async () => {
    const client = await openLink(
      'direct',
      '2026-07-28',
      bare().template('x://{+a}', { name: 'a' }, ({ a = '' }) => String(a.length)),
    );
    const read = (uri: string) => client.sendRequest('resources/read', { uri });
    expect(await read(`x://${'a'.repeat(65_532)}`)).toMatchObject({ contents: [{ text: '65532' }] });
    expect(await rpcOf(read(`x://${'a'.repeat(65_533)}`))).toMatchObject({
      code: -32602,
      message: 'params.uri must be a URI',
    });
  });
});
