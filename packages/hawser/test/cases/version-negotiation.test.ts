/** Version negotiation: nothing is echoed, no header stands in the way of a handshake, no answer is taken unchecked. */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { connect } from '../../src/entry/index.node.ts';
import { Server } from '../../src/server/server.ts';
import { expectRefusal, initialize, nodeEndpoint, openSession, webEndpoint, type Sent } from '../support/http.ts';
import { begun, legacyPeer, ports } from '../support/http-peer.ts';
import { beginScripted, clientByHand, legacyRevisions } from '../support/links.ts';

const ours = '2025-11-25';
const server = (): Server => new Server({ name: 's', version: '1' }).tool('a', {}, (_, { caller }) => caller.revision);

/** A handshake for this version; `undefined` is left out of it. */
function hello(version: unknown, header?: string): Sent {
  const sent = initialize(version ?? null, { 'mcp-protocol-version': header });
  const { params, ...rest } = sent.body as { params: JsonObject };
  return { ...sent, body: { ...rest, params: { ...params, protocolVersion: version } } };
}

/** What is asked for, and what is answered: the same if we speak it, else our newest; undefined: an error. */
const asked: readonly (readonly [unknown, string | undefined])[] = [
  ...legacyRevisions.map((revision) => [revision, revision] as const),
  ['2099-01-01', ours],
  ['1999-01-01', ours],
  ['2026-07-28', ours],
  ['', ours],
  [123, undefined],
  [null, undefined],
  [undefined, undefined],
];

describe('the server', () => {
  test.each(asked)(
    '[BUG-106] over HTTP, with a header that matches and without one, %j is answered with %j',
    async (version, answered) => {
      for (const endpoint of [await nodeEndpoint(server()), webEndpoint(server())])
        for (const header of [undefined, typeof version === 'string' ? version : undefined]) {
          const answer = await endpoint.send(hello(version, header));
          // A modern header is a claim to be modern; what it announces is no modern request.
          if (header === '2026-07-28') expect(answer.status).toBe(400);
          else if (answered === undefined) expectRefusal(answer, 400, -32602, 0);
          else expect(answer.result).toMatchObject({ protocolVersion: answered });
        }
    },
  );

  test.each(asked)('[BUG-106] over a pipe %j is answered with %j', async (version, answered) => {
    const client = clientByHand(server());
    const params = (hello(version).body as JsonObject)['params'];
    const answer = await client.request('initialize', params);
    if (answered === undefined) expect(answer).toMatchObject({ error: { code: -32602 } });
    else expect(answer).toMatchObject({ result: { protocolVersion: answered } });
    if (answered === undefined) return;
    client.notify('notifications/initialized');
    const { result } = await client.request('tools/call', { name: 'a' });
    expect(result).toMatchObject({ content: [{ text: answered }] });
  });

  test.each(legacyRevisions)(
    '[BUG-106] in a session of %s the header may be missing, or any of ours; else 400',
    async (revision) => {
      const endpoint = await nodeEndpoint(server());
      const session = await openSession(endpoint, revision);
      const { headers, body } = session.call('a');
      const under = (version: string | undefined) =>
        endpoint.send({ headers: { ...headers, 'mcp-protocol-version': version }, body });
      for (const version of [undefined, ...legacyRevisions]) expect((await under(version)).content).toBe(revision);
      for (const version of ['1999-01-01', '2099-01-01', 'x', '']) {
        const answer = await under(version);
        expect([answer.status, answer.error.code], version).toEqual([400, -32600]);
      }
    },
  );

  test('[BUG-106] without session and header it is 2025-03-26 that is spoken', async () => {
    const { headers, body } = initialize();
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'a' } };
    const endpoint = webEndpoint(server());
    expect((await endpoint.send({ headers, body })).result).toMatchObject({ protocolVersion: ours });
    expect((await endpoint.send({ headers, body: call })).content).toBe('2025-03-26');
    expect(
      (await endpoint.send({ headers: { ...headers, 'mcp-protocol-version': '2025-06-18' }, body: call })).content,
    ).toBe('2025-06-18');
    expect(
      (await endpoint.send({ headers: { ...headers, 'mcp-protocol-version': '1999-01-01' }, body: call })).status,
    ).toBe(400);
  });
});

/** Answers to `initialize` that no session can follow, and what becomes of them. */
const unusable: readonly (readonly [unknown, string])[] = [
  ['1999-01-01', 'unsupported_version'],
  ['2026-07-28', 'unsupported_version'],
  ['', 'unsupported_version'],
  [undefined, 'invalid_response'],
  [20251125, 'invalid_response'],
  [null, 'invalid_response'],
];

describe('the client', () => {
  describe.each(ports)('over HTTP ($port)', ({ options }) => {
    test.each(unusable)(
      '[BUG-106] a server that answers %j: the session is ended, with a typed error',
      async (version, code) => {
        const peer = await legacyPeer({
          handlers: {
            initialize: (turn) => {
              turn.response.setHeader('mcp-session-id', 's-9');
              return begun({ protocolVersion: version, capabilities: {} });
            },
          },
        });
        await expect(connect(peer.url, { ...options, protocol: 'legacy' })).rejects.toMatchObject({ code });
        expect(peer.methods).toEqual(['initialize', 'DELETE']);
        expect(peer.of('DELETE')[0]?.headers['mcp-session-id']).toBe('s-9');
      },
    );
  });

  test.each(unusable)('[BUG-106] over a pipe: after %j it is closed, with a typed error', async (version, code) => {
    const { connecting, server: peer } = beginScripted(
      { initialize: () => begun({ protocolVersion: version, capabilities: {} }) },
      { protocol: 'legacy' },
    );
    await expect(connecting).rejects.toMatchObject({ code });
    expect(await peer.ended).toBeUndefined();
    expect(peer.lines.filter(({ direction }) => direction === 'in')).toHaveLength(1);
  });
});
