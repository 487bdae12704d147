/** MCP 2026-07-28, basic/transports/streamable-http: what a server has to do. */
import { describe, expect, test } from 'vitest';
import { serveHttp } from '../../../../../src/node/http.ts';
import type { Exchange, Service } from '../../../../../src/ports/index.ts';
import { Server } from '../../../../../src/server/server.ts';
import { example } from '../../../../support/example.ts';
import {
  bareSocket,
  call,
  doors,
  expectRefusal,
  gate,
  headText,
  metaOf,
  modern,
  modernVersion,
  mountedEndpoint,
  nodeEndpoint,
  usual,
  webEndpoint,
} from '../../../../support/http.ts';

const listen = (filter = { toolsListChanged: true }, more: Parameters<typeof modern>[2] = {}) =>
  modern('subscriptions/listen', { notifications: filter }, { id: 'sub', ...more });

describe.each(doors)('$name', ({ open }) => {
  describe('Security & Endpoint', () => {
    test('[HTTP-001] one path takes every request by POST', async () => {
      const endpoint = await open(example().server);
      for (const sent of [modern('server/discover'), modern('tools/list'), call('echo', { text: 'x' })]) {
        const answer = await endpoint.send(sent);
        expect({ status: answer.status, type: answer.type }).toEqual({ status: 200, type: 'application/json' });
        expect(answer.result).toMatchObject({ resultType: 'complete' });
      }
    });

    test('[HTTP-002 HTTP-003] a request from a foreign web page gets 403 and runs nothing; one without Origin is served', async () => {
      const { server, runs } = example();
      const endpoint = await open(server);
      for (const origin of ['http://evil.test', 'null', 'http://localhost.evil.test']) {
        expectRefusal(await endpoint.send(call('echo', {}, { headers: { origin } })), 403, -32600);
        expectRefusal(await endpoint.send({ method: 'GET', headers: { ...usual, origin } }), 403, -32600);
        expectRefusal(await endpoint.send({ method: 'OPTIONS', headers: { origin } }), 403, -32600);
      }
      expect(runs).toEqual([]);
      expect((await endpoint.send(call('echo'))).status).toBe(200);
      expect(runs).toEqual(['echo']);
    });
  });

  describe('Sending Messages', () => {
    test('[HTTP-008 B-49] a request that says nothing meanwhile is answered with one JSON object', async () => {
      const endpoint = await open(example().server);
      const answer = await endpoint.send(call('echo', { text: 'hi' }, { id: 'x' }));
      expect(answer.type).toBe('application/json');
      expect(answer.json).toMatchObject({ jsonrpc: '2.0', id: 'x', result: { content: [{ text: 'hi' }] } });
    });

    test('[HTTP-008 HTTP-011 HTTP-013] notices make it a stream: they come first, belong to the request, and the response ends it', async () => {
      const endpoint = await open(example().server);
      const answer = await endpoint.send(call('report', {}, { id: 4, meta: { progressToken: 'mine' } }));
      expect(answer).toMatchObject({ status: 200, type: 'text/event-stream' });
      expect(answer.messages).toEqual([
        {
          jsonrpc: '2.0',
          method: 'notifications/progress',
          params: { progressToken: 'mine', progress: 0.5, total: 1, message: 'half' },
        },
        { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 'mine', progress: 1, total: 1 } },
        expect.objectContaining({ jsonrpc: '2.0', id: 4, result: expect.anything() as unknown }),
      ]);
    });

    test('[HTTP-009 BASE-022] a notification is accepted with 202 and nothing else', async () => {
      const endpoint = await open(example().server);
      const { headers } = modern('notifications/whatever');
      for (const params of [undefined, {}, { requestId: 5 }, { _meta: metaOf() }]) {
        const answer = await endpoint.send({
          headers,
          body: { jsonrpc: '2.0', method: 'notifications/whatever', params },
        });
        expect(answer).toMatchObject({ status: 202, text: '' });
        expect(answer.type).toBe(undefined);
      }
    });

    test('[HTTP-009] a notification that is not accepted gets an error without id', async () => {
      const endpoint = await open(example().server);
      const { headers } = modern('notifications/other');
      const answer = await endpoint.send({ headers, body: { jsonrpc: '2.0', method: 'notifications/cancelled' } });
      expectRefusal(answer, 400, -32020);
      expectRefusal(await endpoint.send({ headers, body: { jsonrpc: '2.0', method: 'n', params: 5 } }), 400, -32600);
    });

    test('a body is one request or notification: no response, no array', async () => {
      const endpoint = await open(example().server);
      const { headers } = modern('tools/list');
      for (const body of [
        { jsonrpc: '2.0', id: 1, result: {} },
        { jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'no' } },
        [],
        [{ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: metaOf() } }],
      ])
        expectRefusal(await endpoint.send({ headers, body }), 400, -32600);
    });

    test('[B-20 B-21 META-020] a notification needs neither headers nor _meta; what contradicts is refused', async () => {
      const endpoint = await open(example().server);
      const note = (headers: Record<string, string>) =>
        endpoint.send({
          headers: { ...usual, ...headers },
          body: { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 9 } },
        });
      expect((await note({ 'mcp-protocol-version': modernVersion })).status).toBe(202);
      expect((await note({})).status).toBe(202);
      const method = { 'mcp-protocol-version': modernVersion, 'mcp-method': 'notifications/cancelled' };
      expect((await note(method)).status).toBe(202);
      expectRefusal(await note({ ...method, 'mcp-method': 'tools/call' }), 400, -32020);
    });

    test('[B-50] one acceptable type is enough, and is what the caller gets', async () => {
      const endpoint = await open(example().server);
      const send = (name: string, accept: string | undefined) =>
        endpoint.send(call(name, {}, { headers: { accept }, meta: { progressToken: 1 } }));
      for (const accept of ['*/*', undefined, 'text/event-stream, application/json', 'application/*, text/*']) {
        expect(await send('echo', accept)).toMatchObject({ status: 200, type: 'application/json' });
        expect(await send('report', accept)).toMatchObject({ status: 200, type: 'text/event-stream' });
      }
      for (const name of ['echo', 'report']) {
        expect(await send(name, 'application/json')).toMatchObject({ status: 200, type: 'application/json' });
        const stream = await send(name, 'text/event-stream');
        expect(stream).toMatchObject({ status: 200, type: 'text/event-stream' });
        expect(stream.result).toMatchObject({ resultType: 'complete' });
      }
      for (const accept of ['text/html', '*/*;q=0', 'application/json;q=0'])
        expectRefusal(await send('echo', accept), 406, -32600);
    });

    test('a caller that takes only a stream still sees the status of an error', async () => {
      const endpoint = await open(example().server);
      const headers = { accept: 'text/event-stream' };
      expectRefusal(await endpoint.send(modern('nope', {}, { headers })), 404, -32601, 1);
      expectRefusal(await endpoint.send(modern('tools/list', {}, { headers: { 'mcp-method': 'x' } })), 400, -32020, 1);
    });
  });

  describe('Receiving Messages', () => {
    test('[HTTP-014 HTTP-017] streams pass proxies unbuffered and carry neither event ids nor retry times', async () => {
      const endpoint = await open(example().server);
      const answer = await endpoint.send(
        call('report', {}, { meta: { progressToken: 1 }, headers: { 'last-event-id': '5' } }),
      );
      expect(answer.headers).toMatchObject({ 'x-accel-buffering': 'no', 'cache-control': 'no-cache, no-transform' });
      expect(answer.text).not.toMatch(/^(?:id|retry):/m);
      expect(answer.messages).toHaveLength(3);
    });

    test('[HTTP-012 BASE-023] no way to send a request of its own is open to the server', async () => {
      let ask: Exchange['ask'] | 'not seen' = 'not seen';
      const service: Service = {
        answer: (_, exchange) => {
          ask = exchange.ask;
          exchange.emit({ method: 'notifications/progress', params: {} });
          return Promise.resolve({ result: {} });
        },
        notice: () => undefined,
      };
      const endpoint = await open(service);
      const { messages } = await endpoint.send(modern('tools/list'));
      expect(ask).toBe(undefined);
      for (const message of messages) expect('id' in message && 'method' in message).toBe(false);
    });

    test('[HTTP-016 SUB-015] progress travels on the stream of its own request only', async () => {
      const { server } = example();
      const endpoint = await open(server);
      const listening = endpoint.fly(listen());
      const stream = await listening.head;
      expect(await stream.message()).toMatchObject({ method: 'notifications/subscriptions/acknowledged' });
      const [one, two] = await Promise.all([
        endpoint.send(call('report', {}, { id: 1, meta: { progressToken: 'one' } })),
        endpoint.send(call('report', {}, { id: 2, meta: { progressToken: 'two' } })),
      ]);
      const tokens = (messages: readonly object[]) =>
        messages.flatMap((message) =>
          'params' in message ? [(message.params as object)['progressToken' as never]] : [],
        );
      expect(tokens(one.messages)).toEqual(['one', 'one']);
      expect(tokens(two.messages)).toEqual(['two', 'two']);
      await server.close();
      expect(await stream.message()).toMatchObject({ id: 'sub', result: { resultType: 'complete' } });
      expect(await stream.message()).toBe(undefined);
    });

    test('[HTTP-060 B-18] subscriptions/listen is a stream that begins with the acknowledgement and ends with a result', async () => {
      const { server } = example();
      const endpoint = await open(server);
      const stream = await endpoint.fly(listen()).head;
      expect(stream).toMatchObject({ status: 200, headers: { 'content-type': 'text/event-stream' } });
      const _meta = { 'io.modelcontextprotocol/subscriptionId': 'sub' };
      expect(await stream.message()).toEqual({
        jsonrpc: '2.0',
        method: 'notifications/subscriptions/acknowledged',
        params: { notifications: { toolsListChanged: true }, _meta },
      });
      server.removeTool('echo');
      expect(await stream.message()).toMatchObject({ method: 'notifications/tools/list_changed', params: { _meta } });
      await server.close();
      const last = await stream.message();
      expect(last).toMatchObject({ id: 'sub', result: { resultType: 'complete', _meta } });
      expect(Object.keys(last?.['result'] as object).toSorted()).toEqual(['_meta', 'resultType']);
      expect(await stream.message()).toBe(undefined);
    });

    test('[B-17] a filter of which nothing is offered is acknowledged as empty, and the stream stays open', async () => {
      const { server } = example();
      const endpoint = await open(server);
      const filter = { resourceSubscriptions: ['x:y'], promptsListChanged: true } as never;
      const stream = await endpoint.fly(listen(filter)).head;
      expect(await stream.message()).toHaveProperty(['params', 'notifications'], {});
      server.removeTool('echo');
      const next = stream.message();
      await server.close();
      expect(await next).toMatchObject({ id: 'sub', result: { resultType: 'complete' } });
    });

    test('a caller that takes no stream cannot listen', async () => {
      const endpoint = await open(example().server);
      const answer = await endpoint.send(listen(undefined, { headers: { accept: 'application/json' } }));
      expectRefusal(answer, 406, -32600, 'sub');
    });
  });

  describe('Cancellation', () => {
    test('[HTTP-019 B-22 SEED-187] a caller that leaves before any answer cancels its request', async () => {
      const { server, hold } = example();
      const endpoint = await open(server);
      const flight = endpoint.fly(call('hold'));
      await hold.started;
      flight.leave();
      expect(await hold.aborted).toMatchObject({ code: 'aborted' });
      hold.release();
    });

    test('[HTTP-019 B-52 CAN-011] a caller that leaves a stream cancels its request, and nothing more is sent for it', async () => {
      const aborted = gate<unknown>();
      const sent = gate<boolean>();
      const service: Service = {
        answer: async (_, exchange) => {
          exchange.emit({ method: 'notifications/progress', params: { progress: 1 } });
          await new Promise((resolve) => {
            exchange.cancel.onCancel(resolve);
          }).then(aborted.open);
          sent.open(exchange.emit({ method: 'notifications/progress', params: { progress: 2 } }));
          await exchange.drained();
          return { result: { late: true } };
        },
        notice: () => undefined,
      };
      const endpoint = await open(service);
      const flight = endpoint.fly(modern('tools/list'));
      const stream = await flight.head;
      expect(await stream.message()).toMatchObject({ params: { progress: 1 } });
      flight.leave();
      expect(await aborted.opened).toMatchObject({ code: 'aborted' });
      expect(await sent.opened).toBe(false);
      await expect(stream.message()).rejects.toThrow();
    });

    test('a subscription that its caller leaves is over, and its place free', async () => {
      const { server } = example({ maxSubscriptions: 1 });
      let over = gate();
      const watched: Service = {
        answer: async (asked, exchange) => {
          const reply = await server.answer(asked, exchange);
          over.open();
          return reply;
        },
        notice: () => undefined,
      };
      const endpoint = await open(watched);
      for (let round = 0; round < 3; round++) {
        over = gate();
        const flight = endpoint.fly(listen());
        const stream = await flight.head;
        expect(await stream.message()).toMatchObject({ method: 'notifications/subscriptions/acknowledged' });
        flight.leave();
        await over.opened;
        server.tool(`another ${round}`, {}, () => '');
      }
    });

    test('a request that is over is not cancelled by its caller leaving', async () => {
      const { server, hold } = example();
      const endpoint = await open(server);
      const flight = endpoint.fly(call('hold'));
      await hold.started;
      hold.release();
      const answer = await (await flight.head).complete();
      flight.leave();
      expect(answer.content).toBe('let go');
      const outcome = await Promise.race([
        hold.aborted.then(() => 'aborted'),
        endpoint.send(call('echo')).then(() => 'quiet'),
      ]);
      expect(outcome).toBe('quiet');
    });
  });

  describe('Protocol Version Header', () => {
    test('[HTTP-022 HTTP-028] a version in the header that differs from the one in _meta: 400 and -32020', async () => {
      const { server, runs } = example();
      const endpoint = await open(server);
      for (const version of ['2025-11-25', '2025-03-26', '1900-01-01', '', '2026-07-28, 2026-07-28']) {
        const answer = await endpoint.send(call('echo', {}, { id: 8, headers: { 'mcp-protocol-version': version } }));
        expectRefusal(answer, 400, -32020, 8);
      }
      expect(runs).toEqual([]);
    });

    test('[HTTP-023 VER-002] a version that is not served: 400 and -32022 with both sides', async () => {
      const { server, runs } = example();
      const endpoint = await open(server);
      for (const version of ['2099-01-01', '2025-11-25']) {
        const answer = await endpoint.send(
          call(
            'echo',
            {},
            {
              headers: { 'mcp-protocol-version': version },
              meta: { 'io.modelcontextprotocol/protocolVersion': version },
            },
          ),
        );
        expectRefusal(answer, 400, -32022, 1);
        expect(answer.error.data).toEqual({
          supported: ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'],
          requested: version,
        });
      }
      expect(runs).toEqual([]);
    });

    test('[HTTP-024 BASE-028 VER-024] a method that is not there: 404 and -32601 with the id', async () => {
      const endpoint = await open(example().server);
      for (const method of ['no/such/method', 'prompts/list', 'resources/list', 'completion/complete', 'tasks/get'])
        expectRefusal(await endpoint.send(modern(method, {}, { id: 'm' })), 404, -32601, 'm');
    });

    test('[B-12] an unknown tool is no unknown method: 200 and -32602', async () => {
      const endpoint = await open(example().server);
      expectRefusal(await endpoint.send(call('nope')), 200, -32602, 1);
    });

    test('[B-08 HTTP-028] modern _meta without the version header: 400 and -32020', async () => {
      const endpoint = await open(example().server);
      for (const method of ['server/discover', 'tools/list', 'subscriptions/listen']) {
        const answer = await endpoint.send(modern(method, {}, { headers: { 'mcp-protocol-version': undefined } }));
        expectRefusal(answer, 400, -32020, 1);
      }
    });

    test('[B-07 HTTP-056 META-005] a modern header without _meta: 400 and -32602', async () => {
      const endpoint = await open(example().server);
      for (const params of [undefined, {}, { _meta: {} }, { _meta: null }, { name: 'echo' }]) {
        const { headers } = modern('tools/list');
        const answer = await endpoint.send({ headers, body: { jsonrpc: '2.0', id: 3, method: 'tools/list', params } });
        expectRefusal(answer, 400, -32602, 3);
      }
    });
  });

  describe('Standard Request Headers, Server Validation', () => {
    test('[HTTP-028 SEC-009] Mcp-Method and Mcp-Name have to be there and to agree: 400, -32020, the id, and nothing runs', async () => {
      const { server, runs } = example();
      const endpoint = await open(server);
      for (const headers of [
        { 'mcp-method': undefined },
        { 'mcp-method': 'tools/list' },
        { 'mcp-method': 'TOOLS/CALL' },
        { 'mcp-name': undefined },
        { 'mcp-name': 'report' },
        { 'mcp-name': 'Echo' },
        { 'mcp-name': '' },
      ])
        expectRefusal(await endpoint.send(call('echo', {}, { id: 'id', headers })), 400, -32020, 'id');
      expect(runs).toEqual([]);
    });

    test('[HTTP-033] a -32020 has no data', async () => {
      const endpoint = await open(example().server);
      const answer = await endpoint.send(call('echo', {}, { headers: { 'mcp-name': 'report' } }));
      expect(Object.keys(answer.error).toSorted()).toEqual(['code', 'message']);
    });

    test('[HTTP-029] an encoded Mcp-Name is decoded before it is compared', async () => {
      const endpoint = await open(example().server);
      const encoded = (name: string) => `=?base64?${Buffer.from(name).toString('base64')}?=`;
      const name = 'Załącznik/日本';
      const send = (value: string) => endpoint.send(call(name, {}, { headers: { 'mcp-name': value } }));
      expect((await send(encoded(name))).content).toBe('read');
      expectRefusal(await send(encoded('Załącznik')), 400, -32020, 1);
      expectRefusal(await send('=?base64?%%%?='), 400, -32020, 1);
      expectRefusal(await send('=?base64?/w==?='), 400, -32020, 1);
      expect((await endpoint.send(call('echo', {}, { headers: { 'mcp-name': encoded('echo') } }))).status).toBe(200);
    });

    test('[HTTP-031] bytes outside ASCII in a header: 400 and -32020, though they spell the name', async () => {
      const server = new Server({ name: 's', version: '1' }).tool('é', {}, () => 'ran');
      const endpoint = await open(server);
      expectRefusal(await endpoint.send(call('é', {}, { headers: { 'mcp-name': 'é' } })), 400, -32020, 1);
      expectRefusal(await endpoint.send(modern('é')), 400, -32020, 1);
    });
  });

  describe('Case Sensitivity', () => {
    test('[HTTP-030 B-26] names of headers in any case, values in theirs, white space around them free', async () => {
      const endpoint = await open(example().server);
      const { headers, body } = call('echo');
      const odd = Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name.toUpperCase(), value]));
      expect((await endpoint.send({ headers: odd, body })).status).toBe(200);
      const spaced = { 'mcp-method': '  tools/call\t', 'mcp-name': '\techo ', 'mcp-protocol-version': ' 2026-07-28 ' };
      expect((await endpoint.send(call('echo', {}, { headers: spaced }))).status).toBe(200);
      expectRefusal(await endpoint.send(call('echo', {}, { headers: { 'mcp-name': 'ECHO' } })), 400, -32020, 1);
    });
  });

  describe('Custom Headers from Tool Parameters', () => {
    const mirrored = (args: Record<string, unknown>, headers: Record<string, string>) =>
      call('mirrored', args, { id: 5, headers });
    const all = { region: 'us', count: 42, dry: false, repo: { name: 'x y' } };
    const agreeing = {
      'mcp-param-region': 'us',
      'mcp-param-count': '42',
      'mcp-param-dry-run': 'false',
      'mcp-param-repo': 'x y',
    };

    test('[HTTP-047 HTTP-048 HTTP-029] headers that agree with the arguments pass, encoded ones too; unknown ones do not matter', async () => {
      const endpoint = await open(example().server);
      const pass = async (args: Record<string, unknown>, headers: Record<string, string>) =>
        expect((await endpoint.send(mirrored(args, headers))).content).toBe('agreed');
      await pass(all, agreeing);
      await pass(all, { ...agreeing, 'mcp-param-repo': '=?base64?eCB5?=', 'mcp-param-unknown': 'ä' });
      await pass({}, {});
      // The tool's schema wants a text, but that is no matter of headers.
      expect((await endpoint.send(mirrored({ region: null }, {}))).result).toMatchObject({ isError: true });
      await pass({ region: 'é' }, { 'mcp-param-region': '=?base64?w6k=?=' });
    });

    test('[HTTP-032] integers compare as numbers', async () => {
      const endpoint = await open(example().server);
      for (const [count, text] of [
        [42, '42.0'],
        [42, '042'],
        [-7, '-7'],
        [0, '-0'],
      ] as const)
        expect((await endpoint.send(mirrored({ count }, { 'mcp-param-count': text }))).status).toBe(200);
      for (const text of ['', '0x2a', '42.5', '4.2e1', 'NaN', '41', '42 42'])
        expectRefusal(await endpoint.send(mirrored({ count: 42 }, { 'mcp-param-count': text })), 400, -32020, 5);
    });

    test('[B-27] an empty header stands for the empty string', async () => {
      const endpoint = await open(example().server);
      expect((await endpoint.send(mirrored({ region: '' }, { 'mcp-param-region': '' }))).status).toBe(200);
      expectRefusal(await endpoint.send(mirrored({ region: '' }, {})), 400, -32020, 5);
      expectRefusal(await endpoint.send(mirrored({}, { 'mcp-param-region': '' })), 400, -32020, 5);
    });

    test.each([
      ['missing', { 'mcp-param-region': undefined }],
      ['another value', { 'mcp-param-region': 'eu' }],
      ['another case', { 'mcp-param-region': 'US' }],
      ['broken base64', { 'mcp-param-region': '=?base64?%?=' }],
      ['bytes outside ASCII', { 'mcp-param-region': 'é' }],
      ['a word that is no boolean', { 'mcp-param-dry-run': '0' }],
      ['a boolean in another case', { 'mcp-param-dry-run': 'False' }],
      ['a nested one missing', { 'mcp-param-repo': undefined }],
    ])('[HTTP-047 HTTP-048] %s: 400 and -32020, and the tool does not run', async (_, headers) => {
      const { server, runs } = example();
      const endpoint = await open(server);
      const given = { ...agreeing, ...headers } as Record<string, string>;
      expectRefusal(await endpoint.send(mirrored(all, given)), 400, -32020, 5);
      expect(runs).toEqual([]);
    });

    test('[HTTP-047] a header for an argument that is absent or null is refused', async () => {
      const endpoint = await open(example().server);
      for (const args of [{}, { region: null }])
        expectRefusal(await endpoint.send(mirrored(args, { 'mcp-param-region': 'us' })), 400, -32020, 5);
    });
  });

  describe('Backward Compatibility', () => {
    test('[HTTP-053] GET and DELETE of a modern client: 405, POST is what is allowed', async () => {
      const endpoint = await open(example().server);
      for (const method of ['GET', 'HEAD', 'DELETE', 'PUT', 'PATCH', 'OPTIONS']) {
        const answer = await endpoint.send({ method, headers: { ...usual, 'mcp-protocol-version': modernVersion } });
        expect(answer).toMatchObject({ status: 405, headers: { allow: 'POST' } });
        expect(answer.text === '').toBe(method === 'HEAD');
      }
    });

    test('[HTTP-054 LHTTP-035] a session id and a last event id on a modern request are ignored, and none is given', async () => {
      const endpoint = await open(example().server);
      const headers = { 'mcp-session-id': 'no-such-session', 'last-event-id': '7' };
      for (const sent of [call('echo', {}, { headers }), modern('tools/list', {}, { headers })]) {
        const answer = await endpoint.send(sent);
        expect(answer.status).toBe(200);
        expect(answer.headers).not.toHaveProperty('mcp-session-id');
      }
    });
  });

  describe('Status Codes', () => {
    test('[HTTP-058 B-10] errors that no status is defined for: 400 for what is no request, 200 for the rest', async () => {
      const server = new Server({ name: 's', version: '1' }).tool(
        'bad',
        { output: { type: 'object' } },
        () => 'no' as never,
      );
      const endpoint = await open(server);
      const { headers } = modern('tools/list');
      expectRefusal(await endpoint.send({ headers, body: '{' }), 400, -32700);
      expectRefusal(await endpoint.send({ headers, body: { id: 1, method: 'x' } }), 400, -32600, 1);
      expectRefusal(await endpoint.send(call('nope')), 200, -32602, 1);
      expectRefusal(await endpoint.send(modern('tools/list', { cursor: 'x' })), 200, -32602, 1);
      expectRefusal(await endpoint.send(call('bad')), 200, -32603, 1);
    });

    test('[B-11 HTTP-057] an error that comes after the stream has begun is its last event', async () => {
      const service: Service = {
        answer: (_, exchange) => {
          exchange.emit({ method: 'notifications/progress', params: {} });
          return Promise.resolve({ error: { code: -32021, message: 'late' }, status: 400 });
        },
        notice: () => undefined,
      };
      const endpoint = await open(service);
      const answer = await endpoint.send(modern('tools/list'));
      expect(answer).toMatchObject({ status: 200, type: 'text/event-stream' });
      expect(answer.messages.at(-1)).toEqual({ jsonrpc: '2.0', id: 1, error: { code: -32021, message: 'late' } });
      const soon = await open({
        ...service,
        answer: () => Promise.resolve({ error: { code: -32021, message: 'x' }, status: 400 }),
      });
      expectRefusal(await soon.send(modern('tools/list')), 400, -32021, 1);
    });
  });
});

