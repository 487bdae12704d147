import type { Clock } from '../base/clock.ts';
import { sample, type Logger } from '../base/logger.ts';
import { bodyTooLarge, type HeadPolicy } from '../core/head.ts';
import type { Refusal } from '../core/refusal.ts';
import type { Authenticate, Call, EventLog, Reply } from '../ports/index.ts';
import { errorText } from '../wire/index.ts';
import { jsonHeaders, type HttpOutgoing } from './http-types.ts';
import type { SessionLimits } from './legacy-sessions.ts';
import { brokenHandler } from './reply.ts';

/** Legacy callers get sessions, are served request by request, or not at all. */
export type LegacyMode = 'sessions' | 'stateless' | 'none';

/** Settings of a door, defaults filled in. */
export interface DoorSettings {
  policy: HeadPolicy;
  authenticate: Authenticate | undefined;
  legacy: LegacyMode;
  sessions: SessionLimits;
  /** Where the events of their streams are kept; undefined: in memory. */
  eventLog: EventLog | undefined;
  /** Most bytes of events that are kept, over all sessions. */
  maxEventLogBytes: number;
  /** How long a request may take to come in whole, where the platform does not see to it. */
  requestTimeoutMs: number;
  /** How often open streams get a comment. */
  keepAliveMs: number;
  /** How long a caller may take nothing of an open stream. */
  stalledMs: number;
  logger: Logger;
  clock: Clock;
}

/** A service that breaks is an internal error to the caller; why is for our log only. */
export function broke({ method }: Call, error: unknown, logger: Logger): Reply {
  logger.error(`${sample(method, 100)} broke`, error);
  return brokenHandler;
}

/** Answers with an error instead of serving. */
export function refuse(out: HttpOutgoing, refusal: Refusal, nullId = false): void {
  // After a body that was cut short the connection is of no more use to anybody.
  const headers =
    refusal === bodyTooLarge ? { ...jsonHeaders, connection: 'close' } : { ...jsonHeaders, ...refusal.headers };
  out.send(refusal.status, headers, errorText(refusal.id, refusal.error, nullId));
}
