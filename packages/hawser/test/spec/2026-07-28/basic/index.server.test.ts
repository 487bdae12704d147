/** MCP 2026-07-28, basic/index over HTTP: what a server has to do. */
import { describe, expect, test } from 'vitest';
import { Server } from '../../../../src/server/server.ts';
import { example } from '../../../support/example.ts';
import {
  call,
  doors,
  expectRefusal,
  metaOf,
  modern,
  nodeEndpoint,
  oneConnection,
  webEndpoint,
} from '../../../support/http.ts';

const key = (name: string): string => `io.modelcontextprotocol/${name}`;

describe.each(doors)('$name', ({ open }) => {
  const raw = (body: unknown, method = 'tools/list') => ({ headers: modern(method).headers, body });

  describe('Messages', () => {
    test('[BASE-001] every message says jsonrpc 2.0 and is UTF-8', async () => {
      const endpoint = await open(example().server);
      const text = 'žluťoučký 🐎 \u2028 \u0000';
      const answers = [
        await endpoint.send(call('echo', { text })),
        await endpoint.send(call('report', {}, { meta: { progressToken: 1 } })),
        await endpoint.send(modern('nope')),
        await endpoint.send(raw('{')),
      ];
      for (const { messages } of answers)
        for (const message of messages) expect(message).toHaveProperty('jsonrpc', '2.0');
      expect(answers[0]?.content).toBe(text);
    });

    test('[BASE-001] a message that does not say jsonrpc 2.0, or is not UTF-8, is not served', async () => {
      const { server, runs } = example();
      const endpoint = await open(server);
      const { headers, body } = call('echo');
      for (const jsonrpc of [undefined, '1.0', 2, 2.0, null, '2.00'])
        expectRefusal(await endpoint.send({ headers, body: { ...(body as object), jsonrpc } }), 400, -32600, 1);
      const bytes = Buffer.from(JSON.stringify(call('echo', { text: '?' }).body));
      bytes[bytes.indexOf('?')] = 0xff;
      expectRefusal(await endpoint.send({ headers, body: new Uint8Array(bytes) }), 400, -32700);
      expectRefusal(await endpoint.send({ headers, body: `\ufeff${JSON.stringify(body)}` }), 400, -32700);
      expect(runs).toEqual([]);
    });
  });

  describe('Requests', () => {
    test('[BASE-003 BASE-007] an id is a string or an integer; an error for any other has no id', async () => {
      const { server, runs } = example();
      const endpoint = await open(server);
      for (const id of [null, 1.5, true, false, {}, [], [1], 9007199254740992, -9007199254740992])
        expectRefusal(await endpoint.send(call('echo', {}, { id })), 400, -32600);
      const { headers } = call('echo');
      const huge = JSON.stringify(call('echo').body).replace('"id":1', '"id":1e400');
      expectRefusal(await endpoint.send({ headers, body: huge }), 400, -32600);
      expect(runs).toEqual([]);
    });

    test('[BASE-006] a response, and an error where the id can be read, has the id of the request in its type', async () => {
      const endpoint = await open(example().server);
      for (const id of [0, 1, -1, 9007199254740991, '', '0', '1', 'x"\\\n', '🐎', '1.5', 'null']) {
        expect((await endpoint.send(call('echo', {}, { id }))).json).toHaveProperty('id', id);
        expectRefusal(await endpoint.send(modern('nope', {}, { id })), 404, -32601, id);
        expectRefusal(await endpoint.send(raw({ jsonrpc: '2.0', id, method: 'tools/list' })), 400, -32602, id);
      }
    });

    test('ids are the caller’s own: two callers may use the same one at the same time', async () => {
      const endpoint = await open(example().server);
      const answers = await Promise.all(
        ['1', 1, 1, '1'].map((id, index) => endpoint.send(call('echo', { text: `${index}` }, { id }))),
      );
      expect(answers.map(({ content, json }) => [content, json['id']])).toEqual([
        ['0', '1'],
        ['1', 1],
        ['2', 1],
        ['3', '1'],
      ]);
    });
  });

  describe('resultType', () => {
    test('[BASE-009 META-008] every result says that it is complete, and who gave it', async () => {
      const { server } = example();
      const endpoint = await open(server);
      const serverInfo = { name: 'example', version: '1.2.3' };
      for (const sent of [
        modern('server/discover'),
        modern('tools/list'),
        call('echo'),
        call('fails'),
        call('report', {}, { meta: { progressToken: 1 } }),
      ]) {
        const { result } = await endpoint.send(sent);
        expect(result).toMatchObject({ resultType: 'complete', _meta: { [key('serverInfo')]: serverInfo } });
      }
    });

    test('[BASE-013] a result with nothing to say is complete all the same', async () => {
      const { server } = example();
      const endpoint = await open(server);
      const stream = await endpoint.fly(modern('subscriptions/listen', { notifications: {} })).head;
      await stream.message();
      await server.close();
      const last = await stream.message();
      expect(last?.['result']).toMatchObject({ resultType: 'complete', _meta: { [key('serverInfo')]: {} } });
    });
  });

  describe('Error codes', () => {
    test('[BASE-029 BASE-015] parse error, no request, bad params, internal error: each has its code', async () => {
      const server = new Server({ name: 's', version: '1' }).tool(
        'bad',
        { output: { type: 'object' } },
        () => 'no' as never,
      );
      const endpoint = await open(server);
      for (const body of ['', '{', 'nope', '{"jsonrpc":"2.0"', "{'a':1}", '[1,]', '\u0000'])
        expectRefusal(await endpoint.send(raw(body)), 400, -32700);
      for (const body of ['null', '5', '"x"', 'true', '[]', '[[]]'])
        expectRefusal(await endpoint.send(raw(body)), 400, -32600);
      for (const body of [{}, { jsonrpc: '2.0' }, { jsonrpc: '2.0', method: 5 }, { jsonrpc: '2.0', method: null }])
        expectRefusal(await endpoint.send(raw(body)), 400, -32600);
      expectRefusal(await endpoint.send(raw({ jsonrpc: '2.0', id: 1 })), 400, -32600, 1);
      for (const params of [null, [], 'x', 5, false])
        expectRefusal(
          await endpoint.send(raw({ jsonrpc: '2.0', id: 1, method: 'tools/list', params })),
          400,
          -32602,
          1,
        );
      expectRefusal(await endpoint.send(call('bad')), 200, -32603, 1);
    });

    test('[BASE-027 VER-036] methods of older revisions are not there, though fully dressed', async () => {
      const endpoint = await open(example().server);
      for (const method of [
        'initialize',
        'ping',
        'logging/setLevel',
        'resources/subscribe',
        'resources/unsubscribe',
        'tasks/list',
        'tasks/result',
        'roots/list',
        'sampling/createMessage',
        'elicitation/create',
      ])
        expectRefusal(await endpoint.send(modern(method)), 404, -32601, 1);
    });

    test('[BASE-032] an array is no message', async () => {
      const { server, runs } = example();
      const endpoint = await open(server);
      for (const body of [[call('echo').body], [call('echo').body, call('echo').body], [{}], []])
        expectRefusal(await endpoint.send({ headers: call('echo').headers, body }), 400, -32600);
      expect(runs).toEqual([]);
    });
  });

  describe('_meta', () => {
    test('[META-005] a required field that is missing or of the wrong type: 400 and -32602', async () => {
      const { server, runs } = example();
      const endpoint = await open(server);
      for (const meta of [
        { [key('clientCapabilities')]: undefined },
        { [key('clientCapabilities')]: null },
        { [key('clientCapabilities')]: [] },
        { [key('clientCapabilities')]: 'x' },
        { [key('protocolVersion')]: 20260728 },
        { [key('protocolVersion')]: null },
        { [key('clientInfo')]: { name: 'x' } },
        { [key('logLevel')]: 'loud' },
        { progressToken: 1.5 },
      ])
        expectRefusal(await endpoint.send(call('echo', {}, { meta })), 400, -32602, 1);
      expect(runs).toEqual([]);
    });

    test('[META-010] notices of a subscription, and only they, name it, by the id in its type', async () => {
      const { server } = example();
      const endpoint = await open(server);
      for (const id of [7, '7', '']) {
        const stream = await endpoint.fly(
          modern('subscriptions/listen', { notifications: { toolsListChanged: true } }, { id }),
        ).head;
        const acknowledged = await stream.message();
        server.tool(`new ${typeof id} ${id}`, {}, () => '');
        const changed = await stream.message();
        for (const note of [acknowledged, changed])
          expect(note).toHaveProperty(['params', '_meta', key('subscriptionId')], id);
      }
      const { messages } = await endpoint.send(call('report', {}, { meta: { progressToken: 1 } }));
      expect(JSON.stringify(messages)).not.toContain('subscriptionId');
    });

    test('[META-021] what authors put into the _meta of tools, content and results arrives untouched', async () => {
      const _meta = { 'com.example/x': { deep: [1, null] }, plain: true };
      const server = new Server({ name: 's', version: '1' }).tool('tool', { _meta }, () => ({
        content: [{ type: 'text', text: 'x', _meta }],
        _meta,
      }));
      const endpoint = await open(server);
      expect((await endpoint.send(modern('tools/list'))).result).toMatchObject({ tools: [{ _meta }] });
      expect((await endpoint.send(call('tool'))).result).toMatchObject({ content: [{ _meta }], _meta });
    });

    test('[BASE-038] members that nobody knows do not matter, wherever they stand', async () => {
      const endpoint = await open(example().server);
      const unknown = { 'com.example/x': 1, $schema: 'y', __proto__x: {} };
      const { headers, body } = call('echo', { text: 'x' }, { meta: unknown });
      const { params, ...rest } = body as { params: object };
      const answer = await endpoint.send({ headers, body: { ...rest, ...unknown, params: { ...params, ...unknown } } });
      expect(answer.content).toBe('x');
      const proto = JSON.stringify(body).replace('"arguments":{', '"arguments":{"__proto__":{"text":"evil"},');
      expect((await endpoint.send({ headers, body: proto })).content).toBe('x');
    });
  });

  describe('Statelessness', () => {
    test('[BASE-034 BASE-035] requests of many conversations, each on a connection of its own, mingle', async () => {
      const { server, hold } = example();
      const endpoint = await open(server);
      const held = endpoint.send(call('hold'));
      await hold.started;
      const others = await Promise.all([
        endpoint.send(call('echo', { text: 'a' })),
        endpoint.send(modern('tools/list')),
        endpoint.send(call('echo', { text: 'b' })),
      ]);
      expect(others.map(({ status }) => status)).toEqual([200, 200, 200]);
      hold.release();
      expect((await held).content).toBe('let go');
    });

    test('[META-007 BASE-033] what one request declares says nothing about the next', async () => {
      const endpoint = await open(example().server);
      const caller = async (meta: Record<string, unknown>) =>
        JSON.parse((await endpoint.send(call('caller', {}, { meta }))).content) as unknown;
      const clientInfo = { name: 'one', version: '1' };
      expect(
        await caller({
          [key('clientCapabilities')]: { elicitation: {} },
          [key('clientInfo')]: clientInfo,
          [key('logLevel')]: 'debug',
        }),
      ).toEqual({ revision: '2026-07-28', capabilities: { elicitation: {} }, clientInfo, logLevel: 'debug' });
      expect(await caller({})).toEqual({ revision: '2026-07-28', capabilities: {} });
    });
  });
});

test('[BASE-033 BASE-035] one connection carries requests of unrelated callers', async () => {
  const { server } = example();
  const endpoint = await nodeEndpoint(server);
  const send = oneConnection(endpoint);
  const capabilities = async (value: object) =>
    JSON.parse((await send(call('caller', {}, { meta: { [key('clientCapabilities')]: value } }))).content) as {
      capabilities: unknown;
    };
  expect((await capabilities({ sampling: {} })).capabilities).toEqual({ sampling: {} });
  expect((await capabilities({})).capabilities).toEqual({});
  expectRefusal(
    await send({ headers: call('caller').headers, body: { jsonrpc: '2.0', id: 1, method: 'tools/call' } }),
    400,
    -32602,
    1,
  );
});

test('[CAP-012] both doors, and every connection, give the same lists', async () => {
  const { server } = example();
  const node = await nodeEndpoint(server);
  const web = webEndpoint(server);
  const lists = await Promise.all([node, node, web, web].map((endpoint) => endpoint.send(modern('tools/list'))));
  expect(new Set(lists.map(({ text }) => text)).size).toBe(1);
  expect(metaOf()).toHaveProperty([key('protocolVersion')]);
});
