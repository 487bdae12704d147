/** What a call tells its caller in log messages (server/utilities/logging), at the pace at which the caller reads. */
import type { Logger } from '../base/logger.ts';
import type { JsonObject } from '../base/json.ts';
import type { Exchange } from '../ports/index.ts';

/** Most messages that wait for room, and most characters of their data; the oldest give way. */
const maxWaiting = 1_000;
const maxCharacters = 1024 * 1024;

interface Waiting {
  readonly params: JsonObject;
  readonly characters: number;
}

/** The log messages of one call. While the way to its caller is full they wait. */
export class LogQueue {
  readonly #exchange: Exchange;
  readonly #name: string;
  readonly #logger: Logger;
  /** Set while the way is full; oldest first. */
  #waiting: Waiting[] | undefined;
  #characters = 0;
  #dropped = 0;

  /** @param name of what is called, for our own log */
  constructor(exchange: Exchange, name: string, logger: Logger) {
    this.#exchange = exchange;
    this.#name = name;
    this.#logger = logger;
  }

  /** @param json `data` as JSON text, as it was when it was logged */
  send(head: JsonObject, data: unknown, json: string): void {
    if (this.#waiting !== undefined) return this.#wait({ ...head, data: JSON.parse(json) as unknown }, json.length);
    if (!this.#emit({ ...head, data })) this.#hold();
  }

  #emit(params: JsonObject): boolean {
    return this.#exchange.emit({ method: 'notifications/message', params });
  }

  #wait(params: JsonObject, characters: number): void {
    const waiting = this.#waiting ?? [];
    waiting.push({ params, characters });
    this.#characters += characters;
    while (waiting.length > maxWaiting || (this.#characters > maxCharacters && waiting.length > 1)) {
      this.#characters -= waiting.shift()?.characters ?? 0;
      this.#dropped++;
    }
  }

  #hold(): void {
    this.#waiting ??= [];
    void this.#exchange.drained().then(() => this.#goOn());
  }

  #goOn(): void {
    for (let next = this.#next(); next !== undefined; next = this.#next())
      if (!this.#emit(next.params)) return this.#hold();
    this.#waiting = undefined;
  }

  #next(): Waiting | undefined {
    const next = this.#waiting?.shift();
    this.#characters -= next?.characters ?? 0;
    return next;
  }

  /** Sends what waits for room: it still belongs before the result. Says what had to go. */
  flush(): void {
    for (let next = this.#next(); next !== undefined; next = this.#next()) this.#emit(next.params);
    if (this.#dropped === 0) return;
    this.#logger.warn(`${this.#name}: log messages were dropped, since the caller reads too slowly`, {
      dropped: this.#dropped,
    });
    this.#dropped = 0;
  }
}