describe('streams that stay open', () => {
  const keepAliveMs = 5;

  test.each([
    ['Node door', () => nodeEndpoint(example().server, { keepAliveMs })],
    ['web door', () => Promise.resolve(webEndpoint(example().server, { keepAliveMs }))],
  ] as const)('[HTTP-015 SEED-184] %s: comments go out while there is nothing to say', async (_, open) => {
    const endpoint = await open();
    const flight = endpoint.fly(listen());
    const stream = await flight.head;
    expect(await stream.block()).toContain('notifications/subscriptions/acknowledged');
    for (let round = 0; round < 3; round++) expect(await stream.block()).toBe(': keep-alive');
    flight.leave();
  });

  test('[HTTP-015] a call that has begun to stream is kept alive too, and its messages come through whole', async () => {
    const { server, hold } = example();
    server.tool('slow', {}, async (_, ctx) => {
      await ctx.progress(1);
      await hold.run(ctx.signal);
      return 'slow';
    });
    const endpoint = await nodeEndpoint(server, { keepAliveMs });
    const stream = await endpoint.fly(call('slow', {}, { meta: { progressToken: 1 } })).head;
    expect(await stream.block()).toContain('notifications/progress');
    expect(await stream.block()).toBe(': keep-alive');
    hold.release();
    expect(await stream.message()).toMatchObject({ id: 1, result: {} });
    expect(await stream.block()).toBe(undefined);
  });
});

