/** Progress tokens over HTTP: each comes back as it was given, and without one there is no progress. */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { Server } from '../../src/server/server.ts';
import { example } from '../support/example.ts';
import {
  call,
  doors,
  expectRefusal,
  gate,
  nodeEndpoint,
  openSession,
  usual,
  webEndpoint,
  type Answer,
  type Sent,
} from '../support/http.ts';

const tokens: (string | number)[] = [0, '', 'abc', 7, '7', -1, 9007199254740991, '🐎'];

function expectProgress(answer: Answer, token: string | number): void {
  const notes = answer.messages.filter((message) => message['method'] === 'notifications/progress');
  expect(notes.map((note) => note['params'])).toMatchObject([
    { progressToken: token, progress: 0.5, total: 1 },
    { progressToken: token, progress: 1, total: 1 },
  ]);
  for (const note of notes) expect((note['params'] as { progressToken: unknown }).progressToken).toBe(token);
}

describe.each(doors)('modern, $name', ({ open }) => {
  test.each(tokens)('[BUG-090] token %j', async (token) => {
    const endpoint = await open(example().server);
    expectProgress(await endpoint.send(call('report', {}, { meta: { progressToken: token } })), token);
  });

  test('[BUG-090] no token: nothing is sent', async () => {
    const endpoint = await open(example().server);
    const answer = await endpoint.send(call('report'));
    expect(answer).toMatchObject({ type: 'application/json', content: 'reported' });
  });

  test.each([null, 1.5, true, {}, []])('a token that is none, %j, is refused', async (token) => {
    const endpoint = await open(example().server);
    expectRefusal(await endpoint.send(call('report', {}, { meta: { progressToken: token } })), 400, -32602, 1);
  });
});

describe.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])('a session of %s', (version) => {
  test('[BUG-090] every token comes back, none means none', async () => {
    const session = await openSession(await nodeEndpoint(example().server), version);
    for (const token of tokens)
      expectProgress(
        await session.endpoint.send(session.call('report', {}, { meta: { progressToken: token } })),
        token,
      );
    expect((await session.endpoint.send(session.call('report'))).type).toBe('application/json');
    expect((await session.endpoint.send(session.call('report', {}, { meta: {} }))).type).toBe('application/json');
  });
});

describe('whether somebody hears of it', () => {
  /** A tool that says what its first report came to. */
  const telling = (): Server =>
    new Server({ name: 's', version: '1' }).tool('tell', {}, async (_, ctx) => String(await ctx.progress(1)));
  const meta = { progressToken: 'p' };
  const json = { accept: 'application/json' };
  const body = (version?: string) => ({
    headers: { ...usual, ...(version !== undefined && { 'mcp-protocol-version': version }) },
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'tell', _meta: meta } },
  });
  const onlyJson = (sent: Sent): Sent => ({ ...sent, headers: { ...sent.headers, ...json } });

  test.each(doors)(
    '[SEED-171] a caller that takes one JSON text does not, and the call succeeds ($name)',
    async (door) => {
      const endpoint = await door.open(telling());
      const sent = call('tell', {}, { meta });
      expect((await endpoint.send(sent)).content).toBe('true');
      expect((await endpoint.send(onlyJson(sent))).content).toBe('false');
      expect((await endpoint.send(call('tell'))).content).toBe('false');
    },
  );

  test.each(['2025-03-26', '2025-11-25'])('[SEED-171] nor one of %s, with a session or without', async (version) => {
    const session = await openSession(await nodeEndpoint(telling()), version);
    const sent = session.call('tell', {}, { meta });
    expect((await session.endpoint.send(sent)).content).toBe('true');
    expect((await session.endpoint.send(onlyJson(sent))).content).toBe('false');
    for (const endpoint of [await nodeEndpoint(telling(), { legacy: 'stateless' }), webEndpoint(telling())]) {
      expect((await endpoint.send(body(version))).content).toBe('true');
      expect((await endpoint.send(onlyJson(body(version)))).content).toBe('false');
    }
  });

  test('[SEED-171] nor one whose request stands in a batch', async () => {
    const session = await openSession(await nodeEndpoint(telling()), '2025-03-26');
    const answer = await session.endpoint.send(session.post([session.call('tell', {}, { meta }).body]));
    const [reply] = answer.json as unknown as JsonObject[];
    expect(reply?.['result']).toMatchObject({ content: [{ text: 'false' }] });
  });

  test('[SEED-171] nor one that has gone', async () => {
    const told = gate<boolean>();
    const begun = gate();
    const server = new Server({ name: 's', version: '1' }).tool('tell', {}, async (_, ctx) => {
      await ctx.progress(1);
      const gone = new Promise((resolve) => ctx.signal.addEventListener('abort', resolve));
      begun.open();
      await gone;
      told.open(await ctx.progress(2));
      return '';
    });
    const flight = (await nodeEndpoint(server)).fly(call('tell', {}, { meta }));
    await begun.opened;
    flight.leave();
    expect(await told.opened).toBe(false);
  });
});
