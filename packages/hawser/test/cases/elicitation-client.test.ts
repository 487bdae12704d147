/** Faults of other clients in answering what servers ask. */
import { describe, expect, test, vi } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import type { Client } from '../../src/client/client.ts';
import type { ConnectOptions } from '../../src/client/options.ts';
import { connect } from '../../src/entry/index.node.ts';
import { VirtualClock } from '../../src/testing/clock.ts';
import { ask, openAsker, required } from '../support/asking.ts';
import { begun, httpPeer, legacyPeer, modernPeer, said, type HttpPeer } from '../support/http-peer.ts';
import { legacyRevisions } from '../support/links.ts';
import { recorder } from '../support/stdio.ts';

const method = 'elicitation/create';
const requestedSchema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
const question = { message: 'n?', requestedSchema };
const confirm = { method, params: question };
const answers: ConnectOptions = { onElicit: () => ({ n: 1 }) };
const accepted = { action: 'accept', content: { n: 1 } };

describe('what handlers answer', () => {
  const answered = async (given: unknown, revision: '2025-11-25' | '2026-07-28'): Promise<unknown> =>
    (await ask(revision, { onElicit: () => given as JsonObject }, method, question)).answer;

  test.each(['2025-11-25', '2026-07-28'] as const)(
    '[BUG-103] only accepted content is checked (%s)',
    async (revision) => {
      expect(await answered({ action: 'cancel' }, revision)).toEqual({ action: 'cancel' });
      expect(await answered({ action: 'decline', content: null }, revision)).toEqual({ action: 'decline' });
      expect(await answered({ action: 'decline', content: { bad: 1 } }, revision)).toEqual({ action: 'decline' });
      expect(await answered({ action: 'accept', content: { n: 5 }, extra: 1 }, revision)).toEqual({
        action: 'accept',
        content: { n: 5 },
      });
      expect(await answered({ action: 'reject' }, revision)).toEqual({ action: 'cancel' });
      // Accepted without what is required, or with what does not fit: never sent.
      for (const content of [undefined, null, {}, { n: '5' }, [], 'n'])
        expect(await answered({ action: 'accept', content }, revision)).toBeUndefined();
    },
  );

  test('[BUG-103] accepted without content is an empty form', async () => {
    const optional = { message: 'n?', requestedSchema: { type: 'object', properties: { n: { type: 'integer' } } } };
    const { answer } = await ask('2025-11-25', { onElicit: () => ({ action: 'accept' }) }, method, optional);
    expect(answer).toEqual({ action: 'accept', content: {} });
  });
});

describe('the two eras', () => {
  test('[BUG-132] a modern server that sends a request gets no answer, and a report on pipes', async () => {
    const onElicit = vi.fn(() => ({ n: 1 }));
    const logger = recorder();
    const { client, server } = await openAsker('2026-07-28', { onElicit, logger });
    server.send({ jsonrpc: '2.0', id: 'q', method, params: question });
    const calling = client.callTool('t');
    (await server.expect('tools/call')).reply(said('done'));
    await calling;
    expect(onElicit).not.toHaveBeenCalled();
    expect(server.lines.filter(({ direction, text }) => direction === 'in' && text.includes('"q"'))).toEqual([]);
    expect(logger.of('warn').join()).toContain('a request, which this client does not answer');
  });

  test('[BUG-132] nor over HTTP', async () => {
    const onElicit = vi.fn(() => ({ n: 1 }));
    const peer = await modernPeer({
      'tools/call': async (turn) => {
        turn.stream();
        await turn.event({ jsonrpc: '2.0', id: 'q', method, params: question });
        await turn.event(turn.message(said('done')));
        turn.end();
        return turn;
      },
    });
    const client = await connect(peer.url, { onElicit });
    expect((await client.callTool('t')).text).toBe('done');
    expect(onElicit).not.toHaveBeenCalled();
    expect(peer.of('response')).toEqual([]);
    await client.close();
  });

  test.each(legacyRevisions)('[BUG-132] for a legacy client resultType means nothing (%s)', async (revision) => {
    const onElicit = vi.fn(() => ({ n: 1 }));
    const { client, server } = await openAsker(revision, { onElicit });
    const calling = client.callTool('t');
    (await server.expect('tools/call')).reply({ ...said('done'), ...required({ e: confirm }, 's') });
    expect((await calling).text).toBe('done');
    expect(onElicit).not.toHaveBeenCalled();
    expect(server.unread).toEqual([]);
  });
});

/** A tool that asks `depth` times, one question after the other answer, on the stream of the call. */
async function onStream(questions: number): Promise<HttpPeer> {
  const replies = new Map<unknown, (message: JsonObject) => void>();
  return legacyPeer({
    handlers: {
      response: (turn) => {
        replies.get(turn.seen.message['id'])?.(turn.seen.message);
        return turn.send(202);
      },
      'tools/call': async (turn) => {
        turn.stream();
        const got: unknown[] = [];
        for (let at = 0; at < questions; at++) {
          const id = `${String(turn.id)}-${at}`;
          const reply = new Promise<JsonObject>((resolve) => replies.set(id, resolve));
          await turn.event({ jsonrpc: '2.0', id, method, params: question });
          got.push((await reply)['result']);
        }
        await turn.event(turn.message({ content: [{ type: 'text', text: JSON.stringify(got) }] }));
        turn.end();
        return turn;
      },
    },
  });
}

