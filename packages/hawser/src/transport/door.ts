import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import { bodyTooLarge, type HeadPolicy } from '../core/head.ts';
import type { Refusal } from '../core/refusal.ts';
import type { Authenticate, EventLog } from '../ports/index.ts';
import { errorText } from '../wire/index.ts';
import { jsonHeaders, type HttpOutgoing } from './http-types.ts';

/** Settings of a door, defaults filled in. */
export interface DoorSettings {
  policy: HeadPolicy;
  authenticate: Authenticate | undefined;
  /** Legacy callers get sessions, or are served request by request. */
  legacy: 'sessions' | 'stateless';
  /** Most legacy sessions at a time. */
  maxSessions: number;
  /** Where the events of their streams are kept; undefined: in memory. */
  eventLog: EventLog | undefined;
  /** Most bytes of events that are kept, over all sessions. */
  maxEventLogBytes: number;
  /** How often open streams get a comment. */
  keepAliveMs: number;
  /** How long a caller may take nothing of an open stream. */
  stalledMs: number;
  logger: Logger;
  clock: Clock;
}

/** The largest request body, unless told otherwise. */
export const defaultMaxBodyBytes = 4 * 1024 * 1024;

/** How long a caller may take nothing of an open stream, unless told otherwise. */
export const defaultStalledMs = 300_000;

/** How long a request may take to come in whole, unless told otherwise, in milliseconds. */
export const defaultRequestTimeoutMs = 30_000;

/** Answers with an error instead of serving. */
export function refuse(out: HttpOutgoing, refusal: Refusal, nullId = false): void {
  // After a body that was cut short the connection is of no more use to anybody.
  const headers =
    refusal === bodyTooLarge ? { ...jsonHeaders, connection: 'close' } : { ...jsonHeaders, ...refusal.headers };
  out.send(refusal.status, headers, errorText(refusal.id, refusal.error, nullId));
}
