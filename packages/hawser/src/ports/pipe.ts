/** A two-way stream of bytes: the stdio of a process, a socket, two ends in memory. */
export interface Pipe {
  /** Begins delivery. Chunks may be cut anywhere. `ended` comes once, when nothing more will. */
  start(sink: { chunk(bytes: Uint8Array): void; ended(error?: Error): void }): void;
  /** Queues text for the other side. False: it is full, wait for {@link drained}. */
  write(text: string): boolean;
  /** Resolves when there is room again or the pipe has ended; never rejects. */
  drained(): Promise<void>;
  /** Ends the pipe in its polite way; resolves when it is over. */
  close(): Promise<void>;
}
