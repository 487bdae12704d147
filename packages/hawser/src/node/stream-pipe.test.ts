import { PassThrough, Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../testing/clock.ts';
import { settle } from '../testing/settle.ts';
import { StreamPipe, type StreamPipeOptions } from './stream-pipe.ts';

/** An output that takes a piece only when told, and keeps what it took. */
class Slow extends Writable {
  readonly taken: string[] = [];
  readonly #waiting: (() => void)[] = [];
  open = false;

  constructor() {
    super({ highWaterMark: 1, decodeStrings: false });
  }

  override _write(chunk: string | Buffer, _: BufferEncoding, callback: () => void): void {
    this.taken.push(String(chunk));
    if (this.open) callback();
    else this.#waiting.push(callback);
  }

  /** Lets everything through. */
  release(): void {
    this.open = true;
    for (const callback of this.#waiting.splice(0)) callback();
  }
}

function started(options: StreamPipeOptions = {}, output = new Slow()) {
  const input = new PassThrough();
  const chunks: string[] = [];
  const ends: unknown[] = [];
  const pipe = new StreamPipe(input, output, options);
  pipe.start({ chunk: (bytes) => chunks.push(Buffer.from(bytes).toString()), ended: (error) => ends.push(error) });
  return { input, output, pipe, chunks, ends };
}

describe('writing', () => {
  test('what is written in one turn goes out in one piece, in order', async () => {
    const { pipe, output } = started();
    output.open = true;
    for (const text of ['a', 'b', 'c']) pipe.write(text);
    expect(output.taken).toEqual([]);
    await settle();
    pipe.write('d');
    await settle();
    expect(output.taken).toEqual(['abc', 'd']);
  });

  test('a large amount is not gathered first, and keeps its order', async () => {
    const { pipe, output } = started();
    output.open = true;
    const pieces = Array.from({ length: 50 }, (_, n) => String(n % 10).repeat(10_000));
    for (const piece of pieces) pipe.write(piece);
    expect(output.taken.length).toBeGreaterThan(5);
    await settle();
    expect(output.taken.join('')).toBe(pieces.join(''));
    expect(Math.max(...output.taken.map((each) => each.length))).toBeLessThan(80_000);
  });

  test('tells when it is full, and when there is room again', async () => {
    const { pipe, output } = started();
    expect(pipe.write('a')).toBe(true);
    await settle();
    expect(pipe.write('b')).toBe(false);
    let room = false;
    void pipe.drained().then(() => (room = true));
    await settle();
    expect(room).toBe(false);
    output.release();
    await settle();
    expect(room).toBe(true);
    expect(output.listenerCount('drain')).toBe(0);
  });

  test('whoever waits for room is let go when the output goes', async () => {
    const { pipe, output } = started();
    pipe.write('a');
    await settle();
    const room = pipe.drained();
    output.destroy();
    await room;
    await pipe.drained();
    pipe.write('into nowhere');
    await settle();
  });
});

describe('a reader that does not read', () => {
  const limits = { maxUnreadBytes: 100 };

  test('at the bound the input is still read, one past it is not, until the output is read', async () => {
    const { pipe, input, output, chunks } = started(limits);
    pipe.write('x'.repeat(100));
    await settle();
    input.write('at the bound');
    await settle();
    expect(chunks).toEqual(['at the bound']);
    pipe.write('x');
    await settle();
    expect(input.isPaused()).toBe(true);
    input.write('past it');
    await settle();
    expect(chunks).toHaveLength(1);
    output.release();
    await settle();
    expect(chunks).toEqual(['at the bound', 'past it']);
    output.open = false;
    pipe.write('x'.repeat(101));
    await settle();
    pipe.write('y');
    await settle();
    expect(input.isPaused()).toBe(true);
  });

  test('without a bound the input is always read', async () => {
    const { pipe, input, chunks } = started();
    pipe.write('x'.repeat(1_000_000));
    await settle();
    input.write('read');
    await settle();
    expect(chunks).toEqual(['read']);
  });
});

describe('the end', () => {
  test('of the input is told once', async () => {
    const { input, ends } = started();
    input.end();
    await settle();
    input.destroy();
    await settle();
    expect(ends).toEqual([undefined]);
  });

  test.each(['input', 'output'] as const)('an error of the %s is told once, as the reason', async (which) => {
    const started_ = started();
    started_[which].destroy(new Error('EPIPE'));
    await settle();
    expect(started_.ends).toEqual([new Error('EPIPE')]);
  });

  test('close lets out what was written', async () => {
    const { pipe, output, ends } = started();
    output.open = true;
    pipe.write('last words');
    await pipe.close();
    await settle();
    expect(output.taken.join('')).toBe('last words');
    expect(ends).toEqual([undefined]);
    await pipe.close();
  });

  test('close waits for a slow reader, but not for ever', async () => {
    for (const reads of [true, false]) {
      const clock = new VirtualClock();
      const { pipe, output, ends } = started({ clock });
      pipe.write('last words');
      await settle();
      let closed = false;
      const closing = pipe.close().then(() => (closed = true));
      await clock.advance(1_999);
      expect(closed).toBe(false);
      if (reads) output.release();
      else await clock.advance(1);
      await closing;
      expect([output.destroyed, clock.pending]).toEqual([true, 0]);
      await settle();
      expect(ends).toEqual([undefined]);
    }
  });

  test('streams of one kind: a duplex that is both ends lets its output out first', async () => {
    const both = new PassThrough();
    const pipe = new StreamPipe(both, both);
    let heard = '';
    pipe.start({ chunk: (bytes) => (heard += Buffer.from(bytes).toString()), ended: () => (heard += '|') });
    pipe.write('echo');
    await pipe.close();
    await settle();
    expect(heard).toBe('echo|');
  });
});
