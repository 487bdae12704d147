/** Multi round-trip requests, the client's side. */
import { describe, expect, test, vi } from 'vitest';
import { InputRequiredError, InvalidResponseError, McpError } from '../../../../../src/base/errors.ts';
import type { JsonObject } from '../../../../../src/base/json.ts';
import type { Client } from '../../../../../src/client/client.ts';
import type { ConnectOptions } from '../../../../../src/client/options.ts';
import { connect } from '../../../../../src/entry/index.node.ts';
import type { ScriptedRequest } from '../../../../../src/testing/scripted.ts';
import { answering, openAsker, opening, required } from '../../../../support/asking.ts';
import { begun, described, listed, modernPeer, said, type Turn } from '../../../../support/http-peer.ts';
import { gate } from '../../../../support/http.ts';
import { failureOf, recorder } from '../../../../support/stdio.ts';

const revision = '2026-07-28';
const confirm = {
  method: 'elicitation/create',
  params: { message: 'Sure?', requestedSchema: { type: 'object', properties: { confirmed: { type: 'boolean' } } } },
};
const prompt = { method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } };
const accepted = { action: 'accept', content: { confirmed: true } };
const model = { role: 'assistant', content: { type: 'text', text: 'x' }, model: 'm' } as const;
const handlers: ConnectOptions = {
  onElicit: () => ({ confirmed: true }),
  onSample: () => model,
  roots: [{ uri: 'file:///r' }],
};
const oddState = 'é\u2028\u0000"\\\ud83d\ude00 \ud800 {"a":1}  ';

const methods = [
  { method: 'tools/call', run: (client: Client) => client.callTool('t', { a: 1 }), final: said('done') },
  {
    method: 'resources/read',
    run: (client: Client) => client.readResource('x://r'),
    final: { resultType: 'complete', contents: [], ttlMs: 0, cacheScope: 'private' },
  },
  {
    method: 'prompts/get',
    run: (client: Client) => client.getPrompt('p', { a: 'b' }),
    final: { resultType: 'complete', messages: [] },
  },
] as const;

/** Params without what the connection and the round add. */
function own({ params }: ScriptedRequest): JsonObject {
  const { _meta, inputResponses: _responses, requestState: _state, ...rest } = params ?? {};
  return rest;
}

async function failed(call: Promise<unknown>): Promise<InputRequiredError> {
  const error = await failureOf(call);
  expect(error).toBeInstanceOf(InputRequiredError);
  return error as InputRequiredError;
}

describe('Supported Requests', () => {
  test.each(methods)('[SEED-230 MRTR-009 MRTR-014] $method: all that is asked for is given', async (each) => {
    const { client, server } = await openAsker(revision, handlers);
    const calling = each.run(client);
    const first = await server.expect(each.method);
    first.reply(required({ e: confirm, s: prompt, r: { method: 'roots/list' } }, 'state'));
    const retry = await server.expect(each.method);
    expect(retry.params).toMatchObject({
      inputResponses: { e: accepted, s: model, r: { roots: [{ uri: 'file:///r' }] } },
      requestState: 'state',
    });
    expect(own(retry)).toEqual(own(first));
    retry.reply(each.final);
    await calling;
  });

  test.each<[string, (client: Client) => Promise<unknown>]>([
    ['tools/list', (client) => client.listTools()],
    ['resources/list', (client) => client.listResources()],
    ['prompts/list', (client) => client.listPrompts()],
    ['server/discover', (client) => client.sendRequest('server/discover')],
    ['completion/complete', (client) => client.sendRequest('completion/complete', {})],
    ['x/y', (client) => client.sendRequest('x/y')],
  ])('[SEED-246] a result of %s may not ask', async (method, run) => {
    let discovered = 0;
    const answer = (request: ScriptedRequest): void => request.reply(required({ e: confirm }, 's'));
    const { client, server } = await openAsker(revision, handlers, {
      'server/discover': (request) => (discovered++ === 0 ? opening['server/discover']() : answer(request)),
    });
    const calling = run(client);
    if (method !== 'server/discover') answer(await server.expect(method));
    await expect(calling).rejects.toThrow(InvalidResponseError);
  });

  test('[SEED-246] a subscription may not either', async () => {
    const { client, server } = await openAsker(revision, handlers);
    const listening = client.listen({ toolsListChanged: true }, { onNotification: () => undefined });
    (await server.expect('subscriptions/listen')).reply(required({ e: confirm }, 's'));
    await expect(listening).rejects.toThrow(/input_required/);
  });
});

