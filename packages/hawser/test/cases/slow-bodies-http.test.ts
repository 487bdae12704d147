/** Requests that take their time to come in. */
import { describe, expect, test } from 'vitest';
import { serveHttp } from '../../src/node/http.ts';
import { webDoor } from '../../src/transport/web.ts';
import { example } from '../support/example.ts';
import {
  bareSocket,
  call,
  expectRefusal,
  gate,
  headText,
  modern,
  nodeEndpoint,
  webEndpoint,
  Answer,
} from '../support/http.ts';

const requestTimeoutMs = 60;
const sent = call('echo', { text: 'late' });
const text = JSON.stringify(sent.body);

describe('the Node door', () => {
  test.each([
    ['of which nothing comes', ''],
    ['that stops half-way', text.slice(0, 20)],
  ])('[SEC-014] a body %s: 408, and the connection is closed', async (_, part) => {
    const { server, runs } = example();
    const endpoint = await nodeEndpoint(server, { requestTimeoutMs });
    const { socket, ended } = bareSocket(endpoint.port);
    socket.write(headText(sent) + part);
    expect(await ended).toMatch(/^HTTP\/1\.1 408 /);
    expect((await endpoint.send(call('echo'))).status).toBe(200);
    expect(runs).toEqual(['echo']);
    expect(endpoint.open.calls).toBe(0);
  });

  test('[SEC-014] so is one that comes drop by drop', async () => {
    const endpoint = await nodeEndpoint(example().server, { requestTimeoutMs });
    const { socket, ended } = bareSocket(endpoint.port);
    socket.write(headText(sent, { 'content-length': 1_000_000 }));
    const drop = (): void => {
      if (socket.writable) socket.write(' ', () => setImmediate(drop));
    };
    drop();
    expect(await ended).toMatch(/^HTTP\/1\.1 408 /);
  });

  test('a head that never ends as well', async () => {
    const endpoint = await nodeEndpoint(example().server, { requestTimeoutMs });
    const { socket, ended } = bareSocket(endpoint.port);
    socket.write('POST /mcp HTTP/1.1\r\nHost: localhost\r\n');
    expect(await ended).toMatch(/^HTTP\/1\.1 408 /);
  });

  test('calls and streams may take longer', async () => {
    const { server, hold } = example();
    const endpoint = await nodeEndpoint(server, { requestTimeoutMs });
    const stream = await endpoint.fly(modern('subscriptions/listen', { notifications: { toolsListChanged: true } }))
      .head;
    const held = endpoint.send(call('hold'));
    await hold.started;
    // A later request that times out: theirs have been looked at by then.
    const { socket, ended } = bareSocket(endpoint.port);
    socket.write(headText(sent));
    await ended;
    hold.release();
    expect((await held).content).toBe('let go');
    server.removeTool('report');
    expect(await stream.message()).toMatchObject({ method: 'notifications/subscriptions/acknowledged' });
    expect(await stream.message()).toMatchObject({ method: 'notifications/tools/list_changed' });
  });

  test('Infinity is no limit', async () => {
    const endpoint = await nodeEndpoint(example().server, { requestTimeoutMs: Infinity });
    expect((await endpoint.send(sent)).content).toBe('late');
  });
});

describe('the web door', () => {
  function posted(
    pull: (controller: ReadableStreamDefaultController<Uint8Array>) => unknown,
    cancel?: () => void,
    headers = sent.headers as Record<string, string>,
  ) {
    const body = new ReadableStream<Uint8Array>({ pull: pull as () => void, ...(cancel && { cancel }) });
    return new Request('http://localhost/', { method: 'POST', headers, body, duplex: 'half' } as RequestInit);
  }

  const never = new Promise<never>(() => undefined);
  const chunk = (part: string): Uint8Array => new TextEncoder().encode(part);

  async function answerOf(response: Promise<Response>): Promise<Answer> {
    const { status, headers, body } = await response;
    return new Answer(status, Object.fromEntries(headers), await new Response(body).text());
  }

  test.each([
    ['of which nothing comes', 0],
    ['that stops half-way', 20],
  ])('[SEC-014] a body %s: 408, and it is let go', async (_, size) => {
    const { server, runs } = example();
    const cancelled = gate();
    let first = true;
    const request = posted((controller) => {
      if (!first || size === 0) return never;
      first = false;
      controller.enqueue(chunk(text.slice(0, size)));
      return undefined;
    }, cancelled.open);
    const door = webDoor(server, { requestTimeoutMs });
    expectRefusal(await answerOf(door(request)), 408, -32700);
    await cancelled.opened;
    expect(runs).toEqual([]);
    await door.close();
  });

  test('[SEC-014] so is one that comes drop by drop', async () => {
    let wanted = true;
    const drip = (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> =>
      new Promise((resolve) => {
        setImmediate(() => {
          if (wanted) controller.enqueue(chunk(' '));
          resolve();
        });
      });
    const request = posted(drip, () => (wanted = false));
    expectRefusal(await answerOf(webDoor(example().server, { requestTimeoutMs })(request)), 408, -32700);
    expect(wanted).toBe(false);
  });

  test('calls may take longer', async () => {
    const { server, hold } = example();
    const door = webDoor(server, { requestTimeoutMs });
    const held = answerOf(
      door(
        posted(
          (controller) => {
            controller.enqueue(chunk(JSON.stringify(call('hold').body)));
            controller.close();
          },
          undefined,
          call('hold').headers as Record<string, string>,
        ),
      ),
    );
    await hold.started;
    // A later request that times out: the time of the first was up before.
    expect((await door(posted(() => never))).status).toBe(408);
    hold.release();
    expect((await held).content).toBe('let go');
  });

  test('Infinity is no limit', async () => {
    expect((await webEndpoint(example().server, { requestTimeoutMs: Infinity }).send(sent)).content).toBe('late');
  });
});

test.each([0, -1, Number.NaN, '5'])('requestTimeoutMs: %j is refused', async (given) => {
  const options = { requestTimeoutMs: given as number };
  const { server } = example();
  await expect(serveHttp(server, options)).rejects.toMatchObject({ code: 'bad_argument' });
  expect(() => webDoor(server, options)).toThrow(/requestTimeoutMs must be a positive number/);
});
