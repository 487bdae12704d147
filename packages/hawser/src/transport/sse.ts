import { ResponseTooLargeError } from '../base/errors.ts';
import { notJson, parseJson } from '../base/json.ts';

/** How far a stream has been read, for whoever asks for the rest of it (2025-11-25 "Resumability and Redelivery"). */
export interface Place {
  /** The id of the last event that was read to its end. */
  lastEventId?: string | undefined;
  /** How long the server wishes to be left alone before. */
  retryMs?: number | undefined;
}

/** How a stream ended: by itself, because enough was had, or with an error before either. */
export interface End {
  readonly how: 'ended' | 'enough' | 'broken';
  readonly error?: unknown;
}

/**
 * Reads a stream of server-sent events: one call per event that carries data (WHATWG HTML, "Event streams"). Priming
 * events have no data, events with a name are not for us: both are passed over. An event whose end was cut off by the
 * end of the stream counts, unlike in the standard: half a message is no JSON, and a whole one should not be lost for
 * want of a blank line.
 *
 * @param place is told of ids and times to wait; without it they mean nothing
 * @returns how it ended; an error of `body` is in it, so that it is not taken for one of `take`
 * @throws ResponseTooLargeError when the data of one event, or one line, has more than `maxEventBytes` bytes
 * @throws whatever `take` throws
 */
export async function readEvents(
  body: AsyncIterable<Uint8Array>,
  maxEventBytes: number,
  take: (data: string) => 'more' | 'enough',
  place?: Place,
): Promise<End> {
  const decoder = new TextDecoder();
  const events = new Events(maxEventBytes, take, place);
  let end: End = { how: 'ended' };
  try {
    for await (const chunk of body) {
      events.feed(decoder.decode(chunk, { stream: true }));
      if (events.state !== 'reading') break;
    }
  } catch (error) {
    end = { how: 'broken', error };
  }
  events.finish();
  if (events.failure !== undefined) throw events.failure.error;
  if (events.state === 'too-large') throw new ResponseTooLargeError(maxEventBytes);
  return events.state === 'enough' ? { how: 'enough' } : end;
}

/** Characters of a line that are not its data: the name of the field. */
const slack = 64;

/** It goes back to the server in a header. */
const sendableId = /^[\x21-\x7e]{0,1024}$/;

/**
 * Text to events, wherever it is cut. The work is linear in the text, whatever it says: a stream has no other bound,
 * and what reports each odd line as an error takes seconds for a megabyte of them.
 */
class Events {
  state: 'reading' | 'enough' | 'too-large' | 'failed' = 'reading';
  /** What `take` threw. */
  failure: { readonly error: unknown } | undefined;
  readonly #maxBytes: number;
  readonly #take: (data: string) => 'more' | 'enough';
  readonly #place: Place | undefined;
  /** The pieces of a line whose end has not come. */
  #pieces: string[] = [];
  #length = 0;
  #afterCr = false;
  #data: string | undefined;
  #name = '';
  /** The id of the event that is being read. */
  #id: string | undefined;

  constructor(maxBytes: number, take: (data: string) => 'more' | 'enough', place: Place | undefined) {
    this.#maxBytes = maxBytes;
    this.#take = take;
    this.#place = place;
  }

  feed(text: string): void {
    if (text === '') return;
    let start = this.#afterCr && text.startsWith('\n') ? 1 : 0;
    this.#afterCr = false;
    // Each kind of end is looked for from its last place on, so that neither is looked for twice.
    let lf = text.indexOf('\n', start);
    let cr = text.indexOf('\r', start);
    while (this.state === 'reading' && (lf >= 0 || cr >= 0)) {
      const atCr = cr >= 0 && (lf < 0 || cr < lf);
      const end = atCr ? cr : lf;
      const line = text.slice(start, end);
      this.#line(this.#pieces.length === 0 ? line : this.#joined(line));
      start = end + 1;
      if (atCr && text.charAt(start) === '\n') start++;
      else this.#afterCr = atCr && start === text.length;
      if (lf >= 0 && lf < start) lf = text.indexOf('\n', start);
      if (cr >= 0 && cr < start) cr = text.indexOf('\r', start);
    }
    this.#keep(text.slice(start));
  }

  /** The stream is over. What was cut off can be asked for again, unless it is a whole message all the same. */
  finish(): void {
    if (this.state !== 'reading') return;
    const rest = this.#joined('');
    // Half an id would be another one.
    if (valueOf(rest, 'id') === undefined && valueOf(rest, 'retry') === undefined && rest !== '') this.#line(rest);
    if (this.#id !== undefined && parseJson(this.#data ?? '') === notJson) this.#id = undefined;
    this.#dispatch();
  }

  /** Keeps the beginning of a line until its end has come. */
  #keep(rest: string): void {
    if (rest !== '') this.#pieces.push(rest);
    this.#length += rest.length;
    const waiting = this.#length + (this.#data?.length ?? 0);
    if (this.state === 'reading' && waiting > this.#maxBytes + slack) this.state = 'too-large';
  }

  #joined(last: string): string {
    const line = this.#pieces.join('') + last;
    this.#pieces = [];
    this.#length = 0;
    return line;
  }

  /** Comments and unknown fields mean nothing here. */
  #line(line: string): void {
    if (line === '') return this.#dispatch();
    const data = valueOf(line, 'data');
    if (data !== undefined) this.#data = this.#data === undefined ? data : `${this.#data}\n${data}`;
    else if (this.#place === undefined || !this.#marks(line, this.#place))
      this.#name = valueOf(line, 'event') ?? this.#name;
  }

  /** Takes an id or a time to wait; false for other fields. Those that are none are passed over. */
  #marks(line: string, place: Place): boolean {
    const id = valueOf(line, 'id');
    // From an earlier one on the server would tell again what was read since.
    if (id !== undefined) this.#id = sendableId.test(id) ? id : '';
    const retry = valueOf(line, 'retry');
    if (retry !== undefined && /^\d{1,15}$/.test(retry)) place.retryMs = Number(retry);
    return id !== undefined || retry !== undefined;
  }

  #dispatch(): void {
    const data = this.#data ?? '';
    const forUs = this.#name === '' || this.#name === 'message';
    this.#data = undefined;
    this.#name = '';
    // An empty id takes the one before back.
    if (this.#id !== undefined && this.#place !== undefined) this.#place.lastEventId = this.#id || undefined;
    this.#id = undefined;
    if (isLonger(data, this.#maxBytes)) this.state = 'too-large';
    else if (data !== '' && forUs) this.#hand(data);
  }

  #hand(data: string): void {
    try {
      if (this.#take(data) === 'enough') this.state = 'enough';
    } catch (error) {
      this.failure = { error };
      this.state = 'failed';
    }
  }
}

/** The value of a line if it is of this field. */
function valueOf(line: string, field: string): string | undefined {
  if (!line.startsWith(field)) return undefined;
  const at = field.length;
  if (line.length === at) return '';
  if (line.charAt(at) !== ':') return undefined;
  return line.slice(line.charAt(at + 1) === ' ' ? at + 2 : at + 1);
}

/** Whether text has more than `max` bytes as UTF-8, counted only where the answer depends on it. */
function isLonger(text: string, max: number): boolean {
  if (text.length * 3 <= max) return false;
  return text.length > max || new TextEncoder().encode(text).length > max;
}
