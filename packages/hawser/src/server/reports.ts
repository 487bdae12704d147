/** What a call tells its caller of how far it is (basic/patterns/progress). */
import { isObject } from '../base/json.ts';
import { metaKeys } from '../model/meta.ts';
import type { ProgressToken } from '../model/types.ts';
import type { Call, Exchange, Note } from '../ports/index.ts';
import { isRequestId, progressText, wireOf } from '../wire/index.ts';

const heard = Promise.resolve(true);
const unheard = Promise.resolve(false);

/** Progress of one call, over all runs of its handler: its values rise. */
export class Reports {
  readonly #exchange: Exchange;
  readonly #token: ProgressToken | undefined;
  #last = -Infinity;
  /** Set while the way to the caller is full. */
  #room: Promise<boolean> | undefined;
  #newest: Note | undefined;

  constructor(call: Call, exchange: Exchange) {
    this.#exchange = exchange;
    const meta = call.params?.['_meta'];
    const token = isObject(meta) ? meta[metaKeys.progressToken] : undefined;
    // Tokens and ids are of the same kind: any string and any integer, 0 and "" too.
    this.#token = isRequestId(token) ? token : undefined;
  }

  /** Resolves when there is room, to whether the caller can hear of it. */
  progress(progress: number, total?: number, message?: string): Promise<boolean> {
    const token = this.#token;
    const exchange = this.#exchange;
    if (token === undefined || exchange.hears === false) return unheard;
    if (!Number.isFinite(progress) || progress <= this.#last) return unheard;
    this.#last = progress;
    const params = wireOf(exchange.caller.revision).lower.progress(token, {
      progress,
      ...(total !== undefined && Number.isFinite(total) && { total }),
      ...(message !== undefined && { message }),
    });
    const note: Note = { method: 'notifications/progress', params, text: progressText(params) };
    if (this.#room !== undefined) {
      this.#newest = note;
      return this.#room;
    }
    if (exchange.emit(note)) return heard;
    return (this.#room = exchange.drained().then(() => {
      this.#room = undefined;
      this.flush();
      return exchange.hears !== false && !exchange.cancel.cancelled;
    }));
  }

  /** Sends what waits for room: the newest still belongs before the result. */
  flush(): void {
    const note = this.#newest;
    this.#newest = undefined;
    if (note !== undefined) this.#exchange.emit(note);
  }
}
