import { Cancel } from '../base/cancel.ts';
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { SubscriptionFilter } from '../model/types.ts';
import type { Note } from '../ports/index.ts';
import type { Client } from './client.ts';
import { listNames, lists } from './group-lists.ts';

/** A subscription that does not live that long is not asked for again: it would cost more than it brings. */
const shortestMs = 30_000;

interface Parts {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly take: (note: Note) => void;
  /** Changes may have been missed. */
  readonly missed: () => void;
}

/**
 * Hears of changed lists of one server. Legacy servers tell of them unasked; a modern one is asked, once its lists
 * matter to somebody. Before a subscription, and when it ends, something may have been missed: that counts as a
 * change of every list.
 */
export class Changes {
  readonly #parts: Parts;
  #state: 'off' | 'on' | 'given up' = 'off';
  #cancel: Cancel | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Begins to listen, unless it does so already, or there is nothing to hear. */
  start(client: Client): void {
    if (this.#state !== 'off' || !client.isModern) return;
    const filter = filterOf(client);
    if (filter === undefined) return;
    this.#state = 'on';
    this.#listen(client, filter).catch((error: unknown) => {
      this.#state = 'given up';
      this.#parts.logger.debug('changes of lists will not be heard of', error);
    });
  }

  async #listen(client: Client, filter: SubscriptionFilter): Promise<void> {
    const { clock, take, missed } = this.#parts;
    const cancel = (this.#cancel = new Cancel());
    const subscription = await client.listen(filter, { signal: cancel.signal, onNotification: take });
    // What was listed before may have changed before this.
    missed();
    const sinceMs = clock.now();
    await subscription.closed;
    if (cancel.cancelled) return;
    this.#state = clock.now() - sinceMs < shortestMs ? 'given up' : 'off';
    missed();
  }

  stop(): void {
    this.#state = 'given up';
    this.#cancel?.cancel(undefined);
  }
}

function filterOf(client: Client): SubscriptionFilter | undefined {
  const filter: SubscriptionFilter = {};
  for (const name of listNames) {
    const { feature } = lists[name];
    if (client.capabilities[feature]?.listChanged === true) filter[`${feature}ListChanged`] = true;
  }
  return Object.keys(filter).length === 0 ? undefined : filter;
}