describe('Client Requirements', () => {
  test('[SEED-231 MRTR-010 MRTR-011] the state is sent back as it was, under a new id', async () => {
    const { client, server } = await openAsker(revision, handlers);
    const calling = client.callTool('t', { a: 1 });
    const first = await server.expect('tools/call');
    first.reply(required({ e: confirm }, oddState));
    const retry = await server.expect('tools/call');
    expect(retry.params?.['requestState']).toBe(oddState);
    expect(retry.id).not.toBe(first.id);
    expect(retry.params?.['_meta']).toMatchObject({ 'io.modelcontextprotocol/protocolVersion': revision });
    retry.reply(said('done'));
    await calling;
  });

  test('[SEED-231 MRTR-011] a state is never carried over, and none is made up', async () => {
    const { client, server } = await openAsker(revision, handlers);
    const came = answering(server, required({ e: confirm }, 'one'), required({ f: confirm }), said('done'));
    await client.callTool('t');
    expect(came.map(({ params }) => [params?.['requestState'], params?.['inputResponses']])).toEqual([
      [undefined, undefined],
      ['one', { e: accepted }],
      [undefined, { f: accepted }],
    ]);
    expect(came.map(({ params }) => Object.hasOwn(params ?? {}, 'requestState'))).toEqual([false, true, false]);
  });

  test('[SEED-231 MRTR-013] nothing of it goes out with other requests', async () => {
    const { client, server } = await openAsker(revision, handlers);
    const asking = client.callTool('asks');
    (await server.expect('tools/call')).reply(required({ e: confirm }, 'mine'));
    const [other, later] = [client.callTool('other'), client.readResource('x://r')];
    const came = [await server.expect('tools/call'), await server.expect('tools/call')];
    const read = await server.expect('resources/read');
    for (const request of [...came.filter(({ params }) => params?.['name'] === 'other'), read])
      expect(JSON.stringify(request.params)).not.toMatch(/mine|inputResponses/);
    for (const request of came) request.reply(said('done'));
    read.reply({ resultType: 'complete', contents: [], ttlMs: 0, cacheScope: 'private' });
    await Promise.all([asking, other, later]);
    const after = client.callTool('after');
    const last = await server.expect('tools/call');
    expect(JSON.stringify(last.params)).not.toMatch(/mine|inputResponses/);
    last.reply(said('done'));
    await after;
  });

  test('a caller that sends requests itself also does the rounds itself: results are given as they come', async () => {
    const { client, server } = await openAsker(revision, handlers);
    const calling = client.sendRequest('tools/call', { name: 't' });
    (await server.expect('tools/call')).reply(required({ e: confirm }, 's'));
    expect(await calling).toEqual(required({ e: confirm }, 's'));
    const again = client.sendRequest('tools/call', { name: 't', requestState: 's', inputResponses: { e: accepted } });
    const retry = await server.expect('tools/call');
    expect(retry.params).toMatchObject({ requestState: 's', inputResponses: { e: accepted } });
    retry.reply(said('done'));
    expect(await again).toMatchObject(said('done'));
  });

  test('[MRTR-010] over HTTP every round has all its headers', async () => {
    const schema = { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } };
    let rounds = 0;
    const peer = await modernPeer({
      'tools/list': () => ({ ...listed(), tools: [{ name: 't', inputSchema: schema }] }),
      'tools/call': () => (rounds++ === 0 ? required({ e: confirm }, 's') : said('done')),
    });
    const client = await connect(peer.url, handlers);
    await client.listTools();
    await client.callTool('t', { region: 'eu' });
    await client.close();
    const [first, retry] = peer.of('tools/call');
    for (const seen of [first, retry])
      expect(seen?.headers).toMatchObject({
        'mcp-name': 't',
        'mcp-method': 'tools/call',
        'mcp-param-region': 'eu',
        'mcp-protocol-version': revision,
      });
    expect(retry?.params['arguments']).toEqual({ region: 'eu' });
    expect(retry?.message['id']).not.toBe(first?.message['id']);
    expect(Object.keys(retry?.meta ?? {}).sort()).toEqual(Object.keys(first?.meta ?? {}).sort());
    expect(retry?.meta['progressToken']).not.toBe(first?.meta['progressToken']);
  });

  test('a result without resultType is final', async () => {
    const { client, server } = await openAsker(revision, handlers);
    const came = answering(server, { content: [{ type: 'text', text: 'x' }], inputRequests: { e: confirm } });
    expect(await client.callTool('t')).toMatchObject({ text: 'x', rounds: 0 });
    expect(came).toHaveLength(1);
  });

  test('[MRTR-008] the server may ask for more, answered each time', async () => {
    const onElicit = vi.fn(() => ({ confirmed: true }));
    const { client, server } = await openAsker(revision, { onElicit });
    const came = answering(server, required({ a: confirm }), required({ b: confirm, c: confirm }), said('done'));
    expect(await client.callTool('t')).toMatchObject({ text: 'done', rounds: 2 });
    expect(onElicit).toHaveBeenCalledTimes(3);
    expect(Object.keys(came[2]?.params?.['inputResponses'] as JsonObject)).toEqual(['b', 'c']);
  });

  test('the questions of a round are asked side by side', async () => {
    const [one, two] = [gate(), gate()];
    const gates = [one, two];
    const onElicit = async (): Promise<JsonObject> => {
      gates.pop()?.open();
      await Promise.all([one.opened, two.opened]);
      return { confirmed: true };
    };
    const { client, server } = await openAsker(revision, { onElicit });
    answering(server, required({ a: confirm, b: confirm }), said('done'));
    expect((await client.callTool('t')).text).toBe('done');
  });

  test('[MRTR-015] a key may be any text', async () => {
    const { client, server } = await openAsker(revision, handlers);
    const questions = JSON.parse(
      `{"__proto__":${JSON.stringify(confirm)},"":${JSON.stringify(confirm)}}`,
    ) as JsonObject;
    const came = answering(server, required(questions), said('done'));
    await client.callTool('t');
    expect(Object.entries(came[1]?.params?.['inputResponses'] as JsonObject)).toEqual([
      ['__proto__', accepted],
      ['', accepted],
    ]);
  });
});

