import { aborted } from '../base/aborted.ts';
import { Cancel, follow } from '../base/cancel.ts';
import type { Deadline, Deadlines, Expiring } from '../base/deadlines.ts';
import { McpError, RequestTimeoutError, withOutcome } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import { safely } from '../base/safely.ts';
import type { Progress } from '../model/types.ts';
import type { Note, RequestOptions } from '../ports/index.ts';
import type { CallOptions, Settings } from './options.ts';
import { positive } from '../base/positive.ts';

/** Something on this side that a call waits for. */
export interface Holder {
  /** The call is over without it; `givenUp`: by its caller or by its time. */
  over(pending: Pending, givenUp: boolean): void;
}

/**
 * One call on its way: its cancellation, its deadline, its progress and whether it may have run, over all it takes to
 * get it through.
 */
export class Pending implements RequestOptions, Expiring {
  readonly cancel = new Cancel();
  readonly emit: (note: Note) => void;
  readonly #settings: Settings;
  readonly #onProgress: ((progress: Progress) => void) | undefined;
  readonly #timeoutMs: number;
  readonly #maxTimeoutMs: number;
  readonly #startMs: number;
  readonly #deadline: Deadline;
  readonly #unfollow: () => void;
  #method: string | undefined;
  #holders: Set<Holder> | undefined;
  #over = false;
  /** What it waits for now is the hard limit. */
  #atLimit: boolean;
  #lastProgress = -Infinity;
  #onWire = false;
  #mayHaveRun = false;
  #closed: McpError | undefined;

  /** @throws ArgumentError for limits that are no positive numbers */
  constructor(options: CallOptions, settings: Settings, deadlines: Deadlines, heed: (note: Note) => void) {
    this.#settings = settings;
    this.#onProgress = options.onProgress;
    this.#timeoutMs = positive('timeoutMs', options.timeoutMs, settings.timeoutMs);
    this.#maxTimeoutMs = positive('maxTimeoutMs', options.maxTimeoutMs, settings.maxTimeoutMs);
    this.#startMs = settings.clock.now();
    this.#atLimit = this.#maxTimeoutMs < this.#timeoutMs;
    this.#deadline = deadlines.set(Math.min(this.#timeoutMs, this.#maxTimeoutMs), this);
    this.#unfollow = follow(options.signal, this.cancel);
    this.emit = (note) => {
      if (this.#over) return;
      if (note.method === 'notifications/progress') this.#take(note.params);
      else heed(note);
    };
  }

  get wantsProgress(): boolean {
    return this.#onProgress !== undefined;
  }

  /** @throws AbortError, or the library's error the call was given up with */
  assertWanted(): void {
    const { cancelled, reason } = this.cancel;
    if (cancelled) throw aborted(reason, 'not-sent');
  }

  /** A request for the call goes out. */
  begin(method: string): void {
    this.#method = method;
    this.#onWire = true;
  }

  /** The request that went out has an answer. */
  answered(): void {
    this.#mayHaveRun = true;
    this.#landed();
  }

  /** The request that went out has failed. */
  failed(error: unknown): void {
    // The reason it was given up for may be anybody's error, and know nothing of this call.
    const outcome = McpError.is(error) && error !== this.cancel.reason ? error.outcome : undefined;
    if (outcome !== 'not-sent' && outcome !== 'refused') this.#mayHaveRun = true;
    this.#landed();
  }

  #landed(): void {
    this.#onWire = false;
    if (this.#closed !== undefined) this.cancel.cancel(this.#closed);
  }

  /** The client is closed: a request on the wire ends with its link, anything else ends now. */
  close(reason: McpError): void {
    this.#closed = reason;
    if (!this.#onWire) this.cancel.cancel(reason);
  }

  /** An error that ends the call, with the outcome of the whole of it: of all its requests, not of the last one. */
  whole(error: unknown): unknown {
    if (!McpError.is(error)) return error;
    if (this.#mayHaveRun) return withOutcome(error, 'unknown');
    return error === this.cancel.reason ? withOutcome(error, 'not-sent') : error;
  }

  /** Starts the wait anew, within the hard limit. */
  renew(): void {
    if (this.#over) return;
    const held = this.#holders !== undefined && this.#holders.size > 0;
    const leftMs = this.#startMs + this.#maxTimeoutMs - this.#settings.clock.now();
    this.#atLimit = held || leftMs < this.#timeoutMs;
    this.#deadline.extend(Math.max(0, this.#atLimit ? leftMs : this.#timeoutMs));
  }

  /** The server waits for this side: only the hard limit goes on, until all who hold the call have let go. */
  hold(holder: Holder): void {
    if (this.#over) return;
    (this.#holders ??= new Set()).add(holder);
    this.renew();
  }

  letGo(holder: Holder): void {
    if (this.#holders?.delete(holder) === true) this.renew();
  }

  /** Holds the call while something on this side runs that needs to hear nothing of its end. */
  async whileHeld<T>(run: () => Promise<T>): Promise<T> {
    const holder = { over: () => undefined };
    this.hold(holder);
    try {
      return await run();
    } finally {
      this.letGo(holder);
    }
  }

  expire(): void {
    const ms = this.#atLimit ? this.#maxTimeoutMs : this.#timeoutMs;
    const outcome = this.#onWire || this.#mayHaveRun ? 'unknown' : 'not-sent';
    this.cancel.cancel(new RequestTimeoutError(ms, this.#method ?? 'connecting', { outcome }));
  }

  /** The link routes progress by its token. A later request of the call begins anew, which its listener is not told. */
  #take(params: JsonObject | undefined): void {
    const progress = readProgress(params);
    if (progress === undefined) return;
    this.renew();
    if (!(progress.progress > this.#lastProgress)) return;
    this.#lastProgress = progress.progress;
    safely(this.#settings.logger, () => this.#onProgress?.(progress), 'onProgress threw');
  }

  release(): void {
    this.#over = true;
    this.#deadline.release();
    this.#unfollow();
    if (this.#holders !== undefined) for (const holder of this.#holders) holder.over(this, this.cancel.cancelled);
    this.cancel.done();
  }
}

/** Malformed progress of a peer is dropped: it is no reason to end anything. */
function readProgress(params: JsonObject | undefined): Progress | undefined {
  const { progress, total, message } = params ?? {};
  if (typeof progress !== 'number') return undefined;
  return {
    progress,
    ...(typeof total === 'number' && { total }),
    ...(typeof message === 'string' && { message }),
  };
}
