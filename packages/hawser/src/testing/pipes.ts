import type { Clock } from '../base/clock.ts';
import type { Pipe } from '../ports/pipe.ts';
import { PipeEnd } from './pipe-end.ts';
import { pick, seededRandom } from './random.ts';
import { settle } from './settle.ts';

/** One end of a {@link SteppedPair}. */
export type Side = 'client' | 'server';

/** Settings of {@link steppedPair}. */
export interface SteppedPairOptions {
  /** Seed of {@link SteppedPair.deliverRandom}. Default 1, unless there is a `clock`. */
  seed?: number | undefined;
  /** Whose `random()` {@link SteppedPair.deliverRandom} uses when there is no `seed`. */
  clock?: Pick<Clock, 'random'> | undefined;
  /** Undelivered bytes from which on `write` returns false. Default: no limit. */
  highWaterBytes?: number | undefined;
}

/**
 * Two joined pipe ends between which nothing moves until the test says so. Methods that take a side mean what is on
 * its way *to* that side: after `pair.client.write('…')` it is `pair.deliver('server')` that hands the text over.
 *
 * The polite end: `client.close()` sends an end after all that was written, the server's sink gets `ended` when that
 * is delivered; then, after all that the server wrote till then, an end comes back, and `close()` resolves when it
 * is delivered.
 */
export class SteppedPair {
  readonly client: Pipe;
  readonly server: Pipe;
  readonly #ends: Record<Side, PipeEnd>;
  readonly #random: () => number;

  constructor(options: SteppedPairOptions = {}) {
    const { seed, clock, highWaterBytes = Infinity } = options;
    const client = new PipeEnd('client', highWaterBytes);
    const server = new PipeEnd('server', highWaterBytes);
    client.join(server);
    server.join(client);
    this.client = client;
    this.server = server;
    this.#ends = { client, server };
    this.#random = seed === undefined && clock !== undefined ? () => clock.random() : seededRandom(seed ?? 1);
  }

  /** How many chunks, the end included, are on their way to `side`. */
  pending(side: Side): number {
    return this.#ends[side].pending;
  }

  /** The text that is on its way to `side`. */
  peek(side: Side): string {
    return this.#ends[side].peek();
  }

  /**
   * Hands the next chunk, or the end, to `side`. False: nothing was on its way.
   *
   * @throws Error when `side` has not started its pipe
   */
  deliver(side: Side): boolean {
    return this.#ends[side].deliver();
  }

  /** Hands over at most `bytes` bytes of the next chunk; the rest of it stays on its way. */
  cut(side: Side, bytes: number): boolean {
    if (!(bytes >= 1)) throw new RangeError('cut: at least 1 byte');
    return this.#ends[side].deliver(bytes);
  }

  /** Hands over the next `count` chunks (default: all) as a single one. An end that follows stays on its way. */
  deliverJoined(side: Side, count: number = Infinity): boolean {
    return this.#ends[side].deliverJoined(count);
  }

  /**
   * Hands over all that is on its way, to `side` or to both, in the order written; what is written in answer within
   * the same turn is included. Gives the number of chunks. A side that has not started keeps what is on its way.
   */
  deliverAll(side?: Side): number {
    let delivered = 0;
    const sides: readonly Side[] = side === undefined ? ['client', 'server'] : [side];
    for (let moved = true; moved;) {
      moved = false;
      for (const to of sides) {
        if (!this.#ends[to].ready) continue;
        this.#ends[to].deliver();
        delivered++;
        moved = true;
      }
    }
    return delivered;
  }

  /**
   * Delivers to both sides and lets the work that follows settle, again and again, until nothing is on its way.
   * `isQuiet` as for {@link settle}.
   */
  async run(isQuiet?: () => boolean): Promise<void> {
    do await settle(isQuiet);
    while (this.deliverAll() > 0);
  }

  /** One seeded move: to either side a whole chunk, a piece of one, or several at once. False: nothing was ready. */
  deliverRandom(side?: Side): boolean {
    const sides: readonly Side[] = side === undefined ? ['client', 'server'] : [side];
    const to = pick(
      this.#random,
      sides.filter((each) => this.#ends[each].ready),
    );
    if (to === undefined) return false;
    const end = this.#ends[to];
    const kind = this.#random();
    if (kind < 0.25) return end.deliver();
    if (kind < 0.75) return end.deliver(1 + Math.floor(this.#random() * end.nextBytes));
    return end.deliverJoined(2 + Math.floor(this.#random() * 2)) || end.deliver();
  }

  /** Deliveries to `side` as a source for `runInRandomOrder`: whole chunks, pieces, several at once. */
  source(side: Side): { ready: () => boolean; run: () => void } {
    return { ready: () => this.#ends[side].ready, run: () => void this.deliverRandom(side) };
  }

  /** Puts raw bytes on their way to `side`, for what text cannot express, such as broken UTF-8. */
  inject(side: Side, bytes: Uint8Array): void {
    this.#ends[side].push(bytes);
  }

  /** Makes the way to `side` full, so that `write` at the other side returns false, or gives room again. */
  full(side: Side, full: boolean): void {
    this.#ends[side].setFull(full);
  }

  /**
   * Ends the pipe for `side` at once: what is on its way to it is lost and its sink gets `ended`. With an `error` the
   * other side is told nothing, as when a connection breaks; without one an end is put on its way to it.
   */
  end(side: Side, error?: Error): void {
    this.#ends[side].end(error);
  }
}

/** Two joined pipe ends between which nothing moves until the test says so. */
export function steppedPair(options?: SteppedPairOptions): SteppedPair {
  return new SteppedPair(options);
}
