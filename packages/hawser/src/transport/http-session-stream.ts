import type { Clock } from '../base/clock.ts';
import { AbortError, ConnectionError } from '../base/errors.ts';
import { parseJson } from '../base/json.ts';
import type { Logger } from '../base/logger.ts';
import type { HttpResponse } from '../ports/index.ts';
import { headerNames, readMessage } from '../wire/index.ts';
import { isSuccess, mediaType, setAside, textOf, type Reading } from './http-answer.ts';
import { hide } from './http-headers.ts';
import { Outgoing, type HttpSender } from './http-sender.ts';
import { Pace, passes, Pause, type Came } from './pace.ts';
import { readEvents, type Place } from './sse.ts';

/** A stream that lasted this long was a good one, even if nothing came on it. */
const goodMs = 30_000;

/** What one try has found. */
interface Seen {
  /** Whether there is such a stream. */
  stream: boolean;
  came: Came;
}

/** What a {@link SessionStream} needs of its link. */
interface SessionStreamParts {
  readonly clock: Clock;
  readonly sender: HttpSender;
  readonly reading: Reading;
  readonly logger: Logger;
  /** The headers of a GET in the session. */
  headers(): Record<string, string>;
  /** The server no longer knows the session. */
  sessionLost(): void;
}

/**
 * The stream on which a legacy server tells and asks of its own accord (2025-11-25 "Listening for Messages from the
 * Server"). When it ends it is asked for again, from the last event on. Having none is normal, whatever status says so:
 * then it is not asked for again.
 */
export class SessionStream {
  readonly #parts: SessionStreamParts;
  readonly #place: Place = {};
  #get: Outgoing | undefined;
  #pause: Pause | undefined;
  #ended = false;

  constructor(parts: SessionStreamParts) {
    this.#parts = parts;
  }

  /** Reads it for as long as the server has it; never rejects. */
  async listen(): Promise<void> {
    const { clock, logger } = this.#parts;
    const pace = new Pace();
    for (let known = false; !this.#ended; known = true) {
      const sinceMs = clock.now();
      const how = await this.#once(known);
      if (how === 'none' || this.#ended) return;
      const ms = pace.next(this.#place.retryMs, clock.now() - sinceMs >= goodMs ? 'news' : how);
      if (ms === undefined) return logger.debug('the stream of the session is given up: nothing comes on it');
      this.#pause = new Pause(clock, ms);
      await this.#pause.over;
    }
  }

  /** One try. @param known whether the server is known to have such a stream */
  async #once(known: boolean): Promise<'none' | Came> {
    const { sender, logger } = this.#parts;
    const headers = this.#parts.headers();
    if (this.#place.lastEventId !== undefined) headers[headerNames.lastEventId] = this.#place.lastEventId;
    const get = new Outgoing('GET', headers);
    this.#get = get;
    const seen: Seen = { stream: known, came: 'nothing' };
    try {
      const none = await sender.run(get, async () => this.#read(await sender.send(get), get, seen));
      if (none) return 'none';
      logger.debug('the stream of the session ended: it was closed');
    } catch (error) {
      if (!this.#ended) logger.debug('the stream of the session ended', error);
    }
    if (!seen.stream) return 'none';
    return seen.came;
  }

  /** @returns true when the server has none */
  async #read(response: HttpResponse, get: Outgoing, seen: Seen): Promise<boolean> {
    const { reading, logger } = this.#parts;
    const { status } = response;
    if (isSuccess(response) && mediaType(response) === 'text/event-stream') {
      seen.stream = true;
      const { lastEventId } = this.#place;
      try {
        await readSessionStream(response, get.headers, reading, this.#place, () => (seen.came = 'news'));
      } finally {
        // An event without data says that the server is there, not that there was anything to ask for.
        if (seen.came === 'nothing' && this.#place.lastEventId !== lastEventId) seen.came = 'signs';
      }
      return false;
    }
    // Read, so that the connection can be used again.
    if (isSuccess(response)) get.flight?.abort(new AbortError('no stream'));
    else await textOf(response, 64 * 1024);
    logger.debug(`the stream of the session ended: HTTP ${status}`);
    if (seen.stream && status === 400 && this.#place.lastEventId !== undefined) {
      // The server may have forgotten the event, and give the stream without it.
      this.#place.lastEventId = undefined;
      return false;
    }
    // To a first GET some servers that have no such stream say 404 as well.
    if (seen.stream && status === 404 && get.headers[headerNames.session] !== undefined) this.#parts.sessionLost();
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
