/** Progress tokens over HTTP: each comes back as it was given, and without one there is no progress. */
import { describe, expect, test } from 'vitest';
import { example } from '../support/example.ts';
import { call, doors, expectRefusal, nodeEndpoint, openSession, type Answer } from '../support/http.ts';

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
