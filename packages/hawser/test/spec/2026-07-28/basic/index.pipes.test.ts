/** The base protocol (basic/index) on pipes, where no HTTP stands between the messages. */
import { describe, expect, test } from 'vitest';
import { Server } from '../../../../src/server/server.ts';
import { legacyRevisions } from '../../../support/links.ts';
import {
  connectByHand,
  failureOf,
  initialize,
  linkByHand,
  modernMeta,
  opening,
  received,
  recorder,
  serveByHand,
} from '../../../support/stdio.ts';

function echoing() {
  const runs: unknown[] = [];
  const server = new Server({ name: 'echo', version: '1' });
  server.tool('echo', { input: { type: 'object' } }, (args) => {
    runs.push(args);
    return JSON.stringify(args);
  });
  return { server, runs };
}

const list = (id: unknown) => ({ jsonrpc: '2.0', id, method: 'tools/list', params: { _meta: modernMeta } });

describe('Requests', () => {
  test.each([0, 1, -7, 9_007_199_254_740_991, '', '0', '1', 'é—🎉', '"\\'])(
    '[BASE-003 BASE-006 BUG-093] id %j is served, and echoed as it is',
    async (id) => {
      const { server } = echoing();
      const { pair, client } = serveByHand(server);
      client.send(list(id));
      await pair.run();
      expect(received(client)).toEqual([expect.objectContaining({ jsonrpc: '2.0', id, result: expect.anything() })]);
    },
  );

  test.each(['null', '1.5', 'true', 'false', '{}', '[]', '[1]', '9007199254740993', '1e300'])(
    '[BASE-003 BASE-007 BUG-093] id %s is refused and not run; the error has no id in the modern era',
    async (id) => {
      const { server, runs } = echoing();
      const { pair, client } = serveByHand(server);
      const params = JSON.stringify({ name: 'echo', _meta: modernMeta });
      client.raw(`{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":${params}}\n`);
      await pair.run();
      expect(received(client)).toEqual([{ jsonrpc: '2.0', error: { code: -32_600, message: expect.any(String) } }]);
      expect(runs).toEqual([]);
    },
  );

  test('[BASE-006] 1 and "1" are two requests, and each gets its own answer', async () => {
    const { server } = echoing();
    const { pair, client } = serveByHand(server);
    const call = (id: number | string, which: string) =>
      client.request('tools/call', { name: 'echo', arguments: { which }, _meta: modernMeta }, id);
    const [number, text] = [call(1, 'number'), call('1', 'text')];
    await pair.run();
    for (const [answer, which] of [
      [await number, 'number'],
      [await text, 'text'],
    ] as const)
      expect(answer).toMatchObject({ result: { content: [{ text: JSON.stringify({ which }) }] } });
  });

  test('[BASE-006] the client does not take "1" for the answer to 1', async () => {
    const { pair, server, link } = linkByHand();
    const asked = link.request({ method: 'tools/list' });
    await pair.run();
    expect((await server.expect('tools/list')).id).toBe(1);
    server.send({ jsonrpc: '2.0', id: '1', result: { wrong: true } });
    server.send({ jsonrpc: '2.0', id: 1, result: { right: true } });
    await pair.run();
    expect(await asked).toEqual({ result: { right: true } });
  });

  test('[BASE-004 BASE-005 B-57] ids count up and never come again: after errors, cancellations and the fallback', async () => {
    const { pair, server, client } = await connectByHand({
      ...opening.legacy,
      'tools/call': (request) => request.fail({ code: -32_603, message: 'no' }),
      'tools/list': () => ({ tools: [] }),
    });
    const controller = new AbortController();
    const calls = [
      client.callTool('a').catch(() => 'failed'),
      client.sendRequest('hang', {}, { signal: controller.signal }).catch(() => 'cancelled'),
    ];
    await pair.run();
    controller.abort();
    await pair.run();
    const listed = client.listTools();
    await pair.run();
    expect([await Promise.all(calls), await listed]).toEqual([['failed', 'cancelled'], []]);
    const ids = received(server).flatMap((message) => ('id' in message ? [message['id']] : []));
    expect(ids).toEqual([1, 2, 3, 4, 5]);
  });

  test('[BASE-004] a second request under an id that is in flight is refused; when it is answered the id is free', async () => {
    const server = new Server({ name: 'slow', version: '1' });
    let release = (): void => {};
    server.tool('slow', {}, () => new Promise((resolve) => (release = () => resolve('done'))));
    const { pair, client } = serveByHand(server);
    const call = { jsonrpc: '2.0', id: 'x', method: 'tools/call', params: { name: 'slow', _meta: modernMeta } };
    client.send(call);
    await pair.run();
    client.send({ ...list('x') });
    await pair.run();
    // Under its id the error would be taken for the answer to the call that runs.
    expect(received(client)).toEqual([{ jsonrpc: '2.0', error: { code: -32_600, message: expect.any(String) } }]);
    release();
    await pair.run();
    client.send(list('x'));
    await pair.run();
    expect(received(client).slice(1)).toEqual([
      expect.objectContaining({
        id: 'x',
        result: expect.objectContaining({ content: [{ type: 'text', text: 'done' }] }),
      }),
      expect.objectContaining({ id: 'x', result: expect.objectContaining({ tools: expect.anything() }) }),
    ]);
  });
});

