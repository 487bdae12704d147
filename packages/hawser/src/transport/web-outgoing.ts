import { systemClock } from '../base/clock.ts';
import { ConnectionError } from '../base/errors.ts';
import type { HttpOutgoing } from './http-types.ts';
import { KeepAlive } from './keep-alive.ts';

/** How many bytes wait for the caller before writers are told to wait. */
const highWaterMark = 16 * 1024;

const encoder = new TextEncoder();

/** The response to a web request: a `Response`, its body a stream that is read at the caller's pace. */
export class WebOutgoing implements HttpOutgoing {
  readonly #signal: AbortSignal;
  readonly #resolve: (response: Response) => void;
  readonly #keepAliveMs: number;
  /** Of its own: on some platforms a stream can only be written to from within its request. */
  #keepAlive: KeepAlive | undefined;
  #stream: ReadableStreamDefaultController<Uint8Array> | undefined;
  #room: (() => void)[] = [];
  #gone: (() => void)[] = [];
  /** `ended`: all is written, but may not have been read. */
  #at: 'open' | 'ended' | 'over' = 'open';
  #passedOn: (() => void) | undefined;

  /**
   * @param signal aborts when the caller has gone
   * @param resolve takes the response, as soon as it has begun
   */
  constructor(signal: AbortSignal, resolve: (response: Response) => void, keepAliveMs: number) {
    this.#signal = signal;
    this.#resolve = resolve;
    this.#keepAliveMs = keepAliveMs;
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
          this.#drain();
          this.#closeIfRead();
        },
        cancel: () => this.#leave(),
      },
      new ByteLengthQueuingStrategy({ highWaterMark }),
    );
    this.#resolve(new Response(stream, { status: 200, headers }));
    this.#keepAlive = new KeepAlive(systemClock, this.#keepAliveMs);
    this.#keepAlive.add(this);
  }

  write(text: string): boolean {
    const stream = this.#stream;
    if (this.#at !== 'open' || stream === undefined) return false;
    stream.enqueue(encoder.encode(text));
    return (stream.desiredSize ?? 0) > 0;
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
    if (this.#at !== 'ended' || this.#stream?.desiredSize !== highWaterMark) return;
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
    this.#stream?.error(new ConnectionError('the request was aborted'));
    for (const listener of this.#gone.splice(0)) listener();
  };

  #finish(): void {
    this.#at = 'over';
    this.#signal.removeEventListener('abort', this.#leave);
    this.#keepAlive?.close();
    this.#drain();
  }
}
