import { describe, expect, test } from 'vitest';
import { ArgumentError } from '../base/errors.ts';
import { overEveryLink } from '../../test/support/links.ts';
import { rpcOf } from '../../test/support/rpc.ts';
import { declaredOf, type DeclaredCapabilities } from './capabilities.ts';
import { Server } from './server.ts';

const make = (capabilities?: DeclaredCapabilities): Server =>
  new Server({ name: 's', version: '1', ...(capabilities !== undefined && { capabilities }) }).tool(
    'speak',
    {},
    (_, ctx) => {
      ctx.log('emergency', 'hear me');
      return 'spoken';
    },
  );

const declared: DeclaredCapabilities = {
  experimental: { 'com.example/x': { deep: [1] } },
  extensions: { 'com.example/ext': { setting: true }, 'com.example/plain': {} },
};

describe('what a server declares', () => {
  overEveryLink(
    '[SEED-175] is what is registered, and what else it says; nothing else',
    { server: () => make(declared) },
    async ({ client, link, server }) => {
      const follows = client.isModern || link !== 'web';
      const { logging, tools, ...more } = client.capabilities;
      expect(more).toEqual(declared);
      if (follows) expect([logging, tools]).toEqual([{}, { listChanged: true }]);
      server.prompt('p', {}, () => 'p').resource('x:a', { name: 'a' }, () => 'a');
      if (!client.isModern) return;
      expect((await client.sendRequest('server/discover'))['capabilities']).toEqual({
        ...declared,
        tools: { listChanged: true },
        logging: {},
        prompts: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
      });
    },
  );

  const said: unknown[] = [];
  overEveryLink(
    '[SEED-175] without log messages: none is declared, sent, or asked for',
    { server: () => make({ logging: false }), connect: { logLevel: 'debug', onLog: ({ data }) => said.push(data) } },
    async ({ client }) => {
      said.length = 0;
      expect(client.capabilities).not.toHaveProperty('logging');
      expect((await client.callTool('speak')).text).toBe('spoken');
      expect(said).toEqual([]);
      if (!client.isModern)
        expect(await rpcOf(client.sendRequest('logging/setLevel', { level: 'info' }))).toMatchObject({ code: -32601 });
    },
  );

  test('is a copy: later changes of the object do not reach callers', () => {
    const experimental = { x: { n: 1 } };
    const copy = declaredOf({ experimental });
    experimental.x.n = 2;
    expect(copy).toEqual({ experimental: { x: { n: 1 } } });
    expect(declaredOf()).toEqual({});
    expect(declaredOf({ logging: false })).toEqual({ logging: false });
  });

  test.each([
    null,
    'all',
    [],
    { tools: {} },
    { logging: true },
    { logging: {} },
    { logging: 0 },
    { experimental: [] },
    { experimental: true },
    { extensions: 'x' },
    { extensions: { 'a/b': true } },
    { extensions: { 'a/b': null } },
    { experimental: { x: true } },
    { experimental: { x: { n: 1n } } },
  ])('cannot be that (%#)', (capabilities) => {
    expect(() => make(capabilities as never)).toThrow(ArgumentError);
    expect(() => make(capabilities as never)).toThrow('capabilities');
  });
});
