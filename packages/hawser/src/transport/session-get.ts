import type { Clock } from '../base/clock.ts';
import { AbortError } from '../base/errors.ts';
import type { HttpResponse } from '../ports/index.ts';
import { headerNames } from '../wire/index.ts';
import { isSuccess, mediaType, textOf, type Reading } from './http-answer.ts';
import { Outgoing, type HttpSender } from './http-sender.ts';

/** What is needed of a link to GET streams in its legacy session. */
export interface SessionGets {
  readonly clock: Clock;
  readonly sender: HttpSender;
  readonly reading: Reading;
  /** The headers of a GET in the session. */
  headers(): Record<string, string>;
  /** The server no longer knows the session. */
  sessionLost(): void;
}

/** A GET for a stream, all of it or from an event on (2025-11-25 basic/transports "Resumability and Redelivery"). */
export function getFrom(lastEventId: string | undefined, gets: SessionGets): Outgoing {
  const headers = gets.headers();
  if (lastEventId !== undefined) headers[headerNames.lastEventId] = lastEventId;
  return new Outgoing('GET', headers);
}

/** Whether it is a stream of events that came. */
export function isStream(response: HttpResponse): boolean {
  return isSuccess(response) && mediaType(response) === 'text/event-stream';
}

/** Lets go of a response that is no stream: one that failed is read, so that the connection can be used again. */
export async function passOver(response: HttpResponse, get: Outgoing): Promise<void> {
  if (isSuccess(response)) get.flight?.abort(new AbortError('no stream'));
  else await textOf(response, 64 * 1024);
}

/** Whether a response says that the session is gone, to a request that named it. */
export function saysSessionLost({ status }: HttpResponse, { headers }: Outgoing): boolean {
  return status === 404 && headers[headerNames.session] !== undefined;
}
