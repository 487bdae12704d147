import { aborted } from '../base/aborted.ts';
import { Cancel, follow } from '../base/cancel.ts';
import { AbortError, CapabilityError, InvalidResponseError, McpError, rpcError } from '../base/errors.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import type { Logger } from '../base/logger.ts';
import { safely } from '../base/safely.ts';
import * as machine from '../core/subscription.ts';
import type { SubscriptionFilter } from '../model/types.ts';
import type { Note } from '../ports/index.ts';
import { filterNames, type Wire } from '../wire/index.ts';
import type { Connection } from './negotiate.ts';

/** What a listener is given, and what it gives. */
export interface ListenOptions {
  /** Ends the subscription. */
  signal?: AbortSignal | undefined;
  /** Takes what changes. */
  onNotification: (note: Note) => void;
}

/** An open subscription. */
export interface Subscription {
  /** The part of the filter that the server will serve. */
  readonly honored: SubscriptionFilter;
  /** Resolves when it is over; `lost` means that changes may have been missed. */
  readonly closed: Promise<machine.End>;
  close(): Promise<void>;
}

/**
 * Opens a subscription (basic/patterns/subscriptions); resolves once the server has acknowledged it.
 *
 * @param closing the client is being closed, and its subscriptions with it
 * @throws CapabilityError on a legacy connection
 */
export function listen(
  connection: Connection,
  filter: SubscriptionFilter,
  options: ListenOptions,
  logger: Logger,
  closing: Cancel,
): Promise<Subscription> {
  if (!connection.wire.facts.listens) {
    throw new CapabilityError(
      `subscriptions/listen does not exist in ${connection.wire.revision}: the server tells of changes unasked`,
    );
  }
  return new Promise((resolve, reject) => {
    new Listener(connection, filter, options, logger, resolve, reject).start(closing);
  });
}

class Listener implements Subscription {
  readonly closed: Promise<machine.End>;
  readonly #connection: Connection;
  readonly #filter: SubscriptionFilter;
  readonly #options: ListenOptions;
  readonly #logger: Logger;
  readonly #opened: (subscription: Subscription) => void;
  readonly #failed: (error: Error) => void;
  readonly #cancel = new Cancel();
  #resolveClosed!: (end: machine.End) => void;
  #state: machine.State = machine.initial;
  #error: Error | undefined;
  readonly #unfollow: (() => void)[] = [];
  /** Why it was closed from this side, other than by `close`. */
  #reason: unknown;

  constructor(
    connection: Connection,
    filter: SubscriptionFilter,
    options: ListenOptions,
    logger: Logger,
    opened: (subscription: Subscription) => void,
    failed: (error: Error) => void,
  ) {
    this.#connection = connection;
    this.#filter = filter;
    this.#options = options;
    this.#logger = logger;
    this.#opened = opened;
    this.#failed = failed;
    this.closed = new Promise((resolve) => {
      this.#resolveClosed = resolve;
    });
  }

  get honored(): SubscriptionFilter {
    return this.#state.at === 'open' ? this.#state.honored : {};
  }

  start(closing: Cancel): void {
    const { link, meta, wire } = this.#connection;
    const stop = new Cancel();
    stop.onCancel((reason) => {
      this.#reason = reason;
      this.#post({ on: 'close' });
    });
    this.#unfollow.push(follow(this.#options.signal, stop), follow(closing.signal, stop));
    const params = { notifications: this.#filter, _meta: meta?.value };
    link
      .request({ method: 'subscriptions/listen', params }, { cancel: this.#cancel, emit: (note) => this.#take(note) })
      .then(
        (reply) => {
          this.#error = reply.error === undefined ? problemOf(reply.result, wire) : rpcError(reply.error);
          this.#post({ on: this.#error === undefined ? 'result' : 'failed' });
        },
        (error: unknown) => {
          this.#error = McpError.from(error);
          this.#post({ on: 'lost' });
        },
      );
  }

  #take(note: Note): void {
    if (note.method === 'notifications/subscriptions/acknowledged')
      return this.#post({ on: 'acknowledged', filter: readFilter(note.params?.['notifications']) });
    // On pipes the server announces the end ahead of the result: the result ends it.
    if (note.method === 'notifications/cancelled') return;
    this.#post({ on: 'notice' }, note);
  }

  #post(input: machine.Input, note?: Note): void {
    const [state, effects] = machine.step(this.#state, input);
    this.#state = state;
    for (const effect of effects) {
      switch (effect.do) {
        case 'opened':
          this.#opened(this);
          break;
        case 'open-failed':
          this.#failed(
            this.#error ??
              (input.on === 'close'
                ? aborted(this.#reason)
                : new InvalidResponseError('the subscription ended before it was acknowledged')),
          );
          break;
        case 'deliver':
          this.#deliver(note as Note);
          break;
        case 'cancel-request':
          this.#cancel.cancel(new AbortError('the subscription was closed'));
          break;
        case 'ended':
          for (const unfollow of this.#unfollow) unfollow();
          this.#resolveClosed(effect.end);
          break;
      }
    }
  }

  #deliver(note: Note): void {
    safely(this.#logger, () => this.#options.onNotification(note), 'onNotification threw');
  }

  async close(): Promise<void> {
    this.#post({ on: 'close' });
  }
}

/** What is wrong with the result: one that asks for input, say, which a subscription may not. */
function problemOf(result: JsonObject, wire: Wire): Error | undefined {
  try {
    wire.lift.complete(result);
    return undefined;
  } catch (error) {
    return McpError.from(error);
  }
}

function readFilter(value: unknown): SubscriptionFilter {
  const filter: SubscriptionFilter = {};
  if (!isObject(value)) return filter;
  for (const name of filterNames) if (value[name] === true) filter[name] = true;
  const uris = value['resourceSubscriptions'];
  if (Array.isArray(uris)) filter.resourceSubscriptions = uris.filter((uri) => typeof uri === 'string');
  return filter;
}
