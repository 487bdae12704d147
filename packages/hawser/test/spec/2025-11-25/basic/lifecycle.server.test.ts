/** MCP 2025-11-25, basic/lifecycle and its like in the older revisions, over HTTP: the server. */
import { describe, expect, test } from 'vitest';
import { Server } from '../../../../src/server/server.ts';
import { example } from '../../../support/example.ts';
import { expectRefusal, initialize, nodeEndpoint, openSession, usual, webEndpoint } from '../../../support/http.ts';

const versions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];

const full = {
  name: 'full',
  version: '2',
  title: 'Full',
  description: 'All of it.',
  websiteUrl: 'https://example.test/',
  icons: [{ src: 'https://example.test/i.png' }],
};

describe('Initialization', () => {
  test('[VER-027 BASE-043] the result is in the shape of the revision that was agreed on', async () => {
    const endpoint = await nodeEndpoint(new Server({ ...full, instructions: 'Be brief.' }));
    const capabilities = { tools: { listChanged: true }, logging: {} };
    const shared = { capabilities, instructions: 'Be brief.' };
    const { name, version, title } = full;
    for (const [protocolVersion, serverInfo] of [
      ['2024-11-05', { name, version }],
      ['2025-03-26', { name, version }],
      ['2025-06-18', { name, version, title }],
      ['2025-11-25', full],
    ] as const) {
      const { json } = await endpoint.send(initialize(protocolVersion, {}, 'i'));
      expect(json).toEqual({ jsonrpc: '2.0', id: 'i', result: { ...shared, protocolVersion, serverInfo } });
    }
  });

  test('a client that says nothing of itself is let in', async () => {
    const endpoint = await nodeEndpoint(example().server);
    const body = { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18' } };
    expect((await endpoint.send({ headers: usual, body })).result).toMatchObject({ protocolVersion: '2025-06-18' });
  });

  test('params that are no handshake: -32602, and no session', async () => {
    const endpoint = await nodeEndpoint(example().server);
    for (const params of [
      undefined,
      {},
      { protocolVersion: 5 },
      { protocolVersion: '2025-11-25', capabilities: 'all' },
    ]) {
      const answer = await endpoint.send({
        headers: usual,
        body: { jsonrpc: '2.0', id: 1, method: 'initialize', params },
      });
      expectRefusal(answer, 400, -32602, 1);
      expect(answer.headers).not.toHaveProperty('mcp-session-id');
    }
  });
});

describe('Version Negotiation', () => {
  test('[BUG-106] a version nobody knows gets our newest legacy one, whatever the header says; later an unknown one gets 400', async () => {
    const endpoint = await nodeEndpoint(example().server);
    for (const version of ['2025-11-25', '2099-01-01', '1999-01-01', ''])
      for (const header of [undefined, version]) {
        const answer = await endpoint.send(initialize(version, { 'mcp-protocol-version': header }));
        expect(answer.result).toMatchObject({ protocolVersion: '2025-11-25' });
        expect(answer.headers).toHaveProperty('mcp-session-id');
      }
    for (const version of [5, null]) expectRefusal(await endpoint.send(initialize(version)), 400, -32602, 0);
    const session = await openSession(endpoint, '2025-06-18');
    const { headers, body } = session.request('tools/list');
    const status = async (version: string | undefined) =>
      (await endpoint.send({ headers: { ...headers, 'mcp-protocol-version': version }, body })).status;
    for (const version of [undefined, '2025-06-18', '2025-11-25', '2025-03-26'])
      expect(await status(version)).toBe(200);
    for (const version of ['1999-01-01', '2099-01-01', 'foobar', '']) expect(await status(version)).toBe(400);
  });
});

describe.each(versions)('Operation in %s', (version) => {
  test('[VER-032] a session keeps to the revision it began with', async () => {
    const endpoint = await nodeEndpoint(example().server);
    const session = await openSession(endpoint, version);
    const caller = JSON.parse((await endpoint.send(session.call('caller'))).content) as object;
    expect(caller).toMatchObject({ revision: version, clientInfo: { name: 'by hand', version: '1' } });
    // Tasks came with 2025-11-25, and nobody has declared them.
    expectRefusal(await endpoint.send(session.request('tasks/list')), 200, -32601, 2);
    expectRefusal(await endpoint.send(session.request('prompts/list')), 200, -32601, 3);
  });

  test('[VER-035] ping is answered with nothing', async () => {
    const { server, hold } = example();
    const endpoint = await nodeEndpoint(server);
    const session = await openSession(endpoint, version);
    const held = endpoint.send(session.call('hold'));
    await hold.started;
    expect((await endpoint.send(session.request('ping'))).json).toMatchObject({ result: {} });
    expect((await endpoint.send(session.request('ping', {}, 'p'))).json).toEqual({
      jsonrpc: '2.0',
      id: 'p',
      result: {},
    });
    hold.release();
    await held;
  });

  test('[BASE-008] a response has a result or an error; without a readable id it has null where the revision wants one', async () => {
    const endpoint = await nodeEndpoint(example().server);
    const session = await openSession(endpoint, version);
    for (const sent of [
      session.request('tools/list'),
      session.request('nope'),
      session.call('nope'),
      session.call('fails'),
    ]) {
      const { json } = await endpoint.send(sent);
      expect('result' in json).not.toBe('error' in json);
      expect(json['id']).toBe((sent.body as { id: unknown }).id);
    }
    const unreadable = version === '2025-11-25' ? undefined : null;
    expectRefusal(await endpoint.send(session.post('{')), 400, -32700, unreadable);
    expectRefusal(
      await endpoint.send(session.post({ jsonrpc: '2.0', id: null, method: 'x' })),
      400,
      -32600,
      unreadable,
    );
    // Without a session it is the header that tells.
    const headers = { ...usual, 'mcp-protocol-version': version };
    expectRefusal(await endpoint.send({ headers, body: '{' }), 400, -32700, unreadable);
    expectRefusal(await webEndpoint(example().server).send({ headers, body: '5' }), 400, -32600, unreadable);
  });

  test('arguments that do not fit: a result from 2025-11-25 on, an error before', async () => {
    const server = new Server({ name: 's', version: '1' }).tool(
      'typed',
      { input: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] } },
      () => 'ran',
    );
    const endpoint = await nodeEndpoint(server);
    const session = await openSession(endpoint, version);
    const answer = await endpoint.send(session.call('typed', { n: 'x' }, { id: 't' }));
    if (version === '2025-11-25') expect(answer.result).toMatchObject({ isError: true });
    else expectRefusal(answer, 200, -32602, 't');
  });
});
