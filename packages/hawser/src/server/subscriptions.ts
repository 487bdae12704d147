import { isObject, type JsonObject } from '../base/json.ts';
import { errorCodes } from '../model/meta.ts';
import type { Implementation, SubscriptionFilter } from '../model/types.ts';
import type { Call, Exchange, Note, Reply } from '../ports/index.ts';
import { filterNames, wireOf } from '../wire/index.ts';

/** The listeners of one server: each is a `subscriptions/listen` that stays open (basic/patterns/subscriptions). */
export class Subscriptions {
  readonly #open = new Set<Subscription>();
  readonly #maxOpen: number;

  constructor(maxOpen: number) {
    this.#maxOpen = maxOpen;
  }

  /** How many are open; 0 when nobody listens. */
  get size(): number {
    return this.#open.size;
  }

  /** Serves one subscription; resolves when it is over. */
  listen(call: Call, exchange: Exchange, offered: SubscriptionFilter, server: Implementation): Promise<Reply> {
    const wanted = call.params?.['notifications'];
    if (!isObject(wanted)) return reply(errorCodes.invalidParams, 'params.notifications must be an object');
    if (this.#open.size >= this.#maxOpen) return reply(errorCodes.internal, 'too many subscriptions');
    const filter = honor(wanted, offered);
    return new Promise((resolve) => {
      const subscription = new Subscription(exchange, filter, server, resolve);
      this.#open.add(subscription);
      subscription.acknowledge();
      exchange.cancel.onCancel(() => {
        this.#open.delete(subscription);
        subscription.end();
      });
    });
  }

  /** Tells everybody who listens for it. */
  publish(kind: (typeof filterNames)[number], note: Note): void {
    for (const subscription of this.#open) if (subscription.filter[kind] === true) subscription.deliver(note);
  }

  /** Ends all of them with their final result. */
  end(): void {
    for (const subscription of this.#open) subscription.end();
    this.#open.clear();
  }
}

/** The part of a filter that is offered here; what is not asked for is not in it. */
function honor(wanted: JsonObject, offered: SubscriptionFilter): SubscriptionFilter {
  const filter: SubscriptionFilter = {};
  for (const name of filterNames) if (wanted[name] === true && offered[name] === true) filter[name] = true;
  return filter;
}

class Subscription {
  readonly filter: SubscriptionFilter;
  readonly #exchange: Exchange;
  readonly #server: Implementation;
  readonly #resolve: (reply: Reply) => void;
  /** What waits for room. A change told twice is told once: there are no more of them than kinds of change. */
  #waiting: Map<string, Note> | undefined;

  constructor(exchange: Exchange, filter: SubscriptionFilter, server: Implementation, resolve: (reply: Reply) => void) {
    this.#exchange = exchange;
    this.filter = filter;
    this.#server = server;
    this.#resolve = resolve;
  }

  acknowledge(): void {
    if (!wireOf(this.#exchange.caller.revision).facts.listens) return;
    this.#emit({ method: 'notifications/subscriptions/acknowledged', params: { notifications: this.filter } });
  }

  deliver(note: Note): void {
    if (this.#waiting !== undefined) {
      this.#waiting.set(note.method, note);
      return;
    }
    if (this.#emit(note)) return;
    this.#waiting = new Map();
    void this.#exchange.drained().then(() => {
      const waiting = this.#waiting;
      this.#waiting = undefined;
      if (waiting !== undefined) for (const late of waiting.values()) this.deliver(late);
    });
  }

  #emit(note: Note): boolean {
    const { lower } = wireOf(this.#exchange.caller.revision);
    return this.#exchange.emit({ method: note.method, params: lower.subscribed(note.params, this.#exchange.id) });
  }

  end(): void {
    this.#waiting = undefined;
    const { lower } = wireOf(this.#exchange.caller.revision);
    const result = lower.emptyResult(this.#server);
    this.#resolve({ result: lower.subscribed(result, this.#exchange.id) ?? result });
  }
}

function reply(code: number, message: string): Promise<Reply> {
  return Promise.resolve({ error: { code, message } });
}
