import { Cancel, follow } from '../base/cancel.ts';
import type { Deadline, Deadlines, Expiring } from '../base/deadlines.ts';
import { ArgumentError, RequestTimeoutError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import type { Progress } from '../model/types.ts';
import type { Note, RequestOptions } from '../ports/index.ts';
import type { CallOptions, Settings } from './options.ts';

/** Something on this side that a call waits for. */
export interface Holder {
  /** The call is over without it; `givenUp`: by its caller or by its time. */
  over(pending: Pending, givenUp: boolean): void;
}

/** One call on its way: its cancellation, its deadline and its progress, over all it takes to get it through. */
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

  /** @throws ArgumentError for limits that are no positive numbers */
  constructor(options: CallOptions, settings: Settings, deadlines: Deadlines, heed: (note: Note) => void) {
    this.#settings = settings;
    this.#onProgress = options.onProgress;
    this.#timeoutMs = limit('timeoutMs', options.timeoutMs) ?? settings.timeoutMs;
    this.#maxTimeoutMs = limit('maxTimeoutMs', options.maxTimeoutMs) ?? settings.maxTimeoutMs;
    this.#startMs = settings.clock.now();
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

  /** A request for the call goes out. */
  begin(method: string): void {
    this.#method = method;
  }

  /** Starts the wait anew, within the hard limit. */
  renew(): void {
    if (this.#over) return;
    const held = this.#holders !== undefined && this.#holders.size > 0;
    const leftMs = this.#startMs + this.#maxTimeoutMs - this.#settings.clock.now();
    this.#deadline.extend(Math.max(0, held ? leftMs : Math.min(this.#timeoutMs, leftMs)));
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

  expire(): void {
    const atLimit = this.#settings.clock.now() - this.#startMs >= this.#maxTimeoutMs;
    const ms = atLimit ? this.#maxTimeoutMs : this.#timeoutMs;
    this.cancel.cancel(
      this.#method === undefined
        ? new RequestTimeoutError(ms, 'connecting', { outcome: 'not-sent' })
        : new RequestTimeoutError(ms, this.#method),
    );
  }

  /** The link routes progress by its token. */
  #take(params: JsonObject | undefined): void {
    const progress = readProgress(params);
    if (progress === undefined) return;
    this.renew();
    try {
      this.#onProgress?.(progress);
    } catch (error) {
      this.#settings.logger.error('onProgress threw', error);
    }
  }

  release(): void {
    this.#over = true;
    this.#deadline.release();
    this.#unfollow();
    if (this.#holders !== undefined) for (const holder of this.#holders) holder.over(this, this.cancel.cancelled);
    this.cancel.done();
  }
}

function limit(name: string, value: number | undefined): number | undefined {
  if (value !== undefined && !(value > 0)) throw new ArgumentError(`${name} must be a positive number of milliseconds`);
  return value;
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
