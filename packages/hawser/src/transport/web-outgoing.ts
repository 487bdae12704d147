import type { Clock, Timer } from '../base/clock.ts';
import { ConnectionError } from '../base/errors.ts';
import type { HttpOutgoing } from './http-types.ts';
import { KeepAlive } from './keep-alive.ts';

/** How many bytes wait for the caller before writers are told to wait. */
const highWaterMark = 16 * 1024;

const encoder = new TextEncoder();

/** What a stream does over time. */
interface Patience {
  /** How often it gets a comment; `Infinity`: never. */
  readonly keepAliveMs: number;
  /** How long its caller may take nothing of it; `Infinity`: for ever. */
  readonly stalledMs: number;
  readonly clock: Clock;
}

/** The response to a web request: a `Response`, its body a stream that is read at the caller's pace. */
export class WebOutgoing implements HttpOutgoing {
  readonly #signal: AbortSignal;
  readonly #resolve: (response: Response) => void;
  readonly #patience: Patience;
  /** Of its own: on some platforms a stream can only be written to from within its request. */
  #keepAlive: KeepAlive | undefined;
  #stream: ReadableStreamDefaultController<Uint8Array> | undefined;
  #room: (() => void)[] = [];
  #gone: (() => void)[] = [];
  /** `ended`: all is written, but may not have been read. */
  #at: 'open' | 'ended' | 'over' = 'open';
  #passedOn: (() => void) | undefined;
  /** Runs while the caller is waited for. */
  #stalled: Timer | undefined;

  /**
   * @param signal aborts when the caller has gone
   * @param resolve takes the response, as soon as it has begun
   */
  constructor(signal: AbortSignal, resolve: (response: Response) => void, patience: Patience) {
    this.#signal = signal;
    this.#resolve = resolve;
    this.#patience = patience;
  }

  send(status: number, headers: Readonly<Record<string, string>>, body?: string): void {
    this.#finish();
    this.#resolve(new Response(body ?? null, { status, headers }));
  }

  open(headers: Readonly<Record<string, string>>): void {
    const stream = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#stream = controller;
        },
        pull: () => {
          this.#stalled?.cancel();
          this.#stalled = undefined;
          this.#drain();
          this.#closeIfRead();
        },
        cancel: () => this.#leave(),
      },
      new ByteLengthQueuingStrategy({ highWaterMark }),
    );
    this.#resolve(new Response(stream, { status: 200, headers }));
    if (this.#at === 'over') return this.#stream?.error(gone());
    this.#keepAlive = new KeepAlive(this.#patience.clock, this.#patience.keepAliveMs);
    this.#keepAlive.add(this);
  }

  write(text: string): boolean {
    const stream = this.#stream;
    if (this.#at !== 'open' || stream === undefined) return false;
    stream.enqueue(encoder.encode(text));
    if ((stream.desiredSize ?? 0) > 0) return true;
    this.awaitReader();
    return false;
  }

  get unsent(): boolean {
    return this.#at !== 'over' && (this.#stream?.desiredSize ?? highWaterMark) < highWaterMark;
  }

  awaitReader(): void {
    const { clock, stalledMs } = this.#patience;
    if (stalledMs !== Infinity) this.#stalled ??= clock.after(stalledMs, this.#leave);
  }

  drained(): Promise<void> {
    if (this.#at !== 'open' || (this.#stream?.desiredSize ?? 1) > 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#room.push(resolve);
    });
  }

  end(text?: string, passedOn?: () => void): void {
    if (this.#at !== 'open') return;
    if (text !== undefined) this.write(text);
    this.#at = 'ended';
    this.#passedOn = passedOn;
    this.#keepAlive?.close();
    this.#drain();
    this.#closeIfRead();
  }

  /** A stream that is closed asks for nothing any more: it is closed when all has been read, so that that is known. */
  #closeIfRead(): void {
    if (this.#at !== 'ended' || this.#stream === undefined) return;
    if (this.unsent) return this.awaitReader();
    this.#finish();
    this.#stream.close();
    this.#passedOn?.();
  }

  onGone(listener: () => void): void {
    if (this.#signal.aborted) return listener();
    if (this.#gone.length === 0) this.#signal.addEventListener('abort', this.#leave, { once: true });
    this.#gone.push(listener);
  }

  #drain(): void {
    for (const resolve of this.#room.splice(0)) resolve();
  }

  readonly #leave = (): void => {
    if (this.#at === 'over') return;
    this.#finish();
    // Whoever still reads is not to wait for ever; after a cancelled read this does nothing.
    this.#stream?.error(gone());
    for (const listener of this.#gone.splice(0)) listener();
  };

  #finish(): void {
    this.#at = 'over';
    this.#signal.removeEventListener('abort', this.#leave);
    this.#keepAlive?.close();
    this.#stalled?.cancel();
    this.#drain();
  }
}

function gone(): ConnectionError {
  return new ConnectionError('the request was aborted');
}
