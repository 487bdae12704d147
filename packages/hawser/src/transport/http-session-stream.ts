import { ConnectionError } from '../base/errors.ts';
import { parseJson } from '../base/json.ts';
import type { Logger } from '../base/logger.ts';
import type { HttpResponse } from '../ports/index.ts';
import { readMessage } from '../wire/index.ts';
import { setAside, type Reading } from './http-answer.ts';
import { hide } from './http-headers.ts';
import type { Outgoing } from './http-sender.ts';
import { Pace, passes, Pause, type Came } from './pace.ts';
import { getFrom, isStream, passOver, saysSessionLost, type SessionGets } from './session-get.ts';
import { readEvents, type Place } from './sse.ts';

/** A stream that lasted this long was a good one, even if nothing came on it. */
const goodMs = 30_000;

/** What one try has found. */
interface Seen {
  /** Whether there is such a stream. */
  stream: boolean;
  came: Came;
}

/**
 * The stream on which a legacy server tells and asks of its own accord (2025-11-25 "Listening for Messages from the
 * Server"). When it ends it is asked for again, from the last event on. Having none is normal, whatever status says so:
 * then it is not asked for again.
 */
export class SessionStream {
  readonly #gets: SessionGets;
  readonly #place: Place = {};
  #get: Outgoing | undefined;
  #pause: Pause | undefined;
  #ended = false;

  constructor(gets: SessionGets) {
    this.#gets = gets;
  }

  get #logger(): Logger {
    return this.#gets.reading.logger;
  }

  /** Reads it for as long as the server has it; never rejects. */
  async listen(): Promise<void> {
    const { clock } = this.#gets;
    const pace = new Pace();
    for (let known = false; !this.#ended; known = true) {
      const sinceMs = clock.now();
      const how = await this.#once(known);
      if (how === 'none' || this.#ended) return;
      const ms = pace.next(this.#place.retryMs, clock.now() - sinceMs >= goodMs ? 'news' : how);
      if (ms === undefined) return this.#logger.debug('the stream of the session is given up: nothing comes on it');
      this.#pause = new Pause(clock, ms);
      await this.#pause.over;
    }
  }

  /** One try. @param known whether the server is known to have such a stream */
  async #once(known: boolean): Promise<'none' | Came> {
    const { sender } = this.#gets;
    const get = getFrom(this.#place.lastEventId, this.#gets);
    this.#get = get;
    const seen: Seen = { stream: known, came: 'nothing' };
    try {
      const none = await sender.run(get, async () => this.#read(await sender.send(get), get, seen));
      if (none) return 'none';
      this.#logger.debug('the stream of the session ended: it was closed');
    } catch (error) {
      if (!this.#ended) this.#logger.debug('the stream of the session ended', error);
    }
    if (!seen.stream) return 'none';
    return seen.came;
  }

  /** @returns true when the server has none */
  async #read(response: HttpResponse, get: Outgoing, seen: Seen): Promise<boolean> {
    const { status } = response;
    if (isStream(response)) {
      seen.stream = true;
      const { lastEventId } = this.#place;
      try {
        await readSessionStream(response, get.headers, this.#gets.reading, this.#place, () => (seen.came = 'news'));
      } finally {
        // An event without data says that the server is there, not that there was anything to ask for.
        if (seen.came === 'nothing' && this.#place.lastEventId !== lastEventId) seen.came = 'signs';
      }
      return false;
    }
    await passOver(response, get);
    this.#logger.debug(`the stream of the session ended: HTTP ${status}`);
    if (seen.stream && status === 400 && this.#place.lastEventId !== undefined) {
      // The server may have forgotten the event, and give the stream without it.
      this.#place.lastEventId = undefined;
      return false;
    }
    // To a first GET some servers that have no such stream say 404 as well.
    if (seen.stream && saysSessionLost(response, get)) this.#gets.sessionLost();
    return !(seen.stream && passes(status));
  }

  end(): void {
    this.#ended = true;
    this.#pause?.cut();
    this.#get?.giveUp(new ConnectionError('the session has ended'));
  }
}

/** Takes what comes on the stream until it ends. */
async function readSessionStream(
  response: HttpResponse,
  headers: Readonly<Record<string, string>>,
  reading: Reading,
  place: Place,
  came: () => void,
): Promise<void> {
  const { how, error } = await readEvents(
    response.body,
    reading.maxEventBytes,
    (data) => {
      came();
      reading.frame?.(hide(data, headers), response.status);
      const parsed = parseJson(data);
      for (const each of Array.isArray(parsed) ? (parsed as unknown[]) : [parsed]) {
        const message = readMessage(each);
        if (message.kind === 'request' || message.kind === 'notification') setAside(message, reading);
      }
      return 'more';
    },
    place,
  );
  if (how === 'broken') throw error;
}