/** A server that asks on the stream of the session and answers calls as JSON. */
async function onSession(): Promise<HttpPeer> {
  let emit: (message: unknown) => Promise<void> = () => Promise.resolve();
  const replies = new Map<unknown, (message: JsonObject) => void>();
  return legacyPeer({
    handlers: {
      GET: (turn) => {
        turn.stream();
        emit = (message) => turn.event(message);
        return turn;
      },
      response: (turn) => {
        replies.get(turn.seen.message['id'])?.(turn.seen.message);
        return turn.send(202);
      },
      'tools/call': async (turn) => {
        const id = `q-${String(turn.id)}`;
        const reply = new Promise<JsonObject>((resolve) => replies.set(id, resolve));
        await emit({ jsonrpc: '2.0', id, method, params: question });
        return { content: [{ type: 'text', text: JSON.stringify([(await reply)['result']]) }] };
      },
    },
  });
}

describe('a server that asks within a call', () => {
  const texts = async (client: Client, calls: number): Promise<unknown[]> => {
    const results = await Promise.all(Array.from({ length: calls }, () => client.callTool('t')));
    return results.map(({ text }) => JSON.parse(text) as unknown);
  };

  test.each([1, 10])('[BUG-150] on a pipe, %i at a time', async (calls) => {
    const { client, server } = await openAsker('2025-06-18', answers, {
      'tools/call': async () => {
        const got = [await server.request(method, question), await server.request(method, question)];
        return { content: [{ type: 'text', text: JSON.stringify(got.map(({ result }) => result)) }] };
      },
    });
    expect(await texts(client, calls)).toEqual(Array.from({ length: calls }, () => [accepted, accepted]));
  });

  test.each([1, 10])('[BUG-150] on the stream of the call, %i at a time, two questions each', async (calls) => {
    const peer = await onStream(2);
    const client = await connect(peer.url, { protocol: '2025-06-18', ...answers });
    expect(await texts(client, calls)).toEqual(Array.from({ length: calls }, () => [accepted, accepted]));
    await client.close();
  });

  test.each([1, 10])(
    '[BUG-150] on the stream of the session, where calls are answered as JSON, %i at a time',
    async (calls) => {
      const peer = await onSession();
      const client = await connect(peer.url, { protocol: '2025-06-18', ...answers });
      await peer.next('GET');
      expect(await texts(client, calls)).toEqual(Array.from({ length: calls }, () => [accepted]));
      await client.close();
    },
  );

  test('[BUG-150] a handler may call the same server', async () => {
    const { client, server } = await openAsker(
      '2025-06-18',
      { onElicit: async () => ({ n: Number((await client.callTool('count')).text) }) },
      {
        'tools/call': async ({ params }) => {
          if (params?.['name'] === 'count') return { content: [{ type: 'text', text: '7' }] };
          const { result } = await server.request(method, question);
          return { content: [{ type: 'text', text: JSON.stringify(result) }] };
        },
      },
    );
    expect(JSON.parse((await client.callTool('t')).text)).toEqual({ action: 'accept', content: { n: 7 } });
  });
});

describe('loops', () => {
  test('[BUG-128] an answer that says no is passed on, not asked again here', async () => {
    const onElicit = vi.fn(() => ({ action: 'decline' as const }));
    const { client, server } = await openAsker('2026-07-28', { onElicit });
    const calling = client.callTool('t');
    for (let rounds = 0; rounds < 3; rounds++) {
      (await server.expect('tools/call')).reply(required({ e: confirm }));
    }
    const last = await server.expect('tools/call');
    expect(last.params?.['inputResponses']).toEqual({ e: { action: 'decline' } });
    last.reply(said('done'));
    expect((await calling).text).toBe('done');
    expect(onElicit).toHaveBeenCalledTimes(3);
  });

  test.each([required(undefined, 's'), required({}, 's')])('[BUG-128] %j again and again is slow', async (result) => {
    const clock = new VirtualClock();
    let calls = 0;
    const { client } = await openAsker(
      '2026-07-28',
      { ...answers, clock },
      {
        'tools/call': () => {
          calls++;
          return result;
        },
      },
    );
    const calling = client.callTool('t').catch((error: unknown) => error);
    await clock.advance(61_000);
    expect(await calling).toMatchObject({ code: 'timeout' });
    expect(calls).toBeLessThan(15);
  });
});

test('a failure of the answer to get through harms nobody else', async () => {
  const logger = recorder();
  const peer = await httpPeer(async (turn) => {
    const { http, method: what, params } = turn.seen;
    if (http === 'GET') return turn.send(405);
    if (what === 'response') return turn.send(500);
    if (what === 'initialize') return begun({ protocolVersion: params['protocolVersion'] });
    if (what !== 'tools/call') return turn.send(202);
    turn.stream();
    await turn.event({ jsonrpc: '2.0', id: 'q', method, params: question });
    await peer.next('response');
    await turn.event(turn.message({ content: [] }));
    turn.end();
    return turn;
  });
  const client = await connect(peer.url, { protocol: 'legacy', logger, ...answers });
  expect((await client.callTool('t')).content).toEqual([]);
  await client.close();
});
