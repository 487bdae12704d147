/** MCP 2025-11-25, basic/transports, "Resumability and Redelivery", and streams that the server cuts: the server. */
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../../src/base/clock.ts';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { Exchange, Reply, Service } from '../../../../src/ports/index.ts';
import { Server } from '../../../../src/server/server.ts';
import {
  call,
  expectRefusal,
  gate,
  mountedEndpoint,
  nodeEndpoint,
  openSession,
  type Endpoint,
  type Flight,
  type Live,
  type Sent,
  type Session,
} from '../../../support/http.ts';

const versions = ['2025-03-26', '2025-06-18', '2025-11-25'] as const;

/** A call that the test answers. */
interface Held {
  readonly exchange: Exchange;
  reply(text: string): void;
}

/** A server with one tool that the test runs, and the connections of its endpoint. */
class Bench {
  readonly server = new Server({ name: 'bench', version: '1' });
  readonly #held: ((held: Held) => void)[] = [];
  readonly #left: (() => void)[] = [];
  endpoint!: Endpoint;

  static async open(): Promise<Bench> {
    const bench = new Bench();
    // Tools have to be there from the start for changes to be offered.
    bench.server.tool('first', {}, () => '');
    const service: Service = {
      answer: (asked, exchange) =>
        asked.method === 'tools/call' ? bench.#handle(exchange) : bench.server.answer(asked, exchange),
      notice: () => undefined,
    };
    bench.endpoint = await mountedEndpoint(service, {}, (_, response) => {
      let whole = false;
      response.prependOnceListener('finish', () => (whole = response.socket?.destroyed === false));
      response.once('close', () => {
        if (!whole) for (const left of bench.#left.splice(0)) left();
      });
    });
    return bench;
  }

  #handle(exchange: Exchange): Promise<Reply> {
    return new Promise((resolve) => {
      this.#held.shift()?.({ exchange, reply: (text) => resolve({ result: { text } }) });
    });
  }

  /** Sends a call, and gives it once it is held here. */
  async hold(sent: Sent): Promise<{ held: Held; flight: Flight }> {
    const begun = gate<Held>();
    this.#held.push(begun.open);
    const flight = this.endpoint.fly(sent);
    return { held: await begun.opened, flight };
  }

  /** Breaks a connection off, and waits until the server knows. */
  async leave(flight: Flight): Promise<void> {
    const known = gate();
    this.#left.push(known.open);
    flight.leave();
    await known.opened;
  }

  resume(session: Session, id: string): Promise<Live> {
    const { headers } = session.get();
    return this.endpoint.fly({ method: 'GET', headers: { ...headers, 'last-event-id': id } }).head;
  }
}

/** The fields of an event. */
function fields(block: string | undefined): Record<string, string> {
  const lines = (block ?? '').split('\n').filter((line) => !line.startsWith(':') && line !== '');
  return Object.fromEntries(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1).trimStart()];
    }),
  );
}

/** The next event with an id. */
async function event(stream: Live): Promise<{ id: string; data: string; retry: string | undefined }> {
  for (;;) {
    const block = await stream.block();
    if (block === undefined) throw new Error('the stream has ended');
    const { id, data = '', retry } = fields(block);
    if (id !== undefined) return { id, data, retry };
  }
}

/** All that still comes on a stream, messages only. */
async function rest(stream: Live): Promise<JsonObject[]> {
  const messages: JsonObject[] = [];
  for (let message = await stream.message(); message !== undefined; message = await stream.message())
    messages.push(message);
  return messages;
}

const note = (name: string) => ({ method: `notifications/${name}` });
const told = (name: string) => ({ jsonrpc: '2.0', ...note(name) });

