import { expect, test } from 'vitest';
import { silent } from '../base/logger.ts';
import type { Exchange, Reply, Service } from '../ports/index.ts';
import { nextTurn } from '../testing/settle.ts';
import { VirtualClock } from '../testing/clock.ts';
import type { HttpIncoming, HttpOutgoing } from './http-types.ts';
import { SseDoor } from './sse-server.ts';

/** A response whose reader the test is. */
class Out implements HttpOutgoing {
  status = 0;
  text = '';
  full = false;
  #room: () => void = () => undefined;
  #gone: () => void = () => undefined;

  send(status: number): void {
    this.status = status;
  }
  open(): void {
    this.status = 200;
  }
  write(text: string): boolean {
    this.text += text;
    return !this.full;
  }
  drained(): Promise<void> {
    return new Promise((resolve) => {
      this.#room = resolve;
    });
  }
  end(): void {}
  onGone(listener: () => void): void {
    this.#gone = listener;
  }
  read(): Promise<void> {
    this.full = false;
    this.#room();
    return nextTurn();
  }
  leave(): void {
    this.#gone();
  }
}

function setUp(answer: (exchange: Exchange) => Promise<Reply>) {
  const service: Service = {
    answer: ({ method }, exchange) =>
      method === 'tools/call' ? answer(exchange) : Promise.resolve({ result: { method } }),
    notice: () => undefined,
  };
  const door = new SseDoor(service, {
    policy: { allowedHosts: 'any', allowedOrigins: [], maxBodyBytes: 1_000_000 },
    authenticate: undefined,
    messagesPath: '/post',
    maxSessions: 10,
    maxSessionsPerPrincipal: 10,
    keepAliveMs: Infinity,
    logger: silent,
    clock: new VirtualClock(),
  });
  const receive = async (method: string, url: string, body: unknown, out: Out): Promise<Out> => {
    const request: HttpIncoming = {
      method,
      url,
      header: (name) => (name === 'content-type' ? 'application/json' : undefined),
      text: () => Promise.resolve(JSON.stringify(body)),
    };
    await door.receive(request, out);
    return out;
  };
  const open = async () => {
    const out = await receive('GET', '/', undefined, new Out());
    const [path = ''] = /\/post\S+/.exec(out.text) ?? [];
    const post = async (message: object): Promise<number> => {
      const { status } = await receive('POST', path, { jsonrpc: '2.0', ...message }, new Out());
      await nextTurn();
      return status;
    };
    await post({ id: 0, method: 'initialize', params: { protocolVersion: '2024-11-05' } });
    return { out, post };
  };
  return { door, open };
}

test('of a caller that asks and does not read nothing more is taken but what ends something; when it reads, all is', async () => {
  let cancelled = 0;
  const { open } = setUp((exchange) => {
    exchange.cancel.onCancel(() => cancelled++);
    if (exchange.id === 'held') return new Promise(() => undefined);
    return Promise.resolve({ result: { text: 'x'.repeat(1024 * 1024) } });
  });
  const { out, post } = await open();
  await post({ id: 'held', method: 'tools/call' });
  out.full = true;
  let id = 0;
  while ((await post({ id: ++id, method: 'tools/call' })) === 202);
  expect(id).toBe(17);
  expect(await post({ method: 'notifications/cancelled', params: { requestId: 'held' } })).toBe(202);
  expect(cancelled).toBe(1);
  expect(await post({ id: 's1', result: {} })).toBe(202);
  await out.read();
  expect(await post({ id: ++id, method: 'tools/call' })).toBe(202);
  expect(out.text.match(/event: message/g)).toHaveLength(18);
});

test('what a handler emits tells it that the way is full, and when there is room', async () => {
  const seen: unknown[] = [];
  const { open } = setUp(async (exchange) => {
    seen.push(exchange.emit({ method: 'notifications/x' }));
    await exchange.drained();
    seen.push(exchange.emit({ method: 'notifications/x' }));
    return { result: {} };
  });
  const { out, post } = await open();
  out.full = true;
  await post({ id: 1, method: 'tools/call' });
  expect(seen).toEqual([false]);
  await out.read();
  expect(seen).toEqual([false, true]);
});

test('nothing is left of a connection that has ended, however it did', async () => {
  const { door, open } = setUp(() => new Promise(() => undefined));
  const [first, second] = [await open(), await open()];
  expect(door.sessions).toBe(2);
  first.out.leave();
  first.out.leave();
  expect(door.sessions).toBe(1);
  expect(await first.post({ id: 1, method: 'ping' })).toBe(404);
  door.close();
  second.out.leave();
  expect(door.sessions).toBe(0);
  for (let round = 0; round < 10; round++) await open();
  expect(door.sessions).toBe(10);
});
