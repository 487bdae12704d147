/** server/tools "Error Handling". */
import { describe, expect, test } from 'vitest';
import { Server, type ServerOptions } from '../../../../src/server/server.ts';
import { revisions, wireOf } from '../../../../src/wire/index.ts';
import { call, doors, modern } from '../../../support/http.ts';
import { overEveryLink } from '../../../support/links.ts';
import { rpcOf } from '../../../support/rpc.ts';

const bare = (options: Partial<ServerOptions> = {}): Server => new Server({ name: 's', version: '1', ...options });

describe('Error Handling', () => {
  const throwing = (): Server =>
    bare()
      .tool(
        't',
        { input: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] } },
        ({ n }) => `n ${String(n)}`,
      )
      .tool('nonsense', {}, () => 5 as never);

  overEveryLink('[TOOL-020] an unknown tool is -32602', { server: throwing }, async ({ client }) => {
    expect(await rpcOf(client.callTool('nobody'))).toEqual({ code: -32602, message: 'unknown tool: nobody' });
  });

  overEveryLink('[TOOL-020 BASE-029] a malformed call is -32602', { server: throwing }, async ({ client }) => {
    for (const params of [
      {},
      { name: 5 },
      { name: null },
      { name: ['t'] },
      { name: 't', arguments: [] },
      { name: 't', arguments: 'n' },
    ])
      expect(await rpcOf(client.sendRequest('tools/call', params)), JSON.stringify(params)).toMatchObject({
        code: -32602,
      });
  });

  overEveryLink('[TOOL-020 BASE-029] what breaks on our side is -32603', { server: throwing }, async ({ client }) => {
    expect(await rpcOf(client.callTool('nonsense'))).toMatchObject({ code: -32603 });
  });

  test.each(doors)('[B-12 TOOL-020] over HTTP an unknown tool is no missing page: $name', async ({ open }) => {
    const endpoint = await open(throwing());
    const answer = await endpoint.send(call('nobody', {}, { id: 'x' }));
    expect([answer.status, answer.error.code, answer.reply['id']]).toEqual([200, -32602, 'x']);
    expect((await endpoint.send(modern('tools/nobody'))).status).toBe(404);
  });

  overEveryLink(
    '[TOOL-021 B-13] arguments that do not fit: a failure that names the place, a protocol error before 2025-11-25',
    { server: throwing },
    async ({ client, revision }) => {
      for (const [args, place] of [
        [{ n: 'five' }, '/n'],
        [{ n: 1.5 }, '/n'],
        [{}, 'n'],
      ] as const) {
        if (['2024-11-05', '2025-03-26', '2025-06-18'].includes(revision)) {
          expect(await rpcOf(client.callTool('t', args))).toMatchObject({
            code: -32602,
            message: expect.stringContaining(place) as unknown,
          });
        } else {
          const { isError, text } = await client.callTool('t', args);
          expect([isError, text]).toEqual([true, expect.stringContaining(place)]);
        }
      }
      expect((await client.callTool('t', { n: 5 })).text).toBe('n 5');
    },
  );

  test('[TOOL-021] which revisions those are', () => {
    expect(revisions.map((revision) => wireOf(revision).facts.inputErrors)).toEqual([
      'result',
      'result',
      'error',
      'error',
      'error',
    ]);
  });

  overEveryLink(
    '[TOOL-021] what a tool throws is its failure, not one of the protocol',
    {
      server: () =>
        bare().tool('t', {}, () => {
          throw new Error('no such city');
        }),
    },
    async ({ client }) => {
      const { isError, text } = await client.callTool('t');
      expect([isError, text]).toEqual([true, 'no such city']);
    },
  );
});
