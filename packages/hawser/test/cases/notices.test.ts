/** A notification that a server sends: the same object whatever carries it. */
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { serveStdio } from '../../src/node/stdio.ts';
import type { Exchange, Note, Reply, Service } from '../../src/ports/index.ts';
import { Server } from '../../src/server/server.ts';
import { initialize, modern, nodeEndpoint, openSession, webEndpoint } from '../support/http.ts';

const notes: Note[] = [{ method: 'notifications/x' }, { method: 'notifications/x', params: { a: 1 } }];

/** Answers each call of a tool after it has said all of it. */
function saying(): Service {
  const server = new Server({ name: 's', version: '1' });
  return {
    answer: (call, exchange: Exchange): Promise<Reply> => {
      if (call.method !== 'tools/call') return server.answer(call, exchange);
      for (const note of notes) exchange.emit(note);
      return Promise.resolve({ result: {} });
    },
    notice: () => undefined,
  };
}

/** Sends requests over stdio, one after the other; gives all that comes until the last is answered. */
async function overStdio(requests: readonly unknown[]): Promise<JsonObject[]> {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const serving = serveStdio(saying(), { stdin, stdout });
  const come: JsonObject[] = [];
  let text = '';
  let left = requests.length;
  for (const request of requests) stdin.write(`${JSON.stringify(request)}\n`);
  for await (const chunk of stdout as AsyncIterable<Buffer>) {
    text += chunk.toString('utf8');
    const lines = text.split('\n');
    text = lines.pop() ?? '';
    come.push(...lines.map((line) => JSON.parse(line) as JsonObject));
    left = requests.length - come.filter((message) => 'id' in message).length;
    if (left === 0) break;
  }
  await serving.close();
  return come;
}

test('[SEED-172] it is jsonrpc, method, and params if there are any: over stdio as over HTTP, in both eras', async () => {
  const wanted = [
    { jsonrpc: '2.0', method: 'notifications/x' },
    { jsonrpc: '2.0', method: 'notifications/x', params: { a: 1 } },
  ];
  const asked = modern('tools/call', { name: 'x', arguments: {} });
  const heads = { ...asked, headers: { ...asked.headers, 'mcp-name': 'x' } };
  const endpoint = await nodeEndpoint(saying());
  const session = await openSession(endpoint);
  const legacy = session.request('tools/call', { name: 'x' }, 1);
  const come: Record<string, JsonObject[]> = {
    'modern, Node': (await endpoint.send(heads)).messages,
    'modern, web': (await webEndpoint(saying()).send(heads)).messages,
    'modern, stdio': await overStdio([asked.body]),
    'legacy, Node': (await endpoint.send(legacy)).messages,
    'legacy, stdio': await overStdio([initialize().body, legacy.body]),
  };
  for (const [way, messages] of Object.entries(come))
    expect({ way, notes: messages.filter((message) => !('id' in message)) }).toEqual({ way, notes: wanted });
});
