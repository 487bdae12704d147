/** Types of the stores; implementations are judged by contract tests. */

/** A small key-value store with expiry. Values are JSON text. */
export interface Kv {
  get(key: string): Promise<{ value: string; version: string } | undefined>;
  /** Writes; with `ifVersion` only if the stored version is that one (`null`: only if absent). False: it was not. */
  set(key: string, value: string, options?: { ttlMs?: number; ifVersion?: string | null }): Promise<boolean>;
  delete(key: string, options?: { ifVersion?: string }): Promise<boolean>;
}

/** A lock that several processes agree on and that ends by itself. */
export interface Lease {
  /** Runs `work` while holding `key`; `signal` aborts when the lease is lost. */
  run<T>(
    key: string,
    work: (signal: AbortSignal) => Promise<T>,
    options?: { ttlMs?: number; waitMs?: number },
  ): Promise<T>;
}

/** A bounded log of a stream's events, for redelivery. */
export interface EventLog {
  append(stream: string, data: string): Promise<string>;
  /** Events after `id` of the same stream, or undefined when `id` is unknown or no longer kept. */
  after(id: string): Promise<{ stream: string; events: readonly { id: string; data: string }[] } | undefined>;
  drop(stream: string): Promise<void>;
}

/** Tells other processes of changes; `busContract` of `hawser/testing` says all that it has to do. */
export interface Bus {
  /** Tells all who have subscribed, and may tell this process as well. Rejects when it cannot. */
  publish(topic: string, message: string): Promise<void>;
  /**
   * Resolves once `receive` is called with what is published from then on, and gives what ends that. `receive` never
   * throws. Rejects when it cannot; whether it goes on after the connection was lost is for the bus to see to.
   */
  subscribe(topic: string, receive: (message: string) => void): Promise<() => Promise<void>>;
}
