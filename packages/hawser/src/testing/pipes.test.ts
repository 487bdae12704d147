import { describe, expect, test } from 'vitest';
import type { Pipe } from '../ports/pipe.ts';
import { VirtualClock } from './clock.ts';
import { steppedPair } from './pipes.ts';
import { nextTurn, settle } from './settle.ts';

/** Starts a pipe and notes all that its sink is told. */
function listen(pipe: Pipe): { chunks: string[]; ends: (Error | undefined)[]; text(): string } {
  const decoder = new TextDecoder();
  const heard = { chunks: [] as string[], ends: [] as (Error | undefined)[], text: () => heard.chunks.join('') };
  pipe.start({
    chunk: (bytes) => heard.chunks.push(decoder.decode(bytes, { stream: true })),
    ended: (error) => heard.ends.push(error),
  });
  return heard;
}

describe('delivery', () => {
  test('nothing arrives until the test says so, then chunk by chunk', async () => {
    const pair = steppedPair();
    const server = listen(pair.server);
    expect(pair.client.write('one\n')).toBe(true);
    pair.client.write('two\n');
    await settle();
    expect(server.chunks).toEqual([]);
    expect(pair.pending('server')).toBe(2);
    expect(pair.peek('server')).toBe('one\ntwo\n');
    expect(pair.deliver('server')).toBe(true);
    expect(server.chunks).toEqual(['one\n']);
    expect(pair.pending('server')).toBe(1);
    expect(pair.pending('client')).toBe(0);
    expect(pair.deliver('client')).toBe(false);
  });

  test('before start nothing can be delivered, and nothing is lost', () => {
    const pair = steppedPair();
    pair.client.write('early');
    expect(() => pair.deliver('server')).toThrow('server side has not started');
    expect(pair.deliverAll()).toBe(0);
    const server = listen(pair.server);
    expect(server.chunks).toEqual([]);
    pair.deliver('server');
    expect(server.chunks).toEqual(['early']);
    expect(() => listen(pair.server)).toThrow('started already');
  });

  test('a chunk can be cut anywhere, inside a character too', () => {
    const pair = steppedPair();
    const server = listen(pair.server);
    pair.client.write('aé!');
    pair.cut('server', 2);
    expect(server.chunks).toEqual(['a']);
    expect(pair.pending('server')).toBe(1);
    pair.cut('server', 1);
    expect(server.chunks).toEqual(['a', 'é']);
    pair.cut('server', 100);
    expect(server.text()).toBe('aé!');
    expect(pair.cut('server', 1)).toBe(false);
    expect(() => pair.cut('server', 0)).toThrow(RangeError);
  });

  test('chunks can be joined', () => {
    const pair = steppedPair();
    const server = listen(pair.server);
    pair.client.write('a');
    pair.client.write('b');
    expect(pair.deliverJoined('server')).toBe(true);
    expect(server.chunks).toEqual(['ab']);
    expect(pair.deliverJoined('server')).toBe(false);
  });

  test('deliverAll takes answers of the same turn along, run also later ones', async () => {
    const pair = steppedPair();
    const client = listen(pair.client);
    let count = 0;
    pair.server.start({
      chunk() {
        if (++count === 1) pair.server.write('at once');
        else void nextTurn().then(() => pair.server.write('later'));
      },
      ended() {},
    });
    pair.client.write('1');
    expect(pair.deliverAll()).toBe(2);
    expect(client.chunks).toEqual(['at once']);
    pair.client.write('2');
    pair.deliverAll();
    expect(client.chunks).toEqual(['at once']);
    await pair.run();
    expect(client.chunks).toEqual(['at once', 'later']);
  });

  test('deliverAll of one side leaves the other alone', () => {
    const pair = steppedPair();
    listen(pair.client);
    listen(pair.server);
    pair.client.write('a');
    pair.server.write('b');
    expect(pair.deliverAll('client')).toBe(1);
    expect(pair.pending('server')).toBe(1);
  });

  test('raw bytes can be put on the way', () => {
    const pair = steppedPair();
    const got: number[] = [];
    pair.client.start({ chunk: (bytes) => got.push(...bytes), ended() {} });
    pair.inject('client', new Uint8Array([0xff, 0xfe]));
    pair.deliver('client');
    expect(got).toEqual([0xff, 0xfe]);
  });
});

