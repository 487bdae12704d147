/** What the probe meets on stdio (basic/transports/stdio "Backward Compatibility"): real programs of every kind. */
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ConnectOptions } from '../../src/client/options.ts';
import type { Client } from '../../src/client/client.ts';
import { connect } from '../../src/entry/index.node.ts';
import { VirtualClock } from '../../src/testing/clock.ts';
import { nextTurn } from '../../src/testing/settle.ts';
import { byHand, failureOf, seenBy, start, textOf } from '../support/stdio.ts';

/** Connects to the server by hand, and keeps what was written to it. */
function connecting(options: Record<string, unknown>, more: ConnectOptions = {}) {
  const written: Record<string, unknown>[] = [];
  const client = connect(
    { command: byHand(options) },
    {
      ...more,
      onFrame: ({ direction, text }) => {
        if (direction === 'out') written.push(JSON.parse(text) as Record<string, unknown>);
      },
    },
  );
  onTestFinished(() =>
    client.then(
      (connected) => connected.close(),
      () => undefined,
    ),
  );
  return { client, written, methods: () => written.map((message) => message['method']) };
}

/** Lets the time of the probe run out as soon as it runs. */
async function silence(clock: VirtualClock, discoverTimeoutMs: number): Promise<void> {
  while (!clock.pendingMs.includes(discoverTimeoutMs)) await nextTurn();
  await clock.advance(discoverTimeoutMs);
}

async function expectLegacy(client: Client): Promise<void> {
  expect([client.protocolEra, client.protocolVersion]).toEqual(['legacy', '2025-11-25']);
  expect(await textOf(client, 'echo', { text: 'x' })).toBe('x');
}

describe('a server that says nothing to the probe', () => {
  test.each([true, 'late'])(
    '[BUG-110 B-56 VER-016] deaf: %s, it is asked to initialize when the time is up, and not before',
    async (deaf) => {
      const clock = new VirtualClock();
      const { client, written, methods } = connecting({ era: 'legacy', deaf }, { clock, discoverTimeoutMs: 300 });
      while (!clock.pendingMs.includes(300)) await nextTurn();
      await clock.advance(299);
      expect(methods()).toEqual(['server/discover']);
      await clock.advance(1);
      await expectLegacy(await client);
      expect(methods().slice(0, 3)).toEqual(['server/discover', 'initialize', 'notifications/initialized']);
      expect(written.slice(0, 2).map((message) => message['id'])).toEqual([1, 2]);
    },
  );

  test('the verdict of silence is that of the process only: the next one is probed again', async () => {
    const clock = new VirtualClock();
    const { client, methods } = connecting({ era: 'legacy', deaf: true }, { clock, discoverTimeoutMs: 300 });
    await silence(clock, 300);
    const connected = await client;
    await failureOf(connected.callTool('exit'));
    const before = methods().length;
    const text = textOf(connected, 'echo', { text: 'x' });
    await silence(clock, 300);
    expect(await text).toBe('x');
    expect(methods().slice(before, before + 2)).toEqual(['server/discover', 'initialize']);
  });

  test('[VER-019] who speaks modern only waits for the answer, and never initializes', async () => {
    const clock = new VirtualClock();
    const { client, methods } = connecting({ era: 'legacy', deaf: true }, { clock, protocol: 'modern' });
    const failed = failureOf(client);
    while (!clock.pendingMs.includes(30_000)) await nextTurn();
    await clock.advance(30_000);
    expect(await failed).toMatchObject({ code: 'timeout' });
    expect(methods()).not.toContain('initialize');
  });
});

describe('a server that ends at the probe', () => {
  test('[BUG-111] it is started once more, with the same command and environment, and initialized at once', async () => {
    const options = { era: 'legacy', exitUnless: 'initialize' };
    const client = await connect({ command: byHand(options), env: { MY_KEY: 'x' } });
    onTestFinished(() => client.close());
    await expectLegacy(client);
    const seen = await seenBy(client);
    expect(seen.slice(0, 2).map((message) => message['method'])).toEqual(['initialize', 'notifications/initialized']);
    expect(JSON.parse(await textOf(client, 'argv'))).toEqual([JSON.stringify(options)]);
    expect(JSON.parse(await textOf(client, 'env'))).toMatchObject({ MY_KEY: 'x' });
  });

  test('[BUG-111] when that ends too, both reasons are told, and it is not tried a third time', async () => {
    const { client, methods } = connecting({ exitUnless: 'never' });
    const error = (await failureOf(client)) as Error;
    expect(error).toMatchObject({ code: 'connection', outcome: 'not-sent' });
    expect(error.message).toContain('expected never, got initialize');
    expect(error.message).toContain('expected never, got server/discover');
    expect(methods()).toEqual(['server/discover', 'initialize']);
  });

  test('it is not started again for who wants modern only', async () => {
    const { client, methods } = connecting({ exitUnless: 'initialize' }, { protocol: 'modern' });
    expect(await failureOf(client)).toMatchObject({ code: 'connection' });
    expect(methods()).toEqual(['server/discover']);
  });
});

