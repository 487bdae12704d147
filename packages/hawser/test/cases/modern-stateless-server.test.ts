/** Nothing of one modern request sticks to the next, nor to a legacy session beside it. */
import { expect, test } from 'vitest';
import { example } from '../support/example.ts';
import { call, nodeEndpoint, oneConnection, openSession } from '../support/http.ts';

const key = (name: string): string => `io.modelcontextprotocol/${name}`;

test('[BUG-133] on one connection each request is judged by its own _meta, a session in between by its handshake', async () => {
  const endpoint = await nodeEndpoint(example().server);
  const send = oneConnection(endpoint);
  const caller = async (meta: Record<string, unknown>) =>
    JSON.parse((await send(call('caller', {}, { meta }))).content) as object;
  const session = await openSession({ ...endpoint, send });
  const inSession = async () => JSON.parse((await send(session.call('caller'))).content) as object;
  const legacy = { revision: '2025-11-25', capabilities: {}, clientInfo: { name: 'by hand', version: '1' } };
  const revision = '2026-07-28';
  const one = { name: 'one', version: '1' };
  const two = { name: 'two', version: '2' };

  expect(
    await caller({
      [key('clientCapabilities')]: { elicitation: {} },
      [key('logLevel')]: 'debug',
      [key('clientInfo')]: one,
    }),
  ).toEqual({ revision, capabilities: { elicitation: {} }, logLevel: 'debug', clientInfo: one });
  expect(await inSession()).toEqual(legacy);
  expect(await caller({})).toEqual({ revision, capabilities: {} });
  expect(await caller({ [key('clientInfo')]: two })).toEqual({ revision, capabilities: {}, clientInfo: two });
  expect(await inSession()).toEqual(legacy);
});

test('[BUG-133] requests that run at the same time keep apart as well', async () => {
  const endpoint = await nodeEndpoint(example().server);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      endpoint.send(call('caller', {}, { meta: { [key('clientCapabilities')]: { experimental: { [index]: {} } } } })),
    ),
  );
  for (const [index, { content }] of answers.entries())
    expect(JSON.parse(content)).toMatchObject({ capabilities: { experimental: { [index]: {} } } });
});