describe('a stream that the server cuts', () => {
  test('[LHTTP-010 LHTTP-011] first an id without data and a time to wait, then nothing; the rest comes to who returns', async () => {
    const bench = await Bench.open();
    const session = await openSession(bench.endpoint);
    const { held, flight } = await bench.hold(session.request('tools/call', {}, 'c'));
    held.exchange.closeStream?.(250);
    const stream = await flight.head;
    expect(stream).toMatchObject({ status: 200, headers: { 'content-type': 'text/event-stream' } });
    const primed = await event(stream);
    expect(primed).toMatchObject({ data: '', retry: '250' });
    expect(await stream.block()).toBe(undefined);
    expect(held.exchange.cancel.cancelled).toBe(false);
    expect(held.exchange.emit(note('missed'))).toBe(true);
    const back = await bench.resume(session, primed.id);
    expect(back).toMatchObject({ status: 200, headers: { 'content-type': 'text/event-stream' } });
    expect(await back.message()).toEqual(told('missed'));
    held.exchange.emit(note('live'));
    expect(await back.message()).toEqual(told('live'));
    held.reply('done');
    expect(await rest(back)).toEqual([{ jsonrpc: '2.0', id: 'c', result: { text: 'done' } }]);
    expectRefusal(await (await bench.resume(session, primed.id)).complete(), 400, -32600);
  });

  test('what was complete before the caller came back is told at once', async () => {
    const bench = await Bench.open();
    const session = await openSession(bench.endpoint);
    const { held, flight } = await bench.hold(session.request('tools/call', {}, 'c'));
    held.exchange.closeStream?.();
    const primed = await event(await flight.head);
    expect(primed.retry).toBe('1000');
    held.exchange.emit(note('missed'));
    held.reply('done');
    // The call is over for the session: its id may be used again.
    const again = await bench.hold(session.request('tools/call', {}, 'c'));
    again.held.reply('another');
    expect((await (await again.flight.head).complete()).result).toEqual({ text: 'another' });
    const back = await bench.resume(session, primed.id);
    expect(await rest(back)).toEqual([told('missed'), { jsonrpc: '2.0', id: 'c', result: { text: 'done' } }]);
  });

  test('it can be cut again and again, and a new time to wait is told', async () => {
    const bench = await Bench.open();
    const session = await openSession(bench.endpoint);
    const { held, flight } = await bench.hold(session.request('tools/call', {}, 'c'));
    held.exchange.emit(note('one'));
    let stream = await flight.head;
    expect(await event(stream)).toMatchObject({ data: '', retry: '1000' });
    expect(await event(stream)).toMatchObject({ data: JSON.stringify(told('one')) });
    const seen: string[] = [];
    for (const [retryMs, said] of [
      [70, '70'],
      [Number.NaN, '1000'],
      [-5, '0'],
      [Infinity, '86400000'],
    ] as const) {
      held.exchange.closeStream?.(retryMs);
      const last = await event(stream);
      expect(last).toMatchObject({ data: '', retry: said });
      expect(await stream.block()).toBe(undefined);
      // Twice is as good as once.
      held.exchange.closeStream?.(retryMs);
      held.exchange.emit(note(said));
      stream = await bench.resume(session, last.id);
      seen.push((await stream.message())?.['method'] as string);
    }
    expect(seen).toEqual(['70', '1000', '0', '86400000'].map((said) => `notifications/${said}`));
    held.reply('done');
    expect(await rest(stream)).toMatchObject([{ id: 'c' }]);
    held.exchange.closeStream?.();
  });

  test('what is asked meanwhile reaches the caller, and its answer the server', async () => {
    const bench = await Bench.open();
    const session = await openSession(bench.endpoint);
    const { held, flight } = await bench.hold(session.request('tools/call', {}, 'c'));
    held.exchange.closeStream?.();
    const primed = await event(await flight.head);
    const answer = held.exchange.ask?.({ method: 'roots/list' });
    const back = await bench.resume(session, primed.id);
    const asked = await back.message();
    expect(asked).toMatchObject({ method: 'roots/list' });
    await bench.endpoint.send(session.post({ jsonrpc: '2.0', id: asked?.['id'], result: { roots: [] } }));
    expect(await answer).toEqual({ result: { roots: [] } });
    held.reply('done');
    expect(await rest(back)).toMatchObject([{ id: 'c' }]);
  });

  test('a caller that takes only JSON waits for its answer', async () => {
    const bench = await Bench.open();
    const session = await openSession(bench.endpoint);
    const { headers, body } = session.request('tools/call', {}, 'c');
    const { held, flight } = await bench.hold({ headers: { ...headers, accept: 'application/json' }, body });
    held.exchange.closeStream?.();
    held.reply('done');
    const answer = await (await flight.head).complete();
    expect(answer).toMatchObject({ type: 'application/json', json: { id: 'c', result: { text: 'done' } } });
  });

  test('cancelled while the caller was away: there is nothing to come back for', async () => {
    const bench = await Bench.open();
    const session = await openSession(bench.endpoint);
    const { held, flight } = await bench.hold(session.request('tools/call', {}, 'c'));
    held.exchange.closeStream?.();
    const primed = await event(await flight.head);
    await bench.endpoint.send(session.note('notifications/cancelled', { requestId: 'c' }));
    expect(held.exchange.cancel.cancelled).toBe(true);
    const back = await bench.resume(session, primed.id);
    held.reply('too late');
    expect(await rest(back)).toEqual([]);
    expectRefusal(await (await bench.resume(session, primed.id)).complete(), 400, -32600);
  });
});

