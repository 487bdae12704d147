import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { systemClock } from '../base/clock.ts';
import { within } from '../base/within.ts';

/** The connections of an HTTP server, so that it can be closed without cutting off what is on its way. */
export class Connections {
  readonly #http: Server;
  readonly #open = new Set<Socket>();
  #closing = false;
  /** Told when the last one has gone. */
  readonly #emptied: (() => void)[] = [];

  constructor(http: Server) {
    this.#http = http;
    http.on('connection', (socket) => this.#add(socket));
  }

  #add(socket: Socket): void {
    if (this.#closing) {
      socket.destroy();
      return;
    }
    this.#open.add(socket);
    socket.once('close', () => {
      this.#open.delete(socket);
      if (this.#open.size === 0) for (const told of this.#emptied.splice(0)) told();
    });
  }

  /**
   * Stops listening. What was written goes out first, to those who read.
   *
   * @param flushMs how long they may take
   */
  async close(flushMs: number): Promise<void> {
    this.#closing = true;
    if (flushMs > 0) await this.#flush(flushMs);
    const stopped = new Promise<void>((resolve) => {
      this.#http.close(() => resolve());
    });
    this.#http.closeAllConnections();
    await stopped;
  }

  async #flush(flushMs: number): Promise<void> {
    if (this.#open.size === 0) return;
    const emptied = new Promise<void>((resolve) => {
      this.#emptied.push(resolve);
    });
    for (const socket of this.#open) socket.destroySoon();
    await within(flushMs, emptied, undefined, systemClock);
  }
}