describe('what is no answer of a modern server', () => {
  const error = (code: unknown, data?: unknown) => ({
    error: { code, message: 'no', ...(data !== undefined && { data }) },
  });
  const answers: [name: string, probe: unknown][] = [
    ['-32601', error(-32_601)],
    ['-32602 with data', error(-32_602, '')],
    ['-32600', error(-32_600)],
    ['-32000', error(-32_000)],
    ['-32002', error(-32_002)],
    ['-32603', error(-32_603)],
    ['-32001', error(-32_001)],
    ['-32004', error(-32_004)],
    ['an application’s code', error(7)],
    ['a code that is text', error('-32601')],
    ['an error without code', { error: { message: 'no' } }],
    ['an error under id null', { id: null, ...error(-32_600) }],
    ['an empty result', { result: {} }],
    ['a result that is null', { result: null }],
    ['a result that is text', { result: 'ok' }],
    ['versions that are text', { result: { supportedVersions: '2026-07-28' } }],
    ['-32021 without data', error(-32_021)],
    ['neither result nor error', {}],
  ];

  test('[BUG-113 VER-016 VER-018] all of these lead to initialize, and at once', async () => {
    await Promise.all(
      answers.map(async ([name, probe]) => {
        const { client, methods } = connecting({ era: 'legacy', probe }, { clock: new VirtualClock() });
        const connected = await client;
        expect([connected.protocolVersion, await textOf(connected, 'echo', { text: 'x' })], name).toEqual([
          '2025-11-25',
          'x',
        ]);
        expect(methods().slice(0, 3), name).toEqual(['server/discover', 'initialize', 'notifications/initialized']);
      }),
    );
  });

  test('[BUG-113] a line that is no message: initialize, when the time is up', async () => {
    const clock = new VirtualClock();
    const { client } = connecting({ era: 'legacy', probe: 'Unknown command: server/discover\n' }, { clock });
    await silence(clock, 5_000);
    await expectLegacy(await client);
  });
});