describe('what callers of each revision are sent', () => {
  test.each(versions)(
    '[BUG-034] %s: a plain answer is JSON, and only the newest get an event without data',
    async (version) => {
      const bench = await Bench.open();
      const session = await openSession(bench.endpoint, version);
      const plain = await bench.hold(session.request('tools/call', {}, 'p'));
      plain.held.reply('plain');
      expect(await (await plain.flight.head).complete()).toMatchObject({ type: 'application/json' });
      const { held, flight } = await bench.hold(session.request('tools/call', {}, 'c'));
      held.exchange.emit(note('one'));
      held.reply('done');
      const { text, messages } = await (await flight.head).complete();
      expect(messages).toMatchObject([told('one'), { id: 'c' }]);
      const events = text
        .split('\n\n')
        .filter((block) => block !== '')
        .map(fields);
      expect(events.filter(({ data }) => data === '').length).toBe(version === '2025-11-25' ? 1 : 0);
      expect(events[0]).toHaveProperty('data', version === '2025-11-25' ? '' : JSON.stringify(told('one')));
      const standing = await bench.endpoint.fly(session.get()).head;
      expect(await standing.block()).toBe(': open');
      bench.server.tool('another', {}, () => '');
      const first = fields(await standing.block());
      expect(first['data'] === '').toBe(version === '2025-11-25');
    },
  );

  test.each(['2025-03-26', '2025-06-18'])(
    '%s: a stream is not cut, since callers do not know that',
    async (version) => {
      const bench = await Bench.open();
      const session = await openSession(bench.endpoint, version);
      const { held, flight } = await bench.hold(session.request('tools/call', {}, 'c'));
      held.exchange.closeStream?.();
      held.exchange.emit(note('one'));
      held.exchange.closeStream?.();
      held.reply('done');
      expect((await (await flight.head).complete()).messages).toMatchObject([told('one'), { id: 'c' }]);
    },
  );

  test('[HTTP-017 BUG-034] a modern request gets no ids, and its Last-Event-ID is ignored', async () => {
    const bench = await Bench.open();
    const { held, flight } = await bench.hold(call('first', {}, { headers: { 'last-event-id': '00000000.1.1' } }));
    held.exchange.closeStream?.();
    held.exchange.emit(note('one'));
    held.reply('done');
    const { text, messages } = await (await flight.head).complete();
    expect(messages).toHaveLength(2);
    expect(text).not.toMatch(/^(?:id|retry):/m);
  });
});

