import { ConnectionError, HttpStatusError, McpError, ResponseStreamClosedError } from '../base/errors.ts';
import type { HttpFlight, HttpResponse, Reply } from '../ports/index.ts';
import { readAnswer, type Asked } from './http-answer.ts';
import type { Outgoing } from './http-sender.ts';
import { Pace, passes, Pause, type Came } from './pace.ts';
import { getFrom, isStream, passOver, saysSessionLost, type SessionGets } from './session-get.ts';
import type { Place } from './sse.ts';

/** A server that cannot be reached so often in a row has gone, and its sessions with it. */
const maxUnreached = 3;

/**
 * Fetches the rest of response streams that ended before the response: by GET, with the id of the last event
 * (2025-11-25 basic/transports "Resumability and Redelivery"). The request itself is never sent again.
 */
export class Resumer {
  readonly #gets: SessionGets;
  readonly #under = new Set<Pieces>();
  #ended = false;

  constructor(gets: SessionGets) {
    this.#gets = gets;
  }

  /**
   * Waits as long as the server says, asks for the rest, and again while something new comes.
   *
   * @param outgoing the request the stream answers; giving it up stops this too
   * @throws ResponseStreamClosedError when the server has no rest, cannot be reached in three tries, or nothing came in
   *   ten
   */
  async rest(outgoing: Outgoing, asked: Asked, place: Place): Promise<Reply> {
    const pieces = new Pieces();
    outgoing.flight = pieces;
    this.#under.add(pieces);
    const pace = new Pace();
    let came: Came = 'news';
    let unreached = 0;
    try {
      for (;;) {
        const ms = pace.next(place.retryMs, came);
        if (ms === undefined) throw new ResponseStreamClosedError();
        const { lastEventId } = place;
        // The server has taken it back, or given one that no header carries: there is nothing to go on from.
        if (lastEventId === undefined) throw new ResponseStreamClosedError();
        if (!this.#ended) await pieces.wait(new Pause(this.#gets.clock, ms));
        if (outgoing.over !== undefined) throw outgoing.over;
        // The request was sent, and may have been run.
        if (this.#ended) throw new ConnectionError('the connection has ended', { outcome: 'unknown' });
        pieces.unreached = undefined;
        const reply = await this.#piece(pieces, asked, lastEventId);
        if (reply !== undefined) return reply;
        came = place.lastEventId === lastEventId ? 'nothing' : 'news';
        unreached = pieces.unreached === undefined ? 0 : unreached + 1;
        if (unreached >= maxUnreached) throw new ResponseStreamClosedError({ cause: pieces.unreached });
      }
    } finally {
      this.#under.delete(pieces);
    }
  }

  /** One try; undefined when the response has not come. */
  async #piece(pieces: Pieces, asked: Asked, lastEventId: string): Promise<Reply | undefined> {
    const get = getFrom(lastEventId, this.#gets);
    pieces.get = get;
    try {
      return await this.#gets.sender.run(get, () => this.#read(get, asked, pieces));
    } catch (error) {
      // Given up with its request or with the link: what that means for the request is said where it waits.
      if (get.over !== undefined) return undefined;
      throw error;
    }
  }

  async #read(get: Outgoing, asked: Asked, pieces: Pieces): Promise<Reply | undefined> {
    const response = await this.#send(get, pieces);
    if (response === undefined) return undefined;
    if (!isStream(response)) return this.#refused(response, get);
    try {
      return await readAnswer(response, { ...asked, headers: get.headers }, this.#gets.reading);
    } catch (error) {
      if (error instanceof ResponseStreamClosedError) return undefined;
      throw error;
    }
  }

  /** Undefined: the network failed, or the try was given up. */
  async #send(get: Outgoing, pieces: Pieces): Promise<HttpResponse | undefined> {
    try {
      return await this.#gets.sender.send(get);
    } catch (cause) {
      // Whatever became of this GET says nothing of the request: its outcome must not be taken for that.
      if (McpError.is(cause) && cause.code !== 'connection' && cause.code !== 'transport')
        throw new ResponseStreamClosedError({ cause });
      if (get.over === undefined) pieces.unreached = cause;
      return undefined;
    }
  }

  /** @throws ResponseStreamClosedError unless a later try may do better */
  async #refused(response: HttpResponse, get: Outgoing): Promise<undefined> {
    const { status } = response;
    await passOver(response, get);
    if (passes(status)) return undefined;
    if (saysSessionLost(response, get)) this.#gets.sessionLost();
    const cause = new HttpStatusError(status, 'the server does not give the rest of the stream');
    throw new ResponseStreamClosedError({ status, cause });
  }

  /** The link has ended: nobody waits any more. What is being fetched may still come. */
  end(): void {
    this.#ended = true;
    for (const pieces of this.#under) pieces.pause?.cut();
  }
}

/** A response in pieces, as the flight of its request: giving that up stops whatever is under way for it. */
class Pieces implements HttpFlight {
  readonly sent = true;
  /** The heads of the pieces are read where they are fetched. */
  readonly response = new Promise<never>(() => undefined);
  pause: Pause | undefined;
  get: Outgoing | undefined;
  /** Why the last try did not get to the server. */
  unreached: unknown;

  async wait(pause: Pause): Promise<void> {
    this.pause = pause;
    await pause.over;
    this.pause = undefined;
  }

  abort(reason: Error): void {
    this.pause?.cut();
    this.get?.giveUp(reason);
  }
}
