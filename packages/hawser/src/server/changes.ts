import { ArgumentError } from '../base/errors.ts';
import { sample } from '../base/logger.ts';
import { isUri } from '../core/uri.ts';
import type { Reply } from '../ports/index.ts';
import type { Change, Feed, Kind } from './feed.ts';
import type { Subscriptions } from './subscriptions.ts';

/** Tells those who listen that something has changed. A list that is told of several times in one turn goes out once. */
export interface Changed {
  /** The list of tools: for one that changes by other means than `tool` and `removeTool`, which tell of it themselves. */
  tools(): void;
  /** The list of prompts. */
  prompts(): void;
  /** The lists of resources and templates: what a template lists, say. */
  resources(): void;
  /**
   * The content of a resource: told to those who subscribed to it, or to one that it is below of.
   *
   * @throws ArgumentError when that is no URI
   * @see MCP 2026-07-28 server/resources
   */
  resource(uri: string): void;
}

/** The changes of one server, on their way to those who listen here and to the other processes that serve the same. */
export class Changes implements Changed {
  readonly #subscriptions: Subscriptions;
  readonly #feed: Feed | undefined;
  #lists = new Set<Kind>();

  /** @param feed makes the way to the other processes, if there is one; it brings what they tell */
  constructor(subscriptions: Subscriptions, feed: (told: (change: Change) => void) => Feed | undefined) {
    this.#subscriptions = subscriptions;
    this.#feed = feed((change) => this.#told(change));
  }

  /**
   * Has somebody listen; what other processes tell is heard meanwhile.
   *
   * @param listen calls what it is given once there is a listener, who has to wait for it until it is acknowledged
   */
  heard(listen: (hold: (() => Promise<void>) | undefined) => Promise<Reply>): Promise<Reply> {
    const feed = this.#feed;
    if (feed === undefined) return listen(undefined);
    let holds = false;
    const hold = (): Promise<void> => {
      holds = true;
      return feed.hold();
    };
    return listen(hold).finally(() => holds && feed.release());
  }

  tools(): void {
    this.list('tools');
  }

  prompts(): void {
    this.list('prompts');
  }

  resources(): void {
    this.list('resources');
  }

  resource(uri: string): void {
    if (!isUri(uri)) throw new ArgumentError(`changed.resource: "${sample(String(uri))}" is no URI`);
    this.#subscriptions.updated(uri);
    this.#feed?.publish({ uri });
  }

  /** Many changes in a row, as at start, are one change to those who listen. */
  list(kind: Kind): void {
    if (this.#lists.size === 0) queueMicrotask(() => this.#flush());
    this.#lists.add(kind);
  }

  #flush(): void {
    const lists = this.#lists;
    this.#lists = new Set();
    for (const list of lists) {
      this.#told({ list });
      this.#feed?.publish({ list });
    }
  }

  /** Something has changed, here or in another process. */
  #told(change: Change): void {
    if ('uri' in change) return this.#subscriptions.updated(change.uri);
    const { list } = change;
    this.#subscriptions.publish(`${list}ListChanged`, { method: `notifications/${list}/list_changed` });
  }
}