describe('streams that broke', () => {
  test.each(versions)(
    '[LHTTP-019 LHTTP-021 BUG-035] %s: ids are unique, and each stream goes on with its own',
    async (version) => {
      const bench = await Bench.open();
      const session = await openSession(bench.endpoint, version);
      const calls = [];
      for (const name of ['a', 'b']) {
        const { held, flight } = await bench.hold(session.request('tools/call', {}, name));
        held.exchange.emit(note(`${name}/seen`));
        held.exchange.emit(note(`${name}/lost`));
        const stream = await flight.head;
        const ids: string[] = [];
        // The second notice has been sent, and is lost on the way.
        for (let got = { id: '', data: '' }; got.data === ''; ids.push(got.id)) got = await event(stream);
        await bench.leave(flight);
        calls.push({ name, held, ids });
      }
      const ids = calls.flatMap((each) => each.ids);
      expect(new Set(ids).size).toBe(ids.length);
      for (const id of ids) expect(id).toMatch(/^[\x21-\x7e]{1,100}$/);
      for (const { name, held } of calls) held.exchange.emit(note(`${name}/away`));
      calls[1]?.held.reply('b done');
      for (const { name, held, ids: own } of calls) {
        const back = await bench.resume(session, own.at(-1) ?? '');
        held.reply(`${name} done`);
        expect(await rest(back)).toEqual([
          told(`${name}/lost`),
          told(`${name}/away`),
          { jsonrpc: '2.0', id: name, result: { text: `${name} done` } },
        ]);
      }
    },
  );

  test('a caller that is back before its old connection is known to be gone takes the stream over', async () => {
    const bench = await Bench.open();
    const session = await openSession(bench.endpoint);
    const { held, flight } = await bench.hold(session.request('tools/call', {}, 'c'));
    held.exchange.emit(note('one'));
    const before = await flight.head;
    const primed = await event(before);
    const back = await bench.resume(session, primed.id);
    expect(await back.message()).toEqual(told('one'));
    expect(await rest(before)).toEqual([told('one')]);
    held.exchange.emit(note('two'));
    held.reply('done');
    expect(await rest(back)).toEqual([told('two'), { jsonrpc: '2.0', id: 'c', result: { text: 'done' } }]);
  });

  /** A call whose caller does not read, and whose reply waits behind what was written before. */
  async function stuck() {
    const bench = await Bench.open();
    const session = await openSession(bench.endpoint);
    const { held, flight } = await bench.hold(session.request('tools/call', {}, 'c'));
    held.exchange.emit(note('one'));
    const primed = await event(await flight.head);
    const hasRoom = async (): Promise<boolean> => {
      let room = false;
      void held.exchange.drained().then(() => (room = true));
      for (let turns = 0; turns < 5; turns++) await systemClock.turn();
      return room;
    };
    while (await hasRoom())
      held.exchange.emit({ method: 'notifications/large', params: { text: 'x'.repeat(500_000) } });
    held.reply('done');
    await systemClock.turn();
    return { bench, session, flight, primed };
  }

  test.each(['while the server still sends', 'after the server knows that it broke'])(
    'the reply has been written, not sent: a caller that comes back %s gets it',
    async (when) => {
      const { bench, session, flight, primed } = await stuck();
      if (when.startsWith('after')) await bench.leave(flight);
      const back = await bench.resume(session, primed.id);
      expect((await rest(back)).at(-1)).toEqual({ jsonrpc: '2.0', id: 'c', result: { text: 'done' } });
    },
  );

  test('the reply has been written, and is read at last: there is nothing to come back for', async () => {
    const { bench, session, flight, primed } = await stuck();
    expect((await rest(await flight.head)).at(-1)).toMatchObject({ id: 'c' });
    expectRefusal(await (await bench.resume(session, primed.id)).complete(), 400, -32600);
  });

  test('a connection that breaks again is taken up again', async () => {
    const bench = await Bench.open();
    const session = await openSession(bench.endpoint);
    const { held, flight } = await bench.hold(session.request('tools/call', {}, 'c'));
    held.exchange.emit(note('one'));
    const primed = await event(await flight.head);
    await bench.leave(flight);
    for (let round = 0; round < 3; round++) {
      const { headers } = session.get();
      const back = bench.endpoint.fly({ method: 'GET', headers: { ...headers, 'last-event-id': primed.id } });
      expect(await (await back.head).message()).toEqual(told('one'));
      await bench.leave(back);
    }
    held.reply('done');
    expect(await rest(await bench.resume(session, primed.id))).toMatchObject([told('one'), { id: 'c' }]);
  });
});

describe('ids that are none of ours', () => {
  test('they get 400, the session lives on, and nobody sees what is another’s', async () => {
    const bench = await Bench.open();
    const session = await openSession(bench.endpoint);
    const other = await openSession(bench.endpoint);
    const { held, flight } = await bench.hold(session.request('tools/call', {}, 'c'));
    held.exchange.emit(note('secret'));
    const { id } = await event(await flight.head);
    const foreign = await bench.hold(other.request('tools/call', {}, 'o'));
    foreign.held.exchange.emit(note('own'));
    await event(await foreign.flight.head);
    for (const [asking, last] of [
      [other, id],
      [session, id.replace(/\d+$/, '999')],
      [session, id.replace(/\.\d+\./, '.999.')],
      [session, 'x'],
      [session, '0'],
      [session, `${id} `.repeat(200)],
    ] as const)
      expectRefusal(await (await bench.resume(asking, last)).complete(), 400, -32600);
    held.reply('done');
    foreign.held.reply('done');
    expect(await rest(await flight.head)).toMatchObject([told('secret'), { id: 'c' }]);
    expect(await rest(await foreign.flight.head)).toMatchObject([told('own'), { id: 'o' }]);
  });

  test('an empty one is as good as none', async () => {
    const bench = await Bench.open();
    const session = await openSession(bench.endpoint);
    const stream = await bench.resume(session, '');
    expect(stream.status).toBe(200);
    expectRefusal(await bench.endpoint.send(session.get()), 409, -32600);
  });
});

