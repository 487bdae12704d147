import type { Cancel } from '../base/cancel.ts';
import type { RequestId } from '../model/types.ts';
import type { Call, Caller, Exchange, Note, Reply, RequestOptions } from '../ports/index.ts';
import type { Peer } from './peer.ts';
import type { Serving } from './serving.ts';

/** A request that came over a pipe, for the service that handles it. */
export class PipeExchange implements Exchange {
  readonly caller: Caller;
  readonly hears: boolean;
  readonly #peer: Peer;
  readonly #serving: Serving;

  /** @param hears false: nothing but the answer has a way to the caller */
  constructor(peer: Peer, serving: Serving, caller: Caller, hears = true) {
    this.#peer = peer;
    this.#serving = serving;
    this.caller = caller;
    this.hears = hears;
  }

  get id(): RequestId {
    return this.#serving.id;
  }

  get cancel(): Cancel {
    return this.#serving.cancel;
  }

  /** After a cancellation nothing more goes out for the request. */
  emit(note: Note): boolean {
    return this.#serving.running && this.#peer.note(note);
  }

  drained(): Promise<void> {
    return this.#serving.running ? this.#peer.drained() : Promise.resolve();
  }
}

/** The same for a caller that can be asked: a legacy one. */
export class AskingExchange extends PipeExchange {
  readonly #asks: Peer;

  constructor(peer: Peer, serving: Serving, caller: Caller) {
    super(peer, serving, caller);
    this.#asks = peer;
  }

  ask(call: Call, options?: RequestOptions): Promise<Reply> {
    return this.#asks.request(call, options);
  }
}
