/** What a caller says it accepts, and what it gets. */
import { describe, expect, test } from 'vitest';
import { example } from '../support/example.ts';
import { call, doors, expectRefusal, nodeEndpoint, openSession } from '../support/http.ts';

const json = 'application/json';
const sse = 'text/event-stream';
/** Accept, then the type of an answer to a call that is silent, and to one that has something to say before. */
const table: [string | undefined, string | undefined, string | undefined][] = [
  [`${json}, ${sse}`, json, sse],
  [`${sse}, ${json}`, json, sse],
  [sse, sse, sse],
  [json, json, json],
  ['*/*', json, sse],
  ['application/*', json, json],
  [undefined, json, sse],
  ['text/html', undefined, undefined],
  [`${json};q=0`, undefined, undefined],
];

describe.each(doors)('modern, $name', ({ open }) => {
  test.each(table)('[BUG-047] Accept %s', async (accept, silent, telling) => {
    const endpoint = await open(example().server);
    for (const [name, type] of [
      ['echo', silent],
      ['report', telling],
    ] as const) {
      const answer = await endpoint.send(call(name, {}, { headers: { accept }, meta: { progressToken: 1 } }));
      if (type === undefined) expectRefusal(answer, 406, -32600);
      else expect(answer).toMatchObject({ status: 200, type, result: { resultType: 'complete' } });
    }
  });
});

describe.each(['2025-03-26', '2025-06-18', '2025-11-25'])('a session of %s', (version) => {
  test.each(table)('[BUG-047] Accept %s', async (accept, silent, telling) => {
    const session = await openSession(await nodeEndpoint(example().server), version);
    for (const [name, type] of [
      ['echo', silent],
      ['report', telling],
    ] as const) {
      const { headers, body } = session.call(name, {}, { meta: { progressToken: 1 } });
      const answer = await session.endpoint.send({ headers: { ...headers, accept }, body });
      if (type === undefined) expectRefusal(answer, 406, -32600);
      else expect(answer).toMatchObject({ status: 200, type, result: { content: expect.anything() as unknown } });
    }
  });
});
