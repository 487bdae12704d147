import { systemClock, type Clock } from '../base/clock.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import { silent, type Logger } from '../base/logger.ts';
import { Places } from '../core/places.ts';
import { isUri } from '../core/uri.ts';
import { errorCodes } from '../model/meta.ts';
import type { Implementation, SubscriptionFilter } from '../model/types.ts';
import type { Call, Caller, Exchange, Note, Reply } from '../ports/index.ts';
import { filterNames } from '../wire/index.ts';
import { Broadcast } from './broadcast.ts';
import { invalidParams } from './definitions.ts';
import { Sessions, type SessionState } from './session.ts';
import { Subscription, type Listening } from './subscription.ts';
import type { Watches } from './watches.ts';

/** Most resources that one listener or session is told of, and the longest URI it may name, in characters. */
const maxUris = 1_000;
const longestUri = 8_192;

const tooMany: Reply = { error: { code: errorCodes.internal, message: 'too many subscriptions' }, status: 503 };

/** What a server has changes of. */
export interface Offered {
  toolsListChanged?: boolean;
  promptsListChanged?: boolean;
  resourcesListChanged?: boolean;
  /** Single resources can be subscribed to. */
  resourceSubscriptions?: boolean;
}

/** What the listeners of a server are told from, and are bounded by, besides how many there may be. */
interface SubscriptionsOptions {
  /** Most of one principal. Default: as many as there may be. */
  readonly maxPerPrincipal?: number | undefined;
  readonly sessions?: Sessions | undefined;
  readonly watches?: Watches | undefined;
  readonly clock?: Clock | undefined;
  readonly logger?: Logger | undefined;
}

/** The listeners of one server: each is a `subscriptions/listen` that stays open (basic/patterns/subscriptions). */
export class Subscriptions implements Listening {
  readonly #open = new Set<Subscription>();
  readonly #places: Places;
  readonly #sessions: Sessions;
  readonly #watches: Watches | undefined;
  readonly #logger: Logger;
  readonly #broadcast: Broadcast;
  #dropped = 0;
  /** Who is to be told of a resource, by its URI. */
  readonly #byUri = new Map<string, Set<Subscription>>();

  /** @param maxOpen most of them, without those that doors open for legacy sessions: of sessions doors have bounds */
  constructor(maxOpen: number, options: SubscriptionsOptions = {}) {
    this.#places = new Places(maxOpen, options.maxPerPrincipal ?? maxOpen);
    this.#sessions = options.sessions ?? new Sessions();
    this.#watches = options.watches;
    this.#logger = options.logger ?? silent;
    this.#broadcast = new Broadcast(options.clock ?? systemClock);
  }

  /** How many are open; 0 when nobody listens. */
  get size(): number {
    return this.#open.size;
  }

  /** How many resources somebody listens for. */
  get resources(): number {
    return this.#byUri.size;
  }

  /**
   * Serves one subscription; resolves when it is over.
   *
   * @param hold is called for a listener that is taken; what it gives is waited for before the acknowledgement
   */
  listen(
    call: Call,
    exchange: Exchange,
    offered: Offered,
    server: Implementation,
    hold?: () => Promise<void>,
  ): Promise<Reply> {
    const wanted = call.params?.['notifications'];
    if (!isObject(wanted)) return Promise.resolve(invalidParams('params.notifications must be an object'));
    const counts = exchange.standing !== true;
    if (counts && !this.#places.take(exchange.caller.principal)) return Promise.resolve(tooMany);
    const filter = honor(wanted, offered);
    const ready = hold?.();
    return new Promise((resolve) => {
      const subscription = new Subscription(exchange, filter, server, this, resolve);
      this.#add(subscription);
      // A legacy session is told nothing of the sort: its stream is open already, and must not be deaf meanwhile.
      if (ready === undefined || !counts) subscription.acknowledge();
      else this.#acknowledgeLater(subscription, ready);
      exchange.cancel.onCancel(() => {
        this.#remove(subscription);
        subscription.end();
      });
    });
  }

  #acknowledgeLater(subscription: Subscription, ready: Promise<void>): void {
    subscription.hold();
    void ready.then(() => {
      if (!this.#open.has(subscription)) return;
      subscription.acknowledge();
      subscription.release();
    });
  }

  #add(subscription: Subscription): void {
    this.#open.add(subscription);
    const session = this.#standingOf(subscription);
    if (session !== undefined) session.standing = subscription;
    this.#index(subscription, session?.uris ?? subscription.uris);
  }

  #remove(subscription: Subscription): void {
    if (!this.#open.delete(subscription)) return;
    this.#broadcast.forget(subscription);
    if (subscription.exchange.standing !== true) this.#places.leave(subscription.exchange.caller.principal);
    const session = this.#standingOf(subscription);
    this.#unindex(subscription, session?.uris ?? subscription.uris);
    if (session?.standing === subscription) session.standing = undefined;
  }

  /** The session that a door listens for, if this is a listener of that kind. */
  #standingOf({ exchange }: Subscription): SessionState | undefined {
    return exchange.standing === true ? this.#sessions.of(exchange.caller) : undefined;
  }

  #index(subscription: Subscription, uris: Iterable<string>): void {
    for (const uri of uris) {
      const those = this.#byUri.get(uri);
      if (those === undefined) {
        this.#byUri.set(uri, new Set([subscription]));
        this.#watches?.came(uri);
      } else those.add(subscription);
    }
  }

  #unindex(subscription: Subscription, uris: Iterable<string>): void {
    for (const uri of uris) {
      const those = this.#byUri.get(uri);
      those?.delete(subscription);
      if (those?.size === 0 && this.#byUri.delete(uri)) this.#watches?.left(uri);
    }
  }

  /** `resources/subscribe` of a legacy session; the reply when it cannot be (2025-11-25 server/resources). */
  subscribe(uri: unknown, caller: Caller): Reply | undefined {
    if (!isUri(uri)) return invalidParams('params.uri must be a URI');
    if (uri.length > longestUri) return invalidParams(`params.uri may have ${longestUri} characters`);
    const session = this.#sessions.of(caller);
    if (session === undefined) return undefined;
    const uris = (session.uris ??= new Set());
    if (!uris.has(uri) && uris.size >= maxUris) return invalidParams(`a session may subscribe to ${maxUris} resources`);
    uris.add(uri);
    if (session.standing !== undefined) this.#index(session.standing, [uri]);
    return undefined;
  }

  /** `resources/unsubscribe`; what was not subscribed to is no error. */
  unsubscribe(uri: unknown, caller: Caller): Reply | undefined {
    if (!isUri(uri)) return invalidParams('params.uri must be a URI');
    const session = this.#sessions.known(caller);
    session?.uris?.delete(uri);
    if (session?.standing !== undefined) this.#unindex(session.standing, [uri]);
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

  /** Said at first, then at ten times as many, and so on: a log does not grow with what it tells of. */
  dropped(): void {
    const dropped = ++this.#dropped;
    if (!/^10*$/.test(String(dropped))) return;
    this.#logger.warn('changes were dropped: somebody who listens does not keep up', { dropped });
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
