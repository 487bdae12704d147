/** Sampling by request, the client's side, in a session over Streamable HTTP. */
import { describe, expect, test, vi } from 'vitest';
import { RejectedError } from '../../../../src/base/errors.ts';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { ConnectOptions } from '../../../../src/client/options.ts';
import type { SampleHandler } from '../../../../src/client/sampling.ts';
import { connect } from '../../../../src/entry/index.node.ts';
import { legacyPeer, type HttpPeer, type Turn } from '../../../support/http-peer.ts';

const hi = { role: 'user', content: { type: 'text', text: 'hi' } };
const said = { role: 'assistant', content: { type: 'text', text: 'ho' }, model: 'm-1', stopReason: 'endTurn' } as const;

/** Asks on the stream of the session, and gives the response. */
async function asked(params: JsonObject, options: ConnectOptions): Promise<{ message: JsonObject; peer: HttpPeer }> {
  const peer = await legacyPeer({ handlers: { GET: (turn: Turn) => turn.stream() } });
  const client = await connect(peer.url, { protocol: '2025-11-25', ...options });
  const stream = await peer.next('GET');
  await stream.event({ jsonrpc: '2.0', id: 'q', method: 'sampling/createMessage', params });
  const { seen } = await peer.next('response');
  await client.close();
  return { message: seen.message, peer };
}

describe('Creating Messages', () => {
  test('[SMP-004] the answer goes out as the handler gave it', async () => {
    const handle = vi.fn<SampleHandler>(() => said);
    const params = { messages: [hi], maxTokens: 10, systemPrompt: 'be kind' };
    const { message, peer } = await asked(params, { onSample: handle });
    expect(message).toEqual({ jsonrpc: '2.0', id: 'q', result: said });
    expect(handle.mock.calls[0]?.[0]).toEqual(params);
    expect(peer.of('initialize')[0]?.params['capabilities']).toEqual({ sampling: {} });
  });
});

describe('Error Handling', () => {
  test('[SMP-010] what the user rejects is -1', async () => {
    const onSample = (): never => {
      throw new RejectedError();
    };
    const { message } = await asked({ messages: [hi], maxTokens: 10 }, { onSample });
    expect(message).toMatchObject({ id: 'q', error: { code: -1 } });
  });

  test('[SMP-007 SMP-008] histories that make no sense are -32602', async () => {
    const use = { type: 'tool_use', id: '1', name: 'x', input: {} };
    const result = { type: 'tool_result', toolUseId: '1', content: [] };
    const text = { type: 'text', text: 'x' };
    const onSample = vi.fn<SampleHandler>(() => said);
    for (const messages of [
      [hi, { role: 'assistant', content: [use] }, { role: 'user', content: [result, text] }],
      [hi, { role: 'assistant', content: [use] }, hi],
    ])
      expect((await asked({ messages, maxTokens: 10 }, { onSample })).message).toMatchObject({
        error: { code: -32602 },
      });
    expect(onSample).not.toHaveBeenCalled();
  });

  test('[SMP-002] tools that were not declared are -32602', async () => {
    const params = { messages: [hi], maxTokens: 10, tools: [] };
    expect((await asked(params, { onSample: () => said })).message).toMatchObject({ error: { code: -32602 } });
  });
});