describe('Responses', () => {
  const broken: [name: string, response: object][] = [
    ['both a result and an error', { id: 1, result: {}, error: { code: 1, message: 'x' } }],
    ['a result that is null', { id: 1, result: null }],
    ['a result that is an array', { id: 1, result: [] }],
    ['a result that is text', { id: 1, result: 'ok' }],
    ['an error whose code is text', { id: 1, error: { code: '-32601', message: 'x' } }],
    ['an error whose code is a fraction', { id: 1, error: { code: 1.5, message: 'x' } }],
    ['an error without message', { id: 1, error: { code: 1 } }],
    ['an error that is text', { id: 1, error: 'no' }],
    ['neither', { id: 1 }],
    ['another version of JSON-RPC', { jsonrpc: '1.0', id: 1, result: {} }],
  ];

  test.each(broken)('[BASE-008 BASE-015] %s: the request fails, the connection lives', async (_, response) => {
    const { pair, server, link } = linkByHand();
    const asked = failureOf(link.request({ method: 'a' }));
    server.send({ jsonrpc: '2.0', ...response });
    await pair.run();
    expect(await asked).toMatchObject({ code: 'invalid_response', origin: 'peer' });
    const next = link.request({ method: 'b' });
    server.send({ jsonrpc: '2.0', id: 2, result: { ok: true } });
    await pair.run();
    expect(await next).toEqual({ result: { ok: true } });
    expect(link.open).toBe(0);
  });

  test('[BASE-015] an error keeps code, message and data, and loses what is not part of it', async () => {
    const { pair, server, link } = linkByHand();
    const asked = link.request({ method: 'a' });
    server.send({ jsonrpc: '2.0', id: 1, error: { code: -32_603, message: 'no', data: null, more: 1 } });
    await pair.run();
    expect(await asked).toEqual({ error: { code: -32_603, message: 'no', data: null } });
  });

  test('[BASE-008] an error with id null or without an id is nobody’s, unless it can only be the answer to the opening', async () => {
    const logger = recorder();
    const { pair, server, link } = linkByHand({ logger });
    for (const id of [{ id: null }, {}]) {
      const opens = link.request({ method: 'server/discover' });
      server.send({ jsonrpc: '2.0', ...id, error: { code: -32_700, message: 'what?' } });
      await pair.run();
      expect(await opens).toEqual({ error: { code: -32_700, message: 'what?' } });
    }
    const call = link.request({ method: 'tools/call' });
    server.send({ jsonrpc: '2.0', id: null, error: { code: -32_700, message: 'what?' } });
    await pair.run();
    expect(logger.of('warn')).toEqual(['the peer sent an error without id']);
    server.send({ jsonrpc: '2.0', id: 3, result: {} });
    await pair.run();
    expect(await call).toEqual({ result: {} });
  });

  test('responses that nobody waits for are reported and do no harm, on both sides', async () => {
    const strays = [
      { jsonrpc: '2.0', id: 77, result: {} },
      { jsonrpc: '2.0', id: 'x', error: { code: 1, message: 'x' } },
      { jsonrpc: '2.0', id: 0, result: {} },
    ];
    const logger = recorder();
    const { pair, server, link } = linkByHand({ logger });
    for (const stray of strays) server.send(stray);
    await pair.run();
    expect(logger.of('warn')).toHaveLength(3);
    expect(link.open).toBe(0);

    const far = recorder();
    const { server: echo } = echoing();
    const served = serveByHand(echo, { logger: far });
    for (const stray of strays) served.client.send(stray);
    served.client.send(list(1));
    await served.pair.run();
    expect(far.of('warn')).toHaveLength(3);
    expect(received(served.client)).toEqual([expect.objectContaining({ id: 1 })]);
  });

  test('unknown members of messages, params and results are ignored, and results keep them', async () => {
    const { pair, server, link } = linkByHand();
    const asked = link.request({ method: 'a' });
    server.send({ jsonrpc: '2.0', id: 1, extra: 1, result: { known: 1, unknown: { deep: [1] } } });
    await pair.run();
    expect(await asked).toEqual({ result: { known: 1, unknown: { deep: [1] } } });
    const served = serveByHand(echoing().server);
    const params = { _meta: { ...modernMeta, 'com.example/x': 1 }, unknown: true };
    served.client.send({ jsonrpc: '2.0', id: 1, method: 'tools/list', params, extra: {} });
    await served.pair.run();
    expect(received(served.client)).toEqual([expect.objectContaining({ id: 1, result: expect.anything() })]);
  });
});

