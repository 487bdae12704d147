import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { CacheHints, Icon } from '../model/types.ts';
import type { Kv, Validator } from '../ports/index.ts';

/** What a server says of itself, and how it works. */
export interface ServerOptions {
  name: string;
  version: string;
  title?: string;
  description?: string;
  websiteUrl?: string;
  icons?: Icon[];
  /** Guidance for models on how to use the server; not a repetition of the tools' descriptions. */
  instructions?: string;
  /** Reports faults of handlers and odd callers. Default: silent. */
  logger?: Logger;
  /** Checks plain JSON Schemas. */
  validator?: Validator;
  /** Most subscriptions open at a time, over all callers. Default 10,000. */
  maxSubscriptions?: number;
  /** Entries per page of a list. Default 1,000. */
  pageSize?: number;
  /** How long lists and the discovery may be reused, and by whom. Default `{ ttlMs: 0, cacheScope: 'private' }`. */
  cache?: CacheHints;
  /**
   * Secrets that seal what travels with a round trip, of at least 16 bytes each: the first one seals, all of them open,
   * so that keys can be changed. Processes that serve the same callers need the same. Default: one random key of this
   * process, made on first use.
   */
  stateKeys?: readonly (string | Uint8Array)[];
  /** How long a caller may take for a round, in milliseconds. Default 600,000. */
  stateTtlMs?: number;
  /** How long a legacy caller may take to answer a question, in milliseconds. Default 600,000. */
  askTimeoutMs?: number;
  /** Remembers the rounds of tools that say `once`. Default: a bounded one in memory. */
  store?: Kv;
  /** Default: the platform's. */
  clock?: Clock;
}
