/** The handshake of the legacy revisions, the client's side, over HTTP. */
import { describe, expect, test } from 'vitest';
import { Cancel } from '../../../../src/base/cancel.ts';
import { systemClock } from '../../../../src/base/clock.ts';
import { InvalidResponseError, RpcError, UnsupportedProtocolVersionError } from '../../../../src/base/errors.ts';
import { connect } from '../../../../src/entry/index.node.ts';
import { undiciPort } from '../../../../src/node/undici.ts';
import { Server } from '../../../../src/server/server.ts';
import { fetchPort } from '../../../../src/transport/fetch.ts';
import { httpLink } from '../../../../src/transport/http-client.ts';
import { VirtualClock } from '../../../../src/testing/clock.ts';
import { begun, legacyPeer, ports } from '../../../support/http-peer.ts';
import { gate } from '../../../support/http.ts';
import { everyLink, legacyRevisions, openLink } from '../../../support/links.ts';

const legacy = { protocol: 'legacy' } as const;

describe.each(ports)('Initialization ($port)', ({ options }) => {
  test('[VER-026] initialize comes first, with version, capabilities and who we are', async () => {
    const peer = await legacyPeer();
    const clientInfo = { name: 'tester', version: '3', title: 'Tester' };
    const client = await connect(peer.url, { ...options, ...legacy, clientInfo });
    await client.close();
    expect(peer.seen[0]?.message).toEqual({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
    });
    expect(peer.seen[0]?.meta).toEqual({});
  });

  test.each(['auto', 'legacy', ...legacyRevisions] as const)(
    '[VER-026 BUG-136] what is proposed is a legacy version (%s)',
    async (protocol) => {
      const peer = await legacyPeer();
      const client = await connect(peer.url, { ...options, protocol });
      const proposed = peer.of('initialize')[0]?.params['protocolVersion'];
      expect(proposed).toBe(protocol === 'auto' || protocol === 'legacy' ? '2025-11-25' : protocol);
      await client.close();
    },
  );

  test('[VER-029] then initialized is sent, as a notification', async () => {
    const peer = await legacyPeer();
    const client = await connect(peer.url, { ...options, ...legacy });
    await client.close();
    expect(peer.methods.slice(0, 2)).toEqual(['initialize', 'notifications/initialized']);
    expect(peer.seen[1]?.message).toEqual({ jsonrpc: '2.0', method: 'notifications/initialized' });
  });

  test('[VER-030] nothing else is sent before the answer to initialize', async () => {
    const go = gate();
    const peer = await legacyPeer({
      handlers: {
        initialize: async () => {
          await go.opened;
          return begun({ capabilities: {} });
        },
      },
    });
    const connecting = connect(peer.url, { ...options, ...legacy });
    await peer.next('initialize');
    expect(peer.methods).toEqual(['initialize']);
    go.open();
    const client = await connecting;
    expect(peer.methods.slice(0, 2)).toEqual(['initialize', 'notifications/initialized']);
    await client.close();
  });

  test('[VER-034] initialize is never cancelled: giving up closes the connection', async () => {
    const peer = await legacyPeer({ handlers: { initialize: () => undefined } });
    const giveUp = new AbortController();
    const connecting = connect(peer.url, { ...options, ...legacy, signal: giveUp.signal });
    const turn = await peer.next('initialize');
    giveUp.abort();
    await expect(connecting).rejects.toMatchObject({ code: 'aborted' });
    await turn.closed;
    expect(peer.methods).toEqual(['initialize']);
  });

  test('[VER-034] nor by a link that stays open', async () => {
    const peer = await legacyPeer({ handlers: { initialize: () => undefined } });
    const port = options.fetch === undefined ? undiciPort() : fetchPort();
    const nobody = { answer: () => Promise.resolve({ result: {} }), notice: () => undefined };
    const limits = { maxResponseBytes: 10_000, maxEventBytes: 10_000 };
    const link = httpLink(peer.url, nobody, { port, clock: systemClock, ...limits });
    const cancel = new Cancel();
    const asked = link.request({ method: 'initialize', params: {} }, { cancel });
    asked.catch(() => undefined);
    const turn = await peer.next('initialize');
    cancel.cancel(new Error('enough'));
    await expect(asked).rejects.toMatchObject({ code: 'aborted' });
    await turn.closed;
    await link.request({ method: 'ping' });
    expect(peer.methods).toEqual(['initialize', 'ping']);
    await link.close();
    await port.close?.();
  });

  test('a server that says nothing to initialized cannot hold the client up for ever', async () => {
    const peer = await legacyPeer({ handlers: { 'notifications/initialized': () => undefined } });
    const clock = new VirtualClock();
    const connecting = connect(peer.url, { ...options, ...legacy, clock, connectTimeoutMs: 40 });
    const failed = expect(connecting).rejects.toMatchObject({ code: 'timeout', outcome: 'not-sent' });
    const silent = await peer.next('notifications/initialized');
    await clock.advance(40);
    await failed;
    await silent.closed;
    expect(peer.of('DELETE').length).toBe(1);
  });
});

