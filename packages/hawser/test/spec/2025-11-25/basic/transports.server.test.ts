/** MCP 2025-11-25, basic/transports (Streamable HTTP), and its like in 2025-03-26 and 2025-06-18: the server. */
import { request } from 'node:http';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Exchange, Reply, Service } from '../../../../src/ports/index.ts';
import { Server } from '../../../../src/server/server.ts';
import { nextTurn } from '../../../../src/testing/settle.ts';
import { example } from '../../../support/example.ts';
import {
  bareSocket,
  call,
  expectRefusal,
  gate,
  headText,
  initialize,
  modern,
  mountedEndpoint,
  nodeEndpoint,
  openSession,
  usual,
  type Endpoint,
  type Flight,
  type Live,
  type Sent,
  type Session,
} from '../../../support/http.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const stranger = '00000000-0000-4000-8000-000000000000';

/** A service whose calls the test answers itself. */
function byHand(handle: (exchange: Exchange, method: string) => Promise<Reply>): Service {
  const server = new Server({ name: 'by hand', version: '1' });
  return {
    answer: (asked, exchange) =>
      asked.method === 'tools/call' ? handle(exchange, asked.method) : server.answer(asked, exchange),
    notice: () => undefined,
  };
}

describe.each(['2025-03-26', '2025-06-18', '2025-11-25'])('a session of %s', (version) => {
  async function open(service: Service = example().server): Promise<{ endpoint: Endpoint; session: Session }> {
    const endpoint = await nodeEndpoint(service);
    return { endpoint, session: await openSession(endpoint, version) };
  }

  describe('Streamable HTTP', () => {
    test('[LHTTP-001] one path takes POST and GET', async () => {
      const { endpoint, session } = await open();
      expect((await endpoint.send(session.call('echo', { text: 'x' }))).content).toBe('x');
      const flight = endpoint.fly(session.get());
      expect(await flight.head).toMatchObject({ status: 200, headers: { 'content-type': 'text/event-stream' } });
      flight.leave();
    });
  });

  describe('Security Warning', () => {
    test('[LHTTP-031] a foreign origin gets 403, whatever it asks', async () => {
      const { endpoint, session } = await open();
      const foreign = (sent: Sent): Sent => ({ ...sent, headers: { ...sent.headers, origin: 'http://evil.test' } });
      for (const sent of [session.call('echo'), session.get(), session.delete(), initialize(version)])
        expectRefusal(await endpoint.send(foreign(sent)), 403, -32600);
      expect((await endpoint.send(session.call('echo'))).status).toBe(200);
    });
  });

  describe('Sending Messages to the Server', () => {
    test('[LHTTP-004 SEED-161] notifications and responses are accepted with 202 and no body', async () => {
      const { endpoint, session } = await open();
      for (const body of [
        { jsonrpc: '2.0', method: 'notifications/roots/list_changed' },
        { jsonrpc: '2.0', method: 'notifications/unheard-of', params: {} },
        { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'unknown' } },
        { jsonrpc: '2.0', method: 'notifications/cancelled' },
        { jsonrpc: '2.0', id: 's99', result: {} },
        { jsonrpc: '2.0', id: 's99', error: { code: -1, message: 'no' } },
      ]) {
        const answer = await endpoint.send(session.post(body));
        expect(answer).toMatchObject({ status: 202, text: '', headers: { 'content-length': '0' } });
      }
    });

    test('[SEED-161] the notification reaches the service', async () => {
      const noticed: string[] = [];
      const { server } = example();
      await open({ answer: (...all) => server.answer(...all), notice: ({ method }) => noticed.push(method) });
      expect(noticed).toEqual(['notifications/initialized']);
    });

    test('[LHTTP-004] what is no message is refused with an error without a readable id', async () => {
      const { endpoint, session } = await open();
      const nullId = version === '2025-11-25' ? undefined : null;
      for (const body of ['5', '{}', { jsonrpc: '2.0', method: 5 }, { jsonrpc: '2.0', id: null, method: 'tools/list' }])
        expectRefusal(await endpoint.send(session.post(body)), 400, -32600, nullId);
      expectRefusal(await endpoint.send(session.post('{')), 400, -32700, nullId);
    });

    test('[LHTTP-005 LHTTP-007] a request is answered with JSON, or with a stream that the response ends', async () => {
      const { endpoint, session } = await open();
      expect(await endpoint.send(session.call('echo'))).toMatchObject({ status: 200, type: 'application/json' });
      const answer = await endpoint.send(session.call('report', {}, { id: 'r', meta: { progressToken: 0 } }));
      expect(answer).toMatchObject({ status: 200, type: 'text/event-stream' });
      const methods = answer.messages.map((message) => message['method'] ?? message['id']);
      expect(methods).toEqual(['notifications/progress', 'notifications/progress', 'r']);
    });

    test('[BASE-014] results have nothing of the modern era', async () => {
      const { endpoint, session } = await open();
      const answers = [
        await endpoint.send(initialize(version)),
        await endpoint.send(session.request('tools/list')),
        await endpoint.send(session.call('echo')),
        await endpoint.send(session.request('ping')),
      ];
      for (const { result } of answers)
        for (const name of ['resultType', 'ttlMs', 'cacheScope', '_meta']) expect(result).not.toHaveProperty(name);
    });

    test('[LHTTP-006] a stream may carry a request of the server; its answer comes by POST and gets 202', async () => {
      const { endpoint, session } = await open(
        byHand(async (exchange) => {
          const reply = await exchange.ask?.({ method: 'roots/list' });
          return { result: { asked: reply?.result ?? reply?.error } };
        }),
      );
      for (const answer of [{ result: { roots: [] } }, { error: { code: -1, message: 'no' } }]) {
        const stream = await endpoint.fly(session.request('tools/call')).head;
        const asked = await stream.message();
        expect(asked).toMatchObject({ jsonrpc: '2.0', method: 'roots/list', id: expect.anything() as unknown });
        const posted = await endpoint.send(session.post({ jsonrpc: '2.0', id: asked?.['id'], ...answer }));
        expect(posted).toMatchObject({ status: 202, text: '' });
        expect(await stream.message()).toMatchObject({ result: { asked: answer.result ?? answer.error } });
        expect(await stream.message()).toBe(undefined);
      }
    });

    test('an answer that is none fails what was asked, and nothing else', async () => {
      const { endpoint, session } = await open(
        byHand(async (exchange) => {
          try {
            await exchange.ask?.({ method: 'roots/list' });
          } catch (error) {
            return { result: { failed: (error as { code: string }).code } };
          }
          return { result: {} };
        }),
      );
      for (const broken of [{ result: 5 }, { result: {}, error: {} }, { error: 'no' }, { error: { code: 'x' } }]) {
        const stream = await endpoint.fly(session.request('tools/call')).head;
        const id = (await stream.message())?.['id'];
        expect((await endpoint.send(session.post({ jsonrpc: '2.0', id, ...broken }))).status).toBe(202);
        expect(await stream.message()).toMatchObject({ result: { failed: 'invalid_response' } });
      }
      expect((await endpoint.send(session.request('tools/list'))).status).toBe(200);
    });

    test('a caller that takes no stream cannot be asked', async () => {
      const { endpoint, session } = await open(
        byHand((exchange) => Promise.resolve({ result: { can: exchange.ask !== undefined } })),
      );
      const { headers, body } = session.request('tools/call');
      expect((await endpoint.send({ headers, body })).result).toEqual({ can: true });
      const json = { ...headers, accept: 'application/json' };
      expect((await endpoint.send({ headers: json, body })).result).toEqual({ can: false });
    });

    test('[B-52] a caller that leaves does not cancel: the request runs to its end', async () => {
      const { server, hold } = example();
      const left = gate();
      const endpoint = await mountedEndpoint(server, {}, (_, response) => {
        response.once('close', () => {
          if (!response.writableFinished) left.open();
        });
      });
      const session = await openSession(endpoint, version);
      const flight = endpoint.fly(session.call('hold', {}, { id: 'h' }));
      await hold.started;
      flight.leave();
      await left.opened;
      expect(await Promise.race([hold.aborted.then(() => 'aborted'), nextTurn()])).not.toBe('aborted');
      // It still runs: its id is taken.
      expectRefusal(await endpoint.send(session.call('echo', {}, { id: 'h' })), 409, -32600, 'h');
      hold.release();
    });

    test('[CAN-010] notifications/cancelled cancels: the tool is told, and no response is sent', async () => {
      const { server, hold } = example();
      const { endpoint, session } = await open(server);
      const flight = endpoint.fly(session.call('hold', {}, { id: 'h' }));
      await hold.started;
      const cancel = (params: object) => endpoint.send(session.note('notifications/cancelled', params as never));
      expect((await cancel({ requestId: 'other' })).status).toBe(202);
      expect((await cancel({ requestId: 'h', reason: 'enough' })).status).toBe(202);
      expect(await hold.aborted).toMatchObject({ code: 'aborted', cause: 'enough' });
      hold.release();
      const answer = await (await flight.head).complete();
      expect(answer).toMatchObject({ status: 200, type: 'text/event-stream', text: '' });
      expect((await endpoint.send(session.call('echo', {}, { id: 'h' }))).status).toBe(200);
    });

    test('the id of a cancellation is taken in its type, and for its own session', async () => {
      const { server, hold } = example();
      const { endpoint, session } = await open(server);
      const other = await openSession(endpoint, version);
      const flight = endpoint.fly(session.call('hold', {}, { id: 1 }));
      await hold.started;
      for (const sent of [
        session.note('notifications/cancelled', { requestId: '1' }),
        session.note('notifications/cancelled', { requestId: [1] }),
        other.note('notifications/cancelled', { requestId: 1 }),
      ])
        expect((await endpoint.send(sent)).status).toBe(202);
      hold.release();
      expect((await (await flight.head).complete()).content).toBe('let go');
    });

    test('[SEED-179] an id that is still in use is refused, and the first request is unharmed', async () => {
      const { server, hold } = example();
      const { endpoint, session } = await open(server);
      const flight = endpoint.fly(session.call('hold', {}, { id: 1 }));
      await hold.started;
      expectRefusal(await endpoint.send(session.call('echo', {}, { id: 1 })), 409, -32600, 1);
      expect((await endpoint.send(session.call('echo', {}, { id: '1' }))).status).toBe(200);
      hold.release();
      expect((await (await flight.head).complete()).content).toBe('let go');
      expect((await endpoint.send(session.call('echo', {}, { id: 1 }))).status).toBe(200);
    });

    test('an unknown method is an error in a 200', async () => {
      const { endpoint, session } = await open();
      for (const method of ['nope', 'server/discover', 'subscriptions/listen'])
        expectRefusal(await endpoint.send(session.request(method, {}, 'm')), 200, -32601, 'm');
    });

    test('[SEED-164 SEED-165] any Accept that takes one of the two types will do', async () => {
      const { endpoint, session } = await open();
      const send = (accept: string | undefined, name = 'report') => {
        const { headers, body } = session.call(name, {}, { meta: { progressToken: 1 } });
        return endpoint.send({ headers: { ...headers, accept }, body });
      };
      for (const accept of ['*/*', 'application/*, text/event-stream;q=0.5', undefined])
        expect(await send(accept)).toMatchObject({ status: 200, type: 'text/event-stream' });
      expect(await send('application/json')).toMatchObject({ status: 200, type: 'application/json' });
      expect(await send('text/event-stream', 'echo')).toMatchObject({ status: 200, type: 'text/event-stream' });
      for (const accept of ['*/*;q=0', 'text/html']) expectRefusal(await send(accept), 406, -32600);
      const get = (accept: string | undefined) => {
        const { headers } = session.get();
        return endpoint.fly({ method: 'GET', headers: { ...headers, accept } });
      };
      for (const accept of ['application/json', 'text/html', '*/*;q=0', undefined])
        expectRefusal(await (await get(accept).head).complete(), 406, -32600);
      for (const accept of ['text/event-stream', '*/*', 'text/*']) {
        const { headers } = (await openSession(endpoint, version)).get();
        expect(await endpoint.fly({ method: 'GET', headers: { ...headers, accept } }).head).toHaveProperty(
          'status',
          200,
        );
      }
    });
  });

  describe('Listening for Messages from the Server', () => {
    test('[LHTTP-015 LHTTP-016 LHTTP-018] changes come on the GET stream, once; responses never do', async () => {
      const { server, hold } = example();
      const { endpoint, session } = await open(server);
      const listening = endpoint.fly(session.get());
      const stream = await listening.head;
      expect(stream).toMatchObject({
        status: 200,
        headers: {
          'content-type': 'text/event-stream',
          'x-accel-buffering': 'no',
          'cache-control': 'no-cache, no-transform',
        },
      });
      const calling = endpoint.send(session.call('hold', {}, { id: 'h', meta: { progressToken: 'p' } }));
      await hold.started;
      server.tool('another', {}, () => '');
      server.tool('third', {}, () => '');
      expect(await stream.message()).toEqual({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
      hold.release();
      expect((await calling).messages).toHaveLength(1);
      const end = endpoint.send(session.delete());
      expect(await stream.message()).toBe(undefined);
      await end;
    });

    test('[LHTTP-017] the caller may close its stream and open it again', async () => {
      const { server } = example();
      const { endpoint, session } = await open(server);
      for (let round = 0; round < 3; round++) {
        const { flight, stream } = await openStream(session);
        server.tool(`another ${round}`, {}, () => '');
        expect(await stream.message()).toMatchObject({ method: 'notifications/tools/list_changed' });
        flight.leave();
      }
      expect((await endpoint.send(session.call('echo'))).status).toBe(200);
    });

    test('[SEED-154 LHTTP-009] a second stream gets 409, and the first goes on', async () => {
      const { server } = example();
      const { endpoint, session } = await open(server);
      const stream = await endpoint.fly(session.get()).head;
      const second = await endpoint.send(session.get());
      expectRefusal(second, 409, -32600);
      expect(second.error.message).toBe('Only one SSE stream is allowed per session');
      server.tool('another', {}, () => '');
      expect(await stream.message()).toMatchObject({ method: 'notifications/tools/list_changed' });
    });

    test('[SEED-155] of two streams asked for at the same moment one is opened', async () => {
      const { endpoint, session } = await open();
      const heads = await Promise.all([endpoint.fly(session.get()).head, endpoint.fly(session.get()).head]);
      expect(new Set(heads.map(({ status }) => status))).toEqual(new Set([200, 409]));
    });

    test('[SEED-184] a silent stream gets comments, so that nobody takes it for dead', async () => {
      const endpoint = await nodeEndpoint(example().server, { keepAliveMs: 5 });
      const session = await openSession(endpoint, version);
      const stream = await endpoint.fly(session.get()).head;
      expect(await stream.block()).toBe(': open');
      if (version === '2025-11-25') expect(await stream.block()).toMatch(/^id: \S+\nretry: 1000\ndata: $/);
      for (let round = 0; round < 3; round++) expect(await stream.block()).toBe(': keep-alive');
    });

    test('a session whose stream is open is not told of progress there', async () => {
      const { endpoint, session } = await open();
      const stream = await endpoint.fly(session.get()).head;
      const answer = await endpoint.send(session.call('report', {}, { meta: { progressToken: 1 } }));
      expect(answer.messages).toHaveLength(3);
      const end = endpoint.send(session.delete());
      expect(await stream.message()).toBe(undefined);
      await end;
    });
  });

  describe('Session Management', () => {
    test('[LHTTP-022 SEED-156 SEC-005] initialize gives an id nobody can guess', async () => {
      const { endpoint } = await open();
      const random = vi.spyOn(crypto, 'randomUUID');
      onTestFinished(() => random.mockRestore());
      const ids = new Set<string>();
      // Who knows what Math.random gives knows none of them.
      vi.spyOn(Math, 'random').mockReturnValue(0.5);
      onTestFinished(() => void vi.restoreAllMocks());
      for (let round = 0; round < 20; round++) {
        const answer = await endpoint.send(initialize(version));
        const id = String(answer.headers['mcp-session-id']);
        expect(id).toMatch(uuid);
        expect(random.mock.results.map(({ value }) => value as unknown)).toContain(id);
        ids.add(id);
      }
      expect(ids.size).toBe(20);
    });

    test('[LHTTP-022] initialize that is answered with a stream gives an id as well', async () => {
      const { endpoint } = await open();
      const answer = await endpoint.send(initialize(version, { accept: 'text/event-stream' }));
      expect(answer).toMatchObject({ status: 200, type: 'text/event-stream' });
      expect(answer.headers['mcp-session-id']).toMatch(uuid);
    });

    test('[LHTTP-024 SEED-153] without the id: 400, for a request, a notification, a response', async () => {
      const { server, runs } = example();
      const { endpoint, session } = await open(server);
      const bare = (sent: Sent): Sent => ({ ...sent, headers: { ...sent.headers, 'mcp-session-id': undefined } });
      expectRefusal(await endpoint.send(bare(session.call('echo', {}, { id: 9 }))), 400, -32600, 9);
      expectRefusal(await endpoint.send(bare(session.note('notifications/initialized'))), 400, -32600);
      for (const answer of [{ result: {} }, { error: { code: -1, message: 'no' } }])
        expectRefusal(await endpoint.send(bare(session.post({ jsonrpc: '2.0', id: 1, ...answer }))), 400, -32600);
      expect(runs).toEqual([]);
    });

    test('[LHTTP-024 SEED-158] GET and DELETE without the id are refused alike', async () => {
      const { endpoint, session } = await open();
      const bare = (sent: Sent): Sent => ({ ...sent, headers: { ...sent.headers, 'mcp-session-id': undefined } });
      const got = await endpoint.send(bare(session.get()));
      const deleted = await endpoint.send(bare(session.delete()));
      expectRefusal(got, 400, -32600);
      expect(deleted.json).toEqual(got.json);
      expect(deleted.status).toBe(got.status);
    });

    test('[LHTTP-025 SEED-160] an id that nobody has: 404 and Session not found, for every method', async () => {
      const { server, runs } = example();
      const { endpoint, session } = await open(server);
      const unknown = (sent: Sent): Sent => ({ ...sent, headers: { ...sent.headers, 'mcp-session-id': stranger } });
      for (const [sent, id] of [
        [session.call('echo', {}, { id: 9 }), 9],
        [session.note('notifications/initialized')],
        [session.post({ jsonrpc: '2.0', id: 1, result: {} })],
        [session.get()],
        [session.delete()],
      ] as const) {
        const answer = await endpoint.send(unknown(sent));
        expectRefusal(answer, 404, -32600, id);
        expect(answer.error.message).toBe('Session not found');
      }
      expect(runs).toEqual([]);
    });

    test('[SEED-157 LHTTP-025 B-51] DELETE ends a session: 200, then 404', async () => {
      const { endpoint, session } = await open();
      expect(await endpoint.send(session.delete())).toMatchObject({ status: 200, text: '' });
      expectRefusal(await endpoint.send(session.call('echo', {}, { id: 9 })), 404, -32600, 9);
      expectRefusal(await endpoint.send(session.delete()), 404, -32600);
      expectRefusal(await endpoint.send(session.get()), 404, -32600);
    });

    test('DELETE ends what runs in the session', async () => {
      const { server, hold } = example();
      const { endpoint, session } = await open(server);
      const flight = endpoint.fly(session.call('hold'));
      await hold.started;
      expect((await endpoint.send(session.delete())).status).toBe(200);
      expect(await hold.aborted).toMatchObject({ code: 'aborted' });
      hold.release();
      expect(await (await flight.head).complete()).toMatchObject({ text: '' });
    });

    test('[SEED-159] a session that ends while a body is on its way is not found', async () => {
      const { endpoint, session } = await open();
      const slow = request({
        port: endpoint.port,
        host: '127.0.0.1',
        path: '/mcp',
        method: 'POST',
        agent: false,
        headers: session.headers,
      });
      const status = new Promise((resolve, reject) => {
        slow.on('error', reject);
        slow.on('response', (response) => {
          response.resume();
          resolve(response.statusCode);
        });
      });
      const text = JSON.stringify(session.call('echo').body);
      await new Promise<void>((resolve) => {
        slow.write(text.slice(0, 20), () => resolve());
      });
      expect((await endpoint.send(session.delete())).status).toBe(200);
      slow.end(text.slice(20));
      expect(await status).toBe(404);
    });

    test('[SEED-180] initialize within a session is refused; with an unknown id it is not found', async () => {
      const { endpoint, session } = await open();
      const again = await endpoint.send(initialize(version, { 'mcp-session-id': session.id }, 5));
      expectRefusal(again, 400, -32600, 5);
      expect(again.headers).not.toHaveProperty('mcp-session-id');
      const lost = await endpoint.send(initialize(version, { 'mcp-session-id': stranger }, 5));
      expectRefusal(lost, 404, -32600, 5);
      expect(lost.headers).not.toHaveProperty('mcp-session-id');
      expect(endpoint.open.sessions).toBe(1);
      expect((await endpoint.send(session.call('echo'))).status).toBe(200);
    });

    test('[SEED-144 SEED-146] many sessions on one server: each has its own client', async () => {
      const sessions: unknown[] = [];
      const { endpoint } = await open(
        byHand((exchange) => {
          sessions.push(exchange.caller.session);
          return Promise.resolve({ result: { client: exchange.caller.clientInfo } });
        }),
      );
      const named = async (name: string): Promise<Session> => {
        const sent = initialize(version);
        const body = sent.body as { params: { clientInfo: object } };
        body.params.clientInfo = { name, version: '1' };
        const answer = await endpoint.send(sent);
        const session = await openSession(endpoint, version);
        return Object.assign(session, { id: answer.headers['mcp-session-id'] });
      };
      const [one, two] = [await named('one'), await named('two')];
      for (const [session, name] of [
        [one, 'one'],
        [two, 'two'],
        [one, 'one'],
      ] as const)
        expect((await endpoint.send(session.request('tools/call'))).result).toMatchObject({ client: { name } });
      expect(sessions[0]).toBe(sessions[2]);
      expect(sessions[0]).not.toBe(sessions[1]);
    });

    test('[SEED-151] progress of one session never appears on a stream of another', async () => {
      const { server, hold } = example();
      server.tool('slow', {}, async (_, ctx) => {
        await ctx.progress(1, 2, 'mine');
        await hold.run(ctx.signal);
        return 'slow';
      });
      const { endpoint, session } = await open(server);
      const other = await openSession(endpoint, version);
      const listening = await endpoint.fly(other.get()).head;
      const calling = await endpoint.fly(other.call('slow', {}, { id: 1, meta: { progressToken: 1 } })).head;
      expect(await calling.message()).toMatchObject({ method: 'notifications/progress' });
      const { messages } = await endpoint.send(session.call('report', {}, { id: 1, meta: { progressToken: 1 } }));
      expect(messages).toHaveLength(3);
      hold.release();
      expect(await calling.message()).toMatchObject({ id: 1, result: {} });
      const end = endpoint.send(other.delete());
      expect(await listening.message()).toBe(undefined);
      await end;
    });

    test('[LHTTP-034] the bodies of 400 and 404 cannot be read as modern errors', async () => {
      const { endpoint, session } = await open();
      const bad = [
        { ...session.call('echo'), headers: usual },
        { ...session.call('echo'), headers: { ...session.headers, 'mcp-session-id': stranger } },
        { ...session.call('echo'), headers: { ...session.headers, 'mcp-protocol-version': '1999-01-01' } },
      ];
      for (const sent of bad) expect((await endpoint.send(sent)).error.code).toBe(-32600);
    });

    test('[LHTTP-035] modern requests and the session live side by side', async () => {
      const { endpoint, session } = await open();
      const beside = modern('tools/list', {}, { headers: { 'mcp-session-id': session.id } });
      expect((await endpoint.send(beside)).result).toMatchObject({ resultType: 'complete' });
      expect((await endpoint.send(session.request('tools/list'))).result).not.toHaveProperty('resultType');
      const unknown = call('echo', {}, { headers: { 'mcp-session-id': stranger } });
      expect((await endpoint.send(unknown)).status).toBe(200);
    });
  });

  describe('Protocol Version Header', () => {
    test('[LHTTP-030] a version that is not one of ours: 400, for every method', async () => {
      const { server, runs } = example();
      const { endpoint, session } = await open(server);
      for (const wrong of ['1999-01-01', 'foobar', '', '2099-01-01']) {
        const odd = (sent: Sent): Sent => ({ ...sent, headers: { ...sent.headers, 'mcp-protocol-version': wrong } });
        for (const sent of [
          session.call('echo'),
          session.note('notifications/initialized'),
          session.post({ jsonrpc: '2.0', id: 1, result: {} }),
          session.get(),
          session.delete(),
        ])
          expect((await endpoint.send(odd(sent))).status, wrong).toBe(400);
      }
      expect(runs).toEqual([]);
      expect((await endpoint.send(session.call('echo'))).status).toBe(200);
    });

    test('[LHTTP-029] no version: the session knows', async () => {
      const { endpoint, session } = await open();
      const { headers, body } = session.call('caller');
      const answer = await endpoint.send({ headers: { ...headers, 'mcp-protocol-version': undefined }, body });
      expect(JSON.parse(answer.content)).toMatchObject({ revision: version });
    });
  });
});

/** Opens the session's stream; after one that was left, as soon as the server has noticed. */
async function openStream(session: Session): Promise<{ flight: Flight; stream: Live }> {
  for (;;) {
    const flight = session.endpoint.fly(session.get());
    const stream = await flight.head;
    if (stream.status === 200) return { flight, stream };
    expect(stream.status).toBe(409);
  }
}

describe('sessions and principals', () => {
  const tenants = () =>
    nodeEndpoint(example().server, {
      authenticate: ({ header }) => ({ principal: header('authorization') }),
    });

  test('[LHTTP-033 SEC-005] a session belongs to who opened it: for another it does not exist', async () => {
    const endpoint = await tenants();
    const ann = await openSession(endpoint, '2025-11-25', { authorization: 'ann' });
    for (const authorization of ['bob', undefined]) {
      const stolen = (sent: Sent): Sent => ({ ...sent, headers: { ...sent.headers, authorization } });
      expectRefusal(await endpoint.send(stolen(ann.call('echo', {}, { id: 9 }))), 404, -32600, 9);
      expectRefusal(await endpoint.send(stolen(ann.note('notifications/cancelled'))), 404, -32600);
      expectRefusal(await endpoint.send(stolen(ann.get())), 404, -32600);
      expectRefusal(await endpoint.send(stolen(ann.delete())), 404, -32600);
      expectRefusal(
        await endpoint.send(stolen(initialize('2025-11-25', { 'mcp-session-id': ann.id }))),
        404,
        -32600,
        0,
      );
    }
    expect(JSON.parse((await endpoint.send(ann.call('caller'))).content)).toMatchObject({ principal: 'ann' });
  });

  test('an answer is taken from the session that was asked only', async () => {
    const service: Service = byHand(async (exchange) => {
      const reply = await exchange.ask?.({ method: 'roots/list' });
      return { result: { from: reply?.result?.['from'] } };
    });
    const endpoint = await nodeEndpoint(service, {
      authenticate: ({ header }) => ({ principal: header('authorization') }),
    });
    const ann = await openSession(endpoint, '2025-11-25', { authorization: 'ann' });
    const bob = await openSession(endpoint, '2025-11-25', { authorization: 'bob' });
    const stream = await endpoint.fly(ann.request('tools/call')).head;
    const id = (await stream.message())?.['id'];
    const answer = (from: string) => ({ jsonrpc: '2.0', id, result: { from } });
    expect((await endpoint.send(bob.post(answer('bob')))).status).toBe(202);
    expect((await endpoint.send(ann.post(answer('ann')))).status).toBe(202);
    expect(await stream.message()).toMatchObject({ result: { from: 'ann' } });
  });
});

describe('how many sessions', () => {
  test('[SEED-181 SEC-014] at the bound the one longest idle makes room; when none is idle: 503', async () => {
    const { server, hold } = example();
    const endpoint = await nodeEndpoint(server, { maxSessions: 2 });
    const one = await openSession(endpoint);
    const two = await openSession(endpoint);
    expect((await endpoint.send(one.call('echo'))).status).toBe(200);
    const three = await openSession(endpoint);
    expect((await endpoint.send(two.call('echo'))).status).toBe(404);
    const flight = endpoint.fly(one.call('hold'));
    await hold.started;
    const stream = endpoint.fly(three.get());
    await stream.head;
    const refused = await endpoint.send(initialize());
    expectRefusal(refused, 503, -32603, 0);
    expect(refused.headers).toHaveProperty('retry-after');
    expect(refused.headers).not.toHaveProperty('mcp-session-id');
    hold.release();
    expect((await (await flight.head).complete()).content).toBe('let go');
    expect((await endpoint.send(initialize())).status).toBe(200);
    expect((await endpoint.send(one.call('echo'))).status).toBe(404);
  });

  test('nobody makes room at the cost of another principal', async () => {
    const endpoint = await nodeEndpoint(example().server, {
      maxSessions: 2,
      authenticate: ({ header }) => ({ principal: header('authorization') }),
    });
    const ann = await openSession(endpoint, '2025-11-25', { authorization: 'ann' });
    const first = await openSession(endpoint, '2025-11-25', { authorization: 'bob' });
    const second = await openSession(endpoint, '2025-11-25', { authorization: 'bob' });
    expect((await endpoint.send(ann.call('echo'))).status).toBe(200);
    expect((await endpoint.send(first.call('echo'))).status).toBe(404);
    expect((await endpoint.send(second.call('echo'))).status).toBe(200);
    expectRefusal(await endpoint.send(initialize('2025-11-25', { authorization: 'cid' })), 503, -32603, 0);
  });

  test('handshakes that fail leave no session behind', async () => {
    const endpoint = await nodeEndpoint(example().server, { maxSessions: 1 });
    const session = await openSession(endpoint);
    for (const sent of [
      initialize(5),
      initialize('2025-11-25', { accept: 'text/html' }),
      initialize('2025-11-25', { origin: 'null' }),
    ])
      expect((await endpoint.send(sent)).status).toBeGreaterThanOrEqual(400);
    expect((await endpoint.send(session.call('echo'))).status).toBe(200);
  });
});

describe('callers whose connection is reset', () => {
  /** Sends a request on a bare connection, waits for the head of the answer, and resets the connection. */
  async function reset(endpoint: Endpoint, sent: Sent): Promise<{ now(): void }> {
    const { socket } = bareSocket(endpoint.port);
    const begun = new Promise<void>((resolve) => {
      socket.once('data', () => resolve());
    });
    socket.write(headText(sent) + (sent.body === undefined ? '' : JSON.stringify(sent.body)));
    await begun;
    return { now: () => void socket.resetAndDestroy() };
  }

  test('[SEED-167 SEED-169] a broadcast reaches the others', async () => {
    const { server } = example();
    const endpoint = await nodeEndpoint(server);
    const broken = await openSession(endpoint);
    const others = [await openSession(endpoint), await openSession(endpoint)];
    const resetting = await reset(endpoint, broken.get());
    const streams = await Promise.all(others.map((session) => endpoint.fly(session.get()).head));
    resetting.now();
    for (let round = 0; round < 5; round++) {
      server.tool(`another ${round}`, {}, () => '');
      for (const stream of streams)
        expect(await stream.message()).toMatchObject({ method: 'notifications/tools/list_changed' });
    }
    expect((await endpoint.send(broken.call('echo'))).status).toBe(200);
    await openStream(broken);
  });

  test('[SEED-169] what is sent to them, notices and responses, goes nowhere and breaks nothing', async () => {
    const go = gate();
    const sent = gate<boolean[]>();
    const endpoint = await nodeEndpoint(
      byHand(async (exchange) => {
        const emitted = [exchange.emit({ method: 'notifications/x' })];
        await go.opened;
        for (let round = 0; round < 100; round++) {
          const taken = exchange.emit({ method: 'notifications/x', params: { filler: 'x'.repeat(100_000) } });
          emitted.push(taken);
          if (!taken) await exchange.drained();
        }
        sent.open(emitted);
        return { result: { large: 'x'.repeat(1_000_000) } };
      }),
    );
    const session = await openSession(endpoint);
    const other = await openSession(endpoint);
    const resetting = await reset(endpoint, session.request('tools/call', {}, 'r'));
    resetting.now();
    go.open();
    expect(await sent.opened).toContain(false);
    expect((await endpoint.send(other.request('ping'))).result).toEqual({});
    expect((await endpoint.send(session.request('ping', {}, 'r'))).result).toEqual({});
  });
});

test('[SEED-173] a call while the stream is closed, or broken, is answered as ever', async () => {
  const { server, hold } = example();
  const left = gate();
  const endpoint = await mountedEndpoint(server, {}, (request, response) => {
    if (request.method === 'GET') response.once('close', () => left.open());
  });
  const session = await openSession(endpoint);
  const { flight } = await openStream(session);
  const calling = endpoint.send(session.call('hold'));
  await hold.started;
  flight.leave();
  server.tool('another', {}, () => '');
  await left.opened;
  server.tool('third', {}, () => '');
  hold.release();
  expect((await calling).content).toBe('let go');
  expect((await endpoint.send(session.call('echo'))).status).toBe(200);
});

test('a session ends with its server: streams end, running calls are told', async () => {
  const { server, hold } = example();
  const endpoint = await nodeEndpoint(server);
  const session = await openSession(endpoint);
  const stream = await endpoint.fly(session.get()).head;
  const calling = endpoint.fly(session.call('hold'));
  await hold.started;
  const ended = gate<unknown>();
  void stream.message().then(ended.open, ended.open);
  await endpoint.close();
  expect(await hold.aborted).toMatchObject({ code: 'aborted' });
  expect(await ended.opened).toBe(undefined);
  await expect(calling.head).rejects.toThrow();
  hold.release();
});
