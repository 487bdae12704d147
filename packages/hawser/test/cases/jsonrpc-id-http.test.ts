/** Ids of requests over HTTP: which are valid, and that none is taken for a notification. */
import { describe, expect, test } from 'vitest';
import { example } from '../support/example.ts';
import { call, doors, expectRefusal, nodeEndpoint, openSession } from '../support/http.ts';

const wrong = ['null', '1.5', 'true', 'false', '{}', '[]', '[1]', '9007199254740993', '-9007199254740993', '1e400'];
const right: (string | number)[] = [0, -1, 9007199254740991, '', '0', '1', 1];

/** The body of a request with an id that JSON.stringify would not write. */
const withId = (body: unknown, id: string): string => JSON.stringify(body).replace('"id":1', `"id":${id}`);

describe.each(doors)('modern, $name', ({ open }) => {
  test.each(wrong)('[BUG-093] id %s: -32600 with 400, without id, and nothing runs', async (id) => {
    const { server, runs } = example();
    const endpoint = await open(server);
    const { headers, body } = call('echo');
    expectRefusal(await endpoint.send({ headers, body: withId(body, id) }), 400, -32600);
    expect(runs).toEqual([]);
  });

  test.each(right)('[BUG-093] id %j is valid and comes back as it is', async (id) => {
    const endpoint = await open(example().server);
    expect((await endpoint.send(call('echo', {}, { id }))).json['id']).toBe(id);
  });

  test('[BUG-093] no id at all is a notification: 202, and nothing runs', async () => {
    const { server, runs } = example();
    const endpoint = await open(server);
    const { headers, body } = call('echo');
    const { id: _, ...note } = body as { id: number };
    expect(await endpoint.send({ headers, body: note })).toMatchObject({ status: 202, text: '' });
    expect(runs).toEqual([]);
  });
});

describe.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])('a session of %s', (version) => {
  test.each(wrong)('[BUG-093] id %s: -32600 with 400, and nothing runs', async (id) => {
    const { server, runs } = example();
    const session = await openSession(await nodeEndpoint(server), version);
    const { headers, body } = session.call('echo', {}, { id: 1 });
    const answer = await session.endpoint.send({ headers, body: withId(body, id) });
    // Only the newest of them lets an error go without an id.
    expectRefusal(answer, 400, -32600, version === '2025-11-25' ? undefined : null);
    expect(runs).toEqual([]);
  });

  test('[BUG-093] valid ids come back as they are; 1 and "1" are two requests', async () => {
    const { server, hold } = example();
    const session = await openSession(await nodeEndpoint(server), version);
    for (const id of right.slice(0, -2))
      expect((await session.endpoint.send(session.call('echo', {}, { id }))).json['id']).toBe(id);
    const held = session.endpoint.send(session.call('hold', {}, { id: 1 }));
    await hold.started;
    expect((await session.endpoint.send(session.call('echo', {}, { id: '1' }))).json['id']).toBe('1');
    hold.release();
    expect((await held).json['id']).toBe(1);
  });
});
