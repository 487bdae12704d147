import type { Clock } from '../base/clock.ts';
import { AbortError, ConnectionError } from '../base/errors.ts';
import { parseJson } from '../base/json.ts';
import type { Logger } from '../base/logger.ts';
import type { HttpResponse } from '../ports/index.ts';
import { headerNames, readMessage } from '../wire/index.ts';
import { isSuccess, mediaType, textOf, type Reading } from './http-answer.ts';
import { hide } from './http-headers.ts';
import { Outgoing, type HttpSender } from './http-sender.ts';
import { Pace, passes, Pause } from './pace.ts';
import { readEvents, type Place } from './sse.ts';

/** A stream that lasted this long was a good one, even if nothing came on it. */
const goodMs = 30_000;

/** What a {@link SessionStream} needs of its link. */
export interface SessionStreamParts {
  readonly clock: Clock;
  readonly sender: HttpSender;
  readonly reading: Reading;
  readonly logger: Logger;
  /** The headers of a GET in the session. */
  headers(): Record<string, string>;
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
      const ms = pace.next(this.#place.retryMs, how === 'something' || clock.now() - sinceMs >= goodMs);
      if (ms === undefined) return logger.debug('the stream of the session is given up: nothing comes on it');
      this.#pause = new Pause(clock, ms);
      await this.#pause.over;
    }
  }

  /** One try. @param known whether the server is known to have such a stream */
  async #once(known: boolean): Promise<'none' | 'nothing' | 'something'> {
    const { sender, logger } = this.#parts;
    const headers = this.#parts.headers();
    if (this.#place.lastEventId !== undefined) headers[headerNames.lastEventId] = this.#place.lastEventId;
    const get = new Outgoing('GET', headers);
    this.#get = get;
    const seen = { stream: known, events: false };
    try {
      const none = await sender.run(get, async () => this.#read(await sender.send(get), get, seen));
      if (none) return 'none';
      logger.debug('the stream of the session ended: it was closed');
    } catch (error) {
      if (!this.#ended) logger.debug('the stream of the session ended', error);
    }
    if (!seen.stream) return 'none';
    return seen.events ? 'something' : 'nothing';
  }

  /** @returns true when the server has none */
  async #read(response: HttpResponse, get: Outgoing, seen: { stream: boolean; events: boolean }): Promise<boolean> {
    const { reading, logger } = this.#parts;
    const { status } = response;
    if (isSuccess(response) && mediaType(response) === 'text/event-stream') {
      seen.stream = true;
      const { lastEventId } = this.#place;
      try {
        await readSessionStream(response, get.headers, reading, this.#place, () => (seen.events = true));
      } finally {
        seen.events ||= this.#place.lastEventId !== lastEventId;
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
  await readEvents(
    response.body,
    reading.maxEventBytes,
    (data) => {
      came();
      reading.frame?.(hide(data, headers), response.status);
      const parsed = parseJson(data);
      for (const each of Array.isArray(parsed) ? (parsed as unknown[]) : [parsed]) {
        const message = readMessage(each);
        if (message.kind === 'request' || message.kind === 'notification') reading.aside(message);
      }
      return 'more';
    },
    place,
  );
}
