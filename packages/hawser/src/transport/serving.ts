import { Cancel } from '../base/cancel.ts';
import { AbortError } from '../base/errors.ts';
import * as incoming from '../core/incoming.ts';
import type { RequestId } from '../model/types.ts';
import type { Reply } from '../ports/index.ts';
import { replyText } from './reply.ts';

/** What a request needs of the pipe it came on. */
export interface Way {
  /** A request has begun that will be forgotten. */
  begin?(serving: Serving): void;
  write(text: string): boolean;
  /** The request is over; its reply, if it has one, is written in the same turn. */
  forget(serving: Serving): void;
}

/** A request of the other side that is being served here. */
export class Serving {
  readonly id: RequestId;
  readonly cancel = new Cancel();
  readonly #way: Way;
  #state: incoming.State = incoming.initial;

  constructor(way: Way, id: RequestId) {
    this.#way = way;
    this.id = id;
    way.begin?.(this);
  }

  /** Whether notices and the reply still go out. */
  get running(): boolean {
    return this.#state.at === 'running';
  }

  reply(reply: Reply): void {
    this.#post({ on: 'replied' }, reply);
  }

  /** The caller gave it up. */
  cancelled(reason: unknown): void {
    this.#post({ on: 'cancelled' }, undefined, reason);
  }

  /** The pipe has ended. */
  ended(): void {
    this.#post({ on: 'ended' }, undefined, 'the connection has ended');
  }

  #post(input: incoming.Input, reply?: Reply, reason?: unknown): void {
    const [state, effects] = incoming.step(this.#state, input);
    this.#state = state;
    for (const effect of effects) {
      switch (effect.do) {
        case 'forget':
          this.#way.forget(this);
          break;
        case 'send-reply':
          if (reply !== undefined) this.#way.write(replyText(this.id, reply));
          break;
        case 'stop-handler':
          this.cancel.cancel(new AbortError(reason));
          break;
      }
    }
    if (state.at === 'done') this.cancel.done();
  }
}
