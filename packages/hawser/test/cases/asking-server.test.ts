/** One handler asks callers of both eras, each in its own way. */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { Server } from '../../src/server/server.ts';
import { call, nodeEndpoint, openSession, webEndpoint, initialize, type Live } from '../support/http.ts';
import {
  accept,
  drive,
  everything,
  legacyInbound,
  legacyOn,
  linkTo,
  modernLink,
  modernWays,
  shakeHands,
  textOf,
  toolCall,
} from '../support/rounds.ts';
import { legacyRevisions } from '../support/links.ts';

const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
const capabilities = 'io.modelcontextprotocol/clientCapabilities';

function asking(): Server {
  const server = new Server({ name: 's', version: '1' });
  server.tool('ask', {}, async (_, ctx) => String((await ctx.elicit('n', { message: 'How many?', schema }))['n']));
  server.tool('sample', {}, async (_, ctx) => {
    const { model } = await ctx.sample('k', {
      messages: [{ role: 'user', content: { type: 'text', text: 'x' } }],
      maxTokens: 5,
    });
    return model;
  });
  server.tool('code', {}, (_, ctx) =>
    ctx.elicit('n', { message: 'How many?', schema }).then(String, (error: { code: string }) => error.code),
  );
  return server;
}

describe.each(modernWays)('%s', (over) => {
  test('[BUG-132] a modern caller that declared it gets input_required', async () => {
    const outcome = await drive(await modernLink(asking(), over), toolCall('ask'), () => accept({ n: 3 }));
    expect([outcome.rounds, textOf(outcome)]).toEqual([[['n']], '3']);
  });

  test('[BUG-132] a modern caller that did not gets -32021', async () => {
    const { error } = await (await modernLink(asking(), over)).request(toolCall('ask', {}, {}, {}));
    expect(error).toMatchObject({ code: -32021, data: { requiredCapabilities: { elicitation: { form: {} } } } });
  });

  test.each(legacyRevisions)(
    '[BUG-132] a legacy caller gets a request or a failure, in its own shapes (%s)',
    async (revision) => {
      const asks = revision >= '2025-06-18';
      const driver = await legacyOn(asking(), over, () => accept({ n: 3 }), revision);
      const outcome = await driver.call('ask');
      expect(outcome.rounds).toEqual(asks ? [['How many?']] : []);
      expect(outcome.error).toBeUndefined();
      expect(outcome.result).not.toHaveProperty('resultType');
      if (asks) expect(outcome.result).toEqual({ content: [{ type: 'text', text: '3' }] });
      else expect(outcome.result).toMatchObject({ isError: true });
      const mute = await legacyOn(asking(), over, () => expect.unreachable(), revision, {});
      const refused = await mute.call('ask');
      expect(refused.result).toMatchObject({
        isError: true,
        content: [{ text: expect.stringMatching(/^the caller cannot/) as unknown }],
      });
    },
  );
});

test('[BUG-133] on one pipe capabilities do not stick, nor does a session in between', async () => {
  const answering = legacyInbound(() => accept({ n: 9 }));
  const link = linkTo(asking(), 'pipe', answering);
  const modernly = (declared: JsonObject) => link.request(toolCall('ask', {}, {}, declared));
  const inSession = async () =>
    (await link.request({ method: 'tools/call', params: { name: 'ask', arguments: {} } })).result?.['content'];
  expect((await modernly(everything)).result).toMatchObject({ resultType: 'input_required' });
  expect((await modernly({})).error).toMatchObject({ code: -32021 });
  await shakeHands(link, '2025-11-25');
  expect(await inSession()).toEqual([{ type: 'text', text: '9' }]);
  expect((await modernly({})).error).toMatchObject({ code: -32021 });
  expect(await inSession()).toEqual([{ type: 'text', text: '9' }]);
  expect((await modernly({ elicitation: {} })).result).toMatchObject({ resultType: 'input_required' });
});

describe('a question within a call of a legacy caller over HTTP', () => {
  /** A session that declared what can be asked. */
  async function session(server: Server) {
    const endpoint = await nodeEndpoint(server);
    return { endpoint, session: await openSession(endpoint, '2025-06-18', {}, { elicitation: {}, sampling: {} }) };
  }

  test('[BUG-150] travels on the stream of that call, without any other', async () => {
    const { endpoint, session: open } = await session(asking());
    const flights = Array.from({ length: 10 }, (_, at) => endpoint.fly(open.call(at % 2 === 0 ? 'ask' : 'sample')));
    const heads = await Promise.all(flights.map(({ head }) => head));
    // All of them have their question before the first one is answered.
    const questions = await Promise.all(heads.map((head: Live) => head.message()));
    expect(questions.map((question) => question?.['method'])).toEqual(
      Array.from({ length: 10 }, (_, at) => (at % 2 === 0 ? 'elicitation/create' : 'sampling/createMessage')),
    );
    expect(new Set(questions.map((question) => question?.['id'])).size).toBe(10);
    const said = { role: 'assistant', content: { type: 'text', text: 'x' } };
    for (const [at, question] of [...questions.entries()].toReversed()) {
      const result = at % 2 === 0 ? accept({ n: at }) : { ...said, model: String(at) };
      const answer = await endpoint.send(open.post({ jsonrpc: '2.0', id: question?.['id'], result }));
      expect(answer.status).toBe(202);
    }
    const results = await Promise.all(heads.map((head: Live) => head.message()));
    expect(results.map((message) => message?.['result'])).toEqual(
      Array.from({ length: 10 }, (_, at) => ({ content: [{ type: 'text', text: String(at) }] })),
    );
  });

  test('[BUG-150] twice in one call', async () => {
    const server = new Server({ name: 's', version: '1' });
    server.tool('twice', {}, async (_, ctx) => {
      const first = await ctx.elicit('a', { message: 'first', schema });
      const second = await ctx.elicit('b', { message: `after ${String(first['n'])}`, schema });
      return String(second['n']);
    });
    const { endpoint, session: open } = await session(server);
    const head = await endpoint.fly(open.call('twice')).head;
    for (const [at, message] of ['first', 'after 0'].entries()) {
      const question = await head.message();
      expect(question).toMatchObject({ params: { message } });
      await endpoint.send(open.post({ jsonrpc: '2.0', id: question?.['id'], result: accept({ n: at }) }));
    }
    expect((await head.message())?.['result']).toEqual({ content: [{ type: 'text', text: '1' }] });
  });

  test('[BUG-150] a caller that takes only JSON: a typed error at once', async () => {
    const { endpoint, session: open } = await session(asking());
    const post = open.call('code');
    const answer = await endpoint.send({ ...post, headers: { ...post.headers, accept: 'application/json' } });
    expect(answer.content).toBe('capability');
  });

  test('[BUG-150] a caller without a session: a typed error at once', async () => {
    const endpoint = webEndpoint(asking());
    const { headers } = initialize();
    const answer = await endpoint.send({
      headers: { ...headers, 'mcp-protocol-version': '2025-06-18' },
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'code', arguments: {} } },
    });
    expect(answer.content).toBe('capability');
  });

  test('[BUG-132] a modern caller is sent no request, whatever it takes', async () => {
    const endpoint = await nodeEndpoint(asking());
    const answer = await endpoint.send(call('ask', {}, { meta: { [capabilities]: everything } }));
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    expect(answer.result).toMatchObject({ resultType: 'input_required' });
  });
});
