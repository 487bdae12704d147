import { describe, expect, test } from 'vitest';
import { ArgumentError } from '../base/errors.ts';
import { directLink } from '../transport/direct.ts';
import { nobody } from '../../test/support/rounds.ts';
import { memoryBus } from './memory-bus.ts';
import { infoOf, type ServerOptions } from './options.ts';
import { Server } from './server.ts';

const make = (options: object): Server => new Server({ name: 's', version: '1', ...options });

describe('what callers are told of a server', () => {
  const about = {
    name: 's',
    version: '1',
    title: 'S',
    description: 'd',
    websiteUrl: 'https://s.test',
    icons: [{ src: 'https://s.test/i.png' }],
  };

  test('is what it says of itself, and no other option', async () => {
    const options: ServerOptions = {
      ...about,
      instructions: 'Be kind.',
      stateKeys: ['16 bytes of secret'],
      pageSize: 5,
    };
    expect(infoOf(options)).toEqual(about);
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } };
    const link = directLink(new Server(options), nobody);
    const { result } = await link.request({ method: 'initialize', params });
    expect(result?.['serverInfo']).toEqual(about);
    expect(JSON.stringify(result)).not.toContain('secret');
  });

  test('members that are undefined are not told', () => {
    expect(Object.keys(infoOf({ name: 's', version: '1', title: undefined } as unknown as ServerOptions))).toEqual([
      'name',
      'version',
    ]);
  });
});

test.each(['stateKey', 'port', 'Name', '__proto__x', 'constructor'])(
  'an option that there is not is refused by its name, not by its value: %s',
  (option) => {
    const making = (): Server => make({ [option]: 'hunter2' });
    expect(making).toThrow(ArgumentError);
    expect(making).toThrow(`a server has no option "${option}"`);
    expect(making).not.toThrow('hunter2');
  },
);

test.each<[string, unknown]>([
  ...[0, -1, NaN, Infinity, '600', null, {}].map((value): [string, unknown] => ['stateTtlMs', value]),
  ...[0, -1, NaN, -Infinity, '600', null].map((value): [string, unknown] => ['askTimeoutMs', value]),
  ...[-1, 0.5, NaN, Infinity, '5', null].map((value): [string, unknown] => ['maxSubscriptions', value]),
  ...[-1, 0.5, NaN, '5'].map((value): [string, unknown] => ['maxSubscriptionsPerPrincipal', value]),
  ...[null, {}, 'redis', { publish() {} }].map((value): [string, unknown] => ['bus', value]),
  ...[null, {}, 'hook'].map((value): [string, unknown] => ['onWatch', value]),
  ...[0, NaN, 1.5].map((value): [string, unknown] => ['pageSize', value]),
  ...['one long secret, not in a list', {}, 5, [], [5], ['short']].map((value): [string, unknown] => [
    'stateKeys',
    value,
  ]),
])('%s cannot be %j', (option, value) => {
  expect(() => make({ [option]: value })).toThrow(ArgumentError);
  expect(() => make({ [option]: value })).toThrow(option);
});

test.each([
  { stateTtlMs: 0.5 },
  { askTimeoutMs: Infinity },
  { maxSubscriptions: 0, maxSubscriptionsPerPrincipal: 0 },
  { bus: memoryBus(), onWatch: () => undefined, capabilities: {} },
  { stateKeys: [new Uint8Array(16)] },
  { stateKeys: undefined, stateTtlMs: undefined, askTimeoutMs: undefined, maxSubscriptions: undefined },
])('%j works', (options) => {
  expect(() => make(options)).not.toThrow();
});

test.each([undefined, null, 'name', []])('%j are no options', (options) => {
  expect(() => new Server(options as unknown as ServerOptions)).toThrow(ArgumentError);
});
