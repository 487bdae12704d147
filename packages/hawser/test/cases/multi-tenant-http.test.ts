/** Many callers at once on one server, all with the same ids: each gets its own. */
import { describe, expect, test } from 'vitest';
import { connect } from '../../src/entry/index.node.ts';
import type { Service } from '../../src/ports/index.ts';
import { Server } from '../../src/server/server.ts';
import { seededRandom } from '../../src/testing/random.ts';
import {
  call,
  gate,
  modern,
  nodeEndpoint,
  openSession,
  webEndpoint,
  type Endpoint,
  type Sent,
  type Session,
} from '../support/http.ts';

const byHeader = {
  authenticate: ({ header }: { header(name: string): string | undefined }) => ({ principal: header('authorization') }),
};
const tenantOf = (index: number): string => (index % 2 === 0 ? 'ann' : 'bob');

/** A server whose tool answers when `count` calls have come, in a random order. */
function crossing(count: number, seed: number): Server {
  const random = seededRandom(seed);
  const waiting: (() => void)[] = [];
  const everybody = async (): Promise<void> => {
    const { opened, open } = gate();
    waiting.push(open);
    if (waiting.length === count) for (const go of shuffled(waiting, random)) go();
    await opened;
  };
  const server = new Server({ name: 's', version: '1' });
  server.tool('whoami', { input: { type: 'object', properties: { secret: {} } } }, async ({ secret }, ctx) => {
    const mine = `${ctx.caller.principal}:${String(secret)}`;
    await ctx.progress(1, 2, mine);
    await everybody();
    await ctx.progress(2, 2, mine);
    if (String(secret).endsWith('7')) throw new Error(mine);
    return mine;
  });
  return server;
}

function shuffled<T>(values: readonly T[], random: () => number): T[] {
  return values
    .map((value) => ({ value, key: random() }))
    .toSorted((a, b) => a.key - b.key)
    .map(({ value }) => value);
}

/** Every word of an answer belongs to one caller. */
function expectOwn(text: string, own: string): void {
  const named = text.match(/(?:ann|bob):\d+/g) ?? [];
  expect(named.length).toBeGreaterThan(0);
  expect(new Set(named)).toEqual(new Set([own]));
}

const count = 50;

describe.each([
  ['Node door', (server: Server) => nodeEndpoint(server, byHeader)],
  ['web door', (server: Server) => Promise.resolve(webEndpoint(server, byHeader))],
] as const)('modern, %s', (_, open) => {
  test('[BUG-101] fifty calls of two tenants, all with id 2: results, errors and progress reach their callers', async () => {
    const endpoint = await open(crossing(count, 1));
    const answers = await Promise.all(
      Array.from({ length: count }, (_, index) =>
        endpoint.send(
          call(
            'whoami',
            { secret: index },
            {
              id: 2,
              headers: { authorization: tenantOf(index) },
              // Some listen to progress, all with the same token; the others get plain JSON.
              ...(index % 3 === 0 && { meta: { progressToken: 't' } }),
            },
          ),
        ),
      ),
    );
    for (const [index, answer] of answers.entries()) {
      expectOwn(answer.text, `${tenantOf(index)}:${index}`);
      expect(answer.reply['id']).toBe(2);
      expect(answer.messages).toHaveLength(index % 3 === 0 ? 3 : 1);
    }
  });
});

test('[BUG-101] legacy: many sessions with the same ids, each gets its own', async () => {
  const sessions = 20;
  const endpoint = await nodeEndpoint(crossing(sessions, 2), byHeader);
  const all = await openMany(endpoint, sessions);
  const answers = await Promise.all(
    all.map((session, index) =>
      endpoint.send(session.call('whoami', { secret: index }, { id: 2, meta: { progressToken: 2 } })),
    ),
  );
  for (const [index, answer] of answers.entries()) {
    expectOwn(answer.text, `${tenantOf(index)}:${index}`);
    expect(answer.messages).toHaveLength(3);
  }
});

test('[BUG-101] legacy: what the server asks reaches its caller, and the answer its call', async () => {
  const plain = new Server({ name: 's', version: '1' });
  const service: Service = {
    answer: async (asked, exchange) => {
      if (asked.method !== 'tools/call') return plain.answer(asked, exchange);
      const secret = String(asked.params?.['secret']);
      const question = { secret: `${exchange.caller.principal}:${secret}` };
      const reply = await exchange.ask?.({ method: 'elicitation/create', params: question });
      return { result: { answered: reply?.result?.['content'] } };
    },
    notice: () => undefined,
  };
  const endpoint = await nodeEndpoint(service, byHeader);
  const all = await openMany(endpoint, 10);
  const streams = await Promise.all(
    all.map((session, index) => endpoint.fly(session.request('tools/call', { secret: index }, 2)).head),
  );
  const questions = await Promise.all(streams.map((stream) => stream.message()));
  // The questions carry the same ids in every session; they are answered the other way round.
  for (const [index, session] of [...all.entries()].toReversed()) {
    const question = questions[index];
    expectOwn(JSON.stringify(question), `${tenantOf(index)}:${index}`);
    const result = { content: `content for ${index}` };
    await endpoint.send(session.post({ jsonrpc: '2.0', id: question?.['id'], result }));
  }
  for (const [index, stream] of streams.entries())
    expect(await stream.message()).toMatchObject({ id: 2, result: { answered: `content for ${index}` } });
});

test('[BUG-101] one server object behind two doors and in process at once', async () => {
  const server = crossing(6, 3);
  const node = await nodeEndpoint(server, byHeader);
  const web = webEndpoint(server, byHeader);
  const session = await openSession(node, '2025-11-25', { authorization: 'bob' });
  const client = await connect(server);
  const as = (secret: number, authorization: string): Sent =>
    call('whoami', { secret }, { id: 1, headers: { authorization } });
  const [one, two, three, four, five, six] = await Promise.all([
    node.send(as(0, 'ann')),
    web.send(as(1, 'bob')),
    node.send(as(2, 'ann')),
    web.send(as(3, 'ann')),
    node.send(session.call('whoami', { secret: 4 }, { id: 1 })),
    client.callTool('whoami', { secret: 5 }),
  ]);
  expect([one, two, three, four, five].map(({ content }) => content)).toEqual([
    'ann:0',
    'bob:1',
    'ann:2',
    'ann:3',
    'bob:4',
  ]);
  expect(six.text).toBe('undefined:5');
  await client.close();
});

test('[BUG-101] a subscription of one tenant carries nothing of another', async () => {
  const endpoint = await nodeEndpoint(crossing(2, 4), byHeader);
  const listening = await Promise.all(
    ['ann', 'bob'].map(
      (authorization) =>
        endpoint.fly(
          modern(
            'subscriptions/listen',
            { notifications: { toolsListChanged: true } },
            { id: 2, headers: { authorization } },
          ),
        ).head,
    ),
  );
  for (const stream of listening) await stream.message();
  await Promise.all(
    ['ann', 'bob'].map((authorization, secret) =>
      endpoint.send(call('whoami', { secret }, { id: 2, headers: { authorization }, meta: { progressToken: 2 } })),
    ),
  );
  const rest = listening.map((stream) => stream.message());
  await endpoint.close();
  for (const message of await Promise.all(rest))
    expect(message).toMatchObject({ id: 2, result: { resultType: 'complete' } });
});

function openMany(endpoint: Endpoint, sessions: number): Promise<Session[]> {
  return Promise.all(
    Array.from({ length: sessions }, (_, index) =>
      openSession(endpoint, '2025-11-25', { authorization: tenantOf(index) }),
    ),
  );
}
