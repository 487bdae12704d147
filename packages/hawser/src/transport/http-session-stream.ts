import { parseJson } from '../base/json.ts';
import type { HttpResponse } from '../ports/index.ts';
import { readMessage } from '../wire/index.ts';
import { isSuccess, mediaType, textOf, type Reading } from './http-answer.ts';
import { hide } from './http-headers.ts';
import { readEvents } from './sse.ts';

/**
 * Reads the stream on which a legacy server tells and asks of its own accord (2025-11-25 "Listening for Messages from
 * the Server"). Having none is normal, whatever status says so: it is not asked for again.
 *
 * @returns `none` when there is no stream, else when it has ended
 */
export async function readSessionStream(
  response: HttpResponse,
  headers: Readonly<Record<string, string>>,
  reading: Reading,
): Promise<'none' | 'ended'> {
  if (!isSuccess(response)) {
    // Read, so that the connection can be used again.
    await textOf(response, 64 * 1024);
    return 'none';
  }
  if (mediaType(response) !== 'text/event-stream') return 'none';
  await readEvents(response.body, reading.maxEventBytes, (data) => {
    reading.frame?.(hide(data, headers), response.status);
    const parsed = parseJson(data);
    for (const each of Array.isArray(parsed) ? (parsed as unknown[]) : [parsed]) {
      const message = readMessage(each);
      if (message.kind === 'request' || message.kind === 'notification') reading.aside(message);
    }
    return 'more';
  });
  return 'ended';
}