describe('rounds', () => {
  test('[SEED-232 MRTR-022 BUG-128] ten are answered, the eleventh is an error', async () => {
    const onElicit = vi.fn(() => ({ confirmed: true }));
    const { client, server } = await openAsker(revision, { onElicit });
    const came = answering(server, required({ e: confirm }, 's'));
    const error = await failed(client.callTool('t'));
    expect(came).toHaveLength(11);
    expect(onElicit).toHaveBeenCalledTimes(10);
    expect(error).toMatchObject({ isResumable: true, requestState: 's', inputRequests: { e: confirm } });
  });

  test('ten and a final result are no error', async () => {
    const { client, server } = await openAsker(revision, handlers);
    const came = answering(server, ...Array.from({ length: 10 }, () => required({ e: confirm })), said('done'));
    expect((await client.callTool('t')).text).toBe('done');
    expect(came).toHaveLength(11);
  });

  test('maxRounds sets how many', async () => {
    const { client, server } = await openAsker(revision, { ...handlers, maxRounds: 2 });
    const came = answering(server, required({ e: confirm }));
    await failed(client.callTool('t'));
    expect(came).toHaveLength(3);
    await expect(openAsker(revision, { maxRounds: 0 })).rejects.toThrow('maxRounds');
  });

  test.each([
    [100, false],
    [101, true],
  ])('a round may have 100 questions (%i)', async (count, tooMany) => {
    const onElicit = vi.fn(() => ({ confirmed: true }));
    const { client, server } = await openAsker(revision, { onElicit });
    const questions = Object.fromEntries(Array.from({ length: count }, (_, at) => [`q${at}`, confirm]));
    answering(server, required(questions), said('done'));
    if (tooMany) await failed(client.callTool('t'));
    else await client.callTool('t');
    expect(onElicit).toHaveBeenCalledTimes(tooMany ? 0 : count);
  });
});