describe('random delivery', () => {
  const play = (options: Parameters<typeof steppedPair>[0]) => {
    const pair = steppedPair(options);
    const client = listen(pair.client);
    const server = listen(pair.server);
    for (let i = 0; i < 20; i++) {
      pair.client.write(`request ${i} \u{1f6e5}\n`);
      pair.server.write(`answer ${i}\n`);
    }
    while (pair.deliverRandom()) void 0;
    return { client, server };
  };

  test('loses nothing and keeps the order of each side', () => {
    const { client, server } = play({ seed: 5 });
    expect(client.text()).toBe(Array.from({ length: 20 }, (_, i) => `answer ${i}\n`).join(''));
    expect(server.text()).toBe(Array.from({ length: 20 }, (_, i) => `request ${i} \u{1f6e5}\n`).join(''));
  });

  test('cuts and joins, the same way for the same seed', () => {
    const cuts = (seed: number) => play({ seed }).server.chunks;
    expect(cuts(5)).toEqual(cuts(5));
    expect(cuts(5)).not.toEqual(cuts(6));
    expect(cuts(5).some((chunk) => !chunk.endsWith('\n'))).toBe(true);
    expect(cuts(5).some((chunk) => chunk.indexOf('\n') < chunk.length - 1)).toBe(true);
  });

  test('passes over a side that has not started', () => {
    const pair = steppedPair();
    listen(pair.client);
    for (let i = 0; i < 10; i++) pair.client.write('early');
    expect(pair.deliverRandom()).toBe(false);
    pair.server.write('x');
    expect(pair.deliverRandom('server')).toBe(false);
    expect(pair.deliverRandom()).toBe(true);
    expect(pair.pending('server')).toBe(10);
  });

  test('takes its chance from a clock', () => {
    const cuts = (seed: number) => play({ clock: new VirtualClock({ seed }) }).server.chunks;
    expect(cuts(1)).toEqual(cuts(1));
    expect(cuts(1)).not.toEqual(cuts(2));
  });
});

describe('back-pressure', () => {
  test('write returns false while the way is full; drained resolves when there is room', async () => {
    const pair = steppedPair();
    pair.full('server', true);
    expect(pair.client.write('a')).toBe(false);
    expect(pair.server.write('b')).toBe(true);
    expect(pair.pending('server')).toBe(1);
    let drained = false;
    void pair.client.drained().then(() => (drained = true));
    await settle();
    expect(drained).toBe(false);
    pair.full('server', false);
    await settle();
    expect(drained).toBe(true);
    expect(pair.client.write('c')).toBe(true);
  });

  test('a high-water mark fills and empties by itself', async () => {
    const pair = steppedPair({ highWaterBytes: 4 });
    listen(pair.server);
    expect(pair.client.write('123')).toBe(true);
    expect(pair.client.write('4')).toBe(false);
    let drained = false;
    void pair.client.drained().then(() => (drained = true));
    await settle();
    expect(drained).toBe(false);
    pair.deliver('server');
    await settle();
    expect(drained).toBe(true);
  });

  test.each(['client', 'server'] as const)('a writer is let go when the pipe ends for the %s', async (side) => {
    const pair = steppedPair();
    pair.full('server', true);
    let drained = false;
    void pair.client.drained().then(() => (drained = true));
    await settle();
    expect(drained).toBe(false);
    pair.end(side, new Error('gone'));
    await settle();
    expect(drained).toBe(true);
    await pair.client.drained();
  });
});

describe('the end', () => {
  test('close: the other side gets all that was written, then the end; the end comes back', async () => {
    const pair = steppedPair();
    const client = listen(pair.client);
    const server = listen(pair.server);
    pair.client.write('last words');
    let closed = false;
    void pair.client.close().then(() => (closed = true));
    pair.client.write('after close');
    pair.deliver('server');
    pair.server.write('still heard');
    expect(server.ends).toEqual([]);
    pair.deliver('server');
    expect(server).toMatchObject({ chunks: ['last words'], ends: [undefined] });
    pair.server.write('too late');
    await settle();
    expect(closed).toBe(false);
    pair.deliverAll('client');
    await settle();
    expect(client).toMatchObject({ chunks: ['still heard'], ends: [undefined] });
    expect(closed).toBe(true);
    expect([pair.pending('client'), pair.pending('server')]).toEqual([0, 0]);
    await pair.client.close();
    await pair.server.close();
  });

  test('both closing at once: one end each', async () => {
    const pair = steppedPair();
    const client = listen(pair.client);
    const server = listen(pair.server);
    const both = Promise.all([pair.client.close(), pair.server.close()]);
    pair.deliverAll();
    await both;
    expect(client.ends).toEqual([undefined]);
    expect(server.ends).toEqual([undefined]);
  });

  test('a break loses what is on its way and tells the other side nothing', () => {
    const pair = steppedPair();
    const client = listen(pair.client);
    const server = listen(pair.server);
    const error = new Error('broken');
    pair.server.write('lost');
    pair.end('client', error);
    expect(client).toMatchObject({ chunks: [], ends: [error] });
    expect(server.ends).toEqual([]);
    pair.end('client');
    pair.server.write('nowhere');
    pair.client.write('nowhere');
    expect([pair.pending('client'), pair.pending('server')]).toEqual([0, 0]);
    expect(client.ends).toHaveLength(1);
  });

  test('an end without an error is told to the other side', () => {
    const pair = steppedPair();
    listen(pair.client);
    const server = listen(pair.server);
    pair.end('client');
    pair.deliverAll();
    expect(server.ends).toEqual([undefined]);
  });

  test('who starts after the end is told of it at once', () => {
    const pair = steppedPair();
    const error = new Error('broken');
    pair.end('client', error);
    expect(listen(pair.client).ends).toEqual([error]);
  });
});
