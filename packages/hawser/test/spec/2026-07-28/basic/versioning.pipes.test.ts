/** Which era a message on a pipe belongs to (basic/versioning "Compatibility Matrix"): what our server answers to each opening. */
import { describe, expect, test } from 'vitest';
import { Server } from '../../../../src/server/server.ts';
import { revisions } from '../../../../src/wire/index.ts';
import { legacyRevisions } from '../../../support/links.ts';
import { initialize, modernMeta, received, serveByHand } from '../../../support/stdio.ts';

const version = 'io.modelcontextprotocol/protocolVersion';

function serving() {
  const server = new Server({ name: 'both', version: '1', instructions: 'Be brief.' });
  server.tool('who', {}, (_, { caller }) => caller.revision);
  return serveByHand(server);
}

const hello = (protocolVersion: unknown, more: object = {}) => ({
  jsonrpc: '2.0',
  id: 'hello',
  method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: { name: 'x', version: '1' }, ...more },
});
const request = (id: unknown, method: string, meta?: object, params: object = {}) => ({
  jsonrpc: '2.0',
  id,
  method,
  params: { ...params, ...(meta !== undefined && { _meta: meta }) },
});

/** What is answered to each message in turn. */
async function answers(...messages: object[]): Promise<Record<string, unknown>[]> {
  const { pair, client } = serving();
  for (const message of messages) {
    client.send(message);
    await pair.run();
  }
  return received(client);
}

describe('Compatibility Matrix: a server of both eras on a pipe', () => {
  test('[VER-004 VER-006 BUG-136] server/discover: what it speaks, newest first, in the words of the modern era', async () => {
    expect(await answers(request(1, 'server/discover', modernMeta))).toEqual([
      {
        jsonrpc: '2.0',
        id: 1,
        result: {
          resultType: 'complete',
          supportedVersions: revisions,
          capabilities: { tools: { listChanged: true }, logging: {} },
          instructions: 'Be brief.',
          ttlMs: 0,
          cacheScope: 'private',
          _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'both', version: '1' } },
        },
      },
    ]);
  });

  test.each(legacyRevisions)(
    '[VER-011 VER-027] initialize with %s: a session of it, in its words',
    async (protocolVersion) => {
      const [answer] = await answers(hello(protocolVersion));
      expect(answer).toEqual({
        jsonrpc: '2.0',
        id: 'hello',
        result: {
          protocolVersion,
          capabilities: { tools: { listChanged: true }, logging: {} },
          serverInfo: { name: 'both', version: '1' },
          instructions: 'Be brief.',
        },
      });
    },
  );

  test.each(['2026-07-28', '2099-01-01', '1999-01-01', ''])(
    '[VER-027 BUG-136] initialize with %j: our newest legacy version',
    async (asked) => {
      expect(await answers(hello(asked))).toMatchObject([{ result: { protocolVersion: '2025-11-25' } }]);
    },
  );

  test.each([7, null, undefined, {}])('initialize with %j is refused, and begins no session', async (asked) => {
    const [first, second] = await answers(hello(asked), request(2, 'ping'));
    expect([first, second]).toMatchObject([
      { id: 'hello', error: { code: -32_602 } },
      { id: 2, error: { code: -32_602 } },
    ]);
  });

  test('[B-06] initialize with a modern _meta is a modern request for a method that is not there', async () => {
    const [first, second] = await answers(hello('2025-11-25', { _meta: modernMeta }), request(2, 'ping'));
    expect(first).toMatchObject({ error: { code: -32_601 } });
    // Nor has it begun a session.
    expect(second).toMatchObject({ error: { code: -32_602 } });
  });

  test('a second initialize is refused, and the session goes on as it was', async () => {
    const found = await answers(
      hello('2025-06-18'),
      hello('2025-11-25'),
      request(3, 'tools/call', undefined, { name: 'who' }),
    );
    expect(found).toMatchObject([
      { result: { protocolVersion: '2025-06-18' } },
      { id: 'hello', error: { code: -32_600 } },
      { id: 3, result: { content: [{ text: '2025-06-18' }] } },
    ]);
  });

  test.each(['tools/list', 'tools/call', 'ping', 'nothing/known'])(
    '%s without modern _meta and without a session: -32602',
    async (method) => {
      expect(await answers(request(1, method))).toMatchObject([{ id: 1, error: { code: -32_602 } }]);
      expect(await answers({ jsonrpc: '2.0', id: 1, method })).toMatchObject([{ id: 1, error: { code: -32_602 } }]);
    },
  );

  test.each(legacyRevisions)(
    '[VER-011 VER-035] the same in a session of %s is served as that says',
    async (protocolVersion) => {
      const served = serving();
      await initialize(served, protocolVersion);
      const from = served.client.lines.length;
      for (const method of ['ping', 'tools/list', 'nothing/known', 'server/discover', 'subscriptions/listen'])
        served.client.send(request(method, method));
      await served.pair.run();
      const found = new Map(received(served.client, from).map((message) => [message['id'], message]));
      expect(found.get('ping')).toEqual({ jsonrpc: '2.0', id: 'ping', result: {} });
      expect(Object.keys((found.get('tools/list') as { result: object }).result)).toEqual(['tools']);
      for (const method of ['nothing/known', 'server/discover', 'subscriptions/listen'])
        expect(found.get(method)).toMatchObject({ error: { code: -32_601 } });
    },
  );

  test.each(['ping', 'initialize', 'logging/setLevel', 'resources/subscribe', 'nothing/known'])(
    '[VER-036 BASE-027 BASE-028] modern: %s is not there',
    async (method) => {
      expect(await answers(request(1, method, modernMeta))).toMatchObject([{ id: 1, error: { code: -32_601 } }]);
    },
  );

  test.each(['2099-01-01', '2025-11-25x', '', 'DRAFT'])(
    '[VER-002] a version in _meta that is not spoken (%j): -32022, and the list',
    async (asked) => {
      const [answer] = await answers(request(1, 'tools/list', { ...modernMeta, [version]: asked }));
      expect(answer).toMatchObject({
        id: 1,
        error: { code: -32_022, data: { supported: revisions, requested: asked } },
      });
    },
  );

  test.each(['io.modelcontextprotocol/clientCapabilities', version])(
    'a modern _meta without %s is -32602',
    async (missing) => {
      const meta: Record<string, unknown> = {
        ...modernMeta,
        'io.modelcontextprotocol/clientInfo': { name: 'x', version: '1' },
      };
      delete meta[missing];
      expect(await answers(request(1, 'tools/list', meta))).toMatchObject([{ error: { code: -32_602 } }]);
    },
  );
});