describe('Error Handling', () => {
  test.each<[string, unknown, ConnectOptions]>([
    ['no handler', { e: confirm }, {}],
    ['an unknown method', { e: { method: 'foo/bar', params: {} } }, handlers],
    ['a method that is no question', { e: { method: 'tools/list' } }, handlers],
    ['ping', { e: { method: 'ping' } }, handlers],
    ['a list', [], handlers],
    ['text', 'ask', handlers],
    ['an entry without method', { e: { params: {} } }, handlers],
    ['an entry that is none', { e: null }, handlers],
    ['params that are none', { e: { method: 'roots/list', params: [] } }, handlers],
    ['one good and one bad', { a: confirm, b: { method: 'foo/bar' } }, handlers],
  ])('[SEED-233] %s: an error with what the server sent, and no retry', async (_, inputRequests, options) => {
    const { client, server } = await openAsker(revision, options);
    const came = answering(server, required(inputRequests, 'state'));
    const error = await failed(client.callTool('t', { a: 1 }));
    expect(error).toMatchObject({
      code: 'input_required',
      inputRequests,
      requestState: 'state',
      requestMethod: 'tools/call',
      requestParams: { name: 't', arguments: { a: 1 } },
    });
    expect(McpError.is(error)).toBe(true);
    expect(came).toHaveLength(1);
  });

  test.each([
    required(),
    required({}),
    { ...required(), inputRequests: null, requestState: null },
    required({ e: confirm }, 5),
    required(undefined, { a: 1 }),
  ])('[SEED-234 MRTR-004] %j asks for nothing that can be given', async (result) => {
    const { client, server } = await openAsker(revision, handlers);
    const came = answering(server, result);
    expect((await failed(client.callTool('t'))).isResumable).toBe(false);
    expect(came).toHaveLength(1);
  });

  test('a handler that fails fails the round, stops the others, and is the cause', async () => {
    const stopped = gate<unknown>();
    const logger = recorder();
    const { client, server } = await openAsker(revision, {
      logger,
      onElicit: (_question, { signal }) =>
        new Promise(() => signal.addEventListener('abort', () => stopped.open(signal.reason))),
      onSample: () => {
        throw new Error('detail');
      },
    });
    const came = answering(server, required({ e: confirm, s: prompt }, 'state'));
    const error = await failed(client.callTool('t'));
    await stopped.opened;
    expect(error).toMatchObject({ isResumable: true, origin: 'local', cause: { cause: new Error('detail') } });
    expect(error.message).not.toContain('detail');
    expect(came).toHaveLength(1);
    expect(logger.of('error')).toHaveLength(1);
  });

  test('an error of the server on the retry is that error', async () => {
    const { client, server } = await openAsker(revision, handlers);
    const calling = client.callTool('t');
    (await server.expect('tools/call')).reply(required({ e: confirm }, 's'));
    (await server.expect('tools/call')).fail({ code: -32602, message: 'the state is too old' });
    await expect(calling).rejects.toMatchObject({ rpc: { code: -32602 } });
  });

  test('[SEED-248] a structured result is judged as ever', async () => {
    const tool = {
      name: 't',
      inputSchema: { type: 'object' },
      outputSchema: { type: 'object', properties: { ok: { type: 'boolean' } } },
    };
    const { client, server } = await openAsker(revision, handlers, {
      'tools/list': () => ({ ...listed(), tools: [tool] }),
    });
    await client.listTools();
    answering(server, required({ e: confirm }), { ...said('x'), structuredContent: { ok: 5 } });
    await expect(client.callTool('t')).rejects.toThrow(InvalidResponseError);
  });

  test('[SEED-247 MRTR-021] what came of rounds is not kept', async () => {
    const { client, server } = await openAsker(revision, handlers);
    for (let reads = 0; reads < 2; reads++) {
      const reading = client.readResource('x://r');
      (await server.expect('resources/read')).reply(required({ e: confirm }));
      const contents = [{ uri: 'x://r', text: String(reads) }];
      (await server.expect('resources/read')).reply({
        resultType: 'complete',
        contents,
        ttlMs: 60_000,
        cacheScope: 'private',
      });
      expect((await reading).text).toBe(String(reads));
    }
  });
});