describe.each(ports)('Version Negotiation ($port)', ({ options }) => {
  test.each(legacyRevisions)('the version the server chose is the one that is spoken: %s', async (version) => {
    const peer = await legacyPeer({ version });
    const client = await connect(peer.url, { ...options, ...legacy });
    expect(client.protocolVersion).toBe(version);
    expect(client.protocolEra).toBe('legacy');
    await client.close();
  });

  test.each(['1999-01-01', '2026-07-28', '2027-01-01', 'x', ''])(
    '[VER-028 SEED-042] %j is none we could speak: disconnected, with an error',
    async (version) => {
      const peer = await legacyPeer({ version });
      const failed = await connect(peer.url, { ...options, ...legacy }).catch((error: unknown) => error);
      expect(failed).toBeInstanceOf(UnsupportedProtocolVersionError);
      expect(failed).toMatchObject({ data: { supported: [version], requested: '2025-11-25' } });
      expect(peer.methods).toEqual(['initialize', 'DELETE']);
      if (options.fetch === undefined) await peer.quiet;
    },
  );

  test('an answer without version is an error', async () => {
    const peer = await legacyPeer({ handlers: { initialize: () => ({ capabilities: {} }) } });
    await expect(connect(peer.url, { ...options, ...legacy })).rejects.toBeInstanceOf(InvalidResponseError);
  });

  test('an error is an error, with its data', async () => {
    const data = { supported: ['2024-11-05'], requested: '2025-11-25' };
    const peer = await legacyPeer({
      handlers: { initialize: (turn) => turn.fail({ code: -32602, message: 'Unsupported protocol version', data }) },
    });
    const failed = await connect(peer.url, { ...options, ...legacy }).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(RpcError);
    expect(failed).toMatchObject({ rpc: { code: -32602, data }, status: 200 });
  });
});

describe('what is known after connecting', () => {
  test.each(everyLink())(
    '[SEED-060] who it is, what it can and how it is used ($link, $revision)',
    async ({ link, revision }) => {
      const server = new Server({ name: 'known', version: '4', instructions: 'Use it well.' });
      server.tool('x', {}, () => 'x');
      const client = await openLink(link, revision, server);
      expect(client.serverInfo).toMatchObject({ name: 'known', version: '4' });
      expect(client.instructions).toBe('Use it well.');
      expect(client.capabilities).toMatchObject({ tools: {} });
    },
  );

  test('[SEED-060] who we are needs name and version', async () => {
    for (const clientInfo of [{ name: 'x' }, { version: '1' }, {}, { name: 1, version: '1' }])
      await expect(connect('http://127.0.0.1:9/', { clientInfo: clientInfo as never })).rejects.toMatchObject({
        code: 'bad_argument',
      });
  });
});

describe.each(ports)('Ping ($port)', ({ options }) => {
  test('[SEED-053] is ping on a legacy server, once', async () => {
    const peer = await legacyPeer();
    const client = await connect(peer.url, { ...options, ...legacy });
    await client.ping();
    expect(peer.of('ping').length).toBe(1);
    expect(peer.of('server/discover').length).toBe(0);
    await client.close();
  });
});
