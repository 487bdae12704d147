import { createParser } from 'eventsource-parser';
import { ResponseTooLargeError } from '../base/errors.ts';

/** Characters of an event that may wait for its end besides its data: the names of fields, an id. */
const slack = 4_096;

/**
 * Reads a stream of server-sent events: one call per event that carries data (WHATWG HTML, "Event streams"). Priming
 * events have no data, events with a name are not for us: both are passed over. An event whose end was cut off by the
 * end of the stream counts, unlike in the standard: half a message is no JSON, and a whole one should not be lost for
 * want of a blank line.
 *
 * @throws ResponseTooLargeError when the data of one event has more than `maxEventBytes` bytes
 * @throws whatever `body` throws, unless `take` has had enough by then
 */
export async function readEvents(
  body: AsyncIterable<Uint8Array>,
  maxEventBytes: number,
  take: (data: string) => 'more' | 'enough',
): Promise<'ended' | 'enough'> {
  let enough = false;
  let tooLarge = false;
  let broken: { readonly error: unknown } | undefined;
  const parser = createParser({
    maxBufferSize: maxEventBytes + slack,
    onEvent({ event, data }) {
      if (enough || tooLarge) return;
      tooLarge = isLonger(data, maxEventBytes);
      if (tooLarge || data === '' || (event !== undefined && event !== 'message')) return;
      enough = take(data) === 'enough';
    },
    onError(error) {
      if (error.type === 'max-buffer-size-exceeded') tooLarge = true;
    },
  });
  const decoder = new TextDecoder();
  const lines = new LineEnds();
  try {
    for await (const chunk of body) {
      parser.feed(lines.feed(decoder.decode(chunk, { stream: true })));
      if (enough) return 'enough';
      if (tooLarge) break;
    }
  } catch (error) {
    broken = { error };
  }
  if (!tooLarge) parser.feed('\n\n');
  if (enough) return 'enough';
  if (tooLarge) throw new ResponseTooLargeError(maxEventBytes);
  if (broken !== undefined) throw broken.error;
  return 'ended';
}

/** CR and CRLF as LF, wherever the text is cut: of three kinds of ends, the parser is linear in LF only. */
class LineEnds {
  #afterCr = false;

  feed(text: string): string {
    if (text === '') return text;
    const rest = this.#afterCr && text.startsWith('\n') ? text.slice(1) : text;
    this.#afterCr = rest.endsWith('\r');
    return rest.includes('\r') ? rest.replace(/\r\n?/g, '\n') : rest;
  }
}

/** Whether text has more than `max` bytes as UTF-8, counted only where the answer depends on it. */
function isLonger(text: string, max: number): boolean {
  if (text.length * 3 <= max) return false;
  return text.length > max || new TextEncoder().encode(text).length > max;
}
