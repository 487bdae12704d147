/** Roots by request, the client's side, in a session over Streamable HTTP. */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { connect } from '../../../../src/entry/index.node.ts';
import { legacyPeer } from '../../../support/http-peer.ts';

const root = { uri: 'file:///home/me/project', name: 'Project' };

describe('Protocol Messages', () => {
  test('[ROOT-001 ROOT-003 ROOT-004] roots are declared, told, and told of when they change', async () => {
    const peer = await legacyPeer({ handlers: { GET: (turn) => turn.stream() } });
    const client = await connect(peer.url, { protocol: 'legacy', roots: [root] });
    expect(peer.of('initialize')[0]?.params['capabilities']).toEqual({ roots: { listChanged: true } });
    const stream = await peer.next('GET');
    const ask = async (id: number): Promise<JsonObject> => {
      await stream.event({ jsonrpc: '2.0', id, method: 'roots/list' });
      return (await peer.next('response')).seen.message;
    };
    expect(await ask(1)).toEqual({ jsonrpc: '2.0', id: 1, result: { roots: [root] } });
    client.roots = [];
    await peer.next('notifications/roots/list_changed');
    expect(await ask(2)).toEqual({ jsonrpc: '2.0', id: 2, result: { roots: [] } });
    await client.close();
  });
});
