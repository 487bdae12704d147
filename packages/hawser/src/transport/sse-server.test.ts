import { expect, test } from 'vitest';
import type { Exchange, Reply, Service } from '../ports/index.ts';
import { nextTurn } from '../testing/settle.ts';
import { VirtualClock } from '../testing/clock.ts';
import { doorSettings } from './door-options.ts';
import type { HttpIncoming, HttpOutgoing } from './http-types.ts';
import { SseDoor } from './sse-server.ts';

/** A response whose reader the test is. */
class Out implements HttpOutgoing {
  status = 0;
  unsent = false;
  text = '';
  full = false;
  ended = false;
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
  end(): void {
    this.ended = true;
  }
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

function setUp(answer: (exchange: Exchange) => Promise<Reply>, clock = new VirtualClock()) {
  const service: Service = {
    answer: ({ method }, exchange) =>
      method === 'tools/call' ? answer(exchange) : Promise.resolve({ result: { method } }),
    notice: () => undefined,
  };
  const options = { keepAliveMs: Infinity, maxSessions: 10, clock };
  const known = { keepAliveMs: true, maxSessions: true, clock: true } as const;
  const settings = doorSettings(options, { what: 'door', known, legacy: ['sessions'], allowedHosts: 'any' });
  const door = new SseDoor(service, settings, '/post');
  const receive = async (method: string, url: string, body: unknown, out: Out): Promise<Out> => {
    const request: HttpIncoming = {
      method,
      url,
      header: (name) => (name === 'content-type' ? 'application/json' : undefined),
      text: async () => JSON.stringify(await body),
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
    return { out, path, post };
  };
  return { door, open, receive };
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
  const { door, open, receive } = setUp(() => new Promise(() => undefined));
  const first = await open();
  for (let round = 0; round < 9; round++) await open();
  expect(door.open).toMatchObject({ sessions: 10, calls: 0 });
  first.out.leave();
  first.out.leave();
  expect(door.open.sessions).toBe(9);
  expect(await first.post({ id: 1, method: 'ping' })).toBe(404);
  const last = await open();
  await last.post({ id: 1, method: 'tools/call' });
  expect(door.open).toMatchObject({ sessions: 10, calls: 1 });
  await door.close({ drainMs: 0 });
  last.out.leave();
  expect(door.open.sessions).toBe(0);
  expect((await receive('GET', '/', undefined, new Out())).status).toBe(503);
});

test('a door that closes waits for what runs and for its answers, and for messages that are on their way', async () => {
  const clock = new VirtualClock();
  const release: (() => void)[] = [];
  const { door, open, receive } = setUp(
    () => new Promise((resolve) => release.push(() => resolve({ result: { text: 'done' } }))),
    clock,
  );
  const { out, path, post } = await open();
  await post({ id: 1, method: 'tools/call' });
  await post({ id: 2, method: 'tools/call' });
  await post({ id: 3, method: 'tools/call' });
  let closed = false;
  const closing = door.close({ drainMs: 1_000 }).then(() => (closed = true));
  expect(await post({ id: 4, method: 'tools/call' })).toBe(503);
  expect(await post({ id: 's1', result: {} })).toBe(202);
  release[0]?.();
  await clock.settle();
  let complete!: (message: object) => void;
  const body = new Promise<object>((resolve) => {
    complete = resolve;
  });
  const slow = receive('POST', path, body, new Out());
  release[1]?.();
  release[2]?.();
  await clock.settle();
  expect([closed, out.ended]).toEqual([false, false]);
  complete({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
  expect((await slow).status).toBe(202);
  await closing;
  expect(out.ended).toBe(true);
  expect(out.text.match(/done/g)).toHaveLength(3);
  expect(clock.pending).toBe(0);
});

test('what takes longer than that is cancelled', async () => {
  const clock = new VirtualClock();
  let cancelled = 0;
  const { door, open } = setUp((exchange) => {
    exchange.cancel.onCancel(() => cancelled++);
    return new Promise(() => undefined);
  }, clock);
  const { out, post } = await open();
  await post({ id: 1, method: 'tools/call' });
  const closing = door.close({ drainMs: 1_000 });
  await clock.advance(999);
  expect([cancelled, out.ended]).toEqual([0, false]);
  await clock.advance(1);
  await closing;
  expect([cancelled, out.ended]).toEqual([1, true]);
});
