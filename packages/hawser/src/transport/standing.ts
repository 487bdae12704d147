import type { Cancel } from '../base/cancel.ts';
import type { RequestId } from '../model/types.ts';
import type { Call, Caller, Exchange, Note } from '../ports/index.ts';
import { filterNames } from '../wire/index.ts';

/**
 * What a door listens with on behalf of a legacy session, which cannot ask for changes by itself: for all of them. A
 * service adds the resources that the session subscribes to by `resources/subscribe`.
 */
export const standingListen: Call = {
  method: 'subscriptions/listen',
  params: { notifications: Object.fromEntries(filterNames.map((name) => [name, true])) },
};

/** The way to a caller that has no request open: its pipe, or the session's own stream. */
interface StandingWay {
  /** Sends a notice; false when the way is full or gone. */
  note(note: Note): boolean;
  /** See {@link Exchange.drained}. */
  drained(): Promise<void>;
}

/** The exchange of {@link standingListen}. */
export class StandingExchange implements Exchange {
  readonly id: RequestId = 'session';
  readonly standing = true;
  readonly caller: Caller;
  readonly cancel: Cancel;
  readonly #way: StandingWay;

  constructor(caller: Caller, cancel: Cancel, way: StandingWay) {
    this.caller = caller;
    this.cancel = cancel;
    this.#way = way;
  }

  emit(note: Note): boolean {
    return this.#way.note(note);
  }

  drained(): Promise<void> {
    return this.#way.drained();
  }
}
