/** Batches and what is no JSON-RPC 2.0: served where there are batches, refused as a whole elsewhere, never half. */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { Server } from '../../src/server/server.ts';
import { expectRefusal, gate, initialize, metaOf, modern, nodeEndpoint, openSession } from '../support/http.ts';
import { openScripted } from '../support/links.ts';
import { initialize as begin, opening, received, serveByHand, type ByHandClient } from '../support/stdio.ts';

const others = ['2024-11-05', '2025-06-18', '2025-11-25', '2026-07-28'];

function counting(): { server: Server; runs: unknown[]; hold: ReturnType<typeof gate<void>> } {
  const runs: unknown[] = [];
  const hold = gate();
  const server = new Server({ name: 's', version: '1' })
    .tool('run', { input: { type: 'object', properties: { n: { type: 'number' } } } }, ({ n }) => {
      runs.push(n);
      return String(n);
    })
    .tool('hold', {}, async (_, { signal }) => {
      await hold.opened;
      return signal.aborted ? 'aborted' : 'held';
    });
  return { server, runs, hold };
}

const call = (n: number, name = 'run', meta?: JsonObject): JsonObject => ({
  jsonrpc: '2.0',
  id: n,
  method: 'tools/call',
  params: { name, arguments: name === 'run' ? { n } : {}, ...(meta && { _meta: meta }) },
});
const cancelled = (requestId: number) => ({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });
const note = { jsonrpc: '2.0', method: 'notifications/x' };
const hello = initialize('2025-03-26', {}, 9).body;

/** Every shape that is refused where there are no batches. */
const batches: readonly unknown[][] = [[call(2), call(3)], [note], [], [hello, call(2)], [1]];

/** What is no message of JSON-RPC 2.0, by itself. */
const { jsonrpc: _, ...unversioned } = call(5);
const notTwo = [{ ...call(5), jsonrpc: '1.0' }, { ...call(5), jsonrpc: 2 }, { ...call(5), jsonrpc: null }, unversioned];

/** A client by hand on a pipe, and what comes to it after the handshake; without a version there is none. */
class OnPipe {
  readonly #served: ByHandClient;
  #seen = 0;

  constructor(server: Server) {
    this.#served = serveByHand(server);
  }

