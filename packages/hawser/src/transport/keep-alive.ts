import type { Clock, Timer } from '../base/clock.ts';

/** How often open streams get a comment, unless told otherwise: well within the patience of proxies. */
export const defaultKeepAliveMs = 15_000;

/** A stream, as far as it is kept alive. */
interface KeptStream {
  readonly unsent: boolean;
  write(text: string): boolean;
  /** What is written waits for the caller: it is waited for only so long. */
  awaitReader(): void;
}

const comment = ': keep-alive\n\n';

/**
 * Writes a comment to open streams at intervals, so that nothing on the way takes them for dead, and a caller that
 * has vanished without a word is noticed (basic/transports/streamable-http "Receiving Messages"). One timer for all
 * streams of a door.
 */
export class KeepAlive {
  readonly #clock: Clock;
  readonly #intervalMs: number;
  readonly #streams = new Set<KeptStream>();
  #timer: Timer | undefined;

  /** @param intervalMs `Infinity`: never */
  constructor(clock: Clock, intervalMs: number) {
    this.#clock = clock;
    this.#intervalMs = intervalMs;
  }

  /** How many streams are open. */
  get size(): number {
    return this.#streams.size;
  }

  add(stream: KeptStream): void {
    this.#streams.add(stream);
    if (this.#timer === undefined && this.#intervalMs !== Infinity) this.#arm();
  }

  /** The timer stays: most streams are short, and arming it for each would cost more than one vain beat. */
  delete(stream: KeptStream): void {
    this.#streams.delete(stream);
  }

  close(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#streams.clear();
  }

  #arm(): void {
    this.#timer = this.#clock.after(this.#intervalMs, () => {
      this.#timer = undefined;
      for (const stream of this.#streams) {
        // To a caller that does not read, comments would only pile up.
        if (stream.unsent) stream.awaitReader();
        else stream.write(comment);
      }
      if (this.#streams.size > 0) this.#arm();
    });
  }
}
