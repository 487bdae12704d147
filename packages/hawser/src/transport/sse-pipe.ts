import type { Pipe } from '../ports/index.ts';
import { frame, type HttpOutgoing } from './http-types.ts';

/** What a caller has left unread past which none of its requests is taken, in characters. */
const maxUnread = 16 * 1024 * 1024;

/**
 * A stream of events as the sending half of a pipe. The other half are the messages that the caller posts: they are
 * handed on as they come, so no bytes are ever read here.
 */
export class SsePipe implements Pipe {
  readonly #out: HttpOutgoing;
  #sink: { ended(error?: Error): void } | undefined;
  #ended = false;
  /** Written since the way was full. */
  #unread = 0;

  /** @param out a stream that has been opened */
  constructor(out: HttpOutgoing) {
    this.#out = out;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** Whether the caller has left so much unread that it is asked to read first. */
  get stuck(): boolean {
    return this.#unread > maxUnread;
  }

  start(sink: { ended(error?: Error): void }): void {
    this.#sink = sink;
  }

  /** A line is a message, and becomes an event. */
  write(line: string): boolean {
    if (this.#out.write(frame(line.trimEnd()))) return true;
    if (this.#unread === 0) {
      void this.#out.drained().then(() => {
        this.#unread = 0;
      });
    }
    this.#unread += line.length;
    return false;
  }

  drained(): Promise<void> {
    return this.#out.drained();
  }

  close(): Promise<void> {
    this.#out.end();
    this.end();
    return Promise.resolve();
  }

  /** The stream has ended, or its caller has gone. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#sink?.ended();
  }
}
