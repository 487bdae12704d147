import type { Pipe } from '../ports/pipe.ts';

const encoder = new TextEncoder();
const theEnd: unique symbol = Symbol('the end');

type Sink = Parameters<Pipe['start']>[0];

/** One end of a stepped pair, with what is on its way to it. */
export class PipeEnd implements Pipe {
  readonly #name: string;
  readonly #highWaterBytes: number;
  readonly #queue: (Uint8Array | typeof theEnd)[] = [];
  #other: PipeEnd | undefined;
  #sink: Sink | undefined;
  // Once an end is queued nothing more may follow it; it is over when the sink has heard of it.
  #inbound: 'open' | 'ending' | 'over' = 'open';
  // Kept for a sink that starts after the end.
  #error: Error | undefined;
  #forcedFull = false;
  #waitingForRoom: (() => void)[] = [];
  #waitingForEnd: (() => void)[] = [];

  constructor(name: string, highWaterBytes: number) {
    this.#name = name;
    this.#highWaterBytes = highWaterBytes;
  }

  join(other: PipeEnd): void {
    this.#other = other;
  }

  get pending(): number {
    return this.#queue.length;
  }

  get ready(): boolean {
    return this.#sink !== undefined && this.#queue.length > 0;
  }

  get nextBytes(): number {
    const next = this.#queue[0];
    return next instanceof Uint8Array ? next.length : 0;
  }

  get isFull(): boolean {
    if (this.#inbound === 'over') return false;
    return this.#forcedFull || this.#bytes() >= this.#highWaterBytes;
  }

  start(sink: Sink): void {
    if (this.#sink !== undefined) throw new Error(`the ${this.#name} side has started already`);
    this.#sink = sink;
    if (this.#inbound === 'over') sink.ended(this.#error);
  }

  write(text: string): boolean {
    // What is written after the end, after one's own close or towards a side that has ended goes nowhere.
    if (this.#inbound !== 'over') this.#other?.push(encoder.encode(text));
    return this.#inbound === 'over' || this.#other?.isFull === false;
  }

  drained(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#inbound !== 'over' && this.#other?.isFull === true) this.#other.waitForRoom(resolve);
      else resolve();
    });
  }

  close(): Promise<void> {
    this.#other?.pushEnd();
    return new Promise((resolve) => {
      if (this.#inbound === 'over') resolve();
      else this.#waitingForEnd.push(resolve);
    });
  }

  push(bytes: Uint8Array): void {
    if (this.#inbound === 'open' && bytes.length > 0) this.#queue.push(bytes);
  }

  pushEnd(): void {
    if (this.#inbound !== 'open') return;
    this.#inbound = 'ending';
    this.#queue.push(theEnd);
  }

  peek(): string {
    return new TextDecoder().decode(joined(this.#queue.filter((item) => item !== theEnd)));
  }

  deliver(atMostBytes = Infinity): boolean {
    const next = this.#queue[0];
    if (next === undefined) return false;
    if (this.#sink === undefined) throw new Error(`the ${this.#name} side has not started its pipe`);
    this.#queue.shift();
    if (next === theEnd) this.#finish(undefined);
    else if (next.length > atMostBytes) {
      this.#queue.unshift(next.subarray(atMostBytes));
      this.#hand(next.subarray(0, atMostBytes));
    } else this.#hand(next);
    return true;
  }

  deliverJoined(count: number): boolean {
    const chunks = this.#queue.filter((item) => item !== theEnd).slice(0, count);
    if (chunks.length === 0) return false;
    this.#queue.splice(0, chunks.length, joined(chunks));
    return this.deliver();
  }

  setFull(full: boolean): void {
    this.#forcedFull = full;
    this.#wakeWriters();
  }

  end(error: Error | undefined): void {
    if (this.#inbound === 'over') return;
    this.#queue.length = 0;
    this.#finish(error);
  }

  #hand(bytes: Uint8Array): void {
    this.#wakeWriters();
    // A copy: a sink that keeps or changes its bytes must not meet those of a later chunk.
    this.#sink?.chunk(bytes.slice());
  }

  #finish(error: Error | undefined): void {
    this.#inbound = 'over';
    this.#error = error;
    this.#wakeWriters();
    this.#other?.letWritersGo();
    // A broken way tells the other side nothing; a polite end is answered with an end.
    if (error === undefined) this.#other?.pushEnd();
    this.#sink?.ended(error);
    const waiting = this.#waitingForEnd;
    this.#waitingForEnd = [];
    for (const resolve of waiting) resolve();
  }

  #wakeWriters(): void {
    if (!this.isFull) this.letWritersGo();
  }

  waitForRoom(resolve: () => void): void {
    this.#waitingForRoom.push(resolve);
  }

  letWritersGo(): void {
    const waiting = this.#waitingForRoom;
    this.#waitingForRoom = [];
    for (const resolve of waiting) resolve();
  }

  #bytes(): number {
    let bytes = 0;
    for (const item of this.#queue) if (item !== theEnd) bytes += item.length;
    return bytes;
  }
}

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(chunks.reduce((bytes, chunk) => bytes + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