describe('between rounds', () => {
  const dropped = async (turn: Turn): Promise<Turn> => {
    await turn.stream().write(': nothing yet\n\n');
    turn.end();
    return turn;
  };

  test('a response stream that broke is re-issued within its round', async () => {
    let turns = 0;
    const peer = await modernPeer({
      'tools/call': (turn) => {
        turns++;
        if (turns === 1) return required({ e: confirm }, 's');
        return turns === 2 ? dropped(turn) : said('done');
      },
    });
    const client = await connect(peer.url, handlers);
    const result = await client.callTool('t');
    expect(result).toMatchObject({ text: 'done', reissued: true });
    const [, second, third] = peer.of('tools/call');
    expect(third?.params['requestState']).toBe('s');
    expect(third?.params['inputResponses']).toEqual(second?.params['inputResponses']);
    await client.close();
  });

  test('one that broke in an earlier round is told of as well', async () => {
    let turns = 0;
    const peer = await modernPeer({
      'tools/call': (turn) => {
        turns++;
        if (turns === 1 || turns === 3) return dropped(turn);
        return turns < 5 ? required({ e: confirm }, 's') : said('done');
      },
    });
    const client = await connect(peer.url, handlers);
    expect(await client.callTool('t')).toMatchObject({ text: 'done', reissued: true, rounds: 2 });
    turns = 2;
    expect(await client.callTool('t')).toMatchObject({ text: 'done', reissued: true, rounds: 1 });
    turns = 3;
    expect(await client.callTool('t')).toMatchObject({ text: 'done', reissued: false, rounds: 1 });
    await client.close();
  });

  test('a server that has become a legacy one gets nothing of it', async () => {
    let modern = true;
    const peer = await modernPeer({
      'server/discover': (turn) => (modern ? described : turn.fail({ code: -32601, message: 'no' }, 404)),
      GET: (turn) => turn.send(405),
      'notifications/initialized': (turn) => turn.send(202),
      initialize: () => begun(),
      'tools/call': (turn) => {
        if (!Object.hasOwn(turn.seen.params, 'inputResponses')) {
          modern = false;
          return required({ e: confirm }, 's');
        }
        return turn.fail(
          { code: -32022, message: 'too new', data: { supported: ['2025-11-25'], requested: revision } },
          400,
        );
      },
    });
    const client = await connect(peer.url, handlers);
    const error = await failed(client.callTool('t'));
    expect(error).toMatchObject({ requestState: 's', isResumable: true });
    expect(peer.of('tools/call')).toHaveLength(2);
    await client.close();
  });
});
