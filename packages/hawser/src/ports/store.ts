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

/** An event of a stream, as an {@link EventLog} keeps it. */
export interface LoggedEvent {
  readonly number: number;
  readonly data: string;
}

/**
 * Keeps what callers of legacy sessions may have missed, until they come back for it (2025-11-25 basic/transports
 * "Resumability and Redelivery"). A door names the streams, numbers the events, and decides what is kept, how much and
 * how long; a log holds the text. What is asked of a log takes effect in the order in which it was asked, also while
 * earlier promises are pending. A log that outlives its process forgets by age what that process left.
 */
export interface EventLog {
  /** Keeps an event. The numbers of a stream rise, with gaps. */
  append(stream: string, number: number, data: string): void | Promise<void>;
  /** The events of a stream with a number above `number`, in order; none for a stream that is not known. */
  after(stream: string, number: number): readonly LoggedEvent[] | Promise<readonly LoggedEvent[]>;
  /** Gives up one event of a stream, or all of it. What is not there is no error. */
  forget(stream: string, number?: number): void | Promise<void>;
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
