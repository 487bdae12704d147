import type { Clock } from '../base/clock.ts';
import { sample, type Logger } from '../base/logger.ts';
import { bodyTooLarge, type HeadPolicy } from '../core/head.ts';
import type { Refusal } from '../core/refusal.ts';
import type { Authenticate, Call, Reply, Service } from '../ports/index.ts';
import { errorText } from '../wire/index.ts';
import type { HttpExchange } from './http-exchange.ts';
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
  /** How often open streams get a comment. */
  keepAliveMs: number;
  logger: Logger;
  clock: Clock;
}

/** Runs a call and answers it; gives the answer back too. */
export async function serve(service: Service, call: Call, exchange: HttpExchange, logger: Logger): Promise<Reply> {
  let reply: Reply;
  try {
    reply = await service.answer(call, exchange);
  } catch (error) {
    reply = broke(call, error, logger);
  }
  exchange.finish(reply);
  return reply;
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