describe('Notifications', () => {
  test.each([
    ['of the protocol', { method: 'notifications/cancelled', params: { requestId: 1 } }],
    ['unknown', { method: 'notifications/unknown' }],
    ['named like a request', { method: 'tools/list', params: { _meta: modernMeta } }],
    ['with params that are null', { method: 'x', params: undefined }],
  ])('[BASE-022] %s: no answer, in neither era', async (_, note) => {
    for (const version of [undefined, '2025-11-25']) {
      const served = serveByHand(echoing().server);
      if (version !== undefined) await initialize(served, version);
      const before = served.client.lines.length;
      served.client.send({ jsonrpc: '2.0', ...note });
      served.client.send(list('after'));
      await served.pair.run();
      expect(received(served.client, before).map((message) => message['id'])).toEqual(['after']);
    }
  });

  test('[BASE-022] the client does not answer one either', async () => {
    const { pair, server, notes } = linkByHand();
    server.notify('notifications/unknown', { a: 1 });
    await pair.run();
    expect(received(server)).toEqual([]);
    expect(notes).toEqual([{ method: 'notifications/unknown', params: { a: 1 } }]);
  });
});

describe('Error codes', () => {
  const refused: [code: number, name: string, line: string, id?: unknown][] = [
    [-32_700, 'no JSON', 'hello'],
    [-32_700, 'half a message', '{"jsonrpc":"2.0","id":1,'],
    [-32_700, 'two messages on a line', '{"jsonrpc":"2.0","id":1,"method":"ping"}{}'],
    [-32_700, 'a comment', '// {"jsonrpc":"2.0"}'],
    [-32_600, 'a number', '42'],
    [-32_600, 'a text', '"hello"'],
    [-32_600, 'null', 'null'],
    [-32_600, 'true', 'true'],
    [-32_600, 'an empty object', '{}'],
    [-32_600, 'no version of JSON-RPC', '{"id":1,"method":"ping"}', 1],
    [-32_600, 'version 1.0', '{"jsonrpc":"1.0","id":1,"method":"ping"}', 1],
    [-32_600, 'a version that is a number', '{"jsonrpc":2.0,"id":"a","method":"ping"}', 'a'],
    [-32_600, 'a method that is a number', '{"jsonrpc":"2.0","id":1,"method":5}', 1],
    [-32_600, 'a method that is null', '{"jsonrpc":"2.0","id":1,"method":null}', 1],
    [-32_600, 'neither method nor result', '{"jsonrpc":"2.0","id":1}', 1],
    [-32_602, 'params that are an array', '{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}', 1],
    [-32_602, 'params that are text', '{"jsonrpc":"2.0","id":1,"method":"ping","params":"x"}', 1],
    [-32_600, 'an empty batch', '[]'],
    [-32_600, 'a batch', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]'],
  ];

  test.each(refused)('[BASE-029 BASE-007] %d: %s; the next line is served', async (code, _, line, id) => {
    const { pair, client } = serveByHand(echoing().server);
    client.raw(`${line}\n`);
    client.send(list('next'));
    await pair.run();
    const [error, next, ...more] = received(client);
    expect(error).toEqual({
      jsonrpc: '2.0',
      ...(id !== undefined && { id }),
      error: { code, message: expect.any(String) },
    });
    expect(next).toMatchObject({ id: 'next', result: expect.anything() });
    expect(more).toEqual([]);
  });

  test.each(['2024-11-05', '2025-03-26', '2025-06-18'])(
    '[BASE-008] in a session of %s an error without a readable id carries id null',
    async (version) => {
      const served = serveByHand(echoing().server);
      await initialize(served, version);
      const before = served.client.lines.length;
      served.client.raw('hello\n');
      served.client.send({ jsonrpc: '2.0', id: null, method: 'ping' });
      await served.pair.run();
      expect(received(served.client, before)).toEqual([
        { jsonrpc: '2.0', id: null, error: { code: -32_700, message: expect.any(String) } },
        { jsonrpc: '2.0', id: null, error: { code: -32_600, message: expect.any(String) } },
      ]);
    },
  );

  test('-32603 without details when the service breaks; the log has them', async () => {
    const breaks = [
      () => Promise.reject(new Error('the password is hunter2')),
      () => {
        throw new Error('the password is hunter2');
      },
      () => Promise.resolve({ result: { big: 1n } }),
    ];
    for (const handle of breaks) {
      const logger = recorder();
      const { pair, client } = serveByHand({ answer: handle, notice: () => {} }, { logger });
      client.send(list(1));
      await pair.run();
      expect(received(client)).toEqual([
        { jsonrpc: '2.0', id: 1, error: { code: -32_603, message: expect.any(String) } },
      ]);
      expect(JSON.stringify(received(client))).not.toContain('hunter2');
    }
  });

  test('arguments that JSON cannot carry fail here, and nothing is sent', async () => {
    const { pair, server, link } = linkByHand();
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    for (const params of [{ big: 1n }, circle]) {
      const failed = link.request({ method: 'a', params });
      await expect(failed).rejects.toMatchObject({ code: 'bad_argument', outcome: 'not-sent' });
    }
    await pair.run();
    expect(server.lines).toEqual([]);
    expect(link.open).toBe(0);
  });
});