describe('the Node door as a listener', () => {
  test('[HTTP-004] it binds to this machine alone, unless it is told its names', async () => {
    const { server } = example();
    const serving = await serveHttp(server);
    expect(serving.url).toBe(`http://127.0.0.1:${serving.port}/mcp`);
    await serving.close();
    for (const host of ['0.0.0.0', '::', 'mcp.test'])
      await expect(serveHttp(server, { host })).rejects.toMatchObject({ code: 'bad_argument' });
  });

  test('[HTTP-004] every request is authenticated, before its body is read', async () => {
    const { server, runs } = example();
    const seen: string[] = [];
    const endpoint = await nodeEndpoint(server, {
      authenticate: ({ method, url, header }) => {
        seen.push(`${method} ${url}`);
        return header('authorization') === 'Bearer good'
          ? { principal: 'ann' }
          : { status: 401, headers: { 'www-authenticate': 'Bearer' } };
      },
    });
    const refused = [
      call('echo'),
      { method: 'GET', headers: usual },
      { method: 'DELETE', headers: usual },
      { headers: usual, body: '{' },
    ];
    for (const sent of refused) {
      const answer = await endpoint.send(sent);
      expectRefusal(answer, 401, -32600);
      expect(answer.headers).toHaveProperty('www-authenticate', 'Bearer');
    }
    expect(seen).toEqual(['POST /mcp', 'GET /mcp', 'DELETE /mcp', 'POST /mcp']);
    expect(runs).toEqual([]);
    const answer = await endpoint.send(call('caller', {}, { headers: { authorization: 'Bearer good' } }));
    expect(JSON.parse(answer.content)).toMatchObject({ principal: 'ann' });
  });

  test('authentication that fails of itself lets nobody in and tells nothing', async () => {
    const { server, runs } = example();
    const endpoint = await nodeEndpoint(server, {
      authenticate: () => Promise.reject(new Error('secret of the database')),
    });
    const answer = await endpoint.send(call('echo'));
    expectRefusal(answer, 500, -32603);
    expect(answer.text).not.toContain('secret');
    expect(runs).toEqual([]);
  });

  test('[HTTP-052 SEC-014] headers past the limit of the platform: 431, and the server lives on', async () => {
    const endpoint = await nodeEndpoint(example().server);
    const answer = await endpoint.send(call('echo', {}, { headers: { 'mcp-param-x': 'x'.repeat(20_000) } }));
    expect(answer.status).toBe(431);
    expect((await endpoint.send(call('echo'))).status).toBe(200);
  });

  test('its path is served with and without a slash at the end, others are not there', async () => {
    const endpoint = await nodeEndpoint(example().server, { path: '/t/acme/mcp' });
    for (const path of ['/t/acme/mcp', '/t/acme/mcp/', '/t/acme/mcp?x=1'])
      expect((await endpoint.send({ ...call('echo'), path })).status).toBe(200);
    for (const path of ['/', '/mcp', '/t/acme', '/t/acme/mcp/x', '/t/acme/mcpx'])
      expect((await endpoint.send({ ...call('echo'), path })).status).toBe(404);
  });

  test('a final result reaches those who listen when it closes', async () => {
    const endpoint = await nodeEndpoint(example().server);
    const stream = await endpoint.fly(listen()).head;
    expect(await stream.message()).toMatchObject({ method: 'notifications/subscriptions/acknowledged' });
    const closed = endpoint.close();
    expect(await stream.message()).toMatchObject({ id: 'sub', result: { resultType: 'complete' } });
    expect(await stream.message()).toBe(undefined);
    await closed;
  });

  test('requests in a row on one connection do not wait for each other to be judged', async () => {
    const { server } = example();
    const endpoint = await nodeEndpoint(server);
    const { socket, ended } = bareSocket(endpoint.port);
    const raw = (text: string, more: Record<string, string>): string => {
      const sent = call('echo', { text });
      return headText(sent, more) + JSON.stringify(sent.body);
    };
    socket.write(raw('one', {}) + raw('two', { connection: 'close' }));
    expect((await ended).match(/"text":"\w+"/g)).toEqual(['"text":"one"', '"text":"two"']);
  });

  test('a handler that is mounted behind a body parser says so', async () => {
    const endpoint = await mountedEndpoint(example().server, {}, async (request) => {
      for await (const _ of request);
    });
    const answer = await endpoint.send(call('echo'));
    expectRefusal(answer, 500, -32603);
    expect(answer.error.message).toContain('body parsers');
  });
});
