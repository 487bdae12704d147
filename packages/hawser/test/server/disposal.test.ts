/** What `await using` does to a server and to what serves it. */
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { serveHttp } from '../../src/node/http.ts';
import { serveStdio } from '../../src/node/stdio.ts';
import { Server } from '../../src/server/server.ts';
import { openLink } from '../support/links.ts';
import { failureOf } from '../support/stdio.ts';

const made = (): Server => new Server({ name: 's', version: '1' });

test('a server ends its subscriptions', async () => {
  const server = made();
  const client = await openLink('pipe', '2026-07-28', server);
  const subscription = await client.listen({ toolsListChanged: true }, { onNotification: () => undefined });
  await server[Symbol.asyncDispose]();
  expect(await subscription.closed).toBe('completed');
});

test('an HTTP server stops listening', async () => {
  const http = await serveHttp(made());
  await http[Symbol.asyncDispose]();
  expect(await failureOf(fetch(http.url))).toBeInstanceOf(TypeError);
});

test('a stdio server ends its output', async () => {
  const stdout = new PassThrough();
  const serving = serveStdio(made(), { stdin: new PassThrough(), stdout });
  await serving[Symbol.asyncDispose]();
  await serving.closed;
  expect(stdout.writableEnded).toBe(true);
});