describe('what only a modern server says', () => {
  const unsupported = (supported: unknown) => ({
    error: { code: -32_022, message: 'unsupported protocol version', data: { supported, requested: '2026-07-28' } },
  });
  const fails: [name: string, probe: unknown, probes: number, error: object][] = [
    [
      '-32022 that lists what was just sent',
      unsupported(['2026-07-28']),
      2,
      { code: 'unsupported_version', data: { supported: ['2026-07-28'], requested: '2026-07-28' } },
    ],
    [
      '-32022 with unknown versions',
      unsupported(['2027-01-01', '1999-01-01']),
      1,
      { code: 'unsupported_version', data: { supported: ['2027-01-01', '1999-01-01'], requested: '2026-07-28' } },
    ],
    ['-32022 with an empty list', unsupported([]), 1, { code: 'unsupported_version' }],
    ['-32022 without a list', unsupported(undefined), 1, { code: 'unsupported_version' }],
    ['-32022 without data', { error: { code: -32_022, message: 'no' } }, 1, { code: 'unsupported_version' }],
    [
      '-32021',
      { error: { code: -32_021, message: 'no', data: { requiredCapabilities: { roots: {} } } } },
      1,
      { code: 'missing_client_capability', outcome: 'refused' },
    ],
    ['-32020', { error: { code: -32_020, message: 'no' } }, 1, { code: 'header_mismatch', outcome: 'refused' }],
    [
      'a result with a version of the future only',
      { result: { supportedVersions: ['2027-01-01'], capabilities: {} } },
      1,
      { code: 'unsupported_version', data: { supported: ['2027-01-01'], requested: '2026-07-28' } },
    ],
  ];

  test('[BUG-113 BUG-136 VER-018] all of these are errors, and never lead to initialize', async () => {
    await Promise.all(
      fails.map(async ([name, probe, probes, error]) => {
        const { client, methods, written } = connecting({ probe });
        expect(await failureOf(client), name).toMatchObject(error);
        expect(methods(), name).toEqual(Array.from({ length: probes }, () => 'server/discover'));
        expect(new Set(written.map((message) => message['id'])).size, name).toBe(probes);
      }),
    );
  });

  test('[BUG-113] no version in common: the error names both lists', async () => {
    const { client } = connecting({ probe: unsupported(['2027-01-01', 'x\nfake']) });
    const { message } = (await failureOf(client)) as Error;
    for (const version of ['2027-01-01', '2026-07-28', '2025-11-25', '2024-11-05']) expect(message).toContain(version);
    expect(message).not.toContain('\n');
  });

  test.each([
    [unsupported(['2025-11-25']), '2025-11-25'],
    [unsupported(['2024-11-05', '2025-03-26', '2024-11-05', '2027-01-01']), '2025-03-26'],
    [{ result: { supportedVersions: ['2024-11-05', '2025-06-18'], capabilities: {} } }, '2025-06-18'],
  ])('[BUG-136 B-02 VER-018] %j: one initialize, with the best of those', async (probe, version) => {
    const { client, written } = connecting({ probe, version });
    const connected = await client;
    expect(connected.protocolVersion).toBe(version);
    const asked = written.filter((message) => message['method'] === 'initialize');
    expect(asked).toMatchObject([{ params: { protocolVersion: version } }]);
  });

  test.each([
    ['2026-07-28', ['2026-07-28']],
    ['2026-07-28', ['2025-11-25', '2026-07-28', '2026-07-28', '2099-01-01']],
  ])(
    '[VER-018 VER-007] a DiscoverResult: %s out of %j, and every request says so',
    async (version, supportedVersions) => {
      const probe = {
        result: { resultType: 'complete', supportedVersions, capabilities: {}, ttlMs: 0, cacheScope: 'private' },
      };
      const { client, written } = connecting({ probe });
      const connected = await client;
      expect(connected.protocolVersion).toBe(version);
      await textOf(connected, 'echo', { text: 'x' });
      for (const { params } of written)
        expect(params).toMatchObject({ _meta: { 'io.modelcontextprotocol/protocolVersion': version } });
    },
  );
});

describe('the probe', () => {
  test('[VER-017 BASE-026] is the first thing that is sent, and carries the newest version in its _meta', async () => {
    const { client, written } = connecting({});
    await client;
    expect(written).toEqual([
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'server/discover',
        params: {
          _meta: {
            'io.modelcontextprotocol/protocolVersion': '2026-07-28',
            'io.modelcontextprotocol/clientCapabilities': {},
            'io.modelcontextprotocol/clientInfo': { name: 'hawser', version: expect.any(String) },
          },
        },
      },
    ]);
  });

  test('[VER-019] is sent for modern only as well, and what a legacy server says to it is the error', async () => {
    const { client, methods } = connecting({ era: 'legacy' }, { protocol: 'modern' });
    expect(await failureOf(client)).toMatchObject({ code: 'method_not_found' });
    expect(methods()).toEqual(['server/discover']);
  });

  test('[VER-014] is sent once per process', async () => {
    const client = await start({ era: 'legacy' });
    for (const text of ['a', 'b', 'c']) expect(await textOf(client, 'echo', { text })).toBe(text);
    const methods = (await seenBy(client)).map((message) => message['method']);
    expect(methods.filter((method) => method === 'server/discover' || method === 'initialize')).toHaveLength(2);
  });

  test.each(['legacy', '2025-06-18'] as const)(
    '[VER-026] is not sent for %s; initialize is the first message',
    async (protocol) => {
      const { client, written } = connecting({}, { protocol });
      const connected = await client;
      expect(written[0]).toMatchObject({
        id: 1,
        method: 'initialize',
        params: {
          protocolVersion: protocol === 'legacy' ? '2025-11-25' : protocol,
          capabilities: {},
          clientInfo: { name: 'hawser' },
        },
      });
      expect(connected.isModern).toBe(false);
    },
  );

  test.each([
    ['2026-07-28', 'unsupported_version'],
    ['1999-01-01', 'unsupported_version'],
    ['', 'unsupported_version'],
    [7, 'invalid_response'],
  ])('[VER-028 SEED-042] a server that answers initialize with %j is left: %s', async (version, code) => {
    const { client, methods } = connecting({ era: 'legacy', version });
    expect(await failureOf(client)).toMatchObject({ code });
    expect(methods()).toEqual(['server/discover', 'initialize']);
  });
});