describe('beside the stream of the session', () => {
  test('[LHTTP-018] a response stream is taken up while it is open, and neither takes what is the other’s', async () => {
    const bench = await Bench.open();
    const session = await openSession(bench.endpoint);
    const standing = await bench.endpoint.fly(session.get()).head;
    await event(standing);
    const { held, flight } = await bench.hold(session.request('tools/call', {}, 'c'));
    held.exchange.closeStream?.();
    const back = await bench.resume(session, (await event(await flight.head)).id);
    expect(back.status).toBe(200);
    bench.server.tool('another', {}, () => '');
    expect(await standing.message()).toEqual(told('tools/list_changed'));
    held.exchange.emit(note('one'));
    held.reply('done');
    expect(await rest(back)).toMatchObject([told('one'), { id: 'c' }]);
    const end = bench.endpoint.send(session.delete());
    expect(await rest(standing)).toEqual([]);
    await end;
  });

  test('it is taken up itself: what changed meanwhile is told, once', async () => {
    const bench = await Bench.open();
    const session = await openSession(bench.endpoint);
    const first = bench.endpoint.fly(session.get());
    const primed = await event(await first.head);
    await bench.leave(first);
    for (let round = 0; round < 3; round++) {
      bench.server.tool(`another ${round}`, {}, () => '');
      // Each change is told for itself: they are in turns of their own.
      await bench.endpoint.send(session.request('tools/list'));
    }
    const second = bench.endpoint.fly({
      method: 'GET',
      headers: { ...session.get().headers, 'last-event-id': primed.id },
    });
    const stream = await second.head;
    const missed = await event(stream);
    expect(JSON.parse(missed.data)).toEqual(told('tools/list_changed'));
    // It is the one stream of the session now.
    expectRefusal(await bench.endpoint.send(session.get()), 409, -32600);
    await bench.leave(second);
    const third = await bench.resume(session, missed.id);
    bench.server.tool('the last', {}, () => '');
    expect(await third.message()).toEqual(told('tools/list_changed'));
    const end = bench.endpoint.send(session.delete());
    expect(await rest(third)).toEqual([]);
    await end;
  });

  test('a stream opened anew begins anew', async () => {
    const bench = await Bench.open();
    const session = await openSession(bench.endpoint);
    const first = bench.endpoint.fly(session.get());
    await event(await first.head);
    await bench.leave(first);
    bench.server.tool('another', {}, () => '');
    const stream = await bench.endpoint.fly(session.get()).head;
    expect(stream.status).toBe(200);
    expect(await event(stream)).toMatchObject({ data: '' });
    const end = bench.endpoint.send(session.delete());
    expect(await rest(stream)).toEqual([]);
    await end;
  });

  test('a session that ends takes its streams along', async () => {
    const bench = await Bench.open();
    const session = await openSession(bench.endpoint);
    const { held, flight } = await bench.hold(session.request('tools/call', {}, 'c'));
    held.exchange.closeStream?.();
    const { id } = await event(await flight.head);
    const back = await bench.resume(session, id);
    await bench.endpoint.send(session.delete());
    expect(await rest(back)).toEqual([]);
    expect(held.exchange.cancel.cancelled).toBe(true);
    expectRefusal(await (await bench.resume(session, id)).complete(), 404, -32600);
    held.reply('too late');
  });
});

test('callers without sessions have nothing to come back to', async () => {
  const endpoint = await nodeEndpoint(new Server({ name: 'stateless', version: '1' }), { legacy: 'stateless' });
  const headers = {
    accept: 'text/event-stream',
    'mcp-protocol-version': '2025-11-25',
    'last-event-id': '00000000.1.1',
  };
  expectRefusal(await endpoint.send({ method: 'GET', headers }), 405, -32600);
});
