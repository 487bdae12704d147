/** Prompts, filled in by the server. */
import { describe, expect, test } from 'vitest';
import { ArgumentError, CapabilityError, InvalidResponseError } from '../../src/base/errors.ts';
import { revisions } from '../../src/wire/index.ts';
import { connect } from '../../src/entry/index.node.ts';
import { askedOf, openDeclaring, paramsTo } from '../support/features.ts';
import { described, modernPeer } from '../support/http-peer.ts';

const prompts = { prompts: {} };
const messages = [
  { role: 'user', content: { type: 'text', text: 'Hello A' } },
  { role: 'assistant', content: { type: 'image', data: 'AA==', mimeType: 'image/png' } },
  { role: 'user', content: { type: 'later', more: [1], _meta: { own: 1 } } },
  { role: 'user', content: { type: 'text', text: 'bye' } },
];

describe('a prompt', () => {
  test.each(revisions)('[SEED-195 PRM-003] is asked for with its arguments (%s)', async (revision) => {
    const result = { description: 'greets', messages, later: true };
    const { client, server } = await openDeclaring(revision, prompts, { 'prompts/get': () => result });
    const prompt = await client.getPrompt('greeting', { name: 'A' });
    expect(paramsTo(server, 'prompts/get')).toEqual([{ name: 'greeting', arguments: { name: 'A' } }]);
    expect(prompt.messages).toEqual(messages);
    expect(prompt.description).toBe('greets');
    expect(prompt.text).toBe('Hello A\nbye');
    expect(prompt.raw).toEqual(result);
  });

  test('[HTTP-026] its name is repeated in Mcp-Name', async () => {
    const peer = await modernPeer({
      'server/discover': () => ({ ...described, capabilities: prompts }),
      'prompts/get': () => ({ resultType: 'complete', messages }),
    });
    const client = await connect(peer.url);
    await client.getPrompt('greeting', { name: 'A' });
    expect(peer.of('prompts/get')[0]?.headers['mcp-name']).toBe('greeting');
    await client.close();
  });

  test('without arguments none are sent', async () => {
    const { client, server } = await openDeclaring('2026-07-28', prompts, { 'prompts/get': () => ({ messages: [] }) });
    const prompt = await client.getPrompt('p');
    expect([prompt.messages, prompt.description, prompt.text]).toEqual([[], undefined, '']);
    expect(paramsTo(server, 'prompts/get')).toEqual([{ name: 'p' }]);
  });

  test.each([{ n: 5 }, { n: null }, { n: undefined }, { n: {} }, ['a'], 'a', null])(
    '[PRM-003] arguments are text: %j is not sent',
    async (args) => {
      const { client, server } = await openDeclaring('2026-07-28', prompts);
      const asked = client.getPrompt('p', args as unknown as Record<string, string>);
      await expect(asked).rejects.toBeInstanceOf(ArgumentError);
      expect(askedOf(server)).toEqual([]);
    },
  );

  test('a name that is no text is not sent', async () => {
    const { client, server } = await openDeclaring('2026-07-28', prompts);
    await expect(client.getPrompt(undefined as unknown as string)).rejects.toBeInstanceOf(ArgumentError);
    expect(askedOf(server)).toEqual([]);
  });

  test.each([undefined, null, {}, [null], [{ role: 'system', content: messages[0]?.content }], [{ role: 'user' }]])(
    'messages %j are none',
    async (bad) => {
      const { client } = await openDeclaring('2026-07-28', prompts, { 'prompts/get': () => ({ messages: bad }) });
      await expect(client.getPrompt('p')).rejects.toBeInstanceOf(InvalidResponseError);
    },
  );

  test('[BUG-107] a server without prompts is not asked', async () => {
    const { client, server } = await openDeclaring('2026-07-28', { tools: {} });
    await expect(client.getPrompt('p')).rejects.toBeInstanceOf(CapabilityError);
    expect(askedOf(server)).toEqual([]);
  });
});
