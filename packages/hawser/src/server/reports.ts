/** What a call tells its caller of how far it is (basic/patterns/progress). */
import { isObject } from '../base/json.ts';
import { metaKeys } from '../model/meta.ts';
import type { ProgressToken } from '../model/types.ts';
import type { Call, Exchange, Note } from '../ports/index.ts';
import { isRequestId, wireOf } from '../wire/index.ts';

const sent = Promise.resolve();

/** Progress of one call, over all runs of its handler: its values rise. */
export class Reports {
  readonly #exchange: Exchange;
  readonly #token: ProgressToken | undefined;
  #last = -Infinity;
  /** Set while the way to the caller is full. */
  #room: Promise<void> | undefined;
  #newest: Note | undefined;

  constructor(call: Call, exchange: Exchange) {
    this.#exchange = exchange;
    const meta = call.params?.['_meta'];
    const token = isObject(meta) ? meta[metaKeys.progressToken] : undefined;
    // Tokens and ids are of the same kind: any string and any integer, 0 and "" too.
    this.#token = isRequestId(token) ? token : undefined;
  }

  progress(progress: number, total?: number, message?: string): Promise<void> {
    const token = this.#token;
    if (token === undefined || !Number.isFinite(progress) || progress <= this.#last) return sent;
    this.#last = progress;
    const { lower } = wireOf(this.#exchange.caller.revision);
    const note: Note = {
      method: 'notifications/progress',
      params: lower.progress(token, {
        progress,
        ...(total !== undefined && Number.isFinite(total) && { total }),
        ...(message !== undefined && { message }),
      }),
    };
    if (this.#room !== undefined) {
      this.#newest = note;
      return this.#room;
    }
    if (this.#exchange.emit(note)) return sent;
    return (this.#room = this.#exchange.drained().then(() => {
      this.#room = undefined;
      this.flush();
    }));
  }

  /** Sends what waits for room: the newest still belongs before the result. */
  flush(): void {
    const note = this.#newest;
    this.#newest = undefined;
    if (note !== undefined) this.#exchange.emit(note);
  }
}
