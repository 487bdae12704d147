/** What the doors cannot be told: said at once, by the name of the option and never by its value. */
import { describe, expect, test } from 'vitest';
import { ArgumentError } from '../../src/base/errors.ts';
import { nodeHandler, serveHttp } from '../../src/node/http.ts';
import { webDoor } from '../../src/transport/web.ts';
import { example } from '../support/example.ts';

/** Whatever a caller without types may give. */
type Anything = Readonly<Record<string, unknown>>;

const { server } = example();
const doors: { name: string; make(options: Anything): Promise<void> }[] = [
  { name: 'nodeHandler', make: async (options) => void nodeHandler(server, options) },
  {
    name: 'serveHttp',
    make: async (options) => {
      const serving = await serveHttp(server, options);
      await serving.close();
    },
  },
  { name: 'the web door', make: async (options) => void webDoor(server, options) },
];
const ofNode = doors.slice(0, 2);

const each = (name: string, ...values: unknown[]): [string, unknown][] => values.map((value) => [name, value]);

const numbers = (name: string): [string, unknown][] => each(name, 0, -1, NaN, -Infinity, '5', null, {}, true);

const anywhere: [string, unknown][] = [
  ...numbers('maxBodyBytes'),
  ...numbers('keepAliveMs'),
  ...each('authenticate', 'token', {}, null, true),
  ...each('allowedHosts', 'example.test', [5], {}, 5),
  ...each('allowedOrigins', 'https://app.example.test', [5], {}, 5),
  ...each('legacy', 'session', 'off', '', true, null, 1),
];

const inSessions: [string, unknown][] = [
  ...numbers('sessionIdleMs'),
  ...numbers('maxSessions'),
  ...numbers('maxSessionsPerPrincipal'),
  ...each('maxSessions', 0.5, 1.5),
  ...each('maxSessionsPerPrincipal', 0.5, 1.5),
  ...each('streamsKeepAlive', 'yes', 1, null, {}),
];

describe.each(doors)('$name', ({ name: door, make }) => {
  test.each(anywhere)('%s cannot be %j', async (name, value) => {
    await expect(make({ [name]: value })).rejects.toThrow(ArgumentError);
    await expect(make({ [name]: value })).rejects.toThrow(name);
  });

  test.each(['bogus', 'Legacy', 'sessionIdle', '__proto__x', 'constructor'])(
    'there is no option %s',
    async (option) => {
      const made = make({ [option]: 'hunter2' });
      await expect(made).rejects.toThrow(ArgumentError);
      await expect(made).rejects.toThrow(`${door} has no option "${option}": there are `);
      await expect(made).rejects.not.toThrow('hunter2');
    },
  );

  test('values are not told', async () => {
    for (const name of ['maxBodyBytes', 'keepAliveMs', 'allowedHosts', 'allowedOrigins', 'legacy', 'authenticate'])
      await expect(make({ [name]: 'hunter2' })).rejects.not.toThrow('hunter2');
  });

  test.each<Anything>([
    {},
    { maxBodyBytes: 1, keepAliveMs: Infinity, allowedHosts: 'any', allowedOrigins: [] },
    { allowedHosts: ['a.test'], legacy: 'stateless' },
    { legacy: 'none' },
    { authenticate: undefined, legacy: undefined, maxBodyBytes: undefined, logger: undefined },
  ])('%j works', async (options) => {
    await expect(make(options)).resolves.toBe(undefined);
  });
});

describe.each(ofNode)('$name', ({ make }) => {
  test.each(inSessions)('%s cannot be %j', async (name, value) => {
    await expect(make({ [name]: value })).rejects.toThrow(ArgumentError);
    await expect(make({ [name]: value })).rejects.toThrow(name);
  });

  test.each<Anything>([
    { sessionIdleMs: 1 },
    { maxSessions: 1 },
    { maxSessionsPerPrincipal: 1 },
    { streamsKeepAlive: true },
    { streamsKeepAlive: false },
  ])('[SEED-141] %j says nothing without sessions', async (options) => {
    await expect(make(options)).resolves.toBe(undefined);
    for (const legacy of ['stateless', 'none'])
      await expect(make({ legacy, ...options })).rejects.toThrow(Object.keys(options)[0]);
  });

  test.each<Anything>([
    { sessionIdleMs: 0.5, maxSessions: 1, maxSessionsPerPrincipal: Infinity },
    { sessionIdleMs: Infinity, maxSessions: Infinity, maxSessionsPerPrincipal: 1_000 },
  ])('%j works', async (options) => {
    await expect(make(options)).resolves.toBe(undefined);
  });
});

test.each(each('legacy', 'sessions'))('the web door keeps no sessions: %s cannot be %j', (name, value) => {
  expect(() => webDoor(server, { [name]: value })).toThrow(ArgumentError);
});

test.each<[string, unknown]>([
  ...each('port', -1, 65_536, 1.5, NaN, '3000', null),
  ...each('host', '', 5, null),
  ...each('path', '', 'mcp', '/mcp?x', '/mcp#x', 5, null),
])('serveHttp: %s cannot be %j', async (name, value) => {
  const serving = serveHttp(server, { [name]: value });
  await expect(serving).rejects.toThrow(ArgumentError);
  await expect(serving).rejects.toThrow(name);
});
