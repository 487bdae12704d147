/** Log messages to a caller that does not read: what waits is bounded, whatever carries it. */
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { systemClock } from '../../src/base/clock.ts';
import { serveStdio } from '../../src/node/stdio.ts';
import { Server } from '../../src/server/server.ts';
import { call, doors, nodeEndpoint, openSession, type Live } from '../support/http.ts';
import { recorder } from '../support/stdio.ts';

const lines = 6_000;
const meta = { 'io.modelcontextprotocol/logLevel': 'info' };

/** A server with a tool that logs a line per turn of the event loop, and the log of the server itself. */
function talkative() {
  const logger = recorder();
  const server = new Server({ name: 's', version: '1', logger }).tool('talk', {}, async (_, ctx) => {
    for (let n = 1; n <= lines; n++) {
      ctx.log('info', { n, filler: 'x'.repeat(4_000) });
      await systemClock.turn();
    }
    return 'said';
  });
  return { server, logger };
}

/** The numbers of the lines that came, the last of them, and how many the server says are missing. */
function expectBounded(messages: readonly JsonObject[], logger: ReturnType<typeof recorder>): void {
  const numbers = messages
    .filter(({ method }) => method === 'notifications/message')
    .map(({ params }) => (params as { data: { n: number } }).data.n);
  expect(messages.at(-1)).toHaveProperty('result');
  expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
  expect(numbers.at(-1)).toBe(lines);
  const warned = logger.entries.filter(({ level }) => level === 'warn');
  expect(warned.map(({ details }) => details)).toEqual([{ dropped: lines - numbers.length }]);
}

async function read(stream: Live): Promise<JsonObject[]> {
  const messages: JsonObject[] = [];
  for (let message = await stream.message(); message !== undefined; message = await stream.message())
    messages.push(message);
  return messages;
}

test.each(doors)('$name: the oldest go, the newest and the result come', async ({ open }) => {
  const { server, logger } = talkative();
  const flight = (await open(server)).fly(call('talk', {}, { meta }));
  const stream = await flight.head;
  await logger.seen(/log messages were dropped/);
  expectBounded(await read(stream), logger);
});

test.each(['2024-11-05', '2025-11-25'])('a session of %s: the same', async (version) => {
  const { server, logger } = talkative();
  const endpoint = await nodeEndpoint(server);
  const session = await openSession(endpoint, version);
  const stream = await endpoint.fly(session.call('talk')).head;
  await logger.seen(/log messages were dropped/);
  expectBounded(await read(stream), logger);
});

test('stdio: the same', async () => {
  const { server, logger } = talkative();
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const serving = serveStdio(server, { stdin, stdout });
  stdin.write(`${JSON.stringify(call('talk', {}, { meta }).body)}\n`);
  await logger.seen(/log messages were dropped/);
  const messages: JsonObject[] = [];
  let text = '';
  for await (const chunk of stdout as AsyncIterable<Buffer>) {
    const got = (text + chunk.toString('utf8')).split('\n');
    text = got.pop() ?? '';
    messages.push(...got.map((line) => JSON.parse(line) as JsonObject));
    if (messages.at(-1)?.['id'] !== undefined) break;
  }
  await serving.close();
  expectBounded(messages, logger);
});
