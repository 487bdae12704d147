import type { Implementation, SubscriptionFilter } from '../model/types.ts';
import type { Exchange, Note, Reply } from '../ports/index.ts';
import { wireOf } from '../wire/index.ts';
import { subscribedText } from './subscribed-text.ts';

/** Most notices that wait for room; the oldest give way. */
const maxWaiting = 1_000;

/** One listener, from its acknowledgement to its end. */
export class Subscription {
  readonly exchange: Exchange;
  readonly filter: SubscriptionFilter;
  readonly #server: Implementation;
  readonly #resolve: (reply: Reply) => void;
  /** What waits: for room, or for its turn. A change told twice is told once. */
  #waiting: Map<string, Note> | undefined;

  constructor(exchange: Exchange, filter: SubscriptionFilter, server: Implementation, resolve: (reply: Reply) => void) {
    this.exchange = exchange;
    this.filter = filter;
    this.#server = server;
    this.#resolve = resolve;
  }

  /** The resources that it named. */
  get uris(): readonly string[] {
    return this.filter.resourceSubscriptions ?? [];
  }

  acknowledge(): void {
    if (!wireOf(this.exchange.caller.revision).facts.listens) return;
    const { id, caller } = this.exchange;
    const params = wireOf(caller.revision).lower.subscribed({ notifications: this.filter }, id);
    this.exchange.emit({ method: 'notifications/subscriptions/acknowledged', params });
  }

  deliver(note: Note): void {
    const waiting = this.#waiting;
    if (waiting !== undefined) {
      waiting.set(keyOf(note), note);
      if (waiting.size > maxWaiting) waiting.delete(waiting.keys().next().value as string);
      return;
    }
    if (this.#emit(note)) return;
    this.#waiting = new Map();
    void this.exchange.drained().then(() => this.release());
  }

  /** Whether what is delivered waits. */
  get waits(): boolean {
    return this.#waiting !== undefined;
  }

  /** What is delivered from now on waits until {@link release}. */
  hold(): void {
    this.#waiting ??= new Map();
  }

  /** Delivers what waits; tells how many notices that were. */
  release(): number {
    const late = this.#waiting;
    this.#waiting = undefined;
    if (late !== undefined) for (const each of late.values()) this.deliver(each);
    return late?.size ?? 0;
  }

  #emit(note: Note): boolean {
    const { lower } = wireOf(this.exchange.caller.revision);
    const { id, caller } = this.exchange;
    const params = lower.subscribed(note.params, id);
    return this.exchange.emit({ method: note.method, params, text: subscribedText(note, caller.revision, id) });
  }

  end(): void {
    this.#waiting = undefined;
    const { lower } = wireOf(this.exchange.caller.revision);
    const result = lower.emptyResult(this.#server);
    this.#resolve({ result: lower.subscribed(result, this.exchange.id) ?? result });
  }
}

/** List changes are alike; updates are of one resource each. */
function keyOf({ method, params }: Note): string {
  const uri = params?.['uri'];
  return typeof uri === 'string' ? `${method} ${uri}` : method;
}
