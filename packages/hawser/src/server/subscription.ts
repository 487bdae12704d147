import type { Implementation, SubscriptionFilter } from '../model/types.ts';
import type { Exchange, Note, Reply } from '../ports/index.ts';
import { wireOf } from '../wire/index.ts';
import { subscribedText } from './subscribed-text.ts';
import { Waiting, type Notice } from './waiting.ts';

/** What a listener needs of those it is one of. */
export interface Listening {
  /** A notice gave way: the listener does not keep up. */
  dropped(): void;
}

/** One listener, from its acknowledgement to its end. */
export class Subscription {
  readonly exchange: Exchange;
  readonly filter: SubscriptionFilter;
  readonly #server: Implementation;
  readonly #listening: Listening;
  readonly #resolve: (reply: Reply) => void;
  /** What waits: for room, or for its turn. */
  #waiting: Waiting | undefined;
  #sentOnce = 0;

  constructor(
    exchange: Exchange,
    filter: SubscriptionFilter,
    server: Implementation,
    listening: Listening,
    resolve: (reply: Reply) => void,
  ) {
    this.exchange = exchange;
    this.filter = filter;
    this.#server = server;
    this.#listening = listening;
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

  /** Tells of a change; told again before there was room for it, it is told once. */
  deliver(note: Note): void {
    if (this.#waiting === undefined) return this.#send(note);
    const key = keyOf(note);
    this.#waiting.add({ key, note, characters: key.length });
  }

  /** Sends a notice that no other stands for. */
  deliverOnce(note: Note, characters: number): boolean {
    // No change has a key like that: methods have no blanks in front.
    if (this.#waiting === undefined) this.#send(note);
    else this.#waiting.add({ key: ` ${++this.#sentOnce}`, note, characters });
    return true;
  }

  #send(note: Note): void {
    if (this.#emit(note)) return;
    this.hold();
    void this.exchange.drained().then(() => this.release());
  }

  /** Whether what is delivered waits. */
  get waits(): boolean {
    return this.#waiting !== undefined;
  }

  /** What is delivered from now on waits until {@link release}. */
  hold(): void {
    this.#waiting ??= new Waiting(() => this.#listening.dropped());
  }

  /** Delivers what waits; tells how many notices that were. */
  release(): number {
    const late = [...(this.#waiting ?? [])];
    this.#waiting = undefined;
    for (const each of late) this.#resume(each);
    return late.length;
  }

  #resume(notice: Notice): void {
    if (this.#waiting === undefined) this.#send(notice.note);
    else this.#waiting.add(notice);
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
