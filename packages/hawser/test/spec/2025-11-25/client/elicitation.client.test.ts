/** Elicitation by request, the client's side, in a session over Streamable HTTP. */
import { describe, expect, test, vi } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { UrlQuestion } from '../../../../src/client/elicitation.ts';
import type { ConnectOptions } from '../../../../src/client/options.ts';
import { connect } from '../../../../src/entry/index.node.ts';
import type { Note } from '../../../../src/ports/index.ts';
import { askingPeer, openAsker } from '../../../support/asking.ts';
import type { HttpPeer } from '../../../support/http-peer.ts';

async function answerTo(params: JsonObject, options: ConnectOptions): Promise<{ message: JsonObject; peer: HttpPeer }> {
  const peer = await askingPeer({ id: 1, method: 'elicitation/create', params });
  const client = await connect(peer.url, { protocol: 'legacy', ...options });
  const { text } = await client.callTool('t');
  await client.close();
  return { message: JSON.parse(text) as JsonObject, peer };
}

describe('Form Mode Elicitation Requests', () => {
  const properties = {
    name: { type: 'string', default: 'John Doe' },
    age: { type: 'integer', default: 30 },
    score: { type: 'number', default: 95.5 },
    status: { type: 'string', enum: ['active', 'inactive'], default: 'active' },
    verified: { type: 'boolean', default: true },
  };

  test('[ELI-007] an empty answer is accepted with the defaults of all kinds of fields', async () => {
    const params = { mode: 'form', message: 'Fill in', requestedSchema: { type: 'object', properties, required: [] } };
    const { message, peer } = await answerTo(params, { onElicit: () => ({}) });
    expect(message).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: {
        action: 'accept',
        content: { name: 'John Doe', age: 30, score: 95.5, status: 'active', verified: true },
      },
    });
    expect(peer.of('initialize')[0]?.params['capabilities']).toEqual({ elicitation: { form: {} } });
    expect(peer.of('response')[0]?.headers).toMatchObject({ 'mcp-session-id': 's-1' });
  });
});

describe('URL Mode Elicitation Requests', () => {
  const params = { mode: 'url', message: 'Go', url: 'https://a.test/', elicitationId: 'e-1' };

  test('[ELI-010] consent goes out, and nothing is fetched', async () => {
    const url = vi.fn<(question: UrlQuestion) => boolean>(() => true);
    const { message } = await answerTo(params, { onElicit: { url } });
    expect(message['result']).toEqual({ action: 'accept' });
    expect(url.mock.calls[0]?.[0]).toMatchObject({ url: 'https://a.test/', elicitationId: 'e-1' });
  });

  test('[ELI-012] a completion is handed on as it came; one of an id that nobody knows harms nothing', async () => {
    const notes: Note[] = [];
    const { client, server } = await openAsker('2025-11-25', {
      onElicit: { url: () => true },
      onNotification: (note) => notes.push(note),
    });
    server.notify('notifications/elicitation/complete', { elicitationId: 'nobody' });
    const calling = client.callTool('t');
    (await server.expect('tools/call')).reply({ content: [] });
    await calling;
    expect(notes).toEqual([{ method: 'notifications/elicitation/complete', params: { elicitationId: 'nobody' } }]);
  });

  test('[ELI-013] an error that names addresses surfaces with them', async () => {
    const { client, server } = await openAsker('2025-11-25');
    const calling = client.callTool('t');
    const data = { elicitations: [params] };
    (await server.expect('tools/call')).fail({ code: -32042, message: 'go there first', data });
    await expect(calling).rejects.toMatchObject({ rpc: { code: -32042, data } });
  });
});

describe('Error Handling', () => {
  test('[ELI-002] a mode that was not declared is -32602', async () => {
    const { message } = await answerTo(
      { mode: 'url', message: 'Go', url: 'https://a.test/', elicitationId: 'e' },
      { onElicit: () => ({}) },
    );
    expect(message).toMatchObject({ id: 1, error: { code: -32602 } });
  });
});
