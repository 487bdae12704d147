/** What a client says with every request it can do for servers, and how it does it, over HTTP. */
import { describe, expect, test } from 'vitest';
import { InputRequiredError } from '../../../../src/base/errors.ts';
import type { ConnectOptions } from '../../../../src/client/options.ts';
import { connect } from '../../../../src/entry/index.node.ts';
import { required } from '../../../support/asking.ts';
import { modernPeer, said } from '../../../support/http-peer.ts';

const key = 'io.modelcontextprotocol/clientCapabilities';
const reply = { role: 'assistant', content: { type: 'text', text: 'x' }, model: 'm' } as const;

const declared: [string, ConnectOptions, unknown][] = [
  ['nothing', {}, {}],
  ['forms', { onElicit: () => ({}) }, { elicitation: { form: {} } }],
  ['addresses', { onElicit: { url: () => true } }, { elicitation: { url: {} } }],
  ['a model', { onSample: () => reply }, { sampling: {} }],
  ['a model with tools', { onSample: { handle: () => reply, tools: true } }, { sampling: { tools: {} } }],
  ['roots', { roots: [] }, { roots: {} }],
  ['extensions', { extensions: { 'com.example/x': { a: 1 } } }, { extensions: { 'com.example/x': { a: 1 } } }],
];

describe('Capabilities', () => {
  test.each(declared)('[ELI-001 SMP-001 ROOT-001] %s is declared with every request', async (_, options, expected) => {
    const peer = await modernPeer();
    const client = await connect(peer.url, options);
    await client.listTools();
    await client.callTool('echo');
    await client.close();
    expect(peer.methods).toEqual(['server/discover', 'tools/list', 'tools/call']);
    for (const { meta } of peer.seen) expect(meta[key]).toEqual(expected);
  });

  test.each<[string, ConnectOptions['extensions']]>([
    ['a list', [] as never],
    ['a flag', { x: true as never }],
  ])('extensions are objects by name, not %s', async (_, extensions) => {
    const peer = await modernPeer();
    await expect(connect(peer.url, { extensions })).rejects.toThrow('extensions');
  });
});

describe('Error Handling', () => {
  test('[SMP-010 ROOT-006] what cannot be given is not answered with an error: the request is not sent again', async () => {
    const peer = await modernPeer({
      'tools/call': ({ seen }) =>
        seen.params['name'] === 'roots'
          ? required({ r: { method: 'roots/list' } }, 's')
          : required({ s: { method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } } }, 's'),
    });
    const broken = (): never => {
      throw new Error('no');
    };
    const client = await connect(peer.url, { onSample: broken, roots: broken });
    await expect(client.callTool('roots')).rejects.toThrow(InputRequiredError);
    await expect(client.callTool('sample')).rejects.toThrow(InputRequiredError);
    expect(peer.of('tools/call')).toHaveLength(2);
    await client.close();
  });

  test('[ELI-010] after consent to an address the request is sent again, and the server says how it went', async () => {
    let calls = 0;
    const url = 'https://a.test/';
    const peer = await modernPeer({
      'tools/call': () =>
        calls++ === 0
          ? required({ u: { method: 'elicitation/create', params: { mode: 'url', message: 'Go', url } } }, 's')
          : said('paid'),
    });
    const client = await connect(peer.url, { onElicit: { url: () => true } });
    expect((await client.callTool('pay')).text).toBe('paid');
    expect(peer.of('tools/call')[1]?.params).toMatchObject({
      inputResponses: { u: { action: 'accept' } },
      requestState: 's',
    });
    await client.close();
  });
});