describe('Batching', () => {
  const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' });

  test('[BASE-030 STDIO-018] in a session of 2025-03-26 each message of a batch is served, and answered in one line', async () => {
    const { server, runs } = echoing();
    const served = serveByHand(server);
    await initialize(served, '2025-03-26');
    const before = served.client.lines.length;
    const call = { jsonrpc: '2.0', id: 'c', method: 'tools/call', params: { name: 'echo', arguments: { n: 1 } } };
    served.client.send([ping(1), call, { jsonrpc: '2.0', method: 'notifications/x' }, 7, ping(2)]);
    await served.pair.run();
    const lines: unknown[] = received(served.client, before);
    expect(lines).toHaveLength(1);
    const answers = lines[0] as Record<string, unknown>[];
    expect(answers.map((message) => String(message['id'])).toSorted()).toEqual(['1', '2', 'c', 'null']);
    expect(answers.filter((message) => message['id'] === null)).toMatchObject([{ error: { code: -32_600 } }]);
    expect(runs).toEqual([{ n: 1 }]);
  });

  test('[BASE-030] an empty batch is no batch', async () => {
    const served = serveByHand(echoing().server);
    await initialize(served, '2025-03-26');
    const before = served.client.lines.length;
    served.client.send([]);
    await served.pair.run();
    expect(received(served.client, before)).toEqual([
      { jsonrpc: '2.0', id: null, error: { code: -32_600, message: expect.any(String) } },
    ]);
  });

  test('[BASE-031] initialize in a batch is refused', async () => {
    const hello = {
      jsonrpc: '2.0',
      id: 9,
      method: 'initialize',
      params: { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
    };
    const served = serveByHand(echoing().server);
    served.client.send([hello]);
    await served.pair.run();
    expect(received(served.client)).toMatchObject([{ error: { code: -32_600 } }]);
    await initialize(served, '2025-03-26');
    const before = served.client.lines.length;
    served.client.send([hello, ping(1)]);
    await served.pair.run();
    expect(received(served.client, before)).toMatchObject([
      [
        { id: 9, error: { code: -32_600 } },
        { id: 1, result: {} },
      ],
    ]);
  });

  test.each(['2024-11-05', '2025-06-18', '2025-11-25', undefined])(
    '[BASE-032] elsewhere (%s) a batch is one error, and nothing of it runs',
    async (version) => {
      const { server, runs } = echoing();
      const served = serveByHand(server);
      if (version !== undefined) await initialize(served, version);
      const before = served.client.lines.length;
      const params = { name: 'echo', ...(version === undefined && { _meta: modernMeta }) };
      for (const batch of [[{ jsonrpc: '2.0', id: 1, method: 'tools/call', params }], [], [1]])
        served.client.send(batch);
      await served.pair.run();
      expect(received(served.client, before).map((message) => message['error'])).toEqual(
        Array.from({ length: 3 }, () => ({ code: -32_600, message: expect.any(String) })),
      );
      expect(runs).toEqual([]);
    },
  );

  test('[BASE-030 SEED-096] the client takes responses in an array, and survives anything else in one', async () => {
    const { pair, server, link } = linkByHand();
    const [one, two] = [link.request({ method: 'a' }), link.request({ method: 'b' })];
    server.send([]);
    server.send([1, null, [], 'x']);
    server.send([
      { jsonrpc: '2.0', id: 2, result: { n: 2 } },
      { jsonrpc: '2.0', id: 1, error: { code: 1, message: 'x' } },
    ]);
    await pair.run();
    expect(await two).toEqual({ result: { n: 2 } });
    expect(await one).toEqual({ error: { code: 1, message: 'x' } });
  });
});

describe('Statelessness', () => {
  function telling() {
    const server = new Server({ name: 'telling', version: '1' });
    server.tool('caller', {}, (_, { caller }) => {
      const { revision, capabilities, clientInfo, logLevel, session } = caller;
      return JSON.stringify({ revision, capabilities, clientInfo, logLevel, session: session !== undefined });
    });
    return server;
  }
  const meta = (more: object) => ({ ...modernMeta, ...more });
  const told = (message: Record<string, unknown>) =>
    JSON.parse((message as { result: { content: { text: string }[] } }).result.content[0]?.text ?? '') as unknown;

  test('[BASE-033 BUG-133] each request is judged by its own _meta, whatever came before it on the pipe', async () => {
    const served = serveByHand(telling());
    const call = (_meta: object | undefined) =>
      served.client.request('tools/call', { name: 'caller', ...(_meta !== undefined && { _meta }) });
    const modern = [
      call(
        meta({
          'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
          'io.modelcontextprotocol/logLevel': 'debug',
          'io.modelcontextprotocol/clientInfo': { name: 'first', version: '1' },
        }),
      ),
      call(meta({})),
      call(meta({ 'io.modelcontextprotocol/clientInfo': { name: 'third', version: '3' } })),
    ];
    await served.pair.run();
    await initialize(served, '2025-06-18');
    const mixed = [call(undefined), call(meta({})), call(undefined)];
    await served.pair.run();
    const plain = { revision: '2026-07-28', capabilities: {}, session: false };
    const legacy = {
      revision: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'by hand', version: '1' },
      session: true,
    };
    expect((await Promise.all([...modern, ...mixed])).map(told)).toEqual([
      {
        ...plain,
        capabilities: { elicitation: { form: {} } },
        logLevel: 'debug',
        clientInfo: { name: 'first', version: '1' },
      },
      plain,
      { ...plain, clientInfo: { name: 'third', version: '3' } },
      legacy,
      plain,
      legacy,
    ]);
  });

  test.each(legacyRevisions)(
    '[VER-010 VER-011 B-72] modern requests are served before, within and after the handshake of %s, each in its own words',
    async (version) => {
      const served = serveByHand(telling());
      const modern = () => served.client.request('tools/list', { _meta: modernMeta });
      const before = modern();
      await initialize(served, version);
      const after = modern();
      const legacy = served.client.request('tools/list', {});
      await served.pair.run();
      for (const answer of [await before, await after])
        expect(answer).toMatchObject({ result: { resultType: 'complete' } });
      const { result } = (await legacy) as { result: Record<string, unknown> };
      expect(Object.keys(result)).toEqual(['tools']);
    },
  );

  test('[BASE-035 BUG-101] requests of many conversations on one pipe are served side by side, and nothing is mixed up', async () => {
    const server = new Server({ name: 'slow', version: '1' });
    const gates = new Map<string, () => void>();
    server.tool('wait', { input: { type: 'object' } }, async ({ who }, ctx) => {
      await new Promise<void>((resolve) => gates.set(String(who), resolve));
      await ctx.progress(1, 1, `for ${String(who)}`);
      return `for ${String(who)}`;
    });
    // One server object, two pipes, the same ids on both.
    const [a, b] = [serveByHand(server), serveByHand(server)];
    const ids = Array.from({ length: 25 }, (_, n) => n);
    for (const [name, { client }] of [
      ['a', a],
      ['b', b],
    ] as const)
      for (const id of ids)
        client.send({
          jsonrpc: '2.0',
          id,
          method: 'tools/call',
          params: { name: 'wait', arguments: { who: `${name}${id}` }, _meta: { ...modernMeta, progressToken: id } },
        });
    await a.pair.run();
    await b.pair.run();
    expect(gates.size).toBe(50);
    // Any order but that of asking.
    for (const who of [...gates.keys()].toSorted((x, y) => (x.length - y.length) * 3 + y.localeCompare(x)))
      gates.get(who)?.();
    await a.pair.run();
    await b.pair.run();
    for (const [name, { client }] of [
      ['a', a],
      ['b', b],
    ] as const) {
      const messages = received(client);
      expect(messages).toHaveLength(50);
      for (const id of ids) {
        const own = `for ${name}${id}`;
        const note = messages.find(
          (message) => (message['params'] as Record<string, unknown>)?.['progressToken'] === id,
        );
        expect(note).toMatchObject({ params: { message: own } });
        expect(messages.find((message) => message['id'] === id)).toMatchObject({
          result: { content: [{ text: own }] },
        });
      }
    }
  });
});
