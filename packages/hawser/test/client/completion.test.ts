/** Suggestions for arguments of prompts and variables of templates. */
import { describe, expect, test } from 'vitest';
import { ArgumentError, CapabilityError, InvalidResponseError, MethodNotFoundError } from '../../src/base/errors.ts';
import type { CompleteOptions } from '../../src/client/completion.ts';
import { connect } from '../../src/entry/index.node.ts';
import type { CompletionReference } from '../../src/model/prompts.ts';
import { revisions } from '../../src/wire/index.ts';
import { askedOf, openDeclaring, paramsTo } from '../support/features.ts';
import { described, modernPeer } from '../support/http-peer.ts';

const completions = { completions: {} };
const prompt: CompletionReference = { type: 'ref/prompt', name: 'greeting' };
const template: CompletionReference = { type: 'ref/resource', uri: 'location://{country}/{city}' };
const city = { name: 'city', value: 'P' };

describe('a completion', () => {
  test.each(revisions)('[SEED-274 CMP-002] says what is completed, and gives what there is (%s)', async (revision) => {
    const completion = { values: ['Paris', 'Pau'], total: 12, hasMore: true };
    const { client, server } = await openDeclaring(revision, completions, {
      'completion/complete': () => ({ completion }),
    });
    expect(await client.complete(template, city, { context: { country: 'fr' } })).toEqual(completion);
    expect(await client.complete(prompt, city)).toEqual(completion);
    const knowsContext = revision !== '2024-11-05' && revision !== '2025-03-26';
    expect(paramsTo(server, 'completion/complete')).toEqual([
      { ref: template, argument: city, ...(knowsContext && { context: { arguments: { country: 'fr' } } }) },
      { ref: prompt, argument: city },
    ]);
  });

  test.each([
    [{ values: [] }, { values: [] }],
    [{ values: ['a', 5, null, 'b'] }, { values: ['a', 'b'] }],
    [{ values: ['a'], total: 'many', hasMore: null }, { values: ['a'] }],
  ])('takes part of an answer: %j', async (completion, expected) => {
    const { client } = await openDeclaring('2026-07-28', completions, {
      'completion/complete': () => ({ completion }),
    });
    expect(await client.complete(prompt, city)).toEqual(expected);
  });

  test('[B-25] has no name that is repeated in Mcp-Name', async () => {
    const peer = await modernPeer({
      'server/discover': () => ({ ...described, capabilities: completions }),
      'completion/complete': () => ({ resultType: 'complete', completion: { values: [] } }),
    });
    const client = await connect(peer.url);
    await client.complete(prompt, city);
    expect(peer.of('completion/complete')[0]?.headers).not.toHaveProperty('mcp-name');
    await client.close();
  });

  test.each([undefined, null, {}, { values: 'a' }])('%j is no completion', async (completion) => {
    const { client } = await openDeclaring('2026-07-28', completions, {
      'completion/complete': () => ({ completion }),
    });
    await expect(client.complete(prompt, city)).rejects.toBeInstanceOf(InvalidResponseError);
  });

  test.each([
    [{ type: 'ref/prompt' }, city, {}],
    [{ type: 'ref/resource', name: 'x' }, city, {}],
    [{ type: 'ref/tool', name: 'x' }, city, {}],
    [null, city, {}],
    [prompt, { name: 'city' }, {}],
    [prompt, { name: 5, value: 'P' }, {}],
    [prompt, null, {}],
    [prompt, city, { context: { country: 5 } }],
    [prompt, city, { context: 'fr' }],
  ])('what cannot be asked is not: %j %j %j', async (ref, argument, options) => {
    const { client, server } = await openDeclaring('2026-07-28', completions);
    const asked = client.complete(ref as typeof prompt, argument as typeof city, options as CompleteOptions);
    await expect(asked).rejects.toBeInstanceOf(ArgumentError);
    expect(askedOf(server)).toEqual([]);
  });

  test.each(revisions.filter((revision) => revision !== '2024-11-05'))(
    '[SEED-274 BUG-107] is not asked of a server that declares none (%s)',
    async (revision) => {
      const { client, server } = await openDeclaring(revision, { prompts: {} });
      await expect(client.complete(prompt, city)).rejects.toBeInstanceOf(CapabilityError);
      expect(askedOf(server)).toEqual([]);
    },
  );

  test('is asked of a server of 2024-11-05, which has no way to declare it', async () => {
    const { client } = await openDeclaring(
      '2024-11-05',
      { prompts: {} },
      { 'completion/complete': (request) => request.fail({ code: -32601, message: 'Method not found' }) },
    );
    await expect(client.complete(prompt, city)).rejects.toBeInstanceOf(MethodNotFoundError);
  });
});
