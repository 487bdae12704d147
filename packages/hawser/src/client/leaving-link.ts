import type { Call, Link, Note, Reply, RequestOptions, Why } from '../ports/index.ts';

/**
 * A link that can be let go: nobody begins anything on it any more, what is under way on it goes on, and with the last
 * of that it is closed, its session and its streams with it.
 */
export class LeavingLink implements Link {
  readonly closed: Promise<Why>;
  readonly #link: Link;
  #underWay = 0;
  #left: (() => void) | undefined;

  constructor(link: Link) {
    this.#link = link;
    this.closed = link.closed;
  }

  async request(call: Call, options?: RequestOptions): Promise<Reply> {
    this.#underWay++;
    try {
      return await this.#link.request(call, options);
    } finally {
      this.#underWay--;
      this.#closeIfLeft();
    }
  }

  notify(note: Note): Promise<void> {
    return this.#link.notify(note);
  }

  close(): Promise<void> {
    return this.#link.close();
  }

  /** Lets it go; `closed` is called when it is closed, however that went. */
  leave(closed: () => void): void {
    this.#left ??= closed;
    this.#closeIfLeft();
  }

  #closeIfLeft(): void {
    const left = this.#left;
    if (left !== undefined && this.#underWay === 0) this.close().then(left, left);
  }
}
