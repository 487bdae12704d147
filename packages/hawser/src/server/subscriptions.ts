import { systemClock, type Clock } from '../base/clock.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import { isUri } from '../core/uri.ts';
import { errorCodes } from '../model/meta.ts';
import type { Implementation, SubscriptionFilter } from '../model/types.ts';
import type { Call, Caller, Exchange, Note, Reply } from '../ports/index.ts';
import { filterNames } from '../wire/index.ts';
import { Broadcast } from './broadcast.ts';
import { invalidParams } from './definitions.ts';
import { Subscription } from './subscription.ts';

/** Most resources that one listener or session is told of, and the longest URI it may name, in characters. */
const maxUris = 1_000;
const longestUri = 8_192;

const tooMany: Reply = { error: { code: errorCodes.internal, message: 'too many subscriptions' } };

/** What a server has changes of. */
export interface Offered {
  toolsListChanged?: boolean;
  promptsListChanged?: boolean;
  resourcesListChanged?: boolean;
  /** Single resources can be subscribed to. */
  resourceSubscriptions?: boolean;
}

/** The listeners of one server: each is a `subscriptions/listen` that stays open (basic/patterns/subscriptions). */
export class Subscriptions {
  readonly #open = new Set<Subscription>();
  readonly #maxOpen: number;
  readonly #broadcast: Broadcast;
  /** Who is to be told of a resource, by its URI. */
  readonly #byUri = new Map<string, Set<Subscription>>();
  /** What legacy sessions have subscribed to, and what they listen with, if they do. */
  readonly #sessions = new WeakMap<object, { uris: Set<string>; standing: Subscription | undefined }>();

  constructor(maxOpen: number, clock: Clock = systemClock) {
    this.#maxOpen = maxOpen;
    this.#broadcast = new Broadcast(clock);
  }

  /** How many are open; 0 when nobody listens. */
  get size(): number {
    return this.#open.size;
  }

  /** How many resources somebody listens for. */
  get resources(): number {
    return this.#byUri.size;
  }

  /** Serves one subscription; resolves when it is over. */
  listen(call: Call, exchange: Exchange, offered: Offered, server: Implementation): Promise<Reply> {
    const wanted = call.params?.['notifications'];
    if (!isObject(wanted)) return Promise.resolve(invalidParams('params.notifications must be an object'));
    if (this.#open.size >= this.#maxOpen) return Promise.resolve(tooMany);
    const filter = honor(wanted, offered);
    return new Promise((resolve) => {
      const subscription = new Subscription(exchange, filter, server, resolve);
      this.#add(subscription);
      subscription.acknowledge();
      exchange.cancel.onCancel(() => {
        this.#remove(subscription);
        subscription.end();
      });
    });
  }

  #add(subscription: Subscription): void {
    this.#open.add(subscription);
    const { standing, caller } = subscription.exchange;
    if (standing !== true || caller.session === undefined) return this.#index(subscription, subscription.uris);
    const session = this.#session(caller.session);
    session.standing = subscription;
    this.#index(subscription, session.uris);
  }

  #remove(subscription: Subscription): void {
    this.#open.delete(subscription);
    this.#broadcast.forget(subscription);
    const { standing, caller } = subscription.exchange;
    if (standing !== true || caller.session === undefined) return this.#unindex(subscription, subscription.uris);
    const session = this.#session(caller.session);
    this.#unindex(subscription, session.uris);
    if (session.standing === subscription) session.standing = undefined;
  }

  #session(session: object): { uris: Set<string>; standing: Subscription | undefined } {
    let known = this.#sessions.get(session);
    if (known === undefined) {
      known = { uris: new Set(), standing: undefined };
      this.#sessions.set(session, known);
    }
    return known;
  }

  #index(subscription: Subscription, uris: Iterable<string>): void {
    for (const uri of uris) {
      const those = this.#byUri.get(uri);
      if (those === undefined) this.#byUri.set(uri, new Set([subscription]));
      else those.add(subscription);
    }
  }

  #unindex(subscription: Subscription, uris: Iterable<string>): void {
    for (const uri of uris) {
      const those = this.#byUri.get(uri);
      those?.delete(subscription);
      if (those?.size === 0) this.#byUri.delete(uri);
    }
  }

  /** `resources/subscribe` of a legacy session; the reply when it cannot be (2025-11-25 server/resources). */
  subscribe(uri: unknown, { session }: Caller): Reply | undefined {
    if (!isUri(uri)) return invalidParams('params.uri must be a URI');
    if (uri.length > longestUri) return invalidParams(`params.uri may have ${longestUri} characters`);
    if (session === undefined) return undefined;
    const { uris, standing } = this.#session(session);
    if (!uris.has(uri) && uris.size >= maxUris) return invalidParams(`a session may subscribe to ${maxUris} resources`);
    uris.add(uri);
    if (standing !== undefined) this.#index(standing, [uri]);
    return undefined;
  }

  /** `resources/unsubscribe`; what was not subscribed to is no error. */
  unsubscribe(uri: unknown, { session }: Caller): Reply | undefined {
    if (!isUri(uri)) return invalidParams('params.uri must be a URI');
    const known = session === undefined ? undefined : this.#sessions.get(session);
    known?.uris.delete(uri);
    if (known?.standing !== undefined) this.#unindex(known.standing, [uri]);
    return undefined;
  }

  /** Tells everybody who listens for it. */
  publish(kind: (typeof filterNames)[number], note: Note): void {
    this.#broadcast.tell(listening(this.#open, kind), note);
  }

  /** Tells those who subscribed to this resource, or to one that it is below of, each of them once. */
  updated(uri: string): void {
    if (this.#byUri.size === 0) return;
    const told = new Set<Subscription>();
    for (const subscribed of withParents(uri))
      for (const subscription of this.#byUri.get(subscribed) ?? []) told.add(subscription);
    this.#broadcast.tell(told, { method: 'notifications/resources/updated', params: { uri } });
  }

  /** Ends all of them with their final result. */
  end(): void {
    this.#broadcast.flush();
    for (const subscription of this.#open) {
      this.#remove(subscription);
      subscription.end();
    }
  }
}

function* listening(open: Iterable<Subscription>, kind: (typeof filterNames)[number]): Generator<Subscription> {
  for (const subscription of open) if (subscription.filter[kind] === true) yield subscription;
}

/** A URI, and those it is below of: `x://a/b` is below `x://a/` and `x://a`. */
function* withParents(uri: string): Generator<string> {
  yield uri;
  // URIs that are longer than what can be subscribed to may have parents that are not.
  for (let at = uri.indexOf('/'); at >= 0 && at <= longestUri; at = uri.indexOf('/', at + 1)) {
    if (at > 0) yield uri.slice(0, at);
    if (at + 1 < uri.length) yield uri.slice(0, at + 1);
  }
}

/** The part of a filter that is offered here; what is not asked for is not in it. */
function honor(wanted: JsonObject, offered: Offered): SubscriptionFilter {
  const filter: SubscriptionFilter = {};
  for (const name of filterNames) if (wanted[name] === true && offered[name] === true) filter[name] = true;
  const { resourceSubscriptions } = wanted;
  if (!Array.isArray(resourceSubscriptions) || offered.resourceSubscriptions !== true) return filter;
  const uris = new Set<string>();
  for (const uri of resourceSubscriptions as unknown[]) {
    if (uris.size >= maxUris) break;
    if (isUri(uri) && uri.length <= longestUri) uris.add(uri);
  }
  filter.resourceSubscriptions = [...uris];
  return filter;
}
