import { createParser } from 'eventsource-parser';
import { ResponseTooLargeError } from '../base/errors.ts';

/** Reads a stream of server-sent events: one call per event that carries data (WHATWG HTML, "Event streams"). */
export async function readEvents(
  body: AsyncIterable<Uint8Array>,
  maxEventBytes: number,
  take: (data: string) => 'more' | 'enough',
): Promise<'ended' | 'enough'> {
  let enough = false;
  let tooLarge = false;
  const parser = createParser({
    maxBufferSize: maxEventBytes,
    onEvent({ event, data }) {
      // Priming events have no data, other event types are not for us.
      if (enough || data === '' || (event !== undefined && event !== 'message')) return;
      enough = take(data) === 'enough';
    },
    onError(error) {
      if (error.type === 'max-buffer-size-exceeded') tooLarge = true;
    },
  });
  const decoder = new TextDecoder();
  for await (const chunk of body) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    if (enough) return 'enough';
    if (tooLarge) throw new ResponseTooLargeError(maxEventBytes);
  }
  // The parser holds a last carriage return back, in case a line feed follows: it does not.
  parser.feed('\n');
  return enough ? 'enough' : 'ended';
}