  static async open(server: Server, version?: string): Promise<OnPipe> {
    const peer = new OnPipe(server);
    if (version !== undefined) await begin(peer.#served, version);
    peer.#seen = peer.#served.client.lines.length;
    return peer;
  }

  send(message: unknown): void {
    this.#served.client.send(message);
  }

  /** What has come, when all is through that can be. */
  async answers(): Promise<unknown[]> {
    await this.#served.pair.run();
    return received(this.#served.client, this.#seen);
  }
}

describe('over a pipe', () => {
  test('[BUG-105] 2025-03-26: all is processed, and the answers come in one line', async () => {
    const { server, runs } = counting();
    const peer = await OnPipe.open(server, '2025-03-26');
    peer.send([call(2), note, call(3)]);
    const [answers, ...more] = await peer.answers();
    expect(answers).toMatchObject([
      { id: 2, result: { content: [{ text: '2' }] } },
      { id: 3, result: { content: [{ text: '3' }] } },
    ]);
    expect([more, runs]).toEqual([[], [2, 3]]);
  });

  test('[BUG-105] 2025-03-26: notifications and responses alone are answered with nothing', async () => {
    const peer = await OnPipe.open(counting().server, '2025-03-26');
    peer.send([note]);
    peer.send([note, { jsonrpc: '2.0', id: 'nobody', result: {} }]);
    expect(await peer.answers()).toEqual([]);
  });

  test('[BUG-105] 2025-03-26: what is wrong in a batch is refused alone, an empty batch as a whole', async () => {
    const { server, runs } = counting();
    const peer = await OnPipe.open(server, '2025-03-26');
    peer.send([1, ...notTwo, call(7), hello, [call(8)]]);
    peer.send([]);
    // The empty one is refused at once, the other is answered when its request is through.
    const [empty, first, ...more] = await peer.answers();
    const seen = (first as JsonObject[]).map(({ id, error }) => [id, (error as { code: number } | undefined)?.code]);
    expect(seen).toEqual([
      [null, -32600],
      [5, -32600],
      [5, -32600],
      [5, -32600],
      [5, -32600],
      [9, -32600],
      [null, -32600],
      [7, undefined],
    ]);
    expect(empty).toMatchObject({ id: null, error: { code: -32600 } });
    expect([more, runs]).toEqual([[], [7]]);
  });

  test('[BUG-105] the line waits for the slowest, one that is cancelled has no part in it, and others go on', async () => {
    const { server, hold } = counting();
    const peer = await OnPipe.open(server, '2025-03-26');
    peer.send([call(1, 'hold'), call(2), call(3, 'hold')]);
    peer.send(cancelled(3));
    expect(await peer.answers()).toEqual([]);
    hold.open();
    const [answers] = await peer.answers();
    expect((answers as JsonObject[]).map(({ id }) => id)).toEqual([2, 1]);
  });

  test('[BUG-105] a batch whose only request is cancelled is answered with nothing', async () => {
    const { server, hold } = counting();
    const peer = await OnPipe.open(server, '2025-03-26');
    peer.send([call(1, 'hold')]);
    peer.send(cancelled(1));
    hold.open();
    expect(await peer.answers()).toEqual([]);
    // Its id is free again.
    peer.send({ jsonrpc: '2.0', id: 1, method: 'ping' });
    expect(await peer.answers()).toMatchObject([{ id: 1, result: {} }]);
  });

  test('[SEC-014] a batch of 100 is served, one of 101 is not', async () => {
    const { server, runs } = counting();
    const peer = await OnPipe.open(server, '2025-03-26');
    const many = Array.from({ length: 101 }, (__, at) => call(at));
    peer.send(many.slice(1));
    peer.send(many);
    const [refused, served] = await peer.answers();
    expect(served).toHaveLength(100);
    expect(refused).toMatchObject({ error: { code: -32600 } });
    expect(runs).toHaveLength(100);
  });

  test.each([...others, undefined])('[BUG-105] %s: one -32600 for each, and nothing runs', async (version) => {
    const { server, runs } = counting();
    const legacy = version === '2026-07-28' ? undefined : version;
    const peer = await OnPipe.open(server, legacy);
    for (const batch of batches) peer.send(batch);
    if (version === '2026-07-28') peer.send([call(2, 'run', metaOf()), call(3, 'run', metaOf())]);
    for (const message of notTwo) peer.send(message);
    const answers = (await peer.answers()) as JsonObject[];
    expect(answers).toHaveLength(batches.length + (version === '2026-07-28' ? 1 : 0) + notTwo.length);
    for (const answer of answers) expect(answer).toMatchObject({ jsonrpc: '2.0', error: { code: -32600 } });
    expect(runs).toEqual([]);
  });

  test('[BUG-105] a client takes an array of answers, in 2025-03-26 as in any other', async () => {
    for (const protocol of ['2025-03-26', '2025-11-25'] as const) {
      const { client, server } = await openScripted(opening.legacy, { protocol });
      const both = Promise.all([client.callTool('a'), client.callTool('b')]);
      const [first, second] = [await server.expect('tools/call'), await server.expect('tools/call')];
      server.send(
        [second, first].map(({ id, params }) => ({
          jsonrpc: '2.0',
          id,
          result: { content: [{ type: 'text', text: params?.['name'] }] },
        })),
      );
      expect((await both).map(({ text }) => text)).toEqual(['a', 'b']);
    }
  });
});

describe('over HTTP', () => {
  test('[BUG-105] 2025-03-26: all is processed; notifications alone are 202', async () => {
    const { server, runs } = counting();
    const endpoint = await nodeEndpoint(server);
    const session = await openSession(endpoint, '2025-03-26');
    const answer = await endpoint.send(session.post([call(2), note, call(3)]));
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.text)).toMatchObject([{ id: 2 }, { id: 3 }]);
    expect(await endpoint.send(session.post([note]))).toMatchObject({ status: 202, text: '' });
    expectRefusal(await endpoint.send(session.post([])), 400, -32600, null);
    expect(JSON.parse((await endpoint.send(session.post([hello, call(4)]))).text)).toMatchObject([
      { id: 9, error: { code: -32600 } },
      { id: 4, result: {} },
    ]);
    expect(JSON.parse((await endpoint.send(session.post([1]))).text)).toMatchObject([{ error: { code: -32600 } }]);
    expect(runs).toEqual([2, 3, 4]);
  });

  test.each(others)('[BUG-105] %s: one -32600 with 400 for each, and nothing runs', async (version) => {
    const { server, runs } = counting();
    const endpoint = await nodeEndpoint(server);
    const session = version === '2026-07-28' ? undefined : await openSession(endpoint, version);
    const send = (body: unknown) =>
      endpoint.send(session?.post(body) ?? { headers: modern('tools/call', { name: 'run' }).headers, body });
    for (const body of batches) {
      const answer = await send(body);
      expect([answer.status, answer.error.code], JSON.stringify(body)).toEqual([400, -32600]);
    }
    for (const body of notTwo) {
      const answer = await send({ ...body, params: { name: 'run', _meta: metaOf() } });
      expect([answer.status, answer.error.code], JSON.stringify(body)).toEqual([400, -32600]);
    }
    expect(runs).toEqual([]);
  });
});
