/** A service of somebody's that breaks: its caller learns nothing of it, the log of the door all. */
import { describe, expect, test } from 'vitest';
import type { Service } from '../../src/ports/index.ts';
import { example } from '../support/example.ts';
import { call, nodeEndpoint, openSession, usual, webEndpoint, type Answer } from '../support/http.ts';
import { recorder } from '../support/stdio.ts';

const failures: [string, () => Promise<never>][] = [
  ['rejects', () => Promise.reject(new Error('the secret'))],
  [
    'throws',
    () => {
      throw new Error('the secret');
    },
  ],
];

describe.each(failures)('one that %s', (_, fail) => {
  const { server } = example();
  const broken: Service = {
    answer: (asked, exchange) => (asked.method === 'tools/call' ? fail() : server.answer(asked, exchange)),
    notice: () => undefined,
  };
  const legacy = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'echo' } };

  const answers: [string, (logger: ReturnType<typeof recorder>) => Promise<Answer>][] = [
    ['the Node door', async (logger) => (await nodeEndpoint(broken, { logger })).send(call('echo'))],
    ['the web door', (logger) => webEndpoint(broken, { logger }).send(call('echo'))],
    [
      'the web door, a legacy caller',
      (logger) => webEndpoint(broken, { logger }).send({ headers: usual, body: legacy }),
    ],
    [
      'a session',
      async (logger) => {
        const session = await openSession(await nodeEndpoint(broken, { logger }));
        return session.endpoint.send(session.call('echo'));
      },
    ],
    [
      'a batch',
      async (logger) => {
        const session = await openSession(await nodeEndpoint(broken, { logger }), '2025-03-26');
        return session.endpoint.send(session.post([legacy]));
      },
    ],
  ];

  test.each(answers)('%s', async (_, send) => {
    const logger = recorder();
    const answer = await send(logger);
    expect(answer.text).toContain('"error":{"code":-32603,"message":"internal error"}');
    expect(answer.text).not.toContain('secret');
    expect(logger.entries).toEqual([
      { level: 'error', message: 'tools/call broke', details: expect.objectContaining({ message: 'the secret' }) },
    ]);
  });
});
