/** A connection by hand, for callers who do not behave. */
import { connect } from 'node:net';

export class Raw {
  /** What has come. */
  text = '';
  #socket;
  #closed = false;
  #waiting = new Set();

  /** @param deaf it never reads */
  constructor(port, caller, where, { deaf = false } = {}) {
    const hear = caller.ear(where);
    this.#socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    this.#socket.setNoDelay(true);
    this.#socket.setEncoding('latin1');
    // What a peer does to a connection is what is tried here; none of it is an error.
    this.#socket.on('error', () => undefined);
    this.#socket.on('close', () => {
      this.#closed = true;
      this.#look();
    });
    if (deaf) this.#socket.pause();
    else {
      this.#socket.on('data', (chunk) => {
        hear(chunk);
        this.text += chunk;
        this.#look();
      });
      this.#socket.on('end', () => this.#socket.end());
    }
  }

  #look() {
    for (const look of this.#waiting) look();
  }

  /** Resolves when it is connected, or has failed to be. */
  connected() {
    return this.#until(() => !this.#socket.connecting);
  }

  send(text) {
    this.#socket.write(text, 'latin1');
  }

  /** Waits until what has come is as it should be; false when the connection or the time is over. */
  async until(wanted, limitMs = 5_000) {
    const holds = typeof wanted === 'function' ? () => wanted(this.text) : () => wanted.test(this.text);
    await this.#until(() => holds() || this.#closed, limitMs);
    return holds();
  }

  /** Waits until the server has closed it; whether it has. */
  closed(limitMs = 5_000) {
    return this.#until(() => this.#closed, limitMs);
  }

  #until(holds, limitMs = 5_000) {
    if (holds()) return Promise.resolve(true);
    return new Promise((resolve) => {
      const done = (value) => {
        this.#waiting.delete(look);
        this.#socket.off('connect', look);
        clearTimeout(timer);
        resolve(value);
      };
      const look = () => {
        if (holds()) done(true);
      };
      const timer = setTimeout(() => done(false), limitMs);
      this.#waiting.add(look);
      this.#socket.on('connect', look);
    });
  }

  /** The status of the first answer. */
  get status() {
    const found = /^HTTP\/1\.1 (\d{3})/.exec(this.text);
    return found === null ? undefined : Number(found[1]);
  }

  /** Says that nothing more will be sent, and goes on reading. */
  finish() {
    this.#socket.end();
  }

  /** Breaks the connection off with a RST. */
  reset() {
    this.#socket.resetAndDestroy();
  }
}
