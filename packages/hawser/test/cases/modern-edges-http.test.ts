/** What a modern caller may count on at any HTTP door, in one place. */
import { describe, expect, test } from 'vitest';
import { Server } from '../../src/server/server.ts';
import { call, doors, expectRefusal, metaOf, modern, modernVersion, usual, type Sent } from '../support/http.ts';

const key = (name: string): string => `io.modelcontextprotocol/${name}`;
const asks = { [key('clientCapabilities')]: { elicitation: { form: {} } } };
const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };

function made(): Server {
  return new Server({ name: 's', version: '1' }).tool('pay', {}, async (_, ctx) => {
    await ctx.step('order', () => 'of eggs');
    await ctx.elicit('n', { message: 'How much?', schema });
    return 'paid';
  });
}

const without = modern('tools/list');
const list = (headers: Sent['headers'], meta = metaOf()): Sent => ({
  headers: { ...without.headers, ...headers },
  body: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: meta } },
});

describe.each(doors)('$name', ({ open }) => {
  test('[SEED-185] results say what they are, and how long they may be kept', async () => {
    const endpoint = await open(made());
    const { result: found } = await endpoint.send(modern('server/discover'));
    expect(found).toMatchObject({ resultType: 'complete', ttlMs: 0, cacheScope: 'private' });
    expect(found['supportedVersions']).toContain(modernVersion);
    const { result: listed } = await endpoint.send(modern('tools/list'));
    expect(listed).toMatchObject({ resultType: 'complete', ttlMs: 0, cacheScope: 'private' });
    const { result: asked } = await endpoint.send(call('pay', {}, { meta: asks }));
    expect(asked).toMatchObject({ resultType: 'input_required', requestState: expect.any(String) as unknown });
  });

  test.each<[string, Sent, number, number]>([
    ['no _meta', { ...without, body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } }, 400, -32602],
    ['no capabilities', list({}, { [key('protocolVersion')]: modernVersion }), 400, -32602],
    ['no version header', list({ 'mcp-protocol-version': undefined }), 400, -32020],
    ['another method in the header', list({ 'mcp-method': 'tools/call' }), 400, -32020],
    [
      'a version that nobody knows',
      list({ 'mcp-protocol-version': '2099-01-01' }, metaOf({ [key('protocolVersion')]: '2099-01-01' })),
      400,
      -32022,
    ],
    ['no such method', modern('nope/nope'), 404, -32601],
    ['a capability that is not there', call('pay'), 400, -32021],
  ])('[SEED-185] %s: refused as the protocol says', async (_, sent, status, code) => {
    const endpoint = await open(made());
    const answer = await endpoint.send(sent);
    expectRefusal(answer, status, code, 1);
    if (code === -32022) expect(answer.error.data?.['supported']).toContain(modernVersion);
  });

  test('[SEED-185] there are no streams and no sessions but by POST', async () => {
    const endpoint = await open(made());
    for (const method of ['GET', 'DELETE', 'HEAD'])
      expect(
        await endpoint.send({ method, headers: { ...usual, 'mcp-protocol-version': modernVersion } }),
      ).toMatchObject({ status: 405, headers: { allow: 'POST' } });
  });

  test('[SEED-185] who listens is told so first, under the id of the subscription', async () => {
    const endpoint = await open(made());
    const listen = modern('subscriptions/listen', { notifications: { toolsListChanged: true } }, { id: 'sub' });
    const flight = endpoint.fly(listen);
    const stream = await flight.head;
    expect(await stream.message()).toMatchObject({
      method: 'notifications/subscriptions/acknowledged',
      params: { _meta: { [key('subscriptionId')]: 'sub' }, notifications: { toolsListChanged: true } },
    });
    flight.leave();
  });
});
